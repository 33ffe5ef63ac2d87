// SPDX-License-Identifier: Apache-2.0
// "payloadType"
#include "conformance/ramcloud/breaches.h"
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {

constexpr Section kSection{"RAMCloud RPC, payloadType"};

constinit const Rule kAssignedPayloadType = kSection.must_not(
    "RAMCLOUD-payloadType-1", "Payload types other than 0, 1, 2 and 4 are reserved and are not sent.");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(broken_by(kAssignedPayloadType, {reserved_type_sent}));

}  // namespace

RuleList payload_type_rules() {
  static constexpr const Rule* kRules[] = {&kAssignedPayloadType};
  return kRules;
}

BreachList payload_type_breaches() {
  return kBreaches;
}

bool judge_payload_type(Judge& judge, const Seen& seen) {
  const PayloadType type = seen.header().payload_type;
  return judge.require(kAssignedPayloadType, is_assigned(type), field::kFlags, expected("payload type 0, 1, 2 or 4"),
                       actual(static_cast<unsigned>(type)), "a reserved payload type was sent");
}

}  // namespace wirelaw::ramcloud
