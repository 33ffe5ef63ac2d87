// SPDX-License-Identifier: Apache-2.0
// Which flows are recognised as a protocol, and what proves that the beginning was captured (conformance/protocol.h).
#include <gmock/gmock.h>
#include <test_paths.h>

#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "harness/check/check_files.h"
#include "harness/check/packets_test.h"
#include "pcap/tcp_synthesis.h"

namespace wirelaw {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr std::uint16_t kUmsp = 2110, kHigh = 40000;
const std::string kCaptures = WIRELAW_SOURCE_DIR "/corpora/captures/";

OctetBuffer text(std::string_view octets) {
  return {octets.begin(), octets.end()};
}
OctetBuffer hex(std::string_view digits) {
  OctetBuffer octets;
  for (std::size_t i = 0; i + 1 < digits.size(); i += 2)
    octets.push_back(static_cast<Octet>(std::stoul(std::string(digits.substr(i, 2)), nullptr, 16)));
  return octets;
}
OctetBuffer operator+(OctetBuffer one, const OctetBuffer& two) {
  one.insert(one.end(), two.begin(), two.end());
  return one;
}

FileResults judge(const std::string& file, CheckOptions options = {}) {
  const std::string files[] = {file};
  return check_files(files, options);
}

std::vector<std::string> failures_of(const Results& results) {
  std::vector<std::string> ids;
  for (const RuleResult& one : results.rules)
    if (one.failed > 0) ids.emplace_back(one.rule->id);
  return ids;
}

// Captures without a note about their content.
Results results_of(const std::vector<Packet>& packets, std::size_t first, Completeness completeness) {
  Checker checker(CheckOptions{});
  checker.begin_file({}, completeness);
  std::uint64_t frame = 0;
  for (const Packet& packet : std::span(packets).subspan(first)) {
    std::visit(
        [&](auto header) {
          header.frame = ++frame;
          header.payload = packet.octets;
          checker.take(header);
        },
        packet.header);
  }
  checker.end_file(completeness);
  return checker.take_results();
}

// One flow between 192.0.2.1 and 192.0.2.2, given as the payloads of each side.
struct Said {
  bool by_a;
  OctetBuffer octets;
};
using Talk = std::vector<Said>;

struct Ports {
  std::uint16_t a, b;
};
constexpr Ports kToServer{kHigh, kUmsp}, kFromClient{kUmsp, kHigh};

pcap::Endpoint end_of(bool is_a, Ports ports) {
  const Octet a[] = {192, 0, 2, 1}, b[] = {192, 0, 2, 2};
  return is_a ? pcap::Endpoint{pcap::Address::ipv4(a), ports.a} : pcap::Endpoint{pcap::Address::ipv4(b), ports.b};
}

enum class Shake : bool { unseen, seen };

Results over_tcp(const Talk& talk, Ports ports, Shake shake = Shake::seen) {
  Checker checker(CheckOptions{});
  checker.begin_file({}, Completeness::unknown);
  pcap::TcpSynthesis headers(1);
  std::uint64_t frame = 0;
  const auto send = [&](bool by_a, const pcap::TcpHeader& header, const OctetBuffer& octets) {
    pcap::Segment segment;
    segment.frame = ++frame;
    segment.time_ns = static_cast<std::int64_t>(frame) * 1'000'000;
    segment.source = end_of(by_a, ports);
    segment.destination = end_of(!by_a, ports);
    segment.seq = header.seq;
    segment.ack = header.ack;
    segment.flags = header.flags;
    segment.payload = octets;
    segment.wire_length = static_cast<std::uint32_t>(octets.size());
    checker.take(segment);
  };
  const pcap::TcpHeader shaken[] = {headers.syn(true), headers.syn(false), headers.acknowledge(true)};
  if (shake == Shake::seen)
    for (std::size_t i = 0; i < std::size(shaken); ++i) send(i != 1, shaken[i], {});
  for (const Said& one : talk) send(one.by_a, headers.data(one.by_a, one.octets.size()), one.octets);
  send(true, headers.fin(true), {});
  send(false, headers.fin(false), {});
  send(true, headers.acknowledge(true), {});
  checker.end_file(Completeness::unknown);
  return checker.take_results();
}

Results over_udp(const Talk& talk, Ports ports) {
  Checker checker(CheckOptions{});
  checker.begin_file({}, Completeness::unknown);
  std::uint64_t frame = 0;
  for (const Said& one : talk) {
    pcap::Datagram datagram;
    datagram.frame = ++frame;
    datagram.time_ns = static_cast<std::int64_t>(frame) * 1'000'000;
    datagram.source = end_of(one.by_a, ports);
    datagram.destination = end_of(!one.by_a, ports);
    datagram.payload = one.octets;
    datagram.wire_length = static_cast<std::uint32_t>(one.octets.size());
    checker.take(datagram);
  }
  checker.end_file(Completeness::unknown);
  return checker.take_results();
}

std::string protocol_of(const Results& results) {
  return results.flows.empty() ? "none" : results.flows.front().protocol;
}

// ---------------------------------------------------------------------------------------------- a start at every frame

class StartAtEveryFrame : public testing::TestWithParam<const char*> {};

TEST_P(StartAtEveryFrame, BreaksNoMust) {
  std::size_t starts = 0;
  for (const auto& file :
       fs::directory_iterator(fs::path(WIRELAW_SOURCE_DIR) / "corpora" / GetParam() / "conforming")) {
    const std::vector<Packet> packets = read_packets(file.path());
    // --complete says that nothing was dropped: not that the capture began before the connection. One sample is warned
    // of otherwise.
    for (const Completeness completeness : {Completeness::unknown, Completeness::complete}) {
      const auto whole = failures_of(results_of(packets, 0, completeness));
      for (std::size_t first = 1; first < packets.size(); ++first, ++starts)
        EXPECT_THAT(failures_of(results_of(packets, first, completeness)), testing::IsSubsetOf(whole))
            << file.path() << " from frame " << first + 1 << ", " << to_string(completeness);
      if (completeness == Completeness::unknown) {
        EXPECT_THAT(whole, IsEmpty()) << file.path();
      }
    }
  }
  EXPECT_GT(starts, 200u);
}

INSTANTIATE_TEST_SUITE_P(Protocols, StartAtEveryFrame, testing::Values("efa", "ramcloud", "rdmap", "smbd", "umsp"),
                         [](const auto& one) { return std::string(one.param); });

// The ADDRESS flag refers to the session of the previous instruction, which is not in the capture.
TEST(UmspBeginning, IsNotProvenByAPort) {
  const FileResults judged = judge(kCaptures + "found/umsp-00-FALSE-capture-begins-mid-connection.pcap");
  EXPECT_THAT(judged.results.findings, IsEmpty());
  ASSERT_THAT(judged.results.flows, SizeIs(1));
  EXPECT_EQ(judged.results.flows[0].protocol, "umsp");
  EXPECT_EQ(judged.results.flows[0].state, FlowState::partial);
  EXPECT_THAT(judged.results.flows[0].note, HasSubstr("the beginning of a stream is missing"));
}

const OctetBuffer kAddress = hex("96a70002000010110000000000001000");      // same session
const OctetBuffer kWrite = hex("86e2000000b1000000030000100044415441");    // names its session
const OctetBuffer kRsp = hex("81e0000000a100000003");                      // likewise
const OctetBuffer kControl = hex("0382000000020000010000000012");          // CONTROL_REQ
const OctetBuffer kConfirm = hex("048300000002420a1d000100000701000000");  // CONTROL_CONFIRM
const OctetBuffer kControlUnasked = hex("03020000010000000011");           // CONTROL_REQ with ASK 0

TEST(UmspBeginning, IsProvenByTheHandshakeAlone) {
  const Talk inherits{{true, kAddress}, {false, kRsp}, {true, kWrite}, {false, kRsp}, {true, kWrite}};
  EXPECT_THAT(failures_of(over_tcp(inherits, kToServer)), Contains("UMSP-3.1-18"));
  for (const Ports ports : {kToServer, kFromClient}) {
    const Results unseen = over_tcp(inherits, ports, Shake::unseen);
    EXPECT_THAT(failures_of(unseen), IsEmpty());
    EXPECT_EQ(unseen.flows[0].state, FlowState::partial);
  }
  // Content that proves the protocol may appear at any time of a connection.
  const Results later = over_tcp({{true, kControl}, {false, kAddress}, {false, kConfirm}}, kToServer, Shake::unseen);
  EXPECT_EQ(protocol_of(later), "umsp");
  EXPECT_THAT(failures_of(later), IsEmpty());
  EXPECT_EQ(later.flows[0].state, FlowState::partial);
}

// ------------------------------------------------------------------------------------------------ MPA in other traffic

OctetBuffer request(std::uint16_t length = 0) {
  return text("MPA ID Req Frame") + OctetBuffer{0x40, 1, static_cast<Octet>(length >> 8), static_cast<Octet>(length)};
}
OctetBuffer reply() {
  return text("MPA ID Rep Frame") + OctetBuffer{0x40, 1, 0, 0};
}

TEST(MpaKey, InADownloadIsNoIwarp) {
  const FileResults judged = judge(kCaptures + "found/capture-http_get_rfc5044.txt.pcapng");
  EXPECT_THAT(judged.results.findings, IsEmpty());
  for (const FlowResult& flow : judged.results.flows) EXPECT_EQ(flow.protocol, "") << flow.id;
}

TEST(MpaKey, BehindOtherOctetsIsBelievedOnlyWithItsAnswer) {
  constexpr Ports kPorts{kHigh, 8080};
  const OctetBuffer get = text("GET /rfc5044.txt HTTP/1.1\r\n\r\n"), head = text("HTTP/1.1 200 OK\r\n\r\n");
  const OctetBuffer rest(3000, ' ');
  const auto is_iwarp = [&](const Talk& talk) { return protocol_of(over_tcp(talk, kPorts)) == "rdmap"; };
  // The keys are in a text, and as a whole frame in a downloaded capture, together with its answer, which goes in the
  // same direction.
  EXPECT_FALSE(is_iwarp({{true, get}, {false, head + text("the key is \"MPA ID Req Frame\", and ") + rest}}));
  EXPECT_FALSE(is_iwarp({{true, get}, {false, head + request() + reply() + rest}, {true, get}}));
  EXPECT_FALSE(is_iwarp({{true, get}, {false, head + request()}, {true, get}, {false, rest}}));
  EXPECT_FALSE(is_iwarp({{true, get}, {false, head + request()}, {false, rest}, {true, reply()}}));
  // Flags of a Reply, a reserved flag, an undefined revision, and too much private data.
  for (const std::size_t at : {16u, 17u, 18u}) {
    OctetBuffer spoilt = request();
    for (const Octet octet : {Octet{0x22}, Octet{0x21}, Octet{0x03}}) {
      spoilt[at] = octet;
      EXPECT_FALSE(is_iwarp({{true, get}, {false, head}, {true, get + spoilt}, {false, reply()}})) << at;
    }
  }
  // The ULP has spoken first, as RFC 5044, 7.1.4 allows.
  EXPECT_TRUE(is_iwarp({{true, get}, {false, head}, {true, request()}, {false, reply()}}));
  EXPECT_TRUE(is_iwarp({{true, get + request()}, {false, reply()}}));
  EXPECT_TRUE(is_iwarp({{true, get + request(4)}, {true, text("data")}, {false, reply()}}));
  // A text with the key before.
  EXPECT_TRUE(
      is_iwarp({{true, get + text("MPA ID Req Frame is a key")}, {false, head}, {true, request()}, {false, reply()}}));
}

// Octets of no known protocol, in place of iWARP, which is recognised in late captures. The result does not depend on
// which side is seen first.
TEST(UnrecognisedStream, IsToBeDeclaredByTheServersPort) {
  std::vector<Packet> packets = read_packets(kCaptures + "iwarp/siw_rping_C5_S1024.pcap");
  for (Packet& packet : packets) std::ranges::fill(packet.octets, Octet{'.'});
  std::set<bool> by_server;
  for (std::size_t first = 8; first < 14; ++first) {
    const Results results = results_of(packets, first, Completeness::unknown);
    ASSERT_THAT(results.flows, SizeIs(1));
    EXPECT_EQ(results.flows[0].state, FlowState::unrecognised);
    EXPECT_THAT(results.flows[0].note,
                HasSubstr("from the middle of the connection on; if you know it, say --decode-as tcp.port=7174,"));
    by_server.insert(packets[first].source().port == 7174);
  }
  EXPECT_EQ(by_server.size(), 2u);
}

// A text may begin with the key: it has neither flags nor revision nor length of a start frame (RDMAP/A-75).
TEST(MpaKey, AtTheBeginningOfATextIsNoIwarp) {
  const OctetBuffer about = text("MPA ID Req Frame is what an initiator says first (RFC 5044, 7.1.1). Then more.");
  const OctetBuffer of_reply = text("MPA ID Rep Frame is what a responder says. Then more of the same text follows.");
  const OctetBuffer line = text("MPA ID Req Frame\r\nHELO example\r\n"), ok = text("220 ready\r\n");
  for (const Talk& talk : {Talk{{true, about}, {false, ok}, {true, of_reply}}, Talk{{true, line}, {false, ok}},
                           Talk{{false, of_reply}, {true, line}}, Talk{{true, about}, {false, about}},
                           Talk{{true, about}, {false, of_reply}}, Talk{{true, line}}}) {
    const Results judged = over_tcp(talk, {kHigh, 7174});
    EXPECT_EQ(protocol_of(judged), "");
    EXPECT_THAT(failures_of(judged), IsEmpty());
  }
}

// A start frame with one wrong field is still a start frame. So is one with several, if the answer is faultless.
TEST(MpaKey, AtTheBeginningOfAFaultyStartFrameIsBelieved) {
  for (const std::size_t at : {16u, 17u, 18u}) {
    OctetBuffer spoilt = request();
    spoilt[at] = 0x2f;
    EXPECT_EQ(protocol_of(over_tcp({{true, spoilt}}, {kHigh, 7174})), "rdmap") << at;
    EXPECT_EQ(protocol_of(over_tcp({{true, request()}, {false, spoilt}}, {kHigh, 7174})), "rdmap") << at;
  }
  OctetBuffer wrong = request();
  wrong[16] = wrong[17] = wrong[18] = 0x2f;
  EXPECT_EQ(protocol_of(over_tcp({{true, wrong}}, {kHigh, 7174})), "");
  EXPECT_EQ(protocol_of(over_tcp({{true, wrong}, {false, reply()}}, {kHigh, 7174})), "rdmap");
  EXPECT_THAT(failures_of(over_tcp({{true, wrong}, {false, reply()}}, {kHigh, 7174})),
              testing::Contains("MPA-7.1.1-14"));
}

TEST(MpaKey, AtTheBeginningIsBelievedAlone) {
  EXPECT_EQ(protocol_of(over_tcp({{true, request()}}, {kHigh, 7174})), "rdmap");
  EXPECT_EQ(protocol_of(over_tcp({{true, request()}, {false, text("no key at all")}}, {kHigh, 7174})), "rdmap");
}

// -------------------------------------------------------------------------------------------- port 2110, and who has
// it

using Random = std::mt19937;

OctetBuffer random_octets(Random& random, std::size_t size) {
  OctetBuffer octets(size);
  for (Octet& one : octets) one = static_cast<Octet>(random());
  return octets;
}
OctetBuffer counted16(const OctetBuffer& octets) {
  return OctetBuffer{static_cast<Octet>(octets.size() >> 8), static_cast<Octet>(octets.size())} + octets;
}
OctetBuffer tls_record(Random& random, Octet type, std::size_t size) {
  return OctetBuffer{type, 3, static_cast<Octet>(1 + random() % 3)} + counted16(random_octets(random, size));
}
OctetBuffer dns(Random& random, bool is_answer) {
  OctetBuffer octets =
      random_octets(random, 2) + (is_answer ? hex("81800001000100000000") : hex("01000001000000000000"));
  for (std::size_t label = 0; label < 1 + random() % 3; ++label) {
    const std::size_t size = 1 + random() % 15;
    octets.push_back(static_cast<Octet>(size));
    for (std::size_t i = 0; i < size; ++i) octets.push_back(static_cast<Octet>('a' + random() % 26));
  }
  octets = octets + hex("0000010001");
  return is_answer ? octets + hex("c00c000100010000012c0004c0000201") : octets;
}
OctetBuffer netbios_name(Random& random, bool is_answer) {
  OctetBuffer octets =
      random_octets(random, 2) + (is_answer ? hex("85000000000100000000") : hex("01100001000000000000"));
  octets.push_back(32);
  for (int i = 0; i < 32; ++i) octets.push_back(static_cast<Octet>('A' + random() % 16));
  return octets + (is_answer ? hex("0000200001000493e000060000c0000201") : hex("0000200001"));
}
OctetBuffer smb(Random& random) {
  const OctetBuffer message = hex("fe534d4240000100") + random_octets(random, 60 + random() % 60);
  return OctetBuffer{0, 0} + counted16(message);
}

enum class By : std::uint8_t { tcp, udp, both };
struct Foreign {
  std::string_view name;
  By carried;
  Talk (*talk)(Random& random);
};
const Foreign kForeign[] = {
    {"TLS", By::tcp,
     [](Random& random) {
       return Talk{{true, tls_record(random, 22, 100 + random() % 400)},
                   {false, tls_record(random, 22, 80 + random() % 2000)},
                   {true, tls_record(random, 20, 1)},
                   {true, tls_record(random, 23, random() % 600)},
                   {false, tls_record(random, 23, random() % 600)}};
     }},
    {"a TLS alert", By::tcp,
     [](Random& random) {
       return Talk{{true, tls_record(random, 21, 2)}};
     }},
    {"DNS", By::udp,
     [](Random& random) {
       return Talk{{true, dns(random, false)}, {false, dns(random, true)}};
     }},
    {"a DNS question", By::udp,
     [](Random& random) {
       return Talk{{true, dns(random, false)}};
     }},
    {"a DNS answer", By::udp,
     [](Random& random) {
       return Talk{{false, dns(random, true)}};
     }},
    {"DNS over TCP", By::tcp,
     [](Random& random) {
       return Talk{{true, counted16(dns(random, false))}, {false, counted16(dns(random, true))}};
     }},
    {"NetBIOS names", By::udp,
     [](Random& random) {
       return Talk{{true, netbios_name(random, false)}, {false, netbios_name(random, true)}};
     }},
    {"HTTP", By::tcp,
     [](Random& random) {
       return Talk{{true, text("GET / HTTP/1.1\r\nHost: example.net\r\n\r\n")},
                   {false, text("HTTP/1.1 200 OK\r\n\r\n") + random_octets(random, random() % 1000)}};
     }},
    {"SSH", By::tcp,
     [](Random& random) {
       return Talk{{false, text("SSH-2.0-OpenSSH_9.2\r\n")},
                   {true, text("SSH-2.0-OpenSSH_9.2\r\n")},
                   {true, OctetBuffer{0, 0} + counted16(random_octets(random, 400))}};
     }},
    {"SMB", By::tcp,
     [](Random& random) {
       return Talk{{true, smb(random)}, {false, smb(random)}};
     }},
    {"a line of text", By::both,
     [](Random& random) {
       std::string line;
       for (std::size_t i = 0; i < 16 + random() % 60; ++i) line += static_cast<char>(0x20 + random() % 95);
       return Talk{{true, text(line)}, {false, text(line + line)}};
     }},
    {"random octets", By::both,
     [](Random& random) {
       Talk talk;
       for (std::size_t i = 0; i < 1 + random() % 6; ++i)
         talk.push_back({random() % 2 == 0, random_octets(random, 24 + random() % 600)});
       return talk;
     }},
};

TEST(Port2110, OfOtherProtocolsIsNotUmsp) {
  Random random(2110);
  for (const Foreign& foreign : kForeign) {
    std::size_t taken = 0;
    constexpr std::size_t kTimes = 400;
    for (std::size_t i = 0; i < kTimes; ++i) {
      const Talk talk = foreign.talk(random);
      for (const Ports ports : {kToServer, kFromClient}) {
        if (foreign.carried != By::udp) {
          taken += protocol_of(over_tcp(talk, ports)) != "";
          taken += protocol_of(over_tcp(talk, ports, Shake::unseen)) != "";
        }
        if (foreign.carried != By::tcp) taken += protocol_of(over_udp(talk, ports)) != "";
      }
    }
    EXPECT_EQ(taken, 0u) << foreign.name;
  }
}

const Foreign kForeignStreams[] = {
    {"NVMe/TCP", By::tcp,
     [](Random& random) {
       Talk talk;
       for (std::size_t i = 0; i < 8; ++i) {
         const std::size_t data = random() % 3 == 0 ? 512 * (1 + random() % 8) : 0;
         const auto total = static_cast<Octet>((data + 24) >> 8);
         talk.push_back({true, hex("040048000048000002400000") + random_octets(random, 60)});
         if (data > 0)
           talk.push_back({false, OctetBuffer{7, 4, 24, 24, 24, total, 0, 0} + random_octets(random, 16 + data)});
         talk.push_back({false, hex("0500180018000000") + random_octets(random, 16)});
       }
       return talk;
     }},
    {"iSCSI", By::tcp,
     [](Random& random) {
       Talk talk;
       for (std::size_t i = 0; i < 8; ++i) {
         const std::size_t data = 512 * (random() % 8);
         talk.push_back({true, hex("01c1000000000000") + hex("0000000000000000") + random_octets(random, 32)});
         talk.push_back({false, hex("2581000000") + OctetBuffer{0} +
                                    OctetBuffer{static_cast<Octet>(data >> 8), static_cast<Octet>(data)} +
                                    random_octets(random, 40 + data)});
       }
       return talk;
     }},
    {"NFS", By::tcp,
     [](Random& random) {
       Talk talk;
       for (std::size_t i = 0; i < 8; ++i) {
         talk.push_back({true, OctetBuffer{0x80, 0} + counted16(random_octets(random, 4) +
                                                                hex("0000000000000002000186a300000004000000010000") +
                                                                random_octets(random, 80))});
         talk.push_back({false, OctetBuffer{0x80, 0} + counted16(random_octets(random, 4) + hex("0000000100000000") +
                                                                 OctetBuffer(16) + random_octets(random, 90))});
       }
       return talk;
     }},
    {"zeros", By::tcp,
     [](Random& random) {
       Talk talk;
       for (std::size_t i = 0; i < 8; ++i) talk.push_back({random() % 2 == 0, OctetBuffer(1 + random() % 3000)});
       return talk;
     }},
    {"one octet again and again", By::tcp,
     [](Random& random) {
       Talk talk;
       for (std::size_t i = 0; i < 8; ++i)
         talk.push_back({random() % 2 == 0, OctetBuffer(1 + random() % 3000, static_cast<Octet>(random()))});
       return talk;
     }},
    // Single segments that might be of FPDUs.
    {"what looks like the beginning of an FPDU", By::tcp,
     [](Random& random) {
       Talk talk;
       for (std::size_t i = 0; i < 60; ++i) {
         const bool is_tagged = random() % 2 == 0;
         const OctetBuffer head = is_tagged ? hex("c140") : hex("414300000000000000000000000100000000");
         talk.push_back({random() % 2 == 0,
                         OctetBuffer{0, static_cast<Octet>(20 + random() % 200)} + head + random_octets(random, 300)});
       }
       return talk;
     }},
};

// A capture that begins in the middle of a connection, at any port and at SMB Direct's.
TEST(MiddleOfAConnection, OfOtherProtocolsIsNotIwarp) {
  Random random(5445);
  constexpr std::size_t kTimes = 200;
  const auto expect_unrecognised = [&](const Foreign& foreign) {
    std::size_t taken = 0;
    for (std::size_t i = 0; i < kTimes; ++i) {
      const Talk talk = foreign.talk(random);
      for (const Ports ports : {Ports{kHigh, 7174}, Ports{kHigh, 5445}, Ports{5445, kHigh}})
        taken += protocol_of(over_tcp(talk, ports, Shake::unseen)) != "";
    }
    EXPECT_EQ(taken, 0u) << foreign.name;
  };
  for (const Foreign& foreign : kForeign)
    if (foreign.carried != By::udp) expect_unrecognised(foreign);
  for (const Foreign& foreign : kForeignStreams) expect_unrecognised(foreign);
}

TEST(Port2110, OfOneRepeatedOctetIsNotUmsp) {
  for (unsigned octet = 0; octet < 256; ++octet)
    for (const std::size_t size : {16u, 17u, 24u, 64u, 257u, 514u, 1500u, 2056u, 2313u}) {
      const OctetBuffer pattern(size, static_cast<Octet>(octet));
      for (const Ports ports : {kToServer, kFromClient})
        for (const Talk& talk : {Talk{{true, pattern}}, Talk{{true, pattern}, {false, pattern}},
                                 Talk{{true, pattern}, {true, OctetBuffer(size, static_cast<Octet>(octet + 1))}}}) {
          EXPECT_EQ(protocol_of(over_tcp(talk, ports)), "") << octet << " " << size;
          EXPECT_EQ(protocol_of(over_tcp(talk, ports, Shake::unseen)), "") << octet << " " << size;
          EXPECT_EQ(protocol_of(over_udp(talk, ports)), "") << octet << " " << size;
        }
    }
}

TEST(Port2110, OfATlsClientIsNotUmsp) {
  const FileResults judged = judge(kCaptures + "found/capture-https_client_port_2110.pcapng");
  EXPECT_THAT(judged.results.findings, IsEmpty());
  for (const FlowResult& flow : judged.results.flows) {
    EXPECT_EQ(flow.state, FlowState::unrecognised);
    EXPECT_THAT(flow.note, HasSubstr("which are not UMSP, to which its port is assigned"));
  }
}

// The first CONTROL_REQ has ASK 0: what follows, and the answer, show that it was meant to be UMSP.
TEST(Port2110, ShowsAnIllegalFirstInstruction) {
  const FileResults judged = judge(kCaptures + "found/umsp-01-first-instruction-ask0.pcap");
  ASSERT_THAT(judged.results.flows, SizeIs(1));
  EXPECT_EQ(judged.results.flows[0].state, FlowState::judged) << judged.results.flows[0].note;
  EXPECT_THAT(failures_of(judged.results), Not(IsEmpty()));
  for (const Finding& one : judged.results.findings)
    if (one.severity == Severity::violation) {
      EXPECT_EQ(one.frame, 4u) << one.rule->id;
    }
}

TEST(Port2110, ShowsAnIllegalFirstInstructionByWhatBearsItOut) {
  const auto breaks = [](const Talk& talk) { return !failures_of(over_tcp(talk, kToServer)).empty(); };
  OctetBuffer undefined = kControl;
  undefined[0] = 0x74;  // reserved
  for (const OctetBuffer& first : {kControlUnasked, undefined, kAddress}) {
    EXPECT_TRUE(breaks({{true, first}, {true, kControl}, {false, kConfirm}})) << "certain content after it";
    EXPECT_TRUE(breaks({{true, first + kControl}, {false, kConfirm}})) << "in one segment";
    EXPECT_TRUE(breaks({{true, first + kWrite + kWrite}})) << "several after it";
    EXPECT_TRUE(breaks({{true, first}, {true, kWrite}, {false, kRsp}})) << "the other side answers";
  }
  EXPECT_TRUE(breaks({{true, kControlUnasked}})) << "alone, and whole";
  // At the port of a client it may be any protocol.
  EXPECT_EQ(protocol_of(over_tcp({{true, kControlUnasked}}, kFromClient)), "");
  EXPECT_EQ(protocol_of(over_tcp({{true, kControlUnasked + kWrite}, {false, undefined}}, kFromClient)), "");
}

TEST(Port2110, ShowsAnIllegalFirstDatagram) {
  const auto breaks = [](const Talk& talk) { return !failures_of(over_udp(talk, kToServer)).empty(); };
  EXPECT_TRUE(breaks({{true, kControlUnasked}, {true, kControl}}));
  EXPECT_TRUE(breaks({{true, kControlUnasked}, {false, kConfirm}, {true, kControl}}));
  EXPECT_TRUE(breaks({{true, kControlUnasked}}));
  EXPECT_EQ(protocol_of(over_udp({{true, kControlUnasked}}, kFromClient)), "");
}

// --------------------------------------------------------------------------------------- a sibling on a declared port

CheckOptions declared(std::uint16_t port) {
  CheckOptions options;
  options.decode_as = {*parse_decode_as("udp.port=" + std::to_string(port) + ",ramcloud")};
  return options;
}

TEST(BasicTransport, IsSaidAndNotJudged) {
  const FileResults judged = judge(kCaptures + "found/35-basic-transport.pcap", declared(12246));
  EXPECT_THAT(judged.results.findings, IsEmpty());
  for (const RuleResult& one : judged.results.rules) EXPECT_EQ(one.exercised, 0u) << one.rule->id;
  for (const FlowResult& flow : judged.results.flows) {
    EXPECT_EQ(flow.state, FlowState::partial);
    EXPECT_THAT(flow.note, HasSubstr("BasicTransport"));
  }
}

TEST(BasicTransport, IsKnownFromAnyPacketOn) {
  const std::vector<Packet> packets = read_packets(kCaptures + "found/35-basic-transport.pcap");
  for (std::size_t first = 0; first < packets.size(); ++first) {
    Checker checker(declared(12246));
    checker.begin_file({}, Completeness::unknown);
    for (const Packet& packet : std::span(packets).subspan(first)) {
      auto datagram = std::get<pcap::Datagram>(packet.header);
      datagram.payload = packet.octets;
      checker.take(datagram);
    }
    checker.end_file(Completeness::unknown);
    EXPECT_THAT(checker.take_results().findings, IsEmpty()) << "from packet " << first + 1;
  }
}

TEST(BasicTransport, IsNotWhatRamcloudSends) {
  for (const auto& file : fs::directory_iterator(kCaptures + "ramcloud")) {
    const std::vector<Packet> packets = read_packets(file.path());
    for (std::size_t first = 0; first < packets.size(); ++first)
      for (const Octet token : {Octet{20}, Octet{21}, Octet{22}, Octet{24}}) {
        OctetBuffer octets = packets[first].octets;
        if (octets.empty()) continue;
        octets[0] = token;
        EXPECT_TRUE(find_protocol("ramcloud")->decode(octets).error.empty()) << file.path() << " " << first;
      }
  }
}

}  // namespace
}  // namespace wirelaw
