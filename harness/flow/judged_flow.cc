// SPDX-License-Identifier: Apache-2.0
#include "harness/flow/judged_flow.h"

namespace wirelaw {

void JudgedFlow::name_sides(std::string_view transport, std::string a, std::string b, Judged judged) {
  // Not by a format: a capture may have as many flows as messages.
  names_.id.clear();  // a flow is renamed when more about it becomes known
  names_.id.reserve(transport.size() + a.size() + b.size() + 4);
  names_.id.append(transport).append(" ").append(a).append(" - ").append(b);
  names_.sides = {std::move(a), std::move(b)};
  names_.judged = judged;
}

void JudgedFlow::finish(Judge& judge) {
  if (!observer_) return;
  names_.order_unknown = false;  // after everything else: nothing can arrive late any more
  // Packets of RoCE that still wait are judged now. What they wait for is not in the source.
  if (protocol_->name == "roce" && is_partial()) miss("packets that were acknowledged");
  observer_->finish(judge);
  messages_ = observer_->messages();
  partial_ = observer_->partial();
  remark_ = observer_->remark();
  above_ = observer_->above();
  observer_.reset();
}

FlowResult JudgedFlow::result(std::uint64_t messages, std::uint64_t octets) const {
  std::string partial = observer_ ? observer_->partial() : partial_;
  return {.id = names_.id,
          .protocol = protocol_ ? std::string(protocol_->name) : std::string(),
          .above = above() ? std::string(above()->name) : std::string(),
          .messages = messages,
          .octets = octets,
          .state = partial.empty() ? FlowState::judged : FlowState::partial,
          .note = std::move(partial),
          .completeness = names_.missing.empty() ? Completeness::complete : Completeness::incomplete,
          .missing = names_.missing};
}

}  // namespace wirelaw
