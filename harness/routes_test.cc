// SPDX-License-Identifier: Apache-2.0
// A case that acts as several nodes, over streams and datagrams, and accepts connections: in memory and over loopback.
// Its recording, judged again, gives the verdicts of the run.
#include <gmock/gmock.h>

#include <thread>

#include "conformance/case.h"
#include "harness/check/check_files.h"
#include "harness/pcapng_recording.h"
#include "harness/peers/dialling_peer.h"
#include "harness/runner.h"
#include "harness/transports/live_iut.h"
#include "harness/transports/memory/memory_iut.h"
#include "harness/transports/tcp/tcp_service.h"
#include "harness/verdict_lines.h"
#include "pcap/temporary_directory.h"

namespace wirelaw {
namespace {

using fake_stream::datagram_of;
using fake_stream::DiallingPeer;
using fake_stream::kEchoed;
using fake_stream::kGoodOctets;
using fake_stream::stream_of;
using testing::HasSubstr;
using testing::SizeIs;
using testing::StartsWith;

const std::string kBad(1, static_cast<char>(fake_stream::kBadOctet));

// One conversation of a case. After the first failure it stays stopped.
class Speaker {
 public:
  static Speaker to(CaseRun& run, const Route& route) { return {run, run.connect(route)}; }
  static Speaker at(CaseRun& run, const Route& route) { return {run, run.accept(route)}; }

  bool ok() const { return ok_; }
  Ends ends() const { return ok_ ? transport_->ends().value_or(Ends()) : Ends(); }
  void send(const OctetBuffer& octets) { ok_ = ok_ && transport_->send(octets); }
  // Expects these octets, in any number of pieces.
  void expect(const OctetBuffer& octets) {
    if (!ok_) return;
    OctetBuffer got;
    for (const Instant until = transport_->now() + run_->answer_time(); got.size() < octets.size();) {
      const auto more = transport_->receive(until);
      if (!more || !*more) break;
      got.insert(got.end(), (*more)->begin(), (*more)->end());
    }
    require(got == octets, std::string(octets.begin(), octets.end()), std::string(got.begin(), got.end()));
  }
  void require(bool holds, const std::string& expected, const std::string& actual) {
    ok_ = ok_ && run_->require(kEchoed, holds, expected, actual);
  }

 private:
  Speaker(CaseRun& run, tl::expected<std::unique_ptr<Transport>, TransportError> transport) : run_(&run) {
    ok_ = transport.has_value();
    if (ok_)
      transport_ = std::move(*transport);
    else
      run.broken(transport.error());
  }

  CaseRun* run_;
  std::unique_ptr<Transport> transport_;
  bool ok_ = true;
};

std::uint16_t dialled_port = 2110;  // addresses at which the tester's nodes listen, for the run

void speak_as_two_nodes(CaseRun& run) {
  Speaker first = Speaker::to(run, {}), second = Speaker::to(run, {.node = 1});
  Speaker beside = Speaker::to(run, {.node = 1, .datagrams = true});
  for (Speaker* one : {&first, &second}) one->send(stream_of({"one", "two"}));
  for (const char* message : {"three", "four"}) beside.send(datagram_of(message));
  for (Speaker* one : {&first, &second}) one->expect(stream_of({"one", "two"}));
  beside.expect(datagram_of("three"));
  beside.expect(datagram_of("four"));
  if (!first.ok() || !second.ok() || !beside.ok()) return;
  const Ends a = first.ends(), b = second.ends(), c = beside.ends();
  first.require(a.iut == b.iut && a.iut == c.iut, "one IUT", to_string(c.iut));
  first.require(a.tester.address != b.tester.address, "two nodes", to_string(b.tester.address));
  first.require(b.tester.address == c.tester.address, "one node", to_string(c.tester.address));
}

void be_dialled(CaseRun& run) {
  Speaker first = Speaker::to(run, {}), second = Speaker::to(run, {.node = 1});
  Speaker stream = Speaker::at(run, {.node = 1, .port = dialled_port});
  Speaker datagrams = Speaker::at(run, {.node = 1, .datagrams = true, .port = dialled_port});
  if (!first.ok() || !second.ok() || !stream.ok() || !datagrams.ok()) return;
  Endpoint here = second.ends().tester;
  here.port = dialled_port;
  Endpoint nowhere = first.ends().tester;
  nowhere.port = 1;
  second.send(stream_of({kBad}));
  first.send(stream_of({"D" + to_string(here), "U" + to_string(here), "D" + to_string(nowhere)}));
  stream.expect(stream_of({"hi"}));
  datagrams.expect(datagram_of("hi"));
  OctetBuffer answer = stream_of({});
  answer.insert(answer.end(), {2, 'n', 'o'});
  first.expect(answer);
  stream.send(stream_of({"again", kBad}));
  stream.expect(stream_of({"again", kBad}, /*with_key=*/false));
  datagrams.send(datagram_of(kBad));
  datagrams.expect(datagram_of(kBad));
  if (!stream.ok() || !datagrams.ok()) return;
  stream.require(stream.ends().tester == here && datagrams.ends().tester == here, "our place",
                 to_string(stream.ends().tester));
  stream.require(stream.ends().iut.address == first.ends().iut.address, "the IUT", to_string(stream.ends().iut));
}

const std::vector<Case> kCases{
    {.id = "routes/two-nodes",
     .iut = Role::responder,
     .rules = {&kEchoed},
     .purpose = "Two nodes speak with one IUT.",
     .run = speak_as_two_nodes},
    {.id = "routes/dialled",
     .iut = Role::responder,
     .rules = {&kEchoed},
     .purpose = "The IUT connects to a node of the tester.",
     .run = be_dialled},
    {.id = "routes/too-many",
     .iut = Role::responder,
     .rules = {&kEchoed},
     .purpose = "There are not so many nodes.",
     .run = [](CaseRun& run) { Speaker::to(run, {.node = 100'000}).send({1}); }},
};

Protocol both_ways() {
  Protocol protocol = fake_stream::protocol([] { return std::span<const Case>(kCases); });
  protocol.datagrams = OnDatagrams{};
  return protocol;
}
const Protocol kFakes = both_ways();

struct Recorded {
  Results live, offline;
};

Recorded record(Iut& iut, std::string_view glob) {
  const pcap::testing::TemporaryDirectory directory;
  const std::string file = directory.path("run.pcapng"), at = iut.capture_note();
  auto pcapng = PcapngSink::create(file, section_comment({.iut = at, .protocol = "fakes"})).value();
  Recording recording(pcapng);
  Recorded recorded;
  recorded.live = run_cases(kFakes, iut, {.selection = {.cases = {std::string(glob)}}}, &recording).results;
  recording.flush();
  EXPECT_TRUE(pcapng.commit());

  auto reader = pcap::PacketReader::open(file).value();
  const Protocol* const protocols[] = {&kFakes};
  Checker checker({}, protocols, fake_stream::catalogue());
  CaptureNote note = parse_capture_note(*reader.reader().section_comment());
  note.protocol = &kFakes;
  checker.begin_file(note);
  pcap::Datagram datagram;
  pcap::Segment segment;
  for (auto came = reader.next(datagram, segment); came != pcap::Transport::none;
       came = reader.next(datagram, segment)) {
    if (came == pcap::Transport::tcp)
      checker.take(segment);
    else
      checker.take(datagram);
  }
  checker.end_file();
  recorded.offline = checker.take_results();
  return recorded;
}

void expect_the_same(const Recorded& recorded) {
  EXPECT_EQ(trace_verdicts(recorded.offline, kFakes), trace_verdicts(recorded.live, kFakes));
  EXPECT_EQ(flow_lines(recorded.offline), flow_lines(recorded.live));
  EXPECT_EQ(finding_lines(recorded.offline), finding_lines(recorded.live));
}

void expect_pass(const Results& results) {
  for (const CaseResult& one : results.cases) EXPECT_EQ(one.verdict, Verdict::pass) << one.id << ": " << one.reason;
}

std::unique_ptr<Iut> memory_iut() {
  return make_memory_iut([](std::uint64_t) { return std::make_unique<DiallingPeer>(); },
                         {.framing = kStreams, .network_faults = {.cut = 3}});
}

TEST(RoutesInMemory, TwoNodesSpeakInOctetsAndInDatagrams) {
  const auto iut = memory_iut();
  const Recorded recorded = record(*iut, "routes/two-nodes");
  expect_pass(recorded.live);
  expect_the_same(recorded);
  const auto& flows = recorded.live.flows;
  ASSERT_THAT(flows, SizeIs(3));
  EXPECT_EQ(flows[0].id, "tcp 192.0.2.1:31201 - 192.0.2.2:21201");
  EXPECT_EQ(flows[1].id, "tcp 192.0.2.3:31202 - 192.0.2.2:21201");
  EXPECT_EQ(flows[2].id, "udp 192.0.2.3:31203 - 192.0.2.2:21201");
}

// Expects the findings about bad octets, which a recording shows too.
void expect_findings_in_dialled(const Results& results) {
  std::vector<std::string> flows;
  for (const Finding& one : results.findings) {
    EXPECT_EQ(one.rule, &kGoodOctets);
    flows.push_back(one.flow.substr(0, 3));
  }
  EXPECT_THAT(flows, testing::UnorderedElementsAre("tcp", "tcp", "udp"));
}

TEST(RoutesInMemory, TheIutConnectsToANode) {
  const auto iut = memory_iut();
  const Recorded recorded = record(*iut, "routes/dialled");
  expect_pass(recorded.live);
  expect_findings_in_dialled(recorded.live);
  expect_the_same(recorded);
  const auto& flows = recorded.live.flows;
  ASSERT_THAT(flows, SizeIs(4));
  EXPECT_EQ(flows[2].id, "tcp 192.0.2.2:49152 - 192.0.2.3:2110");
  EXPECT_EQ(flows[3].id, "udp 192.0.2.2:21201 - 192.0.2.3:2110");
}

TEST(RoutesInMemory, ACaseThatNeedsAWayThatIsNotThereIsSkipped) {
  const auto iut = memory_iut();
  const Results results = record(*iut, "routes/too-many").live;
  ASSERT_THAT(results.cases, SizeIs(1));
  EXPECT_EQ(results.cases[0].verdict, Verdict::skipped);
  EXPECT_THAT(results.cases[0].reason, HasSubstr("addresses"));
}

// Serves a peer on loopback until a client makes it done.
struct Served {
  Served() : service(TcpService::listen("127.0.0.1", 0, /*datagrams=*/true).value()) {
    thread = std::thread([this] { EXPECT_TRUE(service.run(peer, {.until_done = true})); });
    iut = make_listening_iut({.scheme = "tcp", .place = pcap::to_string(service.local())}).value();
  }
  ~Served() {
    const auto environment = iut->begin(kCases[0]).value();
    const auto last = environment->connect().value().wire;
    static_cast<void>(last->send(stream_of({"Q"})));
    thread.join();
  }

  DiallingPeer peer;
  TcpService service;
  std::unique_ptr<Iut> iut;
  std::thread thread;
};

TEST(RoutesOverLoopback, TwoNodesSpeakInOctetsAndInDatagrams) {
  Served served;
  const Recorded recorded = record(*served.iut, "routes/two-nodes");
  expect_pass(recorded.live);
  expect_the_same(recorded);
  const auto& flows = recorded.live.flows;
  ASSERT_THAT(flows, SizeIs(3));
  EXPECT_THAT(flows[0].id, StartsWith("tcp 127.0.0.1:"));
  EXPECT_THAT(flows[1].id, StartsWith("tcp 127.0.0.2:"));
  EXPECT_THAT(flows[2].id, StartsWith("udp 127.0.0.2:"));
}

TEST(RoutesOverLoopback, TheIutConnectsToANode) {
  Served served;
  dialled_port = static_cast<std::uint16_t>(served.service.local().port);  // node 1 has the same at its own address
  const Recorded recorded = record(*served.iut, "routes/dialled");
  dialled_port = 2110;
  expect_pass(recorded.live);
  expect_findings_in_dialled(recorded.live);
  expect_the_same(recorded);
  EXPECT_THAT(recorded.live.flows, SizeIs(4));
}

TEST(RoutesOverLoopback, APlaceThatCannotBeHadIsNoFaultOfTheIut) {
  Served served;
  const auto environment = served.iut->begin(kCases[0]).value();
  const auto refused = environment->accept({.port = static_cast<std::uint16_t>(served.service.local().port)});
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().no_way);
  EXPECT_THAT(refused.error().message, HasSubstr("cannot listen at 127.0.0.1:"));
}

}  // namespace
}  // namespace wirelaw
