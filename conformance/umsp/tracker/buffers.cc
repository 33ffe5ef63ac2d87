// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/buffers.h"

#include "conformance/umsp/tracker/pair.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint64_t kBlock = 256;  // octets; the unit of the window (5.3.1)

// A subordinated chain uses the buffer of its parental chain, and a sequence needs none.
bool needs_buffer(const ObservedChain& chain) {
  return (chain.kind == ObservedChainKind::transaction || chain.kind == ObservedChainKind::fragments) &&
         !chain.subordinate;
}

bool take_grant(SessionHalf& half, ObservedChain& chain) {
  if (half.buffers_granted.empty()) return false;
  chain.granted = half.buffers_granted.front();
  chain.granted_alone = half.buffers_granted.size() == 1 && half.buffers_asked.empty();
  half.buffers_granted.erase(half.buffers_granted.begin());
  return true;
}

// Returns true if a REQ_BUF of `asker` waited for this answer.
bool grant(const Seen& seen, SessionHalf& asker) {
  const auto found = asker.buffers_asked.find(seen.header().req_id);
  if (found == asker.buffers_asked.end()) return false;
  const bool positive = seen.says_yes();
  const bool has_room = asker.buffers_granted.size() < kMostBuffers;
  if (positive && has_room) asker.buffers_granted.push_back(found->second);
  asker.buffers_forgotten |= !has_room;
  asker.grants += positive ? 1 : 0;
  asker.buffers_asked.erase(found);
  return true;
}

// REQ_BUF, its answer and the transaction may each use another connection. The sender waits for the answer before it
// sends the transaction, so over all connections there are never more transactions than granted buffers.
std::optional<GrantFact> grants_of_all(const Seen& seen, const SessionHalf& half) {
  std::uint64_t grants = half.grants, later_executed = half.later_executed;
  bool forgotten = half.buffers_forgotten || half.chains_forgotten;
  look_for_session_elsewhere(seen.connection, *seen.session,
                             [&](Connection&, const ObservedSession& there, bool is_turned) {
                               const SessionHalf& one = there.half(turned(seen.message.sender, is_turned));
                               grants += one.grants;
                               later_executed += one.later_executed;
                               forgotten |= one.buffers_forgotten || one.chains_forgotten;
                               return false;
                             });
  if (forgotten || !is_all_seen(seen.connection, *seen.session)) return std::nullopt;
  return GrantFact{later_executed <= grants ? GrantFact::Buffer::granted : GrantFact::Buffer::none_elsewhere, true};
}

// The octets of a chain that fill the window: for a fragmented instruction those of the instruction, without the NOPs.
std::uint64_t octets_in_window(const ObservedChain& chain) {
  return chain.kind == ObservedChainKind::fragments ? chain.fragment_octets : chain.octets;
}

// Returns true if the chain is in the window and cannot be executed yet: it has not ended, and its parts came at
// different times, so not in one segment (7.4).
bool waits_in_window(const Seen& seen, const ObservedChain& chain) {
  return needs_buffer(chain) && !chain.granted && !chain.execute_later && chain.from_start && chain.complete &&
         !chain.ended && !chain.cancelled && !chain.in_fragments && chain.begun_ns != seen.message.time_ns;
}

void follow_open_chains(const Seen& seen, SessionHalf& sender, const ObservedChain& chain, WindowFact& fact) {
  constexpr std::size_t kMostAdded = 256;  // chains
  if (!waits_in_window(seen, chain) || sender.chains.size() > kMostAdded) return;
  std::uint64_t octets_of_all = 0;
  for (const auto& [number, one] : sender.chains)
    if (waits_in_window(seen, one)) octets_of_all += one.octets;
  fact.octets_of_open = octets_of_all;
  if (octets_of_all > fact.window)
    for (auto& [number, one] : sender.chains) one.above_window = true;
}

// A chain without a buffer that is longer than the window. The window is longer than a segment (7.4), so the chain is
// not in one segment. A granted REQ_BUF may be meant for it, although another chain came first (UMSP/B22).
void follow_above_window(const Seen& seen, SessionHalf& sender, ObservedChain& chain, WindowFact& fact) {
  const bool is_above = octets_in_window(chain) > fact.window;
  const bool has_spare = is_above && sender.grants > sender.later_executed + sender.above_window++;
  const bool is_known = !has_spare && !sender.buffers_forgotten && !sender.chains_forgotten && chain.complete;
  fact.octets = chain.octets;
  chain.above_window = chain.octets > fact.window;
  fact.is_certain = chain.above_window && is_known && is_above && is_all_here(seen.connection, *seen.session);
}

}  // namespace

std::optional<GrantFact> follow_buffer_begin(const Seen& seen, SessionHalf& half, ObservedChain& chain) {
  using enum GrantFact::Buffer;
  if (chain.kind == ObservedChainKind::fragments && chain.subordinate) {
    // The instruction in them may be the first of its parental chain, for which the buffer was requested.
    half.buffers_granted.clear();
    return std::nullopt;
  }
  if (!needs_buffer(chain)) return std::nullopt;
  const bool has_buffer = take_grant(half, chain);
  if (!chain.execute_later) return std::nullopt;
  // REQ_BUF names no chain: a sender of another REQ_BUF in between may mean the buffer for this one.
  const bool is_open = half.grants > half.later_executed++;
  if (seen.session->is_several) return grants_of_all(seen, half);
  if (!seen.connection.is_all_seen() || half.buffers_forgotten) return std::nullopt;
  if (has_buffer) return GrantFact{granted};
  if (is_open) return GrantFact{taken};
  return GrantFact{none, is_all_here(seen.connection, *seen.session)};
}

std::optional<WindowFact> follow_window(const Seen& seen, ObservedChain& chain) {
  SessionHalf& sender = seen.session->half(seen.message.sender);
  const SessionHalf& receiver = seen.session->half(other(seen.message.sender));
  if (!needs_buffer(chain) || chain.granted || chain.execute_later || chain.above_window) return std::nullopt;
  if (!receiver.profile || !receiver.window || !chain.from_start || !seen.connection.is_all_seen()) return std::nullopt;
  WindowFact fact{.window = *receiver.window * kBlock};
  // Without a window it may still be in one segment (UMSP/B24).
  if (fact.window != 0) follow_above_window(seen, sender, chain, fact);
  if (!chain.above_window) follow_open_chains(seen, sender, chain, fact);
  return fact;
}

// A transaction with TRR 0 always has a buffer, so the only granted one is its own. Another chain may do without, and
// the buffer may be for a later one (UMSP/B22).
std::optional<BufferSizeFact> follow_buffer_end(const Seen& seen, const ObservedChain& chain) {
  SessionHalf& sender = seen.session->half(seen.message.sender);
  const auto& window = seen.session->half(other(seen.message.sender)).window;
  if (chain.granted && !chain.execute_later && window && octets_in_window(chain) > *window * kBlock)
    ++sender.above_window;  // the buffer was certainly for this chain
  if (!chain.granted || !chain.granted_alone || !chain.from_start || !chain.complete) return std::nullopt;
  return BufferSizeFact{.granted = *chain.granted,
                        .octets = chain.octets,
                        .is_certain = chain.execute_later && !sender.buffers_forgotten && sender.grants == 1 &&
                                      is_all_here(seen.connection, *seen.session)};
}

bool follow_buffers(const Seen& seen, ObservedSession& session) {
  if (seen.is(Opcode::req_buf)) {
    SessionHalf& asker = session.half(seen.message.sender);
    auto& asked = asker.buffers_asked;
    const auto size = seen.value(Operand::buffer_size);
    const bool has_room = asked.size() < kMostBuffers;
    if (size && has_room) asked[seen.header().req_id] = static_cast<std::uint32_t>(*size);
    // An earlier answer that was on its way may have granted it.
    asker.buffers_forgotten |= !size || !has_room || asker.early_answers.contains(seen.header().req_id);
    return false;
  }
  if (!seen.is(Opcode::rsp_p)) return false;
  const Side asker = other(seen.message.sender);
  return grant(seen, session.half(asker)) ||
         look_for_session_elsewhere(seen.connection, session, [&](Connection&, ObservedSession& there, bool is_turned) {
           return grant(seen, there.half(turned(asker, is_turned)));
         });
}

}  // namespace wirelaw::umsp
