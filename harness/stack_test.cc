// SPDX-License-Identifier: Apache-2.0
// A protocol above RDMAP: captures and live runs judge it as one flow, and its findings name the frames and octets of
// the capture. The protocol here is the smallest that shows this: every message is "LTRS", a sequence number, and
// letters.
#include "conformance/stack.h"

#include <gmock/gmock.h>

#include "conformance/rdmap/probes/upper_probe.h"
#include "conformance/rdmap/rdmap.h"
#include "conformance/section.h"
#include "harness/check/check_files.h"
#include "harness/pcapng_recording.h"
#include "harness/peers/rdmap_upper.h"
#include "harness/runner.h"
#include "harness/transports/memory/memory_iut.h"
#include "pcap/tcp_synthesis.h"
#include "pcap/temporary_directory.h"

namespace wirelaw {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::size_t kHeader = 8;
constexpr std::string_view kKey = "LTRS";
constexpr std::uint16_t kPort = 4711;

// ------------------------------------------------------------------------------------------------ rules and observer

constexpr Section kLetters{"Letters 1"};
constinit const Rule kCounts = kLetters.must("LETTERS-1-1", "The sequence numbers of a sender count up from zero.");
constinit const Rule kLowercase = kLetters.must("LETTERS-1-2", "Behind the header are lowercase letters alone.");
constinit const Rule kKeepsInvalidated =
    kLetters.must_not("LETTERS-1-3", "Nobody invalidates an STag that is all ones.");
constinit const Rule kEndsTidily = kLetters.should("LETTERS-1-4", "A connection ends without an error below.");

const Catalogue& letters_catalogue() {
  static constexpr const Rule* kRules[] = {&kCounts, &kLowercase, &kKeepsInvalidated, &kEndsTidily};
  static const Catalogue kCatalogue{RuleList(kRules)};
  return kCatalogue;
}

bool is_letters(Octets octets) {
  return octets.size() >= kHeader && std::equal(kKey.begin(), kKey.end(), octets.begin());
}

class LettersObserver final : public Observer {
 public:
  void observe(const Delivery& delivery, Judge& judge) override {
    Way& from = ways_[delivery.sender == Side::a ? 0 : 1];
    switch (delivery.event) {
      case Delivery::Event::established:
        established_ = true;
        break;
      case Delivery::Event::message:
        take(delivery, from, judge);
        break;
      case Delivery::Event::lost:
        from.known = false;
        break;
      case Delivery::Event::ended:
        judge.at(delivery.message);
        judge.require(kEndsTidily, !delivery.abortive, octets(0, 0), expected("a close"), actual("an abort"));
        break;
      case Delivery::Event::written:
        written += delivery.remote.length;
        break;
      case Delivery::Event::read_requested:
      case Delivery::Event::read_completed:
        break;
    }
  }
  void finish(Judge&) override {}
  std::string partial() const override { return established_ ? "" : "begins in the middle"; }
  std::size_t memory() const override { return sizeof *this; }

  std::uint64_t written = 0;

 private:
  struct Way {
    bool known = true;
    std::uint32_t due = 0;
  };

  void take(const Delivery& delivery, Way& from, Judge& judge) {
    const Message& message = delivery.message;
    judge.found(message);
    if (delivery.invalidated_stag)
      judge.require(kKeepsInvalidated, *delivery.invalidated_stag != 0xffffffff, octets(0, 0), expected("another"),
                    actual(hex(*delivery.invalidated_stag)));
    if (!delivery.whole || message.octets.size() < kHeader) return;
    const auto number = load_big_endian<std::uint32_t>(message.octets.data() + kKey.size());
    if (from.known) judge.require(kCounts, number == from.due, octets(4, 4), expected(from.due), actual(number));
    from = {.known = true, .due = number + 1};
    const Octets letters = message.octets.subspan(kHeader);
    const auto bad = std::ranges::find_if(letters, [](Octet one) { return one < 'a' || one > 'z'; });
    const auto at = kHeader + static_cast<std::size_t>(bad - letters.begin());
    const bool good = bad == letters.end();
    // Three octets from the bad one on, so that a finding may lie in two frames.
    judge.require(kLowercase, good, octets(at, good ? 0 : std::min<std::size_t>(3, message.octets.size() - at)),
                  expected("letters"), actual([&] { return say(hex(*bad)); }));
  }

  Way ways_[2];
  bool established_ = false;
};

// -------------------------------------------------------------------------------------------------------- peer and
// case

OctetBuffer message_of_letters(std::uint32_t number, std::size_t letters) {
  OctetBuffer octets(kKey.begin(), kKey.end());
  Writer(octets).big_endian(number);
  for (std::size_t i = 0; i < letters; ++i) octets.push_back(static_cast<Octet>('a' + i % 26));
  return octets;
}

enum class Fault : std::uint8_t { none, skips_a_number, shouts };

// Returns each message, with its own sequence numbers.
class EchoingLetters final : public rdmap::UpperLayer {
 public:
  explicit EchoingLetters(Fault fault) : fault_(fault) {}

  void take(rdmap::Event& event, rdmap::Endpoint& below, Instant) override {
    if (std::holds_alternative<rdmap::ConnectionRequest>(event)) {
      for (unsigned i = 0; i < 4; ++i) static_cast<void>(below.post_receive(65'536));
      static_cast<void>(below.accept());
    }
    if (auto* const received = std::get_if<rdmap::Received>(&event)) answer(std::move(received->data), below);
    if (std::holds_alternative<rdmap::PeerEnded>(event)) below.close();
  }

 private:
  void answer(OctetBuffer octets, rdmap::Endpoint& below) {
    static_cast<void>(below.post_receive(65'536));
    if (!is_letters(octets)) return;
    if (fault_ == Fault::skips_a_number) ++number_;
    store_big_endian(octets.data() + kKey.size(), number_++);
    if (fault_ == Fault::shouts) octets.back() = 'Z';
    static_cast<void>(below.post_send(std::move(octets)));
  }

  Fault fault_;
  std::uint32_t number_ = 0;
};

// Has segments so small that a message takes many FPDUs.
constexpr rdmap::Options kOptions{.mulpdu = 256};

const std::vector<Case>& letters_cases() {
  static const std::vector<Case> kCases{
      {.id = "letters/echo",
       .iut = Role::responder,
       .rules = {&kCounts, &kLowercase},
       .purpose = "Two long messages come back.",
       .run =
           [](CaseRun& run) {
             rdmap::UpperProbe peer(run, Role::initiator, kOptions);
             for (unsigned i = 0; i < 2; ++i) static_cast<void>(peer.below().post_receive(65'536));
             peer.begin();
             for (std::uint32_t number = 0; number < 2; ++number) {
               static_cast<void>(peer.below().post_send(message_of_letters(number, 1'000)));
               const auto echo = peer.await<rdmap::Received>(peer.in(run.answer_time()));
               if (!echo) return peer.inconclusive("no echo");
             }
             peer.below().close();
             peer.await<rdmap::Closed>(peer.in(run.answer_time()));
           }},
  };
  return kCases;
}

constexpr Above kOnRdmap[] = {
    {.protocol = "rdmap", .recognises = [](const Delivery& first) { return is_letters(first.message.octets); }}};

const Protocol kLettersProtocol{
    .name = "letters",
    .title = "Letters",
    .initiator = "client",
    .responder = "server",
    .transports = "tcp",
    .catalogue = letters_catalogue,
    .cases = [] { return std::span<const Case>(letters_cases()); },
    .observer = [](const ObserverLimits&) -> std::unique_ptr<Observer> { return std::make_unique<LettersObserver>(); },
    .decode = [](Octets octets) { return Decoded{.summary = std::to_string(octets.size()) + " octets of letters"}; },
    .above = kOnRdmap};

// Same, but recognised by its port alone.
Protocol by_port_alone() {
  static constexpr std::uint16_t kPorts[] = {kPort};
  Protocol protocol = kLettersProtocol;
  static constexpr Above kAbove[] = {{.protocol = "rdmap", .ports = kPorts, .plausible = [](const Delivery& first) {
                                        return is_letters(first.message.octets);
                                      }}};
  protocol.above = kAbove;
  return protocol;
}

std::vector<const Protocol*> with(const Protocol& upper) {
  return {&rdmap::kProtocol, &upper};
}

// ------------------------------------------------------------------------------------------------------------ captures

struct StackRun {
  RunOutcome outcome;
  std::unique_ptr<pcap::testing::TemporaryDirectory> directory = std::make_unique<pcap::testing::TemporaryDirectory>();
  std::string capture = directory->path("run.pcapng");
};

StackRun run(Fault fault, std::size_t cut = 0) {
  const auto iut = make_memory_iut(
      [=](std::uint64_t seed) {
        return rdmap::make_upper_peer(Role::responder, kOptions, seed, [=](const TriggerRequest&, rdmap::UpperCounts&) {
          return std::make_unique<EchoingLetters>(fault);
        });
      },
      {.framing = kStreams, .network_faults = {.cut = cut}});
  StackRun run;
  auto sink = PcapngSink::create(run.capture, "");
  EXPECT_TRUE(sink);
  Recording recording(*sink);
  run.outcome = run_cases(kLettersProtocol, *iut, {.iut = Role::responder}, &recording);
  recording.flush();
  sink->say_complete();
  EXPECT_TRUE(sink->commit());
  return run;
}

// Judges the recording again, with the rules of both protocols.
Results judge_again(const std::string& capture, const Protocol& upper, CheckOptions options = {}) {
  const auto known = with(upper);
  const Catalogue catalogue = catalogue_of_stack(upper, known);
  Checker checker(std::move(options), known, catalogue);
  checker.begin_file({});
  auto reader = pcap::PacketReader::open(capture);
  EXPECT_TRUE(reader);
  pcap::Datagram datagram;
  pcap::Segment segment;
  while (reader->next(datagram, segment) != pcap::Transport::none) checker.take(segment);
  checker.end_file();
  return checker.take_results();
}

std::vector<std::string> rules_of(const std::vector<Finding>& findings) {
  std::vector<std::string> ids;
  for (const Finding& one : findings) ids.emplace_back(one.rule->id);
  return ids;
}

const RuleResult& result_of(const Results& results, const Rule& rule) {
  return *std::ranges::find(results.rules, &rule, &RuleResult::rule);
}

// The octets of the capture that a finding points at.
OctetBuffer octets_in(const std::string& capture, const Finding& finding) {
  auto reader = pcap::Reader::open(capture);
  EXPECT_TRUE(reader);
  OctetBuffer octets;
  for (pcap::Frame frame; reader->next(frame);)
    for (const FindingPlace& place : finding.places)
      if (place.frame == frame.number && place.frame_offset > 0) {
        const Octets part = Octets(frame.octets).subspan(place.frame_offset, place.length);
        octets.insert(octets.end(), part.begin(), part.end());
      }
  return octets;
}

// --------------------------------------------------------------------------------------------------------------- tests

TEST(Stack, HonestPeerPassesAndBothProtocolsAreExercised) {
  const StackRun honest = run(Fault::none);
  EXPECT_THAT(rules_of(honest.outcome.results.findings), IsEmpty());
  ASSERT_THAT(honest.outcome.results.cases, SizeIs(1));
  EXPECT_EQ(honest.outcome.results.cases[0].verdict, Verdict::pass) << honest.outcome.results.cases[0].reason;
  EXPECT_EQ(result_of(honest.outcome.results, kCounts).exercised, 2u);
  const auto& rules = honest.outcome.results.rules;
  EXPECT_TRUE(std::ranges::any_of(rules, [](const RuleResult& one) {
    return one.rule->id.starts_with("DDP-") && one.exercised > 0;
  })) << "the protocols below are judged as well";
}

TEST(Stack, FlowSaysBothProtocols) {
  const StackRun honest = run(Fault::none);
  const Results again = judge_again(honest.capture, kLettersProtocol);
  ASSERT_THAT(again.flows, SizeIs(1));
  EXPECT_EQ(again.flows[0].protocol, "rdmap");
  EXPECT_EQ(again.flows[0].above, "letters");
  EXPECT_EQ(again.flows[0].state, FlowState::judged) << again.flows[0].note;
  EXPECT_EQ(result_of(again, kCounts).exercised, 4u) << "offline both sides are judged";
  EXPECT_EQ(result_of(again, kEndsTidily).exercised, 2u);
}

TEST(Stack, FindingOfTheUpperProtocolNamesTheOctetsOfTheCapture) {
  const StackRun faulty = run(Fault::skips_a_number);
  const auto& findings = faulty.outcome.results.findings;
  EXPECT_THAT(rules_of(findings), ElementsAre("LETTERS-1-1", "LETTERS-1-1"));
  EXPECT_EQ(faulty.outcome.results.cases.at(0).verdict, Verdict::fail);
  for (const Finding& one : findings) {
    ASSERT_THAT(one.places, testing::Not(IsEmpty()));
    EXPECT_EQ(one.frame, one.places[0].frame);
    EXPECT_EQ(octets_in(faulty.capture, one), one.octets) << "frame " << one.frame;
  }
}

TEST(Stack, FindingAcrossSegmentsNamesEachFrame) {
  // Pieces of at most 7 octets: the three that are pointed at lie in more than one frame now and then.
  const StackRun faulty = run(Fault::shouts, 7);
  const auto& findings = faulty.outcome.results.findings;
  ASSERT_THAT(rules_of(findings), ElementsAre("LETTERS-1-2", "LETTERS-1-2"));
  for (const Finding& one : findings) {
    ASSERT_THAT(one.places, testing::Not(IsEmpty()));
    EXPECT_EQ(octets_in(faulty.capture, one), one.octets);
    EXPECT_EQ(one.octets.front(), 'Z');
  }
}

TEST(Stack, RecordingIsJudgedAsTheRunWas) {
  for (const Fault fault : {Fault::none, Fault::skips_a_number, Fault::shouts}) {
    const StackRun live = run(fault, 100);
    const Results again = judge_again(live.capture, kLettersProtocol);
    ASSERT_EQ(rules_of(again.findings), rules_of(live.outcome.results.findings));
    for (std::size_t i = 0; i < again.findings.size(); ++i) {
      EXPECT_EQ(again.findings[i].frame, live.outcome.results.findings[i].frame);
      EXPECT_EQ(again.findings[i].octets, live.outcome.results.findings[i].octets);
      EXPECT_EQ(again.findings[i].message, live.outcome.results.findings[i].message);
      ASSERT_EQ(again.findings[i].places.size(), live.outcome.results.findings[i].places.size());
      for (std::size_t n = 0; n < again.findings[i].places.size(); ++n)
        EXPECT_EQ(again.findings[i].places[n].frame_offset, live.outcome.results.findings[i].places[n].frame_offset);
    }
  }
}

TEST(Stack, ProtocolBelowIsJudgedAloneWhereItIsSelected) {
  const StackRun faulty = run(Fault::skips_a_number);
  const Results again = judge_again(faulty.capture, kLettersProtocol, {.protocol = &rdmap::kProtocol});
  EXPECT_THAT(rules_of(again.findings), IsEmpty());
  ASSERT_THAT(again.flows, SizeIs(1));
  EXPECT_EQ(again.flows[0].above, "");
}

TEST(Stack, PortIsBelievedOnlyWithPlausibleContent) {
  // The recording's flow does not have the port: the content alone would have to identify the protocol, and this one
  // has no such test.
  const StackRun honest = run(Fault::none);
  const Protocol upper = by_port_alone();
  EXPECT_EQ(judge_again(honest.capture, upper).flows.at(0).above, "");
  // The user's word counts more.
  const auto known = with(upper);
  ObserverLimits limits;
  limits.addresses = std::array{Endpoint{.address = {}, .port = 9}, Endpoint{.address = {}, .port = kPort}};
  FlowObserver observer(rdmap::kProtocol, known, limits);
  EXPECT_EQ(observer.above(), nullptr) << "not before a message was delivered";
  FlowObserver chosen(upper, known, {});
  ASSERT_NE(chosen.above(), nullptr);
  EXPECT_EQ(chosen.above()->name, "letters");
}

}  // namespace
}  // namespace wirelaw
