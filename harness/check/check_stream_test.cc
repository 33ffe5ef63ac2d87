// SPDX-License-Identifier: Apache-2.0
// The checker on TCP: connections become streams, streams are recognised, and missing parts are reported.
#include <gmock/gmock.h>

#include <cstdlib>

#include "harness/check/check.h"
#include "harness/peers/fake_stream.h"
#include "pcap/tcp_synthesis.h"

namespace wirelaw {
namespace {

using fake_stream::stream_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const Protocol kFakes = fake_stream::protocol();
const Protocol* const kProtocols[] = {&kFakes};
const std::string kBad(1, static_cast<char>(fake_stream::kBadOctet));

// One connection from 192.0.2.1:`port` to 192.0.2.2:7000, segment by segment.
class Line {
 public:
  Line(Checker& checker, std::uint64_t& frame, std::uint16_t port = 3000, std::uint32_t number = 1)
      : checker_(checker), frame_(frame), headers_(number), port_(port) {}

  void open() {
    send(true, headers_.syn(true), {});
    send(false, headers_.syn(false), {});
    send(true, headers_.acknowledge(true), {});
  }
  void data(bool from_a, const OctetBuffer& octets) { send(from_a, headers_.data(from_a, octets.size()), octets); }
  // Octets that were sent but not captured.
  void lose(bool from_a, std::size_t octets) { static_cast<void>(headers_.data(from_a, octets)); }
  void again(const OctetBuffer& octets) {
    pcap::TcpHeader header = headers_.acknowledge(true);
    header.seq -= static_cast<std::uint32_t>(octets.size());
    send(true, header, octets);
  }
  void acknowledge(bool from_a) { send(from_a, headers_.acknowledge(from_a), {}); }
  void close() {
    send(true, headers_.fin(true), {});
    send(false, headers_.fin(false), {});
  }
  void shut_window(bool from_a) {
    pcap::TcpHeader header = headers_.acknowledge(from_a);
    header.window = 0;
    send(from_a, header, {});
  }
  void reset(bool from_a) { send(from_a, headers_.rst(from_a), {}); }
  void synack_alone() {
    static_cast<void>(headers_.syn(true));
    send(false, headers_.syn(false), {});
  }

 private:
  void send(bool from_a, const pcap::TcpHeader& header, const OctetBuffer& octets) {
    const Octet client[] = {192, 0, 2, 1}, server[] = {192, 0, 2, 2};
    pcap::Segment segment;
    segment.frame = ++frame_;
    segment.time_ns = static_cast<std::int64_t>(frame_) * 1000;
    segment.source = {pcap::Address::ipv4(client), port_};
    segment.destination = {pcap::Address::ipv4(server), 7000};
    if (!from_a) std::swap(segment.source, segment.destination);
    segment.seq = header.seq;
    segment.ack = header.ack;
    segment.flags = header.flags;
    segment.window = header.window;
    segment.mss = header.mss;
    segment.payload = octets;
    segment.wire_length = static_cast<std::uint32_t>(octets.size());
    checker_.take(segment);
  }

  Checker& checker_;
  std::uint64_t& frame_;
  pcap::TcpSynthesis headers_;
  std::uint16_t port_;
};

struct StreamCheck : testing::Test {
  Checker make(CheckOptions options = {}) { return Checker(std::move(options), kProtocols, fake_stream::catalogue()); }
  static std::vector<FlowResult> flows(Checker& checker) {
    checker.end_file();
    results = checker.take_results();
    return results.flows;
  }
  static inline Results results;
  std::uint64_t frame = 0;
};

OctetBuffer octets(std::string_view text) {
  return {text.begin(), text.end()};
}

TEST_F(StreamCheck, AConnectionIsRecognisedByItsStreamAndJudged) {
  Checker checker = make();
  Line line(checker, frame);
  line.open();
  line.data(true, stream_of({"a"}));
  line.data(false, stream_of({"a", kBad}));
  line.close();
  const auto listed = flows(checker);
  ASSERT_THAT(listed, SizeIs(1));
  EXPECT_EQ(listed[0].id, "tcp 192.0.2.1:3000 - 192.0.2.2:7000");
  EXPECT_EQ(listed[0].protocol, "fakes");
  EXPECT_EQ(listed[0].state, FlowState::judged);
  EXPECT_EQ(listed[0].note, "");
  EXPECT_EQ(listed[0].messages, 5u);
  EXPECT_EQ(listed[0].octets, stream_of({"a"}).size() + stream_of({"a", kBad}).size());
  EXPECT_EQ(checker.judged_messages(), 5u);
  ASSERT_THAT(results.findings, SizeIs(1));
  EXPECT_EQ(results.findings[0].frame, 5u);
  EXPECT_EQ(results.findings[0].sender, "192.0.2.2:7000");
  EXPECT_THAT(results.findings[0].octets, ElementsAre(fake_stream::kBadOctet));
}

TEST_F(StreamCheck, OctetsBeforeTheProtocolBeginsArePassedOverAndSaid) {
  Checker checker = make();
  Line line(checker, frame);
  line.open();
  line.data(true, octets("HELLO please switch"));
  line.data(false, octets("OK switching"));
  line.data(true, octets("..KE"));
  line.data(true, octets("Y!"));
  line.data(true, stream_of({kBad}, false));
  line.data(false, stream_of({"fine"}));
  const auto listed = flows(checker);
  EXPECT_EQ(listed.at(0).state, FlowState::judged);
  EXPECT_EQ(listed[0].note, "its first 33 octets were passed over, before fakes began");
  EXPECT_EQ(listed[0].messages, 4u);
  ASSERT_THAT(results.findings, SizeIs(1));
  EXPECT_EQ(results.findings[0].frame, 8u);
}

TEST_F(StreamCheck, WhatIsNotRecognisedIsCountedWithAHint) {
  Checker checker = make();
  Line line(checker, frame);
  line.open();
  line.data(true, octets("GET /"));
  const auto listed = flows(checker);
  EXPECT_EQ(listed.at(0).state, FlowState::unrecognised);
  EXPECT_EQ(listed[0].octets, 5u);
  EXPECT_EQ(listed[0].note,
            "no protocol recognised in its first 5 octets; if you know it, say --decode-as tcp.port=7000,PROTOCOL");
  EXPECT_EQ(checker.judged_messages(), 0u);
}

TEST_F(StreamCheck, RecognitionIsGivenUpAfterItsLimit) {
  Checker checker = make({.limits = {.recognition_octets = 1000}});
  Line line(checker, frame);
  line.open();
  line.data(true, OctetBuffer(1000, '-'));
  line.data(true, stream_of({"a"}));
  EXPECT_EQ(flows(checker).at(0).state, FlowState::unrecognised);
}

TEST_F(StreamCheck, DecodeAsJudgesFromTheFirstOctet) {
  Checker checker = make({.decode_as = {{pcap::Transport::tcp, 7000, &kFakes}}});
  Line line(checker, frame);
  line.open();
  line.data(true, octets("not the key"));
  EXPECT_EQ(flows(checker).at(0).protocol, "fakes");
  Checker other = make({.decode_as = {{pcap::Transport::udp, 7000, &kFakes}}});
  Line same_port(other, frame);
  same_port.open();
  same_port.data(true, octets("not the key"));
  EXPECT_EQ(flows(other).at(0).protocol, "");
}

TEST_F(StreamCheck, SegmentsThatComeTwiceOrOutOfOrderAreAStreamAllTheSame) {
  Checker checker = make();
  Line line(checker, frame);
  line.open();
  line.data(true, stream_of({"abc"}));
  line.again(stream_of({"abc"}));
  line.data(true, stream_of({kBad}, false));
  const auto listed = flows(checker);
  EXPECT_EQ(listed.at(0).messages, 3u);
  EXPECT_EQ(listed[0].octets, stream_of({"abc", kBad}).size());
  EXPECT_THAT(results.findings, SizeIs(1));
}

TEST_F(StreamCheck, AFlowWithMissingOctetsIsPartial) {
  Checker checker = make();
  Line line(checker, frame);
  line.open();
  line.data(true, stream_of({"abc"}));
  line.lose(true, 10);
  line.data(true, stream_of({kBad}, false));
  line.acknowledge(false);
  const auto listed = flows(checker);
  EXPECT_EQ(listed.at(0).state, FlowState::partial);
  EXPECT_EQ(listed[0].note, "octets are missing");
  EXPECT_THAT(results.findings, IsEmpty());
}

// Whom it shuts out sent octets before it knew what the recording has ahead of them.
TEST_F(StreamCheck, ARelayThatReadsLateProvesNothingByOrderOrAbsence) {
  for (const bool by_relay : {false, true}) {
    Checker checker = make();
    CaptureNote note =
        parse_capture_note(by_relay ? "wirelaw tester=192.0.2.2:7000 iut=192.0.2.4:1004 headers=synthetic"
                                    : "wirelaw tester=192.0.2.2:7000 headers=synthetic");
    note.protocol = &kFakes;
    checker.begin_file(note);
    Line line(checker, frame);
    line.open();
    line.data(true, stream_of({"a"}));
    line.shut_window(false);
    line.data(true, stream_of({"b"}, false));
    line.close();
    const auto listed = flows(checker);
    ASSERT_THAT(listed, SizeIs(1));
    EXPECT_EQ(listed[0].missing, by_relay ? "the time of octets that the relay read late" : "");
    EXPECT_EQ(listed[0].completeness == Completeness::incomplete, by_relay);
  }
}

TEST_F(StreamCheck, OctetsThatDifferWhenTheyComeAgainAreAProblemOfTheInput) {
  Checker checker = make();
  std::vector<std::uint64_t> frames;
  checker.report_flaws_to([&](const pcap::TcpFlaw& flaw) {
    EXPECT_EQ(flaw.flaw.fault, pcap::Fault::tcp_overlap);
    frames.push_back(flaw.frame);
  });
  Line line(checker, frame);
  line.open();
  line.data(true, stream_of({"abc"}));
  line.again(stream_of({"abd"}));
  EXPECT_THAT(frames, IsEmpty());
  EXPECT_EQ(flows(checker).at(0).messages, 2u);
  EXPECT_THAT(frames, ElementsAre(5u));
}

TEST_F(StreamCheck, AnotherConnectionOnTheSamePortsIsAnotherFlow) {
  Checker checker = make();
  for (std::uint32_t number = 1; number <= 3; ++number) {
    Line line(checker, frame, 3000, number);
    line.open();
    line.data(true, stream_of({"a"}));
    if (number == 1) line.close();
    if (number == 2) line.reset(false);
  }
  const auto listed = flows(checker);
  ASSERT_THAT(listed, SizeIs(3));
  for (const FlowResult& one : listed) {
    EXPECT_EQ(one.messages, 2u);
    EXPECT_EQ(one.state, FlowState::judged);
  }
}

TEST_F(StreamCheck, WhoAnswersASynHasNotMadeTheConnection) {
  Checker checker = make();
  Line line(checker, frame);
  line.synack_alone();
  line.data(true, stream_of({"a"}));
  EXPECT_EQ(flows(checker).at(0).id, "tcp 192.0.2.1:3000 - 192.0.2.2:7000");
}

TEST_F(StreamCheck, UdpAndTcpBetweenTheSamePortsAreTwoFlows) {
  Checker checker = make();
  Line line(checker, frame);
  line.open();
  const Octet client[] = {192, 0, 2, 1}, server[] = {192, 0, 2, 2};
  const OctetBuffer payload = stream_of({"a"});
  pcap::Datagram datagram;
  datagram.source = {pcap::Address::ipv4(client), 3000};
  datagram.destination = {pcap::Address::ipv4(server), 7000};
  datagram.payload = payload;
  datagram.wire_length = static_cast<std::uint32_t>(payload.size());
  checker.take(datagram);
  line.data(true, payload);
  const auto listed = flows(checker);
  ASSERT_THAT(listed, SizeIs(2));
  EXPECT_EQ(listed[0].protocol, "fakes");
  EXPECT_EQ(listed[1].protocol, "");  // a protocol of streams is not recognised in datagrams
  EXPECT_EQ(listed[1].id, "udp 192.0.2.1:3000 - 192.0.2.2:7000");
}

TEST_F(StreamCheck, OnlyTheImplementationUnderTestIsJudgedAndRulesOfTheOtherRoleDoNotApply) {
  Checker checker = make({.iut = *parse_iut("192.0.2.2")});
  Line line(checker, frame);
  line.open();
  line.data(true, stream_of({kBad}));
  line.data(false, stream_of({kBad}));
  flows(checker);
  ASSERT_THAT(results.findings, SizeIs(1));
  EXPECT_EQ(results.findings[0].sender, "192.0.2.2:7000");
  const auto verdict = [&](const Rule& rule) {
    return std::ranges::find(results.rules, &rule, &RuleResult::rule)->verdict;
  };
  EXPECT_EQ(verdict(fake_stream::kServerOnly), Verdict::pass);
  EXPECT_EQ(verdict(fake_stream::kClientOnly), Verdict::not_applicable);
  EXPECT_EQ(verdict(fake_stream::kWhole), Verdict::not_exercised);
}

TEST_F(StreamCheck, WhereBothSidesAreJudgedNoRoleIsLeftOut) {
  Checker checker = make();
  Line line(checker, frame);
  line.open();
  line.data(false, stream_of({"a"}));
  flows(checker);
  EXPECT_EQ(std::ranges::find(results.rules, &fake_stream::kClientOnly, &RuleResult::rule)->verdict,
            Verdict::not_exercised);
}

TEST_F(StreamCheck, AConnectionThatIsOverGivesItsPlaceWithoutAWord) {
  Checker checker = make({.limits = {.live_flows = 2}});
  for (std::uint16_t port = 1; port <= 4; ++port) {
    Line line(checker, frame, port);
    line.open();
    line.data(true, stream_of({"a"}));
    if (port != 2) line.close();
  }
  const auto listed = flows(checker);
  ASSERT_THAT(listed, SizeIs(4));
  EXPECT_EQ(listed[0].note, "");
  EXPECT_THAT(listed[1].note, HasSubstr("more than 2 flows at once"));
}

// Holes that nothing fills, on more connections than there is room for.
TEST_F(StreamCheck, WhatWaitsForMissingOctetsStaysWithinTheBudget) {
  Checker checker = make({.limits = {.flow_octets = 1u << 20}});
  std::size_t most = 0;
  for (std::uint16_t port = 1; port <= 200; ++port) {
    Line line(checker, frame, port);
    line.open();
    line.data(true, stream_of({"a"}));
    line.lose(true, 1);
    for (int i = 0; i < 60; ++i) line.data(true, OctetBuffer(i % 2 == 0 ? 1000 : 1, 'x'));
    most = std::max(most, checker.memory());
  }
  EXPECT_LT(most, (1u << 20) + (70u << 10));
  const auto listed = flows(checker);
  EXPECT_THAT(listed, SizeIs(200));
  EXPECT_THAT(listed[0].note, HasSubstr("exceeded 1 MiB"));
}

}  // namespace
}  // namespace wirelaw
