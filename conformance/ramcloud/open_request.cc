// SPDX-License-Identifier: Apache-2.0
// "PT_SESSION_OPEN": the request.
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {

constinit const Rule kOpenRequestEmpty{"RAMCLOUD-openRequest-1", Level::must,
                                       Role::initiator,          "RAMCloud RPC, PT_SESSION_OPEN",
                                       Observable::trace,        "A session open request has no payload."};

RuleList open_request_rules() {
  static constexpr const Rule* kRules[] = {&kOpenRequestEmpty};
  return kRules;
}

void judge_open_request(Judge& judge, const Seen& seen) {
  judge.require(kOpenRequestEmpty, seen.message.wire_length == layout::kHeader, field::payload(seen.packet),
                expected("no payload"),
                actual([&] { return fmt::format("{} octets", seen.message.wire_length - layout::kHeader); }),
                "an open request carries nothing behind its header");
}

}  // namespace wirelaw::ramcloud
