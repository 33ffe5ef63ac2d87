// SPDX-License-Identifier: Apache-2.0
// "flags.requestAck": what a trace can show of it.
#include "conformance/ramcloud/breaches.h"
#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/rules.h"

namespace wirelaw::ramcloud {

constexpr Section kSection{"RAMCloud RPC, flags.requestAck"};

constinit const Rule kRequestAckOnlyWithData = kSection.should_not(
    "RAMCLOUD-requestAck-4", "An ACK is asked for a fragment: the flag has no meaning in a packet that carries none.",
    "RAMCLOUD/R38");

namespace {

using enum Deviation;
constexpr auto kBreaches =
    breach_table(broken_by(kRequestAckOnlyWithData, {ack_with_request_ack, reserved_type_sent, sends_bad_session},
                           {.severity = Severity::warning}));

}  // namespace

RuleList request_ack_rules() {
  static constexpr const Rule* kRules[] = {&kRequestAckOnlyWithData};
  return kRules;
}

BreachList request_ack_breaches() {
  return kBreaches;
}

void judge_request_ack(Judge& judge, const Seen& seen) {
  if (seen.header().payload_type == PayloadType::data) return;
  judge.advise(kRequestAckOnlyWithData, !seen.header().flags.request_ack, field::kFlags, expected("requestAck 0"),
               actual("requestAck 1"), "receivers pass over the flag outside DATA packets");
}

}  // namespace wirelaw::ramcloud
