// SPDX-License-Identifier: Apache-2.0
#include "harness/check/check.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "harness/check/dissector.h"

namespace wirelaw {
namespace {

using ::testing::HasSubstr;

// A protocol of one rule: every message begins with "W"; the first one with "WH", by which it is recognised.
constinit const Rule kBegins{"TOY-1-1",         Level::must,      Role::any,          "Toy 1",
                             Observable::trace, Evidence::octets, "It begins with W."};
constinit const Rule kEnds{
    "TOY-1-2", Level::must, Role::any, "Toy 1", Observable::trace, Evidence::octets, "It ends with a message."};

const Catalogue& toy_catalogue() {
  static const Rule* const kRules[] = {&kBegins, &kEnds};
  static const Catalogue kCatalogue{RuleList(kRules)};
  return kCatalogue;
}

class ToyObserver final : public Observer {
 public:
  void observe(const Message& message, Judge& judge) override {
    judge.at(message);
    judge.require(kBegins, message.octets[0] == 'W', octets(0, 1), expected("W"), actual(hex(message.octets[0])));
    held_ += message.octets.size();
    last_ = message;
  }
  void finish(Judge& judge) override {
    last_.octets = {};
    judge.at(last_);
    judge.require(kEnds, true, {}, expected(""), actual(""));
  }
  std::string partial() const override { return {}; }
  std::size_t memory() const override { return held_; }

 private:
  std::size_t held_ = 0;
  Message last_;
};

constinit const Protocol kToy{
    .name = "toy",
    .title = "Toy",
    .initiator = "client",
    .responder = "server",
    .transports = "udp",
    .catalogue = toy_catalogue,
    .cases = [] { return std::span<const Case>(); },
    .observer = [](const ObserverLimits&) -> std::unique_ptr<Observer> { return std::make_unique<ToyObserver>(); },
    .decode = [](Octets) { return Decoded{}; },
    .datagrams = OnDatagrams{.recognises = [](const Message& first) {
      return first.octets.size() > 1 && first.octets[1] == 'H';
    }}};
constexpr const Protocol* kToys[] = {&kToy};

struct CheckerTest : ::testing::Test {
  Checker make(CheckOptions options = {}) { return Checker(std::move(options), kToys, toy_catalogue()); }

  // Takes a datagram from 192.0.2.`from` to 192.0.2.`to`; the port is 1000 + host.
  const Flow& take(Checker& checker, std::uint8_t from, std::uint8_t to, std::string_view text,
                   LegInterface interface = {}) {
    payload.assign(text.begin(), text.end());
    const Octet source[] = {192, 0, 2, from}, destination[] = {192, 0, 2, to};
    pcap::Datagram datagram;
    datagram.frame = ++frame;
    datagram.time_ns = static_cast<std::int64_t>(frame) * 1000;
    datagram.source = {pcap::Address::ipv4(source), static_cast<std::uint16_t>(1000 + from)};
    datagram.destination = {pcap::Address::ipv4(destination), static_cast<std::uint16_t>(1000 + to)};
    datagram.payload = payload;
    datagram.wire_length = static_cast<std::uint32_t>(payload.size());
    datagram.ip_version = 4;
    datagram.ip_header_octets = 20;
    datagram.interface = static_cast<std::uint32_t>(interface);
    return checker.take(datagram);
  }
  // The same as an exported PDU with this dissector.
  const Flow& take_pdu(Checker& checker, std::string_view dissector, std::uint8_t from, std::uint8_t to,
                       std::string_view text) {
    payload.assign(text.begin(), text.end());
    pcap::Datagram datagram;
    datagram.frame = ++frame;
    datagram.source.port = static_cast<std::uint16_t>(1000 + from);
    datagram.destination.port = static_cast<std::uint16_t>(1000 + to);
    datagram.payload = payload;
    datagram.wire_length = static_cast<std::uint32_t>(payload.size());
    datagram.is_pdu = true;
    datagram.dissector = dissector;
    return checker.take(datagram);
  }

  OctetBuffer payload;
  std::uint64_t frame = 0;
};

TEST_F(CheckerTest, AFlowIsRecognisedByItsFirstMessageAndJudged) {
  Checker checker = make();
  take(checker, 1, 2, "WHello");
  take(checker, 2, 1, "X");
  checker.end_file();
  const Results results = checker.take_results();
  ASSERT_EQ(results.findings.size(), 1u);
  EXPECT_EQ(results.findings[0].sender, "192.0.2.2:1002");
  EXPECT_EQ(results.findings[0].flow, "udp 192.0.2.1:1001 - 192.0.2.2:1002");
  EXPECT_EQ(results.findings[0].frame, 2u);
  EXPECT_EQ(results.findings[0].message, 2u);
  ASSERT_EQ(results.flows.size(), 1u);
  EXPECT_EQ(results.flows[0].state, FlowState::judged);
  EXPECT_EQ(results.flows[0].messages, 2u);
  EXPECT_EQ(results.flows[0].octets, 7u);
}

TEST_F(CheckerTest, WhatIsNotRecognisedIsCountedWithAHint) {
  Checker checker = make();
  take(checker, 1, 2, "X");
  checker.end_file();
  const Results results = checker.take_results();
  ASSERT_EQ(results.flows.size(), 1u);
  EXPECT_EQ(results.flows[0].state, FlowState::unrecognised);
  EXPECT_THAT(results.flows[0].note, HasSubstr("--decode-as udp.port=1002,PROTOCOL"));
  EXPECT_EQ(checker.judged_messages(), 0u);
}

TEST_F(CheckerTest, AFlowRecognisedLaterSaysWhatWasPassedOver) {
  Checker checker = make();
  take(checker, 1, 2, "X");
  take(checker, 1, 2, "WH");
  checker.end_file();
  const Results results = checker.take_results();
  EXPECT_TRUE(results.findings.empty());
  EXPECT_EQ(results.flows[0].state, FlowState::partial);
  EXPECT_THAT(results.flows[0].note, HasSubstr("its first message was passed over"));
}

TEST_F(CheckerTest, RecognitionIsGivenUpAfterItsLimit) {
  Checker checker = make();
  for (std::size_t i = 0; i < CheckLimits{}.recognition_messages; ++i) take(checker, 1, 2, "X");
  EXPECT_EQ(take(checker, 1, 2, "WH").judged.protocol(), nullptr);
}

TEST_F(CheckerTest, DecodeAsSettlesAFlowByThePortOfEitherEnd) {
  Checker checker = make({.decode_as = {{pcap::Transport::udp, 1002, &kToy}}});
  EXPECT_EQ(take(checker, 1, 2, "X").judged.protocol(), &kToy);
  EXPECT_EQ(take(checker, 2, 3, "X").judged.protocol(), &kToy);
  EXPECT_EQ(take(checker, 3, 4, "X").judged.protocol(), nullptr);
}

TEST_F(CheckerTest, AnExportedPduIsOfTheProtocolThatTheCaptureCallsIt) {
  Checker checker = make();
  take_pdu(checker, "toy", 1, 2, "W");  // content alone would not show it
  take_pdu(checker, "toy", 2, 1, "X");
  checker.end_file();
  const Results results = checker.take_results();
  ASSERT_EQ(results.findings.size(), 1u);
  EXPECT_EQ(results.findings[0].flow, "pdu 0.0.0.0:1001 - 0.0.0.0:1002");
  EXPECT_EQ(results.flows[0].state, FlowState::judged);
  EXPECT_EQ(results.flows[0].note, "");
}

TEST_F(CheckerTest, AnExportedPduOfAnUnknownNameIsCountedAndSaid) {
  Checker checker = make();
  take_pdu(checker, "d'n\ns", 1, 2, "WH");  // the content is not checked
  take_pdu(checker, "dns", 1, 2, "WH");
  checker.end_file();
  const Results results = checker.take_results();
  ASSERT_EQ(results.flows.size(), 1u);
  EXPECT_EQ(results.flows[0].state, FlowState::unrecognised);
  EXPECT_EQ(results.flows[0].messages, 2u);
  EXPECT_THAT(results.flows[0].note, HasSubstr("the capture calls it 'd?n?s', which is no dissector"));
  EXPECT_THAT(results.flows[0].note, HasSubstr("--decode-as udp.port=1002,PROTOCOL"));
  EXPECT_EQ(checker.judged_messages(), 0u);
}

TEST_F(CheckerTest, ExportedPdusOfOtherNamesInAFlowArePassedOverAndSaid) {
  Checker checker = make();
  take_pdu(checker, "dns", 1, 2, "X");
  take_pdu(checker, "toy", 1, 2, "W");
  take_pdu(checker, "dns", 1, 2, "X");
  take_pdu(checker, "toys", 2, 1, "X");
  checker.end_file();
  const Results results = checker.take_results();
  EXPECT_TRUE(results.findings.empty());
  ASSERT_EQ(results.flows.size(), 1u);
  EXPECT_EQ(results.flows[0].state, FlowState::partial);
  EXPECT_EQ(results.flows[0].messages, 4u);
  EXPECT_THAT(results.flows[0].note, HasSubstr("its first message was passed over"));
  EXPECT_THAT(results.flows[0].note,
              HasSubstr("2 messages were passed over, because the capture does not call them toy"));
}

TEST_F(CheckerTest, AnExportedPduWithoutANameIsRecognisedByItsContent) {
  Checker checker = make();
  take_pdu(checker, "", 1, 2, "WH");
  take_pdu(checker, "", 1, 2, "X");
  take_pdu(checker, "toy", 1, 2, "X");
  take_pdu(checker, "dns", 1, 2, "X");
  checker.end_file();
  const Results results = checker.take_results();
  EXPECT_EQ(results.findings.size(), 2u);
  EXPECT_THAT(results.flows[0].note, HasSubstr("1 message was passed over"));
}

TEST_F(CheckerTest, DecodeAsSettlesWhatACaptureCallsSomethingElse) {
  Checker checker = make({.decode_as = {{pcap::Transport::udp, 1002, &kToy}}});
  take_pdu(checker, "dns", 1, 2, "X");
  take_pdu(checker, "efa", 1, 2, "X");
  checker.end_file();
  const Results results = checker.take_results();
  EXPECT_EQ(results.findings.size(), 2u);
  EXPECT_EQ(results.flows[0].state, FlowState::judged);
}

// Same, but recognised by its port, 1002, if the content is plausible, since no content proves it.
constexpr std::uint16_t kAssigned[] = {1002};
Protocol assigned_a_port() {
  Protocol protocol = kToy;
  protocol.datagrams =
      OnDatagrams{.ports = kAssigned, .plausible = [](const Message& first) { return first.octets.front() == 'W'; }};
  return protocol;
}

TEST_F(CheckerTest, AssignedPortIsBelievedWherePlausible) {
  const Protocol by_port = assigned_a_port();
  const Protocol* const known[] = {&by_port};
  Checker checker({}, known, toy_catalogue());
  EXPECT_EQ(take(checker, 1, 2, "W").judged.protocol(), &by_port);
  EXPECT_EQ(take(checker, 2, 3, "W").judged.protocol(), &by_port) << "at either end";
  EXPECT_EQ(take(checker, 3, 4, "W").judged.protocol(), nullptr) << "another port";
}

TEST_F(CheckerTest, PortThatLiesIsNotJudgedAndSaid) {
  const Protocol by_port = assigned_a_port();
  const Protocol* const known[] = {&by_port};
  Checker checker({}, known, toy_catalogue());
  EXPECT_EQ(take(checker, 1, 2, "GET /").judged.protocol(), nullptr);
  EXPECT_EQ(take(checker, 1, 2, "W").judged.protocol(), nullptr) << "its first message has shown that the port lies";
  checker.end_file();
  const Results results = checker.take_results();
  ASSERT_EQ(results.flows.size(), 1u);
  EXPECT_EQ(results.flows[0].state, FlowState::unrecognised);
  EXPECT_THAT(results.flows[0].note, HasSubstr("which are not Toy, to which its port is assigned"));
}

TEST_F(CheckerTest, CertainContentIsBelievedBeforeAPort) {
  const Protocol by_port = assigned_a_port();
  Protocol by_content = kToy;
  by_content.name = "other";
  const Protocol* const known[] = {&by_port, &by_content};
  Checker checker({}, known, toy_catalogue());
  EXPECT_EQ(take(checker, 1, 2, "WH").judged.protocol(), &by_content);
}

TEST_F(CheckerTest, DecodeAsIsBelievedBeforeContentAndPort) {
  const Protocol by_port = assigned_a_port();
  Protocol other = kToy;
  other.name = "other";
  const Protocol* const known[] = {&by_port, &other};
  Checker checker({.decode_as = {{pcap::Transport::udp, 1002, &other}}}, known, toy_catalogue());
  EXPECT_EQ(take(checker, 1, 2, "W").judged.protocol(), &other);
}

TEST_F(CheckerTest, ExportedPdusAndDatagramsOfTheSameEndsAreTwoFlows) {
  Checker checker = make();
  take(checker, 1, 2, "WH");
  EXPECT_EQ(take_pdu(checker, "toy", 1, 2, "WH").judged.names().number, 2u);
}

TEST(Dissector, NamesAreThoseOfWireshark) {
  constexpr const Protocol* kOne[] = {&kToy};
  EXPECT_EQ(find_by_dissector(kOne, "toy"), &kToy);
  EXPECT_EQ(find_by_dissector(kOne, "to"), nullptr);
  EXPECT_EQ(find_by_dissector(kOne, ""), nullptr);
  for (const Protocol* protocol : protocols())
    EXPECT_EQ(find_by_dissector(protocols(), dissector_of(*protocol)), protocol);
}

TEST_F(CheckerTest, OnlyTheImplementationUnderTestIsJudged) {
  Checker checker = make({.iut = *parse_iut("192.0.2.2:1002")});
  checker.begin_file({});
  take(checker, 1, 2, "WH");
  take(checker, 1, 2, "X");
  take(checker, 2, 1, "Y");
  take(checker, 3, 4, "WH");
  checker.end_file();
  EXPECT_TRUE(checker.iut_seen());
  const Results results = checker.take_results();
  ASSERT_EQ(results.findings.size(), 1u);
  EXPECT_EQ(results.findings[0].sender, "192.0.2.2:1002");
  EXPECT_THAT(results.flows[1].note, HasSubstr("neither end"));
}

TEST_F(CheckerTest, ACaptureMayNameItsImplementationUnderTest) {
  Checker checker = make();
  CaptureNote note = parse_capture_note("wirelaw iut=192.0.2.2");
  note.protocol = &kToy;
  checker.begin_file(note);
  take(checker, 1, 2, "X");
  take(checker, 2, 1, "Y");
  checker.end_file();
  EXPECT_EQ(checker.take_results().findings.size(), 1u);
}

TEST_F(CheckerTest, ACaptureMayNameItsTesterWhoIsNotJudged) {
  Checker checker = make();
  CaptureNote note = parse_capture_note("wirelaw tester=192.0.2.1:1001 headers=synthetic");
  note.protocol = &kToy;
  EXPECT_TRUE(note.synthetic_headers);
  checker.begin_file(note);
  take(checker, 2, 1, "X");
  take(checker, 1, 2, "Y");
  checker.end_file();
  const Results results = checker.take_results();
  ASSERT_EQ(results.findings.size(), 1u);
  EXPECT_EQ(results.findings[0].sender, "192.0.2.2:1002");
}

// The responder is 4, and initiators connect to the relay at 2.
TEST_F(CheckerTest, OnEachLegOfARelayOnlyTheRealPeerIsJudged) {
  Checker checker = make();
  CaptureNote note = parse_capture_note("wirelaw tester=192.0.2.2:1002 iut=192.0.2.4:1004 headers=synthetic");
  note.protocol = &kToy;
  checker.begin_file(note);
  take(checker, 1, 2, "X");
  take(checker, 3, 4, "X");
  take(checker, 4, 3, "Y");
  take(checker, 2, 1, "Y");
  take(checker, 2, 5, "Y");  // a flow that is seen from its second datagram
  take(checker, 5, 2, "X");
  checker.end_file();
  const Results results = checker.take_results();
  std::vector<std::string> senders;
  for (const Finding& one : results.findings) senders.push_back(one.sender);
  EXPECT_THAT(senders, testing::UnorderedElementsAre("192.0.2.1:1001", "192.0.2.4:1004", "192.0.2.5:1005"));
}

// Each datagram is captured twice, unless the relay has lost it. The initiator is 1, the responder 2.
TEST_F(CheckerTest, OnEachLegOfATransparentRelayOnlyTheRealPeerIsJudged) {
  for (const std::uint8_t iut : {0, 1, 2}) {
    Checker checker = make(iut == 0 ? CheckOptions{} : CheckOptions{.iut = *parse_iut(fmt::format("192.0.2.{}", iut))});
    CaptureNote note = parse_capture_note("wirelaw legs=interfaces port=1002");
    EXPECT_TRUE(note.has_legs);
    EXPECT_EQ(note.port, 1002);
    note.protocol = &kToy;
    checker.begin_file(note);
    take(checker, 1, 2, "Xa", LegInterface::from_initiator);
    take(checker, 1, 2, "Xa", LegInterface::to_responder);
    take(checker, 2, 1, "Xb", LegInterface::from_responder);
    take(checker, 2, 1, "Xb", LegInterface::to_initiator);
    take(checker, 1, 2, "Xc", LegInterface::from_initiator);
    take(checker, 2, 1, "Xd", LegInterface::from_responder);
    checker.end_file();
    EXPECT_FALSE(checker.may_have_two_clocks());
    const Results results = checker.take_results();
    EXPECT_EQ(results.findings.size(), iut == 0 ? 4u : 2u);
    for (const Finding& one : results.findings)
      if (iut != 0) {
        EXPECT_EQ(one.sender, fmt::format("192.0.2.{0}:100{0}", iut));
      }
    ASSERT_EQ(results.flows.size(), 2u);
    for (const FlowResult& flow : results.flows) EXPECT_EQ(flow.messages, 3u);
    EXPECT_THAT(results.flows[0].note, testing::HasSubstr("leg of the initiator"));
    EXPECT_THAT(results.flows[1].note, testing::HasSubstr("leg of the responder"));
  }
}

// The frames of a wire hold other traffic, too.
TEST_F(CheckerTest, OnATransparentRelayOnlyThePortOfTheResponderIsOfTheProtocol) {
  for (const char* const text : {"wirelaw legs=interfaces port=1002", "wirelaw legs=interfaces"}) {
    Checker checker = make();
    CaptureNote note = parse_capture_note(text);
    note.protocol = &kToy;
    checker.begin_file(note);
    take(checker, 1, 2, "Xa", LegInterface::from_initiator);
    take(checker, 3, 4, "Xa", LegInterface::from_initiator);
    take(checker, 5, 6, "XH", LegInterface::from_initiator);  // recognised by content
    checker.end_file();
    const Results results = checker.take_results();
    EXPECT_EQ(results.findings.size(), note.port ? 2u : 1u) << text;
    ASSERT_EQ(results.flows.size(), 3u);
    EXPECT_EQ(results.flows[1].state, FlowState::unrecognised) << text;
  }
}

TEST_F(CheckerTest, TheUserMayChooseOnePeerOfARelay) {
  Checker checker = make({.iut = *parse_iut("192.0.2.1:1001")});
  CaptureNote note = parse_capture_note("wirelaw tester=192.0.2.2:1002 iut=192.0.2.4:1004 headers=synthetic");
  note.protocol = &kToy;
  checker.begin_file(note);
  take(checker, 1, 2, "X");
  take(checker, 3, 4, "X");
  take(checker, 4, 3, "Y");
  checker.end_file();
  const Results results = checker.take_results();
  ASSERT_EQ(results.findings.size(), 1u);
  EXPECT_EQ(results.findings[0].sender, "192.0.2.1:1001");
}

// The limits that observers get for a file with this note.
std::string declared_of(const CheckOptions& options, std::string_view note, bool is_pdu = true) {
  static std::string declared;
  static const Protocol kListening = [] {
    Protocol protocol = kToy;
    protocol.observer = [](const ObserverLimits& limits) -> std::unique_ptr<Observer> {
      declared = fmt::format("{} {}{}", fmt::join(limits.features, "+"), limits.revision,
                             limits.may_double ? " may double" : "");
      return std::make_unique<ToyObserver>();
    };
    return protocol;
  }();
  static constexpr const Protocol* kKnown[] = {&kListening};
  Checker checker(options, kKnown, toy_catalogue());
  checker.begin_file(parse_capture_note(note));
  pcap::Datagram datagram;
  const Octet octets[] = {'W', 'H'};
  datagram.frame = 1;
  datagram.source = *pcap::parse_endpoint("192.0.2.1:7");
  datagram.destination = *pcap::parse_endpoint("192.0.2.2:8");
  datagram.payload = octets;
  datagram.wire_length = 2;
  datagram.is_pdu = is_pdu;
  checker.take(datagram);
  checker.end_file();
  return declared;
}

TEST(CaptureNote, SaysWhatARunWasJudgedWithUnlessTheUserSaysOtherwise) {
  constexpr std::string_view kNote = "wirelaw iut=192.0.2.1:7 features=wide,deep revision=2.6";
  EXPECT_EQ(declared_of({}, "wirelaw iut=192.0.2.1:7"), " ");
  EXPECT_EQ(declared_of({}, kNote), "wide+deep 2.6");
  EXPECT_EQ(declared_of({.features = {"high"}}, kNote), "high 2.6");
  EXPECT_EQ(declared_of({.revision = "main"}, kNote), "wide+deep main");
}

// Tries a flow of UDP, and a flow of exported PDUs.
TEST(CaptureNote, OfSyntheticHeadersLeavesAFlowOfUdpOneThatMayHaveDoubledDatagrams) {
  constexpr std::string_view kNote = "wirelaw iut=192.0.2.1:7 headers=synthetic";
  EXPECT_EQ(declared_of({}, kNote, false), "  may double");
  EXPECT_EQ(declared_of({}, kNote, true), " ");
}

TEST_F(CheckerTest, MoreFlowsThanThereIsRoomForEndTheOldestEarly) {
  Checker checker = make({.limits = {.live_flows = 2}});
  for (std::uint8_t i = 1; i <= 3; ++i) take(checker, i, 9, "WH");
  checker.end_file();
  const Results results = checker.take_results();
  ASSERT_EQ(results.flows.size(), 3u);
  EXPECT_EQ(results.flows[0].state, FlowState::partial);
  EXPECT_THAT(results.flows[0].note, HasSubstr("more than 2 flows at once"));
  EXPECT_EQ(results.flows[2].state, FlowState::judged);
  EXPECT_EQ(results.rules[1].exercised, 3u);  // each was finished
}

TEST_F(CheckerTest, ObserversTogetherStayWithinTheirBudget) {
  Checker checker = make({.limits = {.flow_octets = 1000, .octets_between_checks = 100}});
  take(checker, 1, 9, "WH" + std::string(600, 'x'));
  take(checker, 2, 9, "WH" + std::string(600, 'x'));
  take(checker, 2, 9, "WH" + std::string(600, 'x'));  // too much alone: it keeps its own limit
  checker.end_file();
  const Results results = checker.take_results();
  ASSERT_EQ(results.flows.size(), 2u);
  EXPECT_THAT(results.flows[0].note, HasSubstr("exceeded"));
  EXPECT_EQ(results.flows[1].state, FlowState::judged);
}

TEST_F(CheckerTest, ListedFlowsAreBoundedAndAFloodLeavesRoomForJudgedOnes) {
  Checker checker = make({.limits = {.listed_flows = 4}});
  for (std::uint8_t i = 1; i <= 10; ++i) take(checker, i, 99, "X");
  take(checker, 11, 99, "WH");
  checker.end_file();
  const Results results = checker.take_results();
  EXPECT_EQ(results.flows.size(), 3u);
  EXPECT_EQ(results.flows_dropped, 8u);
  EXPECT_EQ(results.flows_dropped_as[static_cast<std::size_t>(FlowState::unrecognised)], 8u);
  EXPECT_EQ(results.flows.back().protocol, "toy");
}

TEST_F(CheckerTest, FilesAreJudgedEachOnItsOwn) {
  Checker checker = make();
  for (int file = 0; file < 2; ++file) {
    checker.begin_file({});
    take(checker, 1, 2, "WH");
    checker.end_file();
  }
  EXPECT_EQ(checker.take_results().flows.size(), 2u);
}

TEST_F(CheckerTest, OnlySelectedRulesAreReported) {
  Checker checker = make({.rules = {"*-1-2"}});
  take(checker, 1, 2, "XH");
  checker.end_file();
  const Results results = checker.take_results();
  EXPECT_TRUE(results.findings.empty());
  EXPECT_EQ(results.rules.size(), 1u);
}

TEST(CheckText, DecodeAsNamesWhatItDoesNotUnderstand) {
  EXPECT_EQ(parse_decode_as("udp.port=7001,ramcloud")->port, 7001);
  EXPECT_THAT(parse_decode_as("udp.port=7001,nfs").error(), HasSubstr("unknown protocol 'nfs'; known: ramcloud"));
  for (const char* text : {"", "7001,ramcloud", "udp.port=0,ramcloud", "udp.port=65536,ramcloud", "udp.port=x,ramcloud",
                           "udp.port=-1,ramcloud", "udp.port=7001", "udp.port=,ramcloud", "udp.port= 7,ramcloud"})
    EXPECT_FALSE(parse_decode_as(text)) << text;
}

TEST(CheckText, AnImplementationUnderTestHasAnAddressAndPerhapsAPort) {
  EXPECT_EQ(parse_iut("192.0.2.1:7001")->port, 7001);
  EXPECT_EQ(parse_iut("[2001:db8::1]:7001")->port, 7001);
  EXPECT_EQ(parse_iut("192.0.2.1")->port, std::nullopt);
  EXPECT_TRUE(parse_iut("2001:db8::1"));
  for (const char* text : {"", "localhost:1", "192.0.2.1:", "192.0.2.1:4294967296", ":1"})
    EXPECT_FALSE(parse_iut(text)) << text;
}

TEST(CheckText, OnlyANoteOfALiveRunIsTakenAsOne) {
  EXPECT_EQ(parse_capture_note("wirelaw iut=192.0.2.1:7 protocol=ramcloud").iut->port, 7);
  EXPECT_EQ(parse_capture_note("wirelaw iut=192.0.2.1:7 protocol=ramcloud").protocol, find_protocol("ramcloud"));
  EXPECT_THAT(parse_capture_note("wirelaw iut=192.0.2.1:7 features=,a,,b,").features, ::testing::ElementsAre("a", "b"));
  EXPECT_FALSE(parse_capture_note("taken by hand, iut=192.0.2.1:7").iut);
  EXPECT_FALSE(parse_capture_note("wirelaw iut=nonsense").iut);
  EXPECT_FALSE(parse_capture_note("").iut);
}

}  // namespace
}  // namespace wirelaw
