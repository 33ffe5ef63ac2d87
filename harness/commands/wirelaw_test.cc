// SPDX-License-Identifier: Apache-2.0
// The command as a whole: what it promises to people, scripts and shells.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <test_paths.h>

#include <filesystem>
#include <regex>
#include <set>

#include "harness/commands/program_test.h"
#include "pcap/reader.h"
#include "pcap/tcp_synthesis.h"
#include "pcap/writer.h"

namespace wirelaw {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kCaptures = WIRELAW_SOURCE_DIR "/corpora/captures/ramcloud/";
const std::string kFound = WIRELAW_SOURCE_DIR "/corpora/captures/found/";
const std::string kGood = kCaptures + "ramcloud-cpp2016-open-single.pcap";

struct WirelawTest : ::testing::Test {
  WirelawTest() {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~WirelawTest() override { fs::remove_all(folder); }

  std::string path(const std::string& name) const { return (folder / name).string(); }

  // An open request that sets the reserved flag, and one that does not.
  std::string violating() const {
    OctetBuffer open(26);
    open[25] = 0x20;  // payloadType 2
    const pcap::Endpoint client = *pcap::parse_endpoint("192.0.2.1:3000");
    const pcap::Endpoint server = *pcap::parse_endpoint("192.0.2.2:7001");
    auto writer = pcap::Writer::create(path("violating.pcapng"));
    EXPECT_TRUE(writer->write_datagram(client, server, 0, open));
    open[25] |= 0x08;  // reserved1
    EXPECT_TRUE(writer->write_datagram(client, server, 1000, open));
    EXPECT_TRUE(writer->commit());
    return path("violating.pcapng");
  }

  // A connection that carries other octets before MPA begins; the reply has a reserved bit set.
  std::string switching() const {
    const pcap::Endpoint client = *pcap::parse_endpoint("192.0.2.1:3000");
    const pcap::Endpoint server = *pcap::parse_endpoint("192.0.2.2:7175");
    const auto octets = [](std::string_view text) { return OctetBuffer(text.begin(), text.end()); };
    OctetBuffer request = octets("MPA ID Req Frame");
    request.insert(request.end(), {0x40, 0x01, 0x00, 0x00});
    OctetBuffer reply = octets("MPA ID Rep Frame");
    reply.insert(reply.end(), {0x5f, 0x01, 0x00, 0x00});
    auto writer = pcap::Writer::create(path("switching.pcapng"));
    pcap::TcpSynthesis tcp(1);
    EXPECT_TRUE(writer->write_segment(client, server, 0, tcp.syn(true), {}));
    EXPECT_TRUE(writer->write_segment(server, client, 0, tcp.syn(false), {}));
    EXPECT_TRUE(writer->write_segment(client, server, 0, tcp.acknowledge(true), {}));
    for (const OctetBuffer& one : {octets("please switch"), octets("MPA ID"), OctetBuffer()}) {
      const OctetBuffer sent = one.empty() ? OctetBuffer(request.begin() + 6, request.end()) : one;
      EXPECT_TRUE(writer->write_segment(client, server, 1000, tcp.data(true, sent.size()), sent));
    }
    EXPECT_TRUE(writer->write_segment(server, client, 2000, tcp.data(false, reply.size()), reply));
    EXPECT_TRUE(writer->commit());
    return path("switching.pcapng");
  }

  fs::path folder = fs::path(::testing::TempDir()) /
                    (std::string("wirelaw_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(WirelawTest, AConformingCapturePasses) {
  const ProgramRun run = run_wirelaw({"check", kGood});
  EXPECT_EQ(run.status, 0) << run.out;
  EXPECT_EQ(run.err, "");
  EXPECT_THAT(run.out, HasSubstr("PASS: nothing failed (exit status 0)"));
}

TEST_F(WirelawTest, AViolatingCaptureFailsWithItsEvidence) {
  const ProgramRun run = run_wirelaw({"check", violating()});
  EXPECT_EQ(run.status, 1);
  EXPECT_THAT(run.out, HasSubstr("frame 2, message 2 of udp 192.0.2.1:3000 - 192.0.2.2:7001"));
  EXPECT_THAT(run.out, HasSubstr("(exit status 1)\n"));
}

TEST_F(WirelawTest, TheSameInputGivesTheSameOctets) {
  const std::vector<std::string> files{violating(), kGood, kCaptures + "ramcloud-cpp2016-channels.pcap"};
  for (const std::string format : {"text", "json", "junit"}) {
    std::vector<std::string> words{"check", "--format", format};
    words.insert(words.end(), files.begin(), files.end());
    const ProgramRun once = run_wirelaw(words);
    EXPECT_FALSE(once.out.empty());
    EXPECT_EQ(once.out, run_wirelaw(words).out) << format;
  }
}

TEST_F(WirelawTest, ABaselineFailsOnlyForWhatIsNew) {
  const std::string capture = violating();
  EXPECT_EQ(run_wirelaw({"check", "--format", "json", "-o", path("b.json"), capture}).status, 1);
  const ProgramRun again = run_wirelaw({"check", "--baseline", path("b.json"), capture});
  EXPECT_EQ(again.status, 0) << again.out;
  EXPECT_THAT(again.out, HasSubstr("known"));
  const ProgramRun fixed = run_wirelaw({"check", "--baseline", path("b.json"), kGood});
  EXPECT_EQ(fixed.status, 0);
  EXPECT_THAT(fixed.out, HasSubstr("no longer fails"));
}

TEST_F(WirelawTest, UpdateWritesABaselineThatAcceptsWhatFails) {
  const std::string capture = violating();
  const ProgramRun made = run_wirelaw({"check", "--baseline", path("new.json"), "--update", capture});
  EXPECT_EQ(made.status, 0) << made.out;
  EXPECT_THAT(made.err, HasSubstr("new.json written: a baseline that accepts"));
  EXPECT_EQ(run_wirelaw({"check", "--baseline", path("new.json"), capture}).status, 0);
  // It is replaced, not added to.
  EXPECT_EQ(run_wirelaw({"check", "--baseline", path("new.json"), "--update", kGood}).status, 0);
  EXPECT_EQ(run_wirelaw({"check", "--baseline", path("new.json"), capture}).status, 1);
}

TEST_F(WirelawTest, UpdateAcceptsTheFailuresOfATest) {
  const std::vector<std::string> test{"test",   "ramcloud",    "memory:",    "--deviate",      "reserved1-sent",
                                      "--case", "reserved1/*", "--baseline", path("test.json")};
  std::vector<std::string> update = test;
  update.emplace_back("--update");
  EXPECT_EQ(run_wirelaw(test).status, 2);
  const ProgramRun made = run_wirelaw(update);
  EXPECT_EQ(made.status, 0) << made.out;
  EXPECT_THAT(made.err, HasSubstr("test.json written"));
  EXPECT_EQ(run_wirelaw(test).status, 0);
}

TEST_F(WirelawTest, UpdateKeepsTheBaselineIfThereIsNoResult) {
  write_file(path("old.json"), "old");
  write_file(path("empty.pcap"), "");
  const ProgramRun run = run_wirelaw({"check", "--baseline", path("old.json"), "--update", path("empty.pcap")});
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("old.json is as it was"));
  EXPECT_EQ(read_file(path("old.json")), "old");
}

TEST_F(WirelawTest, ABaselineThatIsNotThereIsRefusedWithTheWayToMakeIt) {
  const ProgramRun run = run_wirelaw({"check", "--baseline", path("none.json"), kGood});
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("none.json: there is no such file; --update writes it from this run"));
  const ProgramRun alone = run_wirelaw({"check", "--update", kGood});
  EXPECT_EQ(alone.status, 2);
  EXPECT_THAT(alone.err, HasSubstr("--update: name the file that it writes with --baseline FILE"));
}

TEST_F(WirelawTest, SeveralFormatsGoEachToItsFile) {
  const ProgramRun run =
      run_wirelaw({"check", "--format", "json", "-o", path("a.json"), "-o", path("b.txt"), "--format", "junit", kGood});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(read_file(path("a.json")), HasSubstr("\"schema\": \"wirelaw/2\""));
  EXPECT_THAT(read_file(path("b.txt")), HasSubstr("PASS"));
  EXPECT_THAT(run.out, HasSubstr("<testsuites"));
}

TEST_F(WirelawTest, QuietWithFilesSaysNothing) {
  const ProgramRun run = run_wirelaw({"check", "-q", "--format", "json", "-o", path("a.json"), kGood});
  EXPECT_EQ(run.out + run.err, "");
}

TEST_F(WirelawTest, StandardInputIsACaptureToo) {
  const ProgramRun run = run_wirelaw({"check", "-q", "-"}, {.in = kGood});
  EXPECT_EQ(run.status, 0) << run.err;
}

TEST_F(WirelawTest, FindingsStandInTheAnnotatedCaptureAndItIsJudgedAlike) {
  const std::string capture = violating();
  EXPECT_EQ(run_wirelaw({"check", "--pcapng", path("out.pcapng"), capture}).status, 1);
  EXPECT_THAT(read_file(path("out.pcapng")), HasSubstr("wirelaw: RAMCLOUD-"));
  EXPECT_EQ(run_wirelaw({"check", path("out.pcapng")}).status, 1);
}

TEST_F(WirelawTest, DecodeShowsMessagesFieldsOctetsAndFindings) {
  const std::string capture = violating();
  const ProgramRun run = run_wirelaw({"decode", "-V", "-x", capture});
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, HasSubstr("192.0.2.1:3000 → 192.0.2.2:7001 ramcloud 26 C>S SESSION_OPEN"));
  EXPECT_THAT(run.out, HasSubstr("ramcloud.payload_type"));
  EXPECT_THAT(run.out, HasSubstr("0010  00 00"));
  EXPECT_THAT(run.out, HasSubstr("! RAMCLOUD-"));
}

// An absence is known at the end of a capture, and is shown where the message should have been.
TEST_F(WirelawTest, DecodePutsAFindingBelowItsFrameHoweverLateItComes) {
  const std::string trace = WIRELAW_SOURCE_DIR "/corpora/ramcloud/violating/RAMCLOUD-old-23-no-answer.pcapng";
  const ProgramRun run = run_wirelaw({"decode", "--complete", trace});
  EXPECT_TRUE(std::regex_search(run.out, std::regex("\n +5 [^\n]*\n +! RAMCLOUD-old-23 [^\n]*\n +6 "))) << run.out;
  const ProgramRun piped = run_wirelaw({"decode", "--complete", "-"}, {.in = trace});
  EXPECT_TRUE(std::regex_search(piped.out, std::regex("\n +7 [^\n]*\n +! frame 5: RAMCLOUD-old-23 "))) << piped.out;
}

// The finding is judged before its message is known to be one. It is printed once, and below its frame.
TEST_F(WirelawTest, DecodePutsAFindingBelowItsFrameHoweverEarlyItComes) {
  const ProgramRun run = run_wirelaw({"decode", WIRELAW_SOURCE_DIR "/corpora/rdmap/violating/MPA-7.1.1-5.pcapng"});
  EXPECT_TRUE(std::regex_search(run.out, std::regex("\n +5 [^\n]*\n( +![^\n]*\n)* +! MPA-7.1.1-5 "))) << run.out;
  EXPECT_EQ(run.out.find("MPA-7.1.1-5"), run.out.rfind("MPA-7.1.1-5"));
}

// Each line shows the carriers of its own frame: one direction of a flow may be in a tunnel alone.
TEST_F(WirelawTest, DecodeShowsWhatCarriedAFrame) {
  const ProgramRun tunnel = run_wirelaw({"decode", kFound + "capture-vxlan_term.pcap"});
  EXPECT_TRUE(std::regex_search(tunnel.out, std::regex(" 8 [^\n]*Read Request[^\n]* \\[carried in vxlan vni 42\\]\n")))
      << tunnel.out;
  const ProgramRun mixed = run_wirelaw({"decode", kFound + "capture-mixed_plain_ramcloud_and_mpls1_iwarp.pcap"});
  EXPECT_TRUE(std::regex_search(mixed.out, std::regex(" rdmap [^\n]* \\[carried in mpls label 16\\]\n"))) << mixed.out;
  EXPECT_FALSE(std::regex_search(mixed.out, std::regex(" ramcloud [^\n]*carried"))) << mixed.out;
  EXPECT_THAT(run_wirelaw({"decode", kGood}).out, Not(HasSubstr("carried")));
}

// Decoding succeeds for any content; `check` exits with 2 for each.
TEST_F(WirelawTest, DecodeSucceedsIfItCouldReadTheFile) {
  const ProgramRun nothing_judged = run_wirelaw({"decode", kFound + "capture-roce_cm_only.pcap"});
  EXPECT_EQ(nothing_judged.status, 0);
  EXPECT_THAT(nothing_judged.err, HasSubstr("no rule was exercised"));

  auto writer = pcap::Writer::create(path("macsec.pcapng"));
  const OctetBuffer macsec{2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x88, 0xe5, 0, 0, 0, 0, 0, 0};
  EXPECT_TRUE(writer->write_frame({.link_type = 1, .octets = macsec, .wire_length = 20}));
  EXPECT_TRUE(writer->commit());
  EXPECT_EQ(run_wirelaw({"check", path("macsec.pcapng")}).status, 2);
  const ProgramRun unread = run_wirelaw({"decode", path("macsec.pcapng")});
  EXPECT_EQ(unread.status, 0);
  EXPECT_THAT(unread.err, HasSubstr("1 frame of MACsec was not read"));

  const std::string whole = read_file(kGood);
  write_file(path("head.pcap"), whole.substr(0, 24));
  EXPECT_EQ(run_wirelaw({"decode", path("head.pcap")}).status, 0) << "it has no frame";
  EXPECT_EQ(run_wirelaw({"decode", "--iut", "192.0.2.77:1", kGood}).status, 0);
}

TEST_F(WirelawTest, DecodeFailsIfAFileCouldNotBeReadToItsEnd) {
  const std::string whole = read_file(kGood);
  write_file(path("cut.pcap"), whole.substr(0, whole.size() - 5));
  const ProgramRun cut = run_wirelaw({"decode", path("cut.pcap")});
  EXPECT_EQ(cut.status, 2);
  EXPECT_THAT(cut.out, HasSubstr(" ramcloud "));
  EXPECT_EQ(run_wirelaw({"decode", path("nosuch.pcap"), kGood}).status, 2);
}

// --- evidence is not lost

TEST_F(WirelawTest, NothingIsWrittenUponWhatIsRead) {
  const std::string capture = violating(), original = read_file(capture);
  const std::string link = path("link.pcapng"), other_name = path("hard.pcapng"), list = path("list.json");
  fs::create_symlink(capture, link);
  fs::create_hard_link(capture, other_name);
  ASSERT_EQ(run_wirelaw({"check", "--format", "json", "-o", path("b.json"), capture}).status, 1);
  write_file(list, "{}");
  const std::vector<std::vector<std::string>> commands{
      {"check", "-o", capture, capture},
      {"check", "-o", link, capture},
      {"check", "-o", other_name, capture},
      {"check", "-o", capture, link},
      {"check", "--format", "json", "-o", capture, kGood, other_name},
      {"check", "--pcapng", capture, capture},
      {"check", "--pcapng", link, capture},
      {"check", "--pcapng", capture, other_name},
      {"check", "--baseline", path("b.json"), "--format", "json", "-o", path("b.json"), capture},
      {"check", "--pcapng", path("out"), "-o", path("out"), capture},
      {"check", "-o", path("out"), "--format", "json", "-o", path("out"), capture},
      {"test", "ramcloud", "memory:", "--record", path("out"), "-o", path("out")},
      {"peers", "-o", list, list}};
  for (const auto& command : commands) {
    const ProgramRun run = run_wirelaw(command);
    EXPECT_EQ(run.status, 2) << ::testing::PrintToString(command);
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_FALSE(fs::exists(path("out")));
  }
  EXPECT_EQ(run_wirelaw({"check", "-o", capture, "-"}, {.in = capture}).status, 2) << "through standard input";
  EXPECT_EQ(read_file(capture), original);
  EXPECT_EQ(read_file(list), "{}");
}

TEST_F(WirelawTest, WhatCannotBeReadTwiceIsNotAnnotated) {
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  for (const std::string& file : {path("fifo"), std::string("/dev/null"), std::string("-")}) {
    const ProgramRun run = run_wirelaw({"check", "--pcapng", path("out.pcapng"), file});
    EXPECT_EQ(run.status, 2) << file;
    EXPECT_THAT(run.err, HasSubstr("twice")) << file;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  }
}

TEST_F(WirelawTest, TheBottomLineHasTheStatusThatTheProgramEndsWith) {
  const std::vector<std::vector<std::string>> commands{
      {"check", "--format", "text", "--format", "json", "-o", "/dev/full", kGood},
      {"check", "--pcapng", "/dev/full", kGood},
      {"check", "--format", "json", "-o", path("a.json"), "--pcapng", "/dev/full", kGood},
      {"test", "ramcloud", "memory:", "--record", "/dev/full", "--format", "json", "-o", path("a.json")}};
  for (const auto& command : commands) {
    const ProgramRun run = run_wirelaw(command);
    EXPECT_EQ(run.status, 2) << ::testing::PrintToString(command);
    EXPECT_THAT(run.out, HasSubstr("OUTPUT FAILED: ")) << ::testing::PrintToString(command);
    EXPECT_THAT(run.out, HasSubstr("(exit status 2)\n"));
    if (fs::exists(path("a.json"))) {
      EXPECT_THAT(read_file(path("a.json")), HasSubstr("\"exit_status\":2,"));
    }
    fs::remove(path("a.json"));
  }
}

TEST_F(WirelawTest, AnAnnotatedCaptureOnStandardOutputIsNothingElse) {
  const std::string capture = violating();
  ASSERT_EQ(run_wirelaw({"check", "--pcapng", path("out.pcapng"), capture}).status, 1);
  const ProgramRun run = run_wirelaw({"check", "--pcapng", "-", capture});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.out, read_file(path("out.pcapng")));
  EXPECT_THAT(run.err, HasSubstr("(exit status 1)"));
  EXPECT_EQ(run_wirelaw({"check", "--pcapng", "-", "--format", "json", capture}).status, 2);
}

TEST_F(WirelawTest, AnAnnotatedCaptureKeepsWhatItsUserHasWritten) {
  OctetBuffer open(26);
  open[25] = 0x28;  // payloadType 2, reserved1
  const std::string mine[] = {"mine"}, of_file[] = {"of the file"};
  auto writer = pcap::Writer::create(path("mine.pcapng"), of_file);
  ASSERT_TRUE(writer->write_datagram(*pcap::parse_endpoint("192.0.2.1:3000"), *pcap::parse_endpoint("192.0.2.2:7001"),
                                     0, open, mine));
  ASSERT_TRUE(writer->commit());
  ASSERT_EQ(run_wirelaw({"check", "-q", "--decode-as", "udp.port=7001,ramcloud", "--pcapng", path("out.pcapng"),
                         path("mine.pcapng")})
                .status,
            1);
  const std::string out = read_file(path("out.pcapng"));
  for (const std::string text : {"of the file", "mine", "wirelaw: RAMCLOUD-"}) EXPECT_THAT(out, HasSubstr(text));
}

// --- exported PDUs

TEST_F(WirelawTest, ExportedPdusAreJudgedDecodedAndAnnotated) {
  OctetBuffer open(26);
  open[25] = 0x28;  // payloadType 2, reserved1
  const pcap::Endpoint client = *pcap::parse_endpoint("[fe80::1]:3000");
  const pcap::Endpoint server = *pcap::parse_endpoint("[fe80::2]:7001");
  auto writer = pcap::Writer::create(path("pdus.pcapng"));
  ASSERT_TRUE(writer->write_pdu("ramcloud", client, server, 0, open));
  ASSERT_TRUE(writer->write_pdu("dns", server, client, 0, open));
  ASSERT_TRUE(writer->commit());
  const ProgramRun check = run_wirelaw({"check", "--pcapng", path("out.pcapng"), path("pdus.pcapng")});
  EXPECT_EQ(check.status, 1) << check.out << check.err;
  EXPECT_THAT(check.out, HasSubstr("frame 1, message 1 of pdu [fe80::1]:3000 - [fe80::2]:7001"));
  EXPECT_THAT(check.out, HasSubstr("1 message was passed over"));
  const ProgramRun decode = run_wirelaw({"decode", "-V", path("pdus.pcapng")});
  EXPECT_EQ(decode.status, 0) << decode.err;
  EXPECT_THAT(decode.out, HasSubstr("[fe80::1]:3000 → [fe80::2]:7001 ramcloud 26 C>S SESSION_OPEN"));
  EXPECT_THAT(decode.out,
              HasSubstr("[fe80::2]:7001 → [fe80::1]:3000 pdu 26 not recognised: the capture calls it 'dns'"));
  EXPECT_THAT(read_file(path("out.pcapng")), HasSubstr("wirelaw: RAMCLOUD-"));
  const ProgramRun again = run_wirelaw({"check", path("out.pcapng")});
  EXPECT_EQ(again.status, 1) << again.err;
  EXPECT_THAT(again.out, HasSubstr("of pdu [fe80::1]:3000"));
}

TEST_F(WirelawTest, CapturesOfSrdAreJudgedByTheNameOfTheirDissector) {
  const std::string captures = WIRELAW_SOURCE_DIR "/corpora/captures/efa/";
  for (const char* name : {"efa-1170-01-handshake.pcap", "efa-1170-02-eager.pcap", "efa-1170-05-write.pcap"}) {
    const ProgramRun run = run_wirelaw({"check", "-v", captures + name});
    EXPECT_LE(run.status, 1) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr("efa      pdu [fe80::7f17:2]:"));
    EXPECT_THAT(run.out, Not(HasSubstr(" unrecognised")));
  }
  EXPECT_THAT(run_wirelaw({"decode", captures + "efa-1170-01-handshake.pcap"}).out,
              HasSubstr("[fe80::7f17:2]:53884 → [fe80::7f17:1]:58608 efa 148 EAGER_MSGRTM msg_id 0"));
}

// --- over TCP

TEST_F(WirelawTest, AConnectionIsJudgedFromWhereItsProtocolBegins) {
  const ProgramRun run = run_wirelaw({"check", switching()});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("frame 7, message 2 of tcp 192.0.2.1:3000 - 192.0.2.2:7175"));
  EXPECT_THAT(run.out, HasSubstr("its first 13 octets were passed over, before rdmap began"));
}

TEST_F(WirelawTest, DecodeShowsTheMessagesOfAStreamWithFindings) {
  const ProgramRun run = run_wirelaw({"decode", "-V", "-x", switching()});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("192.0.2.1:3000 → 192.0.2.2:7175 tcp 13 not recognised"));
  EXPECT_THAT(run.out, HasSubstr("192.0.2.1:3000 → 192.0.2.2:7175 rdmap 20 "));
  EXPECT_THAT(run.out, HasSubstr("0010  5f 01 00 00"));
  EXPECT_LT(run.out.find("5f 01 00 00"), run.out.find("! MPA-"));  // a finding follows its message
}

TEST_F(WirelawTest, FindingsInAStreamStandAtTheirFrame) {
  ASSERT_EQ(run_wirelaw({"check", "-q", "--pcapng", path("out.pcapng"), switching()}).status, 1);
  EXPECT_EQ(run_wirelaw({"check", path("out.pcapng")}).status, 1);
  EXPECT_THAT(read_file(path("out.pcapng")), HasSubstr("wirelaw: "));
}

TEST_F(WirelawTest, DecodeAsKnowsWhatCarriesAProtocol) {
  EXPECT_EQ(run_wirelaw({"check", "--decode-as", "tcp.port=7175,rdmap", switching()}).status, 1);
  const ProgramRun run = run_wirelaw({"check", "--decode-as", "tcp.port=7175,ramcloud", switching()});
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("--decode-as: ramcloud travels over udp, not over tcp"));
}

TEST_F(WirelawTest, AMisspeltFeatureIsSuggested) {
  for (const std::string command : {"check", "decode"}) {
    const ProgramRun run = run_wirelaw({command, "--feature", "rfc7036", switching()});
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.err, HasSubstr("--feature: 'rfc7036' is not a feature of any protocol; did you mean 'rfc7306'?"));
    EXPECT_NE(run_wirelaw({command, "--feature", "rfc7306", switching()}).status, 2);
  }
  EXPECT_THAT(run_wirelaw({"check", "--protocol", "ramcloud", "--feature", "rfc7306", switching()}).err,
              HasSubstr("--feature: ramcloud has no optional features"));
}

TEST_F(WirelawTest, AnUnknownRevisionIsRefused) {
  for (const std::string command : {"check", "decode"}) {
    const ProgramRun run = run_wirelaw({command, "--revision", "2.5", switching()});
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.err, HasSubstr("--revision: '2.5' is not a revision of the document of any protocol"));
    EXPECT_THAT(run.err, HasSubstr("known: 2023-10, 2.6, main"));
    EXPECT_NE(run_wirelaw({command, "--revision", "2.6", switching()}).status, 2);
  }
  EXPECT_THAT(run_wirelaw({"check", "--protocol", "ramcloud", "--revision", "2.6", switching()}).err,
              HasSubstr("--revision: the document of ramcloud has only one revision"));
  EXPECT_THAT(run_wirelaw({"test", "rdmap", "memory:", "--revision", "main"}).err,
              HasSubstr("--revision: the document of rdmap has only one revision"));
}

TEST_F(WirelawTest, TheDocumentThatAFlowWasJudgedByIsSaid) {
  const std::string capture = WIRELAW_SOURCE_DIR "/corpora/efa/conforming/later-main.pcapng";
  const ProgramRun shown = run_wirelaw({"check", capture});
  EXPECT_EQ(shown.status, 0) << shown.out;
  EXPECT_THAT(shown.out, HasSubstr("judged by the document of main"));
  const ProgramRun said = run_wirelaw({"check", "--revision", "2023-10", capture});
  EXPECT_EQ(said.status, 1);
  EXPECT_THAT(said.out, HasSubstr("judged by the document of 2023-10, as declared (--revision)"));
}

TEST_F(WirelawTest, RulesAreFiltered) {
  const ProgramRun run = run_wirelaw({"rules", "RAMCLOUD-ack-*", "--level", "must-not"});
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, HasSubstr("RAMCLOUD-ack-8  MUST NOT"));
  EXPECT_THAT(run.out, Not(HasSubstr("RAMCLOUD-ack-1 ")));
}

TEST_F(WirelawTest, VersionAndCommitAreOneLine) {
  EXPECT_THAT(run_wirelaw({"--version"}).out,
              testing::MatchesRegex("wirelaw " WIRELAW_VERSION " \\(commit ([0-9a-f]{12}(, modified)?|unknown)\\)\n"));
}

// --- texts about the options, for people and shells

using Names = std::set<std::string>;
Names matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  Names names;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) names.insert((*at)[1]);
  return names;
}

Names subcommands() {
  return matches(run_wirelaw({"completion", "fish"}).out, "use_subcommand -f -a (\\S+)");
}
Names options_in_help(const std::string& subcommand) {
  return matches(run_wirelaw({subcommand, "--help"}).out, "\n  (?:-\\w,)?(--[a-z-]+)");
}

TEST_F(WirelawTest, RulesNameTheirProtocolByTheWordOfTheCommand) {
  for (const std::string protocol : {"ramcloud", "rdmap", "efa"})
    EXPECT_THAT(
        matches(run_wirelaw({"rules", "--protocol", protocol, "--format", "json"}).out, "\"protocol\":\"([a-z]+)\""),
        testing::ElementsAre(protocol));
}

TEST_F(WirelawTest, CompletionsKnowEveryOptionThatHelpTells) {
  ASSERT_FALSE(subcommands().empty());
  for (const std::string shell : {"bash", "zsh", "fish"}) {
    const std::string script = run_wirelaw({"completion", shell}).out;
    for (const std::string& subcommand : subcommands())
      for (const std::string& option : options_in_help(subcommand))
        EXPECT_THAT(script, HasSubstr(shell == "fish" ? "from " + subcommand + "' -l " + option.substr(2) : option));
  }
}

// The completions that bash offers for the last word.
Names completed(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& one : words) line += "'" + one + "' ";
  const std::string script = "source <(" WIRELAW_BINARY_DIR "/harness/commands/wirelaw completion bash) 2>/dev/null; " +
                             ("COMP_WORDS=(" WIRELAW_BINARY_DIR "/harness/commands/wirelaw " + line) +
                             "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _wirelaw; printf '%s\\n' \"${COMPREPLY[@]}\"";
  return matches(run_program("/bin/bash", {"-c", script}).out, "(.+)\n");
}

TEST_F(WirelawTest, BashCompletesProtocolsAndTheIdsOfEach) {
  using testing::Contains, testing::Each, testing::ElementsAre, testing::StartsWith;
  EXPECT_THAT(completed({"test", "ram"}), ElementsAre("ramcloud"));
  EXPECT_THAT(completed({"fuzz", "--runs", "7", "u"}), ElementsAre("umsp")) << "7 is the value of --runs";
  EXPECT_THAT(completed({"ics", ""}), ElementsAre("new", "probe"));
  EXPECT_THAT(completed({"ics", "probe", "sm"}), ElementsAre("smbd"));
  EXPECT_THAT(completed({"test", "ramcloud", "--case", "ack/"}),
              Contains("ack/server-names-the-first-missing-fragment"));
  EXPECT_THAT(completed({"test", "ramcloud", "--case", "=", "ack/"}), Each(StartsWith("ack/")));
  EXPECT_THAT(completed({"serve", "ramcloud", "--deviate", "no-a"}), ElementsAre("no-ack"));
  EXPECT_THAT(completed({"serve", "umsp", "--deviate", "no-ack"}), Not(Contains("no-ack"))) << "another protocol's";
  EXPECT_THAT(completed({"check", "--rule", "RAMCLOUD-ack-1"}), Contains("RAMCLOUD-ack-1"));
  EXPECT_THAT(completed({"explain", "MPA-4.1-3"}), Contains("MPA-4.1-3"));
  EXPECT_THAT(completed({"rules", "--level", "must", "MPA-4.1-3"}), Contains("MPA-4.1-3"));
  EXPECT_THAT(completed({"test", "ramcloud", "memory:", "--fo"}), ElementsAre("--format"));
}

TEST_F(WirelawTest, WhoMistypesIsAskedWhatWasMeant) {
  const std::pair<std::vector<std::string>, const char*> kMistyped[] = {
      {{"test", "ramclod", "memory:"}, "wirelaw: unknown protocol 'ramclod'; did you mean 'ramcloud'?"},
      {{"check", "--protocol", "ramclod", "x"}, "--protocol: unknown protocol 'ramclod'; did you mean 'ramcloud'?"},
      {{"test", "ramcloud", "memory:", "--case", "akc/*"}, "--case: no case matches 'akc/*'; did you mean 'ack/*'?"},
      {{"fuzz", "ramcloud", "memory:", "--case", "sessiontoken/*x"}, "did you mean 'sessionToken/*'?"},
      {{"test", "ramcloud", "memory:", "--rule", "ramcloud-akc-1"}, "did you mean 'RAMCLOUD-ack-1'?"},
      {{"rules", "RAMCLOUD-akc-*"}, "no rule matches 'RAMCLOUD-akc-*'; did you mean 'RAMCLOUD-ack-*'?"},
      {{"explain", "ramcloud-akc-1"}, "did you mean 'RAMCLOUD-ack-1'?"},
      {{"serve", "ramcloud", "--deviate", "no-akc"},
       "--deviate: no deviation is called 'no-akc'; did you mean 'no-ack'?"},
      {{"test", "ramcloud", "memory:", "--deviate", "no-akc"}, "did you mean 'no-ack'?"},
      {{"fuzz", "ramcloud", "memory:", "--guidance", "covrage"},
       "'covrage' is not one of none, protocol, coverage; did you mean 'coverage'?"},
      {{"fuzz", "ramcloud", "memory:", "--campain", "x"}, "unknown option '--campain'; did you mean '--campaign'?"}};
  for (const auto& [words, says] : kMistyped) {
    const ProgramRun run = run_wirelaw(words);
    EXPECT_EQ(run.status, 2) << says;
    EXPECT_THAT(run.err, HasSubstr(says));
  }
}

TEST_F(WirelawTest, TheManualKnowsEverySubcommandAndOption) {
  const std::string page =
      std::regex_replace(read_file(WIRELAW_SOURCE_DIR "/harness/commands/wirelaw.1"), std::regex("\\\\-"), "-");
  EXPECT_THAT(page, testing::AllOf(HasSubstr("--help"), HasSubstr("--version")));
  const Names shared = options_in_help("check");  // the sections of other subcommands refer to them
  for (const std::string& subcommand : subcommands()) {
    const std::string section = page.substr(page.find("\n.SS " + subcommand + "\n"));
    for (const std::string& option : options_in_help(subcommand))
      if (subcommand == "check" ? option != "--help" : !shared.contains(option)) {
        EXPECT_LT(section.find(option), section.find("\n.S", 1)) << subcommand << " " << option;
      }
  }
}

// The commands on the pages that people read first are commands that there are.
TEST_F(WirelawTest, ThePagesNameSubcommandsAndOptionsThatHelpHas) {
  const Names known = subcommands();
  std::map<std::string, Names> options;
  for (const std::string& subcommand : known) options[subcommand] = options_in_help(subcommand);
  Names any = matches(run_wirelaw({"--help"}).out, "\n  (?:-\\w,)?(--[a-z-]+)");
  for (const auto& [subcommand, its] : options) any.insert(its.begin(), its.end());
  std::size_t commands = 0;
  for (const char* const page : {"README.md", "CONTRIBUTING.md", "harness/README.md", "harness/campaign/README.md",
                                 "harness/check/README.md", "harness/cluster/README.md", "harness/gate/README.md"}) {
    const std::string text = read_file(WIRELAW_SOURCE_DIR "/" + std::string(page));
    static const std::regex kCommand("(?:`|\n    )wirelaw ([a-z]+)([^`\n]*)"), kOption("(?:^|[ [(])(--[a-z-]+)");
    for (std::sregex_iterator at(text.begin(), text.end(), kCommand), end; at != end; ++at) {
      const std::string subcommand = (*at)[1], rest = (*at)[2];
      EXPECT_THAT(known, testing::Contains(subcommand)) << page;
      for (std::sregex_iterator one(rest.begin(), rest.end(), kOption); one != end; ++one)
        EXPECT_THAT(options[subcommand], testing::Contains((*one)[1].str())) << page << ": " << subcommand;
      ++commands;
    }
    if (page != std::string_view("README.md")) continue;
    for (const std::string& option : matches(text, "`(--[a-z-]+)")) EXPECT_THAT(any, testing::Contains(option)) << page;
  }
  EXPECT_GT(commands, 30u);
}

TEST_F(WirelawTest, EverySubcommandTeachesByExamplesAndExitStatuses) {
  for (const std::string& subcommand : subcommands()) {
    const ProgramRun run = run_wirelaw({subcommand, "--help"});
    EXPECT_EQ(run.status, 0);
    EXPECT_THAT(run.out, HasSubstr("Examples:")) << subcommand;
    EXPECT_THAT(run.out, HasSubstr("Exit status")) << subcommand;
  }
}

// Each frame that the kept results name is in the capture beside them, with the octets that they show.
TEST_F(WirelawTest, PagesOfPeersNameFramesThatAreThere) {
  const fs::path kept = WIRELAW_SOURCE_DIR "/reports/peers";
  EXPECT_EQ(run_wirelaw({"peers", (kept / "peers.json").string(), "-o", path("PEERS.md")}).status, 0);
  // The result of one run beside the capture of another.
  const fs::path mixed = folder / "mixed";
  fs::create_directories(mixed / "siw-pair");
  fs::copy(kept / "siw.json", mixed / "siw.json");
  fs::copy(kept / "siw-pair/result.json", mixed / "siw-pair/result.json");
  fs::copy(kept / "siw-initiator-deadly/wire.pcapng.gz", mixed / "siw-pair/guest.pcap.gz");
  write_file((mixed / "peers.json").string(), R"({"schema": "wirelaw-peers/2", "peers": [{"about": "siw.json", "runs": [
      {"version": "1", "protocol": "rdmap", "role": "both", "how": "", "command": "",
       "result": "siw-pair/result.json", "capture": "siw-pair/guest.pcap.gz"}]}]})");
  const auto run = run_wirelaw({"peers", (mixed / "peers.json").string(), "--partial"});
  EXPECT_EQ(run.status, 1);
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, testing::ContainsRegex("wirelaw: siw-pair: frame [0-9]+ is named, and .*guest.pcap.gz has "));
}

}  // namespace
}  // namespace wirelaw
