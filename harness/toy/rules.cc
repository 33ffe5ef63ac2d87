// SPDX-License-Identifier: Apache-2.0
// Rules that a trace shows.
#include <algorithm>
#include <array>
#include <string>

#include "conformance/judge.h"
#include "conformance/section.h"
#include "harness/toy/toy.h"

namespace wirelaw::toy {
namespace {

constexpr Section kMessages{"Toy 1"};
constexpr Section kExchange{"Toy 2"};

}  // namespace

constinit const Rule kReservedIsZero = kMessages.must("TOY-1-1", "The reserved octet is sent as zero.");
constinit const Rule kPongAnswersAPing =
    kExchange.of(Role::responder).must("TOY-2-1", "A PONG has the number of a PING that was sent before it.");

RuleList trace_rules() {
  static constexpr std::array<const Rule*, 2> kRules{&kReservedIsZero, &kPongAnswersAPing};
  return kRules;
}

std::span<const BreachList> breaches() {
  static constexpr Breach kBreaches[] = {
      {Deviation::sets_reserved, kReservedIsZero},
      {Deviation::answers_another_number, kPongAnswersAPing, {.who = Role::responder}},
      {Deviation::answers_once, kEachPingIsAnswered, {.who = Role::responder}},
      {Deviation::repeats_a_number, kPingsCountUp, {.who = Role::initiator}},
  };
  static constexpr BreachList kAll[] = {kBreaches};
  return kAll;
}

namespace {

class ToyObserver final : public Observer {
 public:
  void observe(const Message& message, Judge& judge) override {
    judge.at(message);
    check(message, judge);
  }
  // Over TCP, messages follow each other without separators. Messages after a gap cannot be separated.
  void observe(const StreamPiece& piece, Judge& judge) override {
    Way& way = ways_[piece.sender == Side::b];
    if (piece.event == StreamEvent::gap) {
      way.lost = true;
      partial_ = "octets are missing";
    }
    if (piece.event != StreamEvent::octets || way.lost) return;
    way.held.insert(way.held.end(), piece.octets.begin(), piece.octets.end());
    std::size_t done = 0;
    for (; way.held.size() - done >= layout::kMessage; done += layout::kMessage) {
      const Message message{.octets = Octets(way.held).subspan(done, layout::kMessage),
                            .wire_length = layout::kMessage,
                            .sender = piece.sender,
                            .index = messages_++,
                            .frame = piece.frame,
                            .time_ns = piece.time_ns};
      judge.found(message);
      check(message, judge);
    }
    way.held.erase(way.held.begin(), way.held.begin() + static_cast<std::ptrdiff_t>(done));
  }
  void finish(Judge&) override {}
  std::uint64_t messages() const override { return messages_; }
  std::string partial() const override { return partial_; }
  std::size_t memory() const override { return sizeof *this + ways_[0].held.size() + ways_[1].held.size(); }

 private:
  struct Way {
    OctetBuffer held;
    bool lost = false;
  };

  void check(const Message& message, Judge& judge) {
    const auto packet = decode(message.octets);
    if (!packet) return;
    judge.require(kReservedIsZero, packet->reserved == 0, octets(layout::kReserved, 1), expected(0),
                  actual(packet->reserved));
    if (packet->type == Type::ping) {
      highest_ping_ = std::max(highest_ping_.value_or(0), packet->number);
    } else if (highest_ping_) {  // else the capture begins after it
      judge.require(kPongAnswersAPing, packet->number <= *highest_ping_, octets(layout::kNumber, 2),
                    expected([&] { return "at most " + std::to_string(*highest_ping_); }), actual(packet->number));
    }
  }

  std::array<Way, 2> ways_;
  std::optional<std::uint16_t> highest_ping_;
  std::uint64_t messages_ = 0;
  std::string partial_;
};

}  // namespace

std::unique_ptr<Observer> make_observer(const ObserverLimits&) {
  return std::make_unique<ToyObserver>();
}

}  // namespace wirelaw::toy
