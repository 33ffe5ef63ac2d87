// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/chain_steps.h"
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
void state_grants_of_all(const Seen& seen, FactSink& facts, const SessionHalf& half, OctetRange where) {
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
  if (!forgotten && is_all_seen(seen.connection, *seen.session))
    facts.state({Claim::has_buffer_of_all, later_executed <= grants, where});
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

void follow_open_chains(const Seen& seen, FactSink& facts, SessionHalf& sender, const ObservedChain& chain,
                        std::uint64_t window) {
  constexpr std::size_t kMostAdded = 256;  // chains
  if (!waits_in_window(seen, chain) || sender.chains.size() > kMostAdded) return;
  std::uint64_t octets_of_all = 0;
  for (const auto& [number, one] : sender.chains)
    if (waits_in_window(seen, one)) octets_of_all += one.octets;
  // A warning: a chain in one segment needs no room, and how the sender has cut its stream is not known (UMSP/B24).
  const Claim claim = window == 0 ? Claim::open_chains_need_no_window : Claim::open_chains_fit_window;
  if (!facts.state({claim, octets_of_all <= window, {0, 2}, octets_of_all, window, kLikely}))
    for (auto& [number, one] : sender.chains) one.above_window = true;
}

// A chain without a buffer that is longer than the window. The window is longer than a segment (7.4), so the chain is
// not in one segment. A granted REQ_BUF may be meant for it, although another chain came first (UMSP/B22).
void follow_above_window(const Seen& seen, FactSink& facts, SessionHalf& sender, ObservedChain& chain,
                         std::uint64_t window) {
  const bool is_above = octets_in_window(chain) > window;
  const bool has_spare = is_above && sender.grants > sender.later_executed + sender.above_window++;
  const bool is_known = !has_spare && !sender.buffers_forgotten && !sender.chains_forgotten && chain.complete;
  chain.above_window = chain.octets > window;
  const bool is_certain = chain.above_window && is_known && is_above && is_all_here(seen.connection, *seen.session);
  facts.state({Claim::fits_window, !chain.above_window, {0, 2}, chain.octets, window, is_certain});
}

}  // namespace

void follow_buffer_begin(const Seen& seen, FactSink& facts, SessionHalf& half, ObservedChain& chain) {
  if (chain.kind == ObservedChainKind::fragments && chain.subordinate) {
    // The instruction in them may be the first of its parental chain, for which the buffer was requested.
    half.buffers_granted.clear();
    return;
  }
  if (!needs_buffer(chain)) return;
  const bool has_buffer = take_grant(half, chain);
  if (!chain.execute_later) return;
  // REQ_BUF names no chain: a sender of another REQ_BUF in between may mean the buffer for this one.
  const bool is_open = half.grants > half.later_executed++;
  const OctetRange where{0, seen.header().octets()};
  if (seen.session->is_several) return state_grants_of_all(seen, facts, half, where);
  if (!seen.connection.is_all_seen() || half.buffers_forgotten) return;
  const bool is_certain = !has_buffer && !is_open && is_all_here(seen.connection, *seen.session);
  facts.state({is_open ? Claim::has_untaken_buffer : Claim::has_buffer, has_buffer, where, 0, 0, is_certain});
}

void follow_window(const Seen& seen, FactSink& facts, ObservedChain& chain) {
  SessionHalf& sender = seen.session->half(seen.message.sender);
  const SessionHalf& receiver = seen.session->half(other(seen.message.sender));
  if (!needs_buffer(chain) || chain.granted || chain.execute_later || chain.above_window) return;
  if (!receiver.profile || !receiver.window || !chain.from_start || !seen.connection.is_all_seen()) return;
  const std::uint64_t window = *receiver.window * kBlock;
  // Without a window it may still be in one segment (UMSP/B24).
  if (window != 0) follow_above_window(seen, facts, sender, chain, window);
  if (!chain.above_window) follow_open_chains(seen, facts, sender, chain, window);
}

// A transaction with TRR 0 always has a buffer, so the only granted one is its own. Another chain may do without, and
// the buffer may be for a later one (UMSP/B22).
void follow_buffer_end(const Seen& seen, FactSink& facts, const ObservedChain& chain) {
  SessionHalf& sender = seen.session->half(seen.message.sender);
  const auto& window = seen.session->half(other(seen.message.sender)).window;
  if (chain.granted && !chain.execute_later && window && octets_in_window(chain) > *window * kBlock)
    ++sender.above_window;  // the buffer was certainly for this chain
  if (!chain.granted || !chain.granted_alone || !chain.from_start || !chain.complete) return;
  const bool is_certain = chain.execute_later && !sender.buffers_forgotten && sender.grants == 1 &&
                          is_all_here(seen.connection, *seen.session);
  facts.state({Claim::fills_buffer, chain.octets == *chain.granted, {0, 2}, chain.octets, *chain.granted, is_certain});
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
