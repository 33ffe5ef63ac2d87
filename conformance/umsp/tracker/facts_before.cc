// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "conformance/umsp/tracker/chain_steps.h"
#include "conformance/umsp/tracker/follow.h"
#include "conformance/umsp/tracker/requests.h"

namespace wirelaw::umsp {
namespace {

bool may_have_border(const ObservedSession& session) {
  return std::ranges::any_of(session.halves, [](const SessionHalf& half) {
    return half.terms_unknown || ((half.profile.value_or(0) | half.asked.value_or(0)) & kBorderFlag) != 0;
  });
}

// A session that this connection does not know may have been opened on another one.
std::optional<bool> has_own_name(const Seen& seen) {
  if (seen.session != nullptr) return false;
  const bool is_own = seen.header().has_session_id() &&
                      seen.connection.find_session(seen.message.sender, seen.header().session_id) != nullptr;
  return is_own ? std::optional(true) : std::nullopt;
}

ObservedChainKind kind_of_chain(const Seen& seen) {
  if (seen.session == nullptr || !seen.membership.chain || seen.membership.chain->instr_number == 0)
    return ObservedChainKind::unknown;
  const auto& chains = seen.session->half(seen.message.sender).chains;
  const auto found = chains.find(seen.membership.chain->chain_number);
  const bool is_known = found != chains.end() && found->second.from_start && !found->second.ended;
  return is_known ? found->second.kind : ObservedChainKind::unknown;
}

}  // namespace

FactsBefore facts_before(const Seen& seen) {
  FactsBefore before{.inherits = seen.from().inherits,
                     .has_own_name = has_own_name(seen),
                     .may_have_border = seen.session == nullptr || may_have_border(*seen.session),
                     .chain = kind_of_chain(seen)};
  for (std::size_t index = 0; index < seen.instruction.extensions.size(); ++index)
    if (const auto fact = follow_parent_number(seen, index)) before.claims.push_back(*fact);
  if (seen.is(Opcode::snd_cancel)) compare_cancel(seen, before.claims);
  if (is_rsp(seen) && seen.header().pck == Pck::no_session && knows_requests(seen))
    before.claims.push_back({Claim::answers_without_session, static_cast<bool>(find_request(seen)),
                             seen.field(HeaderField::pck), 0, 0, kLikely});
  if (seen.is(Opcode::vm_notif) && seen.header().ask && knows_requests(seen))
    before.notification =
        NotificationFact{has_request(seen, Opcode::vm_req), find_answered(seen), is_over_other_transport(seen)};
  return before;
}

}  // namespace wirelaw::umsp
