// SPDX-License-Identifier: Apache-2.0
// A run's recording, judged again as a capture, gives the verdicts of the run.
#include "harness/recording.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <thread>

#include "conformance/efa/efa.h"
#include "conformance/ramcloud/ramcloud.h"
#include "conformance/rdmap/rdmap.h"
#include "conformance/umsp/umsp.h"
#include "harness/check/check_files.h"
#include "harness/memory_run.h"
#include "harness/pcapng_recording.h"
#include "harness/peers/fake_stream.h"
#include "harness/transports/live_iut.h"
#include "harness/transports/memory/memory_iut.h"
#include "harness/transports/tcp/tcp_service.h"
#include "harness/verdict_lines.h"
#include "pcap/temporary_directory.h"

namespace wirelaw {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class Kept final : public FrameSink {
 public:
  void write(const RecordedFrame& frame) override { frames.push_back(frame); }
  std::vector<RecordedFrame> frames;
};

TEST(Recording, HoldsACasesFramesBackForWhatIsFoundLater) {
  Kept sink;
  Recording recording(sink);
  recording.announce("case one");
  EXPECT_EQ(recording.add({}), 1u);
  EXPECT_EQ(recording.add({}), 2u);
  recording.annotate(1, "a finding");
  recording.annotate(3, "about no frame");
  EXPECT_THAT(sink.frames, IsEmpty());
  recording.flush();
  ASSERT_EQ(sink.frames.size(), 2u);
  EXPECT_THAT(sink.frames[0].comments, ElementsAre("case one", "a finding"));
  EXPECT_THAT(sink.frames[1].comments, IsEmpty());
  recording.annotate(1, "too late");
  EXPECT_EQ(recording.add({}), 3u);
}

TEST(Recording, HoldsNoMoreOctetsThanItMay) {
  class Counted final : public FrameSink {
   public:
    void write(const RecordedFrame&) override { ++frames; }
    std::uint64_t frames = 0;
  } sink;
  Recording recording(sink);
  for (unsigned i = 0; i < 5000; ++i) {
    recording.add({.octets = OctetBuffer(8192)});
    ASSERT_LE(recording.octets_held(), (8u << 20) + 8192);
  }
  EXPECT_GT(sink.frames, 3000u);
  EXPECT_EQ(recording.frames(), 5000u);
  recording.flush();
  EXPECT_EQ(sink.frames, 5000u);
  EXPECT_EQ(recording.octets_held(), 0u);
}

TEST(PcapngSink, KeepsWhatNoNetworkCarriesAsExportedPdus) {
  const pcap::testing::TemporaryDirectory directory;
  const std::string path = directory.path("run.pcapng");
  auto sink = PcapngSink::create(path, section_comment({.iut = "iut=fe80::1:7", .protocol = "ramcloud"}));
  ASSERT_TRUE(sink);
  sink->write(
      {.from = "[fe80::1]:7", .to = "[fe80::2]:8", .octets = {1, 2, 3}, .comments = {"one"}, .dissector = "efa_rdm"});
  sink->write({.from = "[fe80::2]:8", .to = "[fe80::1]:7", .octets = {4}, .dissector = "efa_rdm"});
  sink->say_complete();
  ASSERT_TRUE(sink->commit());
  auto reader = pcap::PacketReader::open(path);
  ASSERT_TRUE(reader);
  pcap::Datagram datagram;
  pcap::Segment segment;
  ASSERT_EQ(reader->next(datagram, segment), pcap::Transport::pdu);
  EXPECT_EQ(datagram.dissector, "efa_rdm");
  EXPECT_EQ(pcap::to_string(datagram.source), "[fe80::1]:7");
  EXPECT_THAT(datagram.payload, ElementsAre(1, 2, 3));
  ASSERT_EQ(reader->next(datagram, segment), pcap::Transport::pdu);
  EXPECT_EQ(pcap::to_string(datagram.destination), "[fe80::1]:7");
  EXPECT_EQ(reader->next(datagram, segment), pcap::Transport::none);
}

TEST(PcapngSink, CommentsAreFoundAgainThatBeginAsTheyAreWatchedFor) {
  const pcap::testing::TemporaryDirectory directory;
  const std::string path = directory.path("run.pcapng");
  auto sink = PcapngSink::create(path, section_comment({.iut = "iut=192.0.2.2:7", .protocol = "umsp"}));
  ASSERT_TRUE(sink);
  const std::vector<std::vector<std::string>> comments{
      {"case one: first"}, {}, {"a note", "case two: not the first comment"}, {"control after case one: two", "more"}};
  for (const auto& some : comments)
    sink->write({.from = "192.0.2.1:7", .to = "192.0.2.2:8", .octets = {1, 2, 3}, .comments = some});
  ASSERT_TRUE(sink->commit());
  for (const bool in_time_order : {false, true}) {
    auto reader = pcap::PacketReader::open(path, {.in_time_order = in_time_order});
    ASSERT_TRUE(reader);
    static constexpr std::string_view kBeginnings[] = {"case ", "control "};
    reader->reader().watch_comments(kBeginnings);
    std::vector<std::uint64_t> found;
    pcap::Datagram datagram;
    pcap::Segment segment;
    while (reader->next(datagram, segment) != pcap::Transport::none)
      if (reader->reader().has_watched_comment(reader->frame().number)) found.push_back(reader->frame().number);
    EXPECT_THAT(found, ElementsAre(1u, 4u));
  }
}

struct Recorded {
  RunOutcome live;
  FileResults offline;
  std::vector<RecordedFrame> frames;
};

// Writes to the file and keeps a copy.
class Both final : public FrameSink {
 public:
  Both(FrameSink& one, FrameSink& two) : one_(one), two_(two) {}
  void write(const RecordedFrame& frame) override {
    one_.write(frame);
    two_.write(frame);
  }

 private:
  FrameSink& one_;
  FrameSink& two_;
};

// Like a recording by several processes: every case begins when the first did.
class AtTheSameTime final : public FrameSink {
 public:
  explicit AtTheSameTime(FrameSink& sink) : sink_(sink) {}
  void write(const RecordedFrame& frame) override {
    if (!first_ns_) first_ns_ = frame.time_ns;
    if (!frame.comments.empty() && frame.comments[0].starts_with("case ")) earlier_ns_ = frame.time_ns - *first_ns_;
    RecordedFrame moved = frame;
    moved.time_ns -= earlier_ns_;
    sink_.write(moved);
  }

 private:
  FrameSink& sink_;
  std::optional<std::int64_t> first_ns_;
  std::int64_t earlier_ns_ = 0;
};

// A protocol, a role, and a fault that rules for traces can show.
struct Recordable {
  const Protocol& protocol;
  Role iut;
  std::string_view fault;
  std::vector<std::string> features = {};
  std::string revision = {};
  bool by_several_processes = false;
};

Recorded record(const Recordable& what, std::vector<std::string> deviations, const NetworkFaults& network_faults = {}) {
  const pcap::testing::TemporaryDirectory directory;
  const std::string file = directory.path("run.pcapng");
  const RunNote note{.iut = "iut=192.0.2.2:21201",
                     .protocol = what.protocol.name,
                     .features = what.features,
                     .revision = what.revision};
  auto pcapng = PcapngSink::create(file, section_comment(note)).value();
  Kept kept;
  AtTheSameTime moved(pcapng);
  Both both(what.by_several_processes ? static_cast<FrameSink&>(moved) : pcapng, kept);
  Recording recording(both);
  const RunOptions options{
      .iut = what.iut, .application = Service::count, .features = what.features, .revision = what.revision};
  Recorded recorded{.live = run_in_memory(what.protocol, options,
                                          {.deviations = std::move(deviations), .network_faults = network_faults},
                                          &recording)
                                .value()};
  recording.flush();
  EXPECT_TRUE(pcapng.commit());
  recorded.offline = check_files(std::vector<std::string>{file}, {});
  recorded.frames = std::move(kept.frames);
  return recorded;
}

class Replay : public testing::TestWithParam<Recordable> {};
INSTANTIATE_TEST_SUITE_P(Protocols, Replay,
                         testing::Values(Recordable{ramcloud::kProtocol, Role::responder, "reserved1-sent"},
                                         Recordable{ramcloud::kProtocol, Role::initiator, "reserved1-sent"},
                                         Recordable{rdmap::kProtocol, Role::responder, "ddp-reserved-set"},
                                         Recordable{rdmap::kProtocol, Role::initiator, "ddp-reserved-set"}),
                         [](const auto& one) {
                           const Protocol& protocol = one.param.protocol;
                           return fmt::format(
                               "{}_{}", protocol.name,
                               one.param.iut == Role::responder ? protocol.responder : protocol.initiator);
                         });

TEST_P(Replay, AnHonestPeersCaptureGivesTheVerdictsOfTheRun) {
  const Recorded recorded = record(GetParam(), {});
  EXPECT_TRUE(recorded.offline.incomplete.empty());
  EXPECT_EQ(flow_lines(recorded.offline.results), flow_lines(recorded.live.results));
  EXPECT_EQ(trace_verdicts(recorded.offline.results, GetParam().protocol),
            trace_verdicts(recorded.live.results, GetParam().protocol));
}

TEST_P(Replay, CasesThatWereAtTheSameTimeStayApart) {
  Recordable one = GetParam();
  one.by_several_processes = true;
  const Recorded recorded = record(one, {});
  EXPECT_EQ(flow_lines(recorded.offline.results), flow_lines(recorded.live.results));
  EXPECT_THAT(finding_lines(recorded.offline.results), IsEmpty());
}

TEST_P(Replay, AFaultyPeersCaptureGivesTheVerdictsOfTheRunOnARoughNetwork) {
  const Recorded recorded = record(GetParam(), {std::string(GetParam().fault)},
                                   {.loss = 0.1, .duplication = 0.1, .reordering = 0.1, .cut = 200});
  EXPECT_EQ(flow_lines(recorded.offline.results), flow_lines(recorded.live.results));
  EXPECT_EQ(trace_verdicts(recorded.offline.results, GetParam().protocol),
            trace_verdicts(recorded.live.results, GetParam().protocol));
  EXPECT_FALSE(recorded.offline.results.findings.empty());
}

TEST(Replay, ARunWithDeclaredFeaturesIsJudgedAgainWithThem) {
  const Recorded recorded = record({rdmap::kProtocol, Role::responder, {}, {"rfc7306"}}, {});
  EXPECT_EQ(trace_verdicts(recorded.offline.results, rdmap::kProtocol),
            trace_verdicts(recorded.live.results, rdmap::kProtocol));
  const auto is_exercised = [](const RuleResult& one) { return one.rule->id == "RDMAPX-4.1-3" && one.exercised > 0; };
  EXPECT_TRUE(std::ranges::any_of(recorded.offline.results.rules, is_exercised)) << "nothing of RFC 7306 was sent";
  EXPECT_THAT(recorded.offline.results.findings, IsEmpty());
}

TEST(Replay, ARunThatFollowsADeclaredDocumentIsJudgedAgainByIt) {
  const Recorded recorded = record({efa::kProtocol, Role::responder, {}, {}, "2.6"}, {});
  EXPECT_EQ(trace_verdicts(recorded.offline.results, efa::kProtocol),
            trace_verdicts(recorded.live.results, efa::kProtocol));
  const auto flows = flow_lines(recorded.offline.results);
  EXPECT_EQ(flows, flow_lines(recorded.live.results));
  EXPECT_THAT(flows, Contains(HasSubstr("judged by the document of 2.6, as declared")));
}

// A HANDSHAKE that the network duplicates is no fault of its sender, live or later.
TEST(Replay, WhatUdpHasDoubledIsToldFromWhatWasSentTwice) {
  const Recorded recorded = record({efa::kProtocol, Role::responder, {}}, {}, {.duplication = 0.3});
  EXPECT_EQ(trace_verdicts(recorded.offline.results, efa::kProtocol),
            trace_verdicts(recorded.live.results, efa::kProtocol));
  for (const std::string& one : finding_lines(recorded.offline.results))
    EXPECT_THAT(one, Not(StartsWith("EFA-2.1-3 ")));
}

TEST(Replay, CommentsNameTheCaseAndTheFindings) {
  const Recorded recorded = record({ramcloud::kProtocol, Role::responder, {}}, {"reserved1-sent"});
  std::vector<std::string> comments;
  for (const RecordedFrame& frame : recorded.frames)
    comments.insert(comments.end(), frame.comments.begin(), frame.comments.end());
  EXPECT_THAT(comments, Contains(StartsWith("case ")));
  EXPECT_THAT(comments, Contains(AllOf(StartsWith("RAMCLOUD-"), HasSubstr(": violation: expected "))));
  const CaseResult& one = recorded.live.results.cases.at(0);
  EXPECT_EQ(one.first_frame, 1u);
  EXPECT_THAT(one.last_frame, Ge(one.first_frame));
  ASSERT_FALSE(recorded.frames[0].comments.empty());
  EXPECT_EQ(recorded.frames[0].comments[0], fmt::format("case {}: {}", one.id, one.purpose));
}

// --- streams

// Sends, reads until nothing more arrives, and ends as requested.
void exchange(CaseRun& run, const OctetBuffer& octets, Ending ending) {
  auto transport = run.connect();
  if (!transport || !run.trigger({.octets = 7, .count = 3})) return;
  if (!octets.empty()) static_cast<void>((*transport)->send(octets));
  while (true) {
    const auto got = (*transport)->receive((*transport)->now() + run.answer_time());
    if (!got || !*got) break;
    if (octets.empty()) static_cast<void>((*transport)->send(**got));
  }
  (*transport)->end(ending);
}

const std::string kBad(1, static_cast<char>(fake_stream::kBadOctet));
const std::string kLong(255, 'l');

std::span<const Case> stream_cases() {
  static const std::vector<Case> kCases = [] {
    std::vector<Case> cases;
    const auto add = [&](std::string_view id, Role iut, void (*run)(CaseRun&)) {
      cases.push_back({.id = id, .iut = iut, .rules = {&fake_stream::kGoodOctets}, .purpose = "", .run = run});
    };
    add("silent", Role::responder, [](CaseRun& run) { static_cast<void>(run.connect()); });
    add("left-open", Role::responder, [](CaseRun& run) {
      exchange(run, fake_stream::stream_of({"one", kBad}), Ending::none);
    });
    add("closed", Role::responder, [](CaseRun& run) {
      exchange(run, fake_stream::stream_of({"one", "two"}), Ending::closed);
    });
    add("closed-in-a-message", Role::responder, [](CaseRun& run) {
      OctetBuffer octets = fake_stream::stream_of({kBad, "two"});
      octets.pop_back();
      exchange(run, octets, Ending::closed);
    });
    add("reset", Role::responder, [](CaseRun& run) { exchange(run, fake_stream::stream_of({"one"}), Ending::reset); });
    add("closed-by-the-peer", Role::responder,
        [](CaseRun& run) { exchange(run, fake_stream::stream_of({"C"}), Ending::none); });
    add("reset-by-the-peer", Role::responder, [](CaseRun& run) {
      exchange(run, fake_stream::stream_of({kBad, "R"}), Ending::none);
    });
    add("long", Role::responder, [](CaseRun& run) {
      exchange(run, fake_stream::stream_of(std::vector<std::string>(1000, kLong)), Ending::closed);
    });
    add("client", Role::initiator, [](CaseRun& run) { exchange(run, {}, Ending::closed); });
    return cases;
  }();
  return kCases;
}

const Protocol kFakes = fake_stream::protocol(stream_cases);

struct StreamsRecorded {
  Results live;
  Results offline;
  std::uint64_t frames = 0;    // written
  std::uint64_t segments = 0;  // read
  std::uint64_t problems = 0;
};

StreamsRecorded record_streams(Iut& iut, const RunOptions& options) {
  const pcap::testing::TemporaryDirectory directory;
  const std::string file = directory.path("run.pcapng");
  const std::string at = iut.capture_note();
  auto pcapng = PcapngSink::create(file, section_comment({.iut = at, .protocol = "fakes"})).value();
  Recording recording(pcapng);
  StreamsRecorded recorded{.live = run_cases(kFakes, iut, options, &recording).results};
  recording.flush();
  EXPECT_TRUE(pcapng.commit());
  recorded.frames = recording.frames();

  auto reader = pcap::PacketReader::open(file).value();
  const Protocol* const protocols[] = {&kFakes};
  Checker checker({}, protocols, fake_stream::catalogue());
  CaptureNote note = parse_capture_note(*reader.reader().section_comment());
  note.protocol = &kFakes;
  checker.begin_file(note);
  pcap::Datagram datagram;
  pcap::Segment segment;
  for (; reader.next(datagram, segment) == pcap::Transport::tcp; ++recorded.segments) checker.take(segment);
  checker.end_file();
  recorded.offline = checker.take_results();
  recorded.problems = reader.problem_count();
  return recorded;
}

void expect_the_same(const StreamsRecorded& recorded) {
  EXPECT_EQ(recorded.segments, recorded.frames);
  EXPECT_EQ(recorded.problems, 0u);
  EXPECT_EQ(trace_verdicts(recorded.offline, kFakes), trace_verdicts(recorded.live, kFakes));
  EXPECT_EQ(flow_lines(recorded.offline), flow_lines(recorded.live));
  EXPECT_EQ(finding_lines(recorded.offline), finding_lines(recorded.live));
}

class StreamReplay : public testing::TestWithParam<Role> {};
INSTANTIATE_TEST_SUITE_P(Roles, StreamReplay, testing::Values(Role::responder, Role::initiator),
                         [](const auto& role) { return role.param == Role::responder ? "Server" : "Client"; });

TEST_P(StreamReplay, ARecordingOfConnectionsGivesTheVerdictsOfTheRun) {
  const auto make = [&](std::uint64_t) -> std::unique_ptr<Peer> {
    return GetParam() == Role::initiator ? fake_stream::client() : std::make_unique<fake_stream::StreamPeer>();
  };
  const auto iut = make_memory_iut(make, {.framing = kStreams, .network_faults = {.cut = 100}});
  const StreamsRecorded recorded = record_streams(*iut, {.iut = GetParam()});
  expect_the_same(recorded);
  EXPECT_EQ(recorded.live.findings.empty(), GetParam() == Role::initiator);
}

TEST(StreamReplay, ARecordingOfALivePeerOverTcpGivesTheVerdictsOfTheRun) {
  auto service = TcpService::listen("127.0.0.1", 0).value();
  fake_stream::StreamPeer peer;
  peer.keeps_busy = true;
  std::thread thread([&] { EXPECT_TRUE(service.run(peer, {.until_done = true})); });
  const auto iut =
      make_listening_iut({.scheme = "tcp", .place = host_and_port("127.0.0.1", service.local().port)}).value();
  const StreamsRecorded recorded = record_streams(*iut, {.limits = {.answer_time = std::chrono::milliseconds{20}}});
  const auto last = iut->begin(stream_cases()[0]).value()->connect().value().wire;
  static_cast<void>(last->send(fake_stream::stream_of({"Q"})));
  thread.join();
  expect_the_same(recorded);
  EXPECT_THAT(recorded.live.flows, testing::SizeIs(8));
}

}  // namespace
}  // namespace wirelaw
