// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/openings.h"

#include <algorithm>

#include "conformance/umsp/tracker/follow.h"
#include "conformance/umsp/tracker/job_operands.h"
#include "conformance/umsp/tracker/jobs.h"
#include "conformance/umsp/tracker/pair.h"
#include "conformance/umsp/tracker/parties.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint32_t kMostOpens = 7;
constexpr OctetRange kOpcode{0, 1};

bool is_turn_of(const ObservedSession& session, Side side) {
  return session.stage == SessionStage::opening && session.latest_open != side;
}

// A side keeps its identifier in all steps.
bool keeps_id(const Seen& seen, FactSink& facts, const SessionHalf& half) {
  const std::uint32_t id = seen.header().req_id;
  if (!half.id || id == kZeroSession || id == kReservedSessionId) return true;  // 3.1
  return facts.state({Claim::keeps_id, id == *half.id, seen.field(HeaderField::req_id), id, *half.id});
}

// Same for other values in its SESSION_OPENs.
bool keeps_values(const Seen& seen, FactSink& facts, const ObservedSession& session) {
  const SessionHalf& half = session.half(seen.message.sender);
  const auto gjid = identifier_of(seen, Operand::gjid);
  if (gjid && session.gjid) {
    facts.state(SessionGjidFact{*session.gjid});
    if (*gjid != *session.gjid) return false;
  }
  if (!half.profile) return true;  // this is its first
  const auto keeps = [&](Claim claim, Operand operand, std::uint64_t due) {
    const std::uint64_t got = seen.value(operand).value_or(due);
    return facts.state({claim, got == due, seen.operand(operand), got, due});
  };
  return keeps(Claim::keeps_window, Operand::window, half.window.value_or(0)) &&
         (!half.ltid || !seen.value(Operand::ltid) || keeps(Claim::keeps_ltid, Operand::ltid, *half.ltid));
}

bool compare_open(const Seen& seen, FactSink& facts, const ObservedSession& session) {
  const bool is_opening = session.stage == SessionStage::opening;
  return facts.state({is_opening ? Claim::opens_in_turn : Claim::opens_before_acceptance,
                      is_turn_of(session, seen.message.sender), kOpcode}) &&
         facts.state({Claim::is_no_eighth_open, session.opens < kMostOpens, kOpcode}) &&
         keeps_id(seen, facts, session.half(seen.message.sender)) && keeps_values(seen, facts, session);
}

// The sender has received JOB_COMPLETED_INFO for the session's job since the session began, and may have removed the
// session silently (5.6.2). Or it has registered a task of the job since then, as a reloaded node does.
bool may_be_removed(const Parties& parties, const JobName& job, const ObservedSession& session) {
  const auto told = parties.jobs.told(job, parties.from);
  return (told && told->time_ns >= session.begun_ns) ||
         parties.jobs.has_begun_since(job, parties.from, session.accepted_ns);
}

// While a session of a job is in use, a node accepts another one only from the JCP. The GJID tells which node that is,
// if the addresses of the nodes are known.
void compare_reopened(const Seen& seen, FactSink& facts, const ObservedSession& session) {
  const auto parties = session.gjid ? parties_of(seen) : std::nullopt;
  const auto jcp = parties ? job_node_of(*session.gjid) : std::nullopt;
  if (!jcp || *jcp == parties->to || seen.message.sender == session.initiator) return;
  const auto is_in_use = [&](const Connection& connection) {
    const auto same = connection.sessions_of_job.find(job_key(*session.gjid));
    if (same == connection.sessions_of_job.end()) return false;
    return std::ranges::any_of(same->second, [&](std::uint64_t number) {
      const ObservedSession& one = connection.sessions.at(number);
      return &one != &session && one.gjid == session.gjid && one.is_in_use() &&
             !may_be_removed(*parties, {*jcp, session.gjid->task}, one);
    });
  };
  if (!session.second && (session.is_several || !is_all_seen(seen.connection))) return;
  const bool has_another =
      session.second ? is_in_use(seen.connection)
                     : look_elsewhere(seen.connection, [&](const Connection& there, bool) { return is_in_use(there); });
  facts.state({Claim::accepts_only_session, !has_another, kOpcode, 0, 0, session.second});
}

bool compare_accept(const Seen& seen, FactSink& facts, const ObservedSession& session) {
  compare_reopened(seen, facts, session);
  return facts.state({Claim::accepts_open, is_turn_of(session, seen.message.sender), kOpcode}) &&
         keeps_id(seen, facts, session.half(seen.message.sender));
}

bool compare_reject(const Seen& seen, FactSink& facts, const ObservedSession& session) {
  const bool is_awaited = is_turn_of(session, seen.message.sender);
  // "On any step" (5.3.1): a side may refuse after its own SESSION_OPEN as well.
  const bool is_of_own = !is_awaited && session.stage == SessionStage::opening;
  const Claim claim = is_of_own ? Claim::rejects_no_own_open : Claim::rejects_open;
  return facts.state({claim, is_awaited, kOpcode, 0, 0, !is_of_own});
}

}  // namespace

bool compare_step(const Seen& seen, FactSink& facts, const ObservedSession& session) {
  // After a gap, the two streams are read with different delays, so their order is not known.
  if (!seen.connection.is_all_seen()) return true;
  // The missing part of another connection of the two nodes may have the SESSION_OPEN that is answered here (UMSP/B31).
  if (seen.connection.pair != nullptr && seen.connection.pair->is_broken()) return true;
  if (session.half(other(seen.message.sender)).broke_handshake) return true;
  if (seen.is(Opcode::session_open)) return compare_open(seen, facts, session);
  if (seen.is(Opcode::session_accept)) return compare_accept(seen, facts, session);
  return !seen.is(Opcode::session_reject) || compare_reject(seen, facts, session);
}

// Another connection has already carried the only acceptance that is due. The SESSION_OPEN that this one answers came
// before, on any connection.
void compare_acceptance_elsewhere(const Seen& seen, FactSink& facts, const ObservedSession& session) {
  if (!is_all_seen(seen.connection) || seen.message.order_unknown) return;
  facts.state({Claim::accepts_once, session.stage != SessionStage::open, kOpcode, 0, 0, kLikely});
}

void compare_beginning(const Seen& seen, FactSink& facts) {
  const Side sender = seen.message.sender;
  const ObservedSession* const named = seen.connection.find_session(sender, seen.header().req_id);
  if (named == nullptr || !is_turn_of(*named, sender) || named->is_several) return;
  const auto has_fault = [](const SessionHalf& half) { return half.broke_handshake || half.terms_unknown; };
  if (std::ranges::any_of(named->halves, has_fault) || !is_all_seen(seen.connection) || seen.message.order_unknown)
    return;
  const auto& after = seen.from().sent_after_ns;
  if (!after || *after < named->latest_open_ns) return;
  if (named->gjid != identifier_of(seen, Operand::gjid) || named->half(sender).ltid != seen.value(Operand::ltid))
    return;
  facts.state({Claim::continues_handshake, false, seen.field(HeaderField::pck), 0, 0, kLikely});
}

// A session of the same job replaces the previous one (UMSP/B11), whatever its identifier is.
void compare_new_id(const Seen& seen, FactSink& facts) {
  const std::uint32_t id = seen.header().req_id;
  if (!seen.header().ask || id == kZeroSession || id == kReservedSessionId) return;
  if (!seen.connection.is_all_seen() || seen.message.order_unknown) return;
  const ObservedSession* const named = seen.connection.find_session(seen.message.sender, id);
  const auto gjid = seen.session != nullptr ? seen.session->gjid : identifier_of(seen, Operand::gjid);
  const bool is_new = named == nullptr || named == seen.session || !named->is_in_use() || named->gjid == gjid;
  facts.state({Claim::assigns_new_id, is_new, seen.field(HeaderField::req_id), id, 0, kLikely});
}

}  // namespace wirelaw::umsp
