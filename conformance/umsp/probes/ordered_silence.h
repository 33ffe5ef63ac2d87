// SPDX-License-Identifier: Apache-2.0
// Silence that order proves. The instructions of one connection arrive in order (RFC 3018 2.3), so an IUT that has
// answered a later request of another session has skipped the earlier one. It also gets a part of the time of silence,
// as its virtual machine may answer in another order.
#pragma once

#include <optional>

#include "conformance/umsp/probes/executor_probe.h"

namespace wirelaw::umsp {

// Returns the answer to `asked`; none if the IUT skipped it. The case is inconclusive if the request of the other,
// working session is not answered.
inline std::optional<Received> answer_in_order(ExecutorProbe& peer, const OpenSession& session, Draft asked,
                                               const OpenSession& other) {
  constexpr int kPart = 4;  // divisor of the time of silence
  asked = peer.asking(session, std::move(asked));
  const Draft behind = peer.asking(other, draft_of(Opcode::nop));
  peer.send_together({asked, behind});
  Instant deadline = peer.in(peer.run().answer_time());
  bool is_passed_over = false;
  while (auto one = peer.next(deadline)) {
    const Layout* const layout = layout_of(one->instruction);
    if (layout == nullptr || !layout->response || !one->instruction.header.ask) continue;
    const auto of = one->membership.session_id;
    if (of == session.ours && one->req_id() == *asked.req_id) return one;
    if (of != other.ours || one->req_id() != *behind.req_id) continue;
    is_passed_over = true;
    deadline = std::min(deadline, peer.in(peer.run().silence_time() / kPart));
  }
  if (!is_passed_over) peer.inconclusive("a NOP in another session, which was opened before, was not answered");
  return std::nullopt;
}

}  // namespace wirelaw::umsp
