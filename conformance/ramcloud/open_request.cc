// SPDX-License-Identifier: Apache-2.0
// "PT_SESSION_OPEN": the request.
#include "conformance/ramcloud/breaches.h"
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {

constexpr Section kClient{"RAMCloud RPC, PT_SESSION_OPEN", Role::initiator};

constinit const Rule kOpenRequestEmpty =
    kClient.must("RAMCLOUD-openRequest-1", "A session open request has no payload.");

namespace {

using enum Deviation;
constexpr auto kBreaches = breach_table(broken_by(kOpenRequestEmpty, {open_with_payload}));

}  // namespace

RuleList open_request_rules() {
  static constexpr const Rule* kRules[] = {&kOpenRequestEmpty};
  return kRules;
}

BreachList open_request_breaches() {
  return kBreaches;
}

void judge_open_request(Judge& judge, const Seen& seen) {
  judge.require(kOpenRequestEmpty, seen.message.wire_length == layout::kHeader, field::payload(seen.packet),
                expected("no payload"),
                actual([&] { return fmt::format("{} octets", seen.message.wire_length - layout::kHeader); }),
                "an open request carries nothing behind its header");
}

}  // namespace wirelaw::ramcloud
