// SPDX-License-Identifier: Apache-2.0
// "flags.requestAck": checks on a trace.
#include "conformance/ramcloud/requestAck/request_ack.h"

#include "conformance/ramcloud/fields.h"
#include "conformance/ramcloud/requestAck/rules.h"

namespace wirelaw::ramcloud {

void check_request_ack(Judge& judge, const PacketFacts& facts) {
  if (facts.header().payload_type == PayloadType::data) return;
  judge.advise(rule<"RAMCLOUD-requestAck-4">, !facts.header().flags.request_ack, field::kFlags,
               expected("requestAck 0"), actual("requestAck 1"), "receivers pass over the flag outside DATA packets");
}

}  // namespace wirelaw::ramcloud
