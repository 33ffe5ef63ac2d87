// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/late_facts.h"

#include <algorithm>
#include <utility>

#include "conformance/umsp/tracker/chain_steps.h"
#include "conformance/umsp/tracker/pair.h"

namespace wirelaw::umsp {
namespace {

constexpr std::int64_t kPatience = 30'000'000'000;  // ns; a part may still be on its way when a capture ends

std::uint64_t number_of_session(const Seen& seen) {
  return *seen.connection.find_session_number(other(seen.message.sender), *seen.membership.session_id);
}

bool has_ended(const Connection& connection) {
  return connection.of(Side::a).ended && connection.of(Side::b).ended;
}

bool has_another_open(const Connection& connection) {
  return connection.pair != nullptr && connection.pair->has_another_open(connection);
}

// The side has closed this connection while another one of the two nodes is open. TCP does not order instructions of
// the two (UMSP/B45).
bool may_come_elsewhere(const Connection& connection, Side sender) {
  return connection.of(sender).ended && has_another_open(connection);
}

// The capture ends in the middle of an instruction, on another connection of the two nodes or, with `here`, on this
// one. It may be what seems to be missing.
bool ends_inside_instruction(const Connection& connection, bool here) {
  const auto is_cut = [](const Connection& one) {
    return std::ranges::any_of(
        one.directions, [](const Direction& way) { return !way.ended && (!way.held.empty() || way.skipped > 0); });
  };
  if (here && is_cut(connection)) return true;
  return connection.pair != nullptr &&
         connection.pair->look(connection, [&](const Connection& there, bool) { return is_cut(there); });
}

// The sender of fragments has certainly not sent their parental chain: it has sent all of the fragments and closed the
// last connection, and neither side had ended the session or cancelled the chain before.
bool has_left_out(const Connection& connection, const ObservedSession& session, const KeptFact& kept) {
  const Side sender = kept.message.sender;
  const Direction &from = connection.of(sender), &to = connection.of(other(sender));
  const bool closed_it = from.ended && (!to.ended || from.ended_ns <= to.ended_ns);
  if (!kept.fragments || !closed_it || session.ended_by == other(sender) || may_come_elsewhere(connection, sender))
    return false;
  const auto& chains = session.half(sender).chains;
  const auto fragments = chains.find(*kept.fragments), parent = chains.find(kept.chain_number);
  if (fragments == chains.end() || parent == chains.end()) return false;  // forgotten
  const bool is_sent = fragments->second.ended && !fragments->second.cancelled;
  return is_sent && !parent->second.cancelled && is_all_seen(connection, session);
}

// The SESSION_OPEN that waits got no other answer, and none can come: then the answer that names no session was meant
// for it.
bool is_left_unanswered(const Connection& connection, const ObservedSession& session, const Message& answer,
                        std::int64_t now_ns) {
  const bool is_over = has_ended(connection) || now_ns - answer.time_ns >= kPatience;
  return is_over && session.stage == SessionStage::opening && session.latest_open != answer.sender &&
         is_all_seen(connection, session);
}

// All connections together show the breach, and no more can come that explains it.
bool is_broken_by_all(const Connection& connection, const ObservedSession& session, const KeptFact& kept,
                      std::int64_t now_ns) {
  if (may_come_elsewhere(connection, kept.message.sender) || ends_inside_instruction(connection, true)) return false;
  const bool is_over = has_ended(connection) && !has_another_open(connection);
  if (!is_over && now_ns - kept.message.time_ns < kPatience) return false;
  return is_all_seen(connection, session) && is_still_broken(connection, session, kept);
}

// The breach is certain, or only likely; empty: there is none, or the session was forgotten.
std::optional<bool> certainty_of(const Connection& connection, const KeptFact& kept, std::int64_t now_ns) {
  const auto found = connection.sessions.find(kept.session);
  const ObservedSession* const session = found == connection.sessions.end() ? nullptr : &found->second;
  const Side sender = kept.message.sender;
  const Claim claim = kept.fact.claim;
  if (is_of_all_connections(claim)) {
    const bool is_broken = session != nullptr && is_broken_by_all(connection, *session, kept, now_ns);
    return is_broken ? std::optional(true) : std::nullopt;
  }
  if (session != nullptr && has_chain_elsewhere(connection, *session, sender, kept.chain_number)) return std::nullopt;
  const bool is_answer = claim == Claim::answers_open, may_follow = claim == Claim::parent_is_sent;
  const bool is_missing = kept.missing > 0 || claim == Claim::is_last_before_end;
  if (!is_missing && !may_follow && !is_answer)
    return connection.pair == nullptr || connection.pair->is_first() || is_all_seen(connection);
  if (session == nullptr) return std::nullopt;
  if (ends_inside_instruction(connection, may_follow || is_answer)) return false;
  if (is_answer) return is_left_unanswered(connection, *session, kept.message, now_ns);
  if (may_follow) return has_left_out(connection, *session, kept);
  return is_all_seen(connection, *session) && (kept.missing == 0 || !may_come_elsewhere(connection, sender));
}

}  // namespace

bool keep_fact(const Seen& seen, KeptFact kept) {
  const auto count = std::ranges::count_if(
      seen.connection.kept_facts, [&](const KeptFact& one) { return one.message.sender == seen.message.sender; });
  if (static_cast<std::size_t>(count) >= kMostKeptFacts) return false;
  constexpr std::size_t kMostShown = 64;
  const Octets head = seen.message.octets.first(std::min(seen.message.octets.size(), kMostShown));
  if (kept.fact.claim != Claim::answers_open) kept.session = number_of_session(seen);
  kept.message = seen.message;
  kept.message.octets = {};
  kept.message.places = {};
  kept.octets.assign(head.begin(), head.end());
  if (kept.chain_number == 0 && seen.membership.chain) kept.chain_number = seen.membership.chain->chain_number;
  seen.connection.kept_facts.push_back(std::move(kept));
  return true;
}

bool keep_breach(const Seen& seen, const Fact& fact) {
  if (fact.holds || !fact.is_certain || seen.connection.pair == nullptr || seen.session == nullptr) return false;
  keep_fact(seen, {.fact = fact});
  return true;
}

bool state_or_keep(const Seen& seen, FactSink& facts, const Fact& fact) {
  return !keep_breach(seen, fact) && facts.state(fact);
}

bool state_or_keep_here(const Seen& seen, FactSink& facts, Fact fact) {
  fact.is_certain = seen.session != nullptr && is_all_here(seen.connection, *seen.session);
  return state_or_keep(seen, facts, fact);
}

void settle_missing(const Seen& seen, std::uint16_t chain_number, std::uint16_t number) {
  const std::uint64_t session = number_of_session(seen);
  std::erase_if(seen.connection.kept_facts, [&](KeptFact& one) {
    const bool waits = one.fact.claim == Claim::follows_all_numbers && one.session == session &&
                       one.chain_number == chain_number && one.message.sender == seen.message.sender &&
                       one.missing > 0 && one.fact.due <= number && number < one.fact.got;
    return waits && --one.missing == 0;
  });
}

void forget_parent(const Seen& seen, std::uint16_t chain_number) {
  std::erase_if(seen.connection.kept_facts, [&](const KeptFact& one) {
    return is_about_parent(one.fact.claim) && one.chain_number == chain_number &&
           one.message.sender == seen.message.sender;
  });
}

void state_late_facts(Connection& connection, std::int64_t now_ns, FactSink& facts) {
  for (const KeptFact& kept : std::exchange(connection.kept_facts, {})) {
    const auto is_certain = certainty_of(connection, kept, now_ns);
    if (!is_certain) continue;
    Message message = kept.message;
    message.octets = kept.octets;
    facts.at(message);
    Fact fact = kept.fact;
    fact.is_certain = *is_certain;
    facts.state(fact);
  }
}

}  // namespace wirelaw::umsp
