// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 7.5: the acknowledgement of chains.
#include "conformance/umsp/7.5-acknowledgement/acknowledgement.h"

#include "conformance/umsp/7.5-acknowledgement/rules.h"

namespace wirelaw::umsp {

void judge_chain_ask(Judge& judge, const SeenInstruction& seen) {
  if (seen.layout != nullptr && seen.layout->response) return;
  judge.require(rule<"UMSP-7.5-1">, !seen.header().ask, seen.field(HeaderField::ask),
                expected("REQ_ID in the first instruction of the chain alone"), actual("ASK 1"));
}

}  // namespace wirelaw::umsp
