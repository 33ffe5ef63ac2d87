// SPDX-License-Identifier: Apache-2.0
// "flags.direction"
#include "conformance/ramcloud/breaches.h"
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {

constexpr Section kSection{"RAMCloud RPC, flags.direction"};
constexpr Section kServer = kSection.of(Role::responder), kClient = kSection.of(Role::initiator);

constinit const Rule kServerSetsDirection =
    kServer.must("RAMCLOUD-direction-1", "The direction flag is set in every packet from the server to the client.");
constinit const Rule kClientClearsDirection = kClient.must_not(
    "RAMCLOUD-direction-2", "The direction flag is not set in a packet from the client to the server.");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(
    broken_by(kServerSetsDirection, {open_response_direction_clear, direction_clear_in_data, direction_clear_in_ack}),
    broken_by(kClientClearsDirection, {direction_set}));

}  // namespace

RuleList direction_rules() {
  static constexpr const Rule* kRules[] = {&kServerSetsDirection, &kClientClearsDirection};
  return kRules;
}

BreachList direction_breaches() {
  return kBreaches;
}

void judge_direction(Judge& judge, const Seen& seen, Evidence evidence) {
  const bool is_server = seen.sender == Role::responder;
  judge.require(is_server ? kServerSetsDirection : kClientClearsDirection, seen.header().flags.direction == is_server,
                field::kFlags, expected([&] { return fmt::format("direction {}", is_server ? 1 : 0); }),
                actual([&] { return fmt::format("direction {}", seen.header().flags.direction ? 1 : 0); }),
                is_server ? "the sender is the server of this session" : "the sender is the client of this session",
                evidence);
}

}  // namespace wirelaw::ramcloud
