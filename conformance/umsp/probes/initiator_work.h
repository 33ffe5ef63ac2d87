// SPDX-License-Identifier: Apache-2.0
// For cases in which the initiator has to be silent. A first conversation without changes shows that the IUT works; the
// second one is the case.
#pragma once

#include "conformance/umsp/probes/initiator_probe.h"

namespace wirelaw::umsp {

inline bool is_of_exchange(const Received& one) {
  return class_of(one.instruction.opcode()) == OpcodeClass::exchange && one.membership.session_id.value_or(0) != 0;
}

template <void (*kThen)(InitiatorProbe&)>
void after_work(InitiatorProbe& peer) {
  if (!peer.serve_until(is_of_exchange)) return peer.inconclusive("an accepted session was not used");
  peer.end(Ending::closed);  // otherwise the IUT may continue to use this connection (RFC 3018 3)
  InitiatorProbe again(peer.run());
  if (again.ok()) kThen(again);
}

}  // namespace wirelaw::umsp
