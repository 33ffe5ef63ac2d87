// SPDX-License-Identifier: Apache-2.0
// Cases for the rules that need a stimulus.
#include <string>

#include "conformance/case_probe.h"
#include "conformance/case_rows.h"
#include "conformance/section.h"
#include "harness/toy/toy.h"

namespace wirelaw::toy {
namespace {

constexpr Section kStimuli = Section{"Toy 2"}.by(Observable::stimulus);

}  // namespace

constinit const Rule kEachPingIsAnswered =
    kStimuli.of(Role::responder).must("TOY-2-2", "Each PING is answered by a PONG of its number.");
constinit const Rule kPingsCountUp = kStimuli.of(Role::initiator).must("TOY-2-3", "PINGs are numbered from 1.");

namespace {

// The probe of the cases, for either role: sends and receives messages.
class ToyProbe : public CaseProbe {
 public:
  using CaseProbe::CaseProbe;

  void send(Type type, std::uint16_t number) { send_octets(encode({.type = type, .number = number})); }
  // Returns the next message, which a stream may deliver in parts. Empty if it does not arrive in time.
  std::optional<Packet> receive() {
    const Instant deadline = in(run().answer_time());
    while (held_.size() < layout::kMessage) {
      const auto octets = receive_octets(deadline);
      if (!octets || octets->empty()) return std::nullopt;
      held_.insert(held_.end(), octets->begin(), octets->end());
    }
    const auto packet = decode(Octets(held_).first(layout::kMessage));
    held_.erase(held_.begin(), held_.begin() + layout::kMessage);
    return packet;
  }

 private:
  OctetBuffer held_;
};

std::string text_of(const std::optional<Packet>& packet) {
  return packet ? kProtocol.decode(encode(*packet)).summary : "nothing";
}

void expect_each_ping_answered(ToyProbe& server) {
  for (std::uint16_t number = 1; number <= 3; ++number) {
    server.send(Type::ping, number);
    const auto answer = server.receive();
    server.require(kEachPingIsAnswered, answer && answer->number == number, "PONG " + std::to_string(number),
                   text_of(answer));
  }
}

void expect_pings_counted(ToyProbe& client) {
  if (const auto triggered = client.run().trigger({.count = 3}); !triggered)
    return client.run().broken(triggered.error());
  for (std::uint16_t number = 1; number <= 3; ++number) {
    const auto ping = client.receive();
    client.require(kPingsCountUp, ping && ping->number == number, "PING " + std::to_string(number), text_of(ping));
    client.send(Type::pong, number);
  }
}

const CaseRow kRows[] = {
    {"exchange/server-answers",
     {&kEachPingIsAnswered},
     "Three PINGs are answered in their order.",
     {.responder = run_of<ToyProbe>(expect_each_ping_answered)}},
    {"exchange/client-counts",
     {&kPingsCountUp},
     "A client that makes three requests numbers them.",
     {.initiator = run_of<ToyProbe>(expect_pings_counted)}},
};

}  // namespace

RuleList stimulus_rules() {
  static constexpr const Rule* kRules[] = {&kEachPingIsAnswered, &kPingsCountUp};
  return kRules;
}

const CaseSuite& suite() {
  static const CaseSuite kSuite({cases_of(kRows)});
  return kSuite;
}

}  // namespace wirelaw::toy
