// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "conformance/umsp/tracker/chain_steps.h"
#include "conformance/umsp/tracker/follow.h"
#include "conformance/umsp/tracker/jobs.h"
#include "conformance/umsp/tracker/late_facts.h"
#include "conformance/umsp/tracker/openings.h"
#include "conformance/umsp/tracker/pair.h"
#include "conformance/umsp/tracker/parties.h"
#include "conformance/umsp/tracker/requests.h"

namespace wirelaw::umsp {
namespace {

constexpr std::int64_t kClosingTime = 30'000'000'000;  // ns
constexpr std::int64_t kPatience = 2 * kClosingTime;   // UMSP/B12: some tolerance

std::size_t index_of(Side side) {
  return side == Side::a ? 0 : 1;
}

// It is unknown what the sides have agreed on.
bool has_fault(const ObservedSession& session) {
  return std::ranges::any_of(session.halves,
                             [](const SessionHalf& half) { return half.broke_handshake || half.terms_unknown; });
}

template <class Int>
void take(const Seen& seen, Operand operand, std::optional<Int>& into) {
  if (const auto value = seen.value(operand)) into = static_cast<Int>(*value);
}

// Takes the values that a SESSION_OPEN declares for its sender, and those that it requires from the other side.
void take_open(const Seen& seen, ObservedSession& session) {
  SessionHalf& half = session.half(seen.message.sender);
  if (half.terms_unknown) return;
  take(seen, Operand::sender_profile, half.profile);
  take(seen, Operand::sender_vm_type, half.vm_type);
  take(seen, Operand::sender_vm_version, half.vm_version);
  take(seen, Operand::ltid, half.ltid);
  take(seen, Operand::required_profile, session.half(other(seen.message.sender)).asked);
  take(seen, Operand::window, half.window);
}

void name_half(Connection& connection, Side side, std::uint64_t number, SessionHalf& half, std::uint32_t id) {
  if (id == kZeroSession || id == kReservedSessionId) return;
  half.id = id;
  name_session(connection, side, id, number);
}

void forget_session(Connection& connection, std::uint64_t number) {
  const auto found = connection.sessions.find(number);
  if (found == connection.sessions.end()) return;
  for (const Side side : {Side::a, Side::b}) {
    const SessionHalf& half = found->second.half(side);
    connection.chains -= half.chains.size();
    auto& ids = connection.session_by_id[index_of(side)];
    const auto named = half.id ? ids.find(*half.id) : ids.end();
    if (named != ids.end() && named->second == number) ids.erase(named);
  }
  if (const auto& gjid = found->second.gjid) {
    const auto job = connection.sessions_of_job.find(job_key(*gjid));
    if (job != connection.sessions_of_job.end()) {
      std::erase(job->second, number);
      if (job->second.empty()) connection.sessions_of_job.erase(job);
    }
  }
  connection.sessions.erase(found);
}

void forget_oldest(Connection& connection, std::uint64_t number) {
  forget_session(connection, number);
  connection.sessions_forgotten = true;
  if (connection.partial.empty()) connection.partial = "more sessions than are looked after";
}

// Notes that the session belongs to its job. Returns true if another session of that job is in use.
bool note_job(Connection& connection, std::uint64_t number, const Identifier& gjid) {
  auto& same = connection.sessions_of_job[job_key(gjid)];
  const bool second = std::ranges::any_of(same, [&](std::uint64_t one) {
    const ObservedSession& session = connection.sessions.at(one);
    return session.gjid == gjid && session.is_in_use();
  });
  same.push_back(number);
  if (same.size() > kMostSessionsOfJob) forget_oldest(connection, same.front());
  return second;
}

void note_stage(ObservedSession& session, const Seen& seen) {
  session.stage_ns = seen.message.time_ns;
  session.stage_index = seen.message.index;
  session.stage_frame = seen.message.frame;
  session.stage_is_here = true;
}

void happen(ObservedSession& session, SessionEvent event, const Seen& seen) {
  session.stage = SessionStages::after(session.stage, event);
  session.closing_accepted |= session.stage == SessionStage::closed;
  note_stage(session, seen);
}

// Forgets a session that the opener has called so on another connection, and that was not accepted: that may come here.
bool forget_opening_elsewhere(const Seen& seen) {
  return look_elsewhere(seen.connection, [&](Connection& there, bool is_turned) {
    const auto number = there.find_session_number(turned(seen.message.sender, is_turned), seen.header().req_id);
    if (!number || there.sessions.at(*number).stage != SessionStage::opening) return false;
    forget_session(there, *number);
    there.sessions_forgotten = true;
    return true;
  });
}

// Above this number, identifiers of several sessions are no longer tracked, nor those that a stray step of a handshake
// assigns.
constexpr std::size_t kMostDoubled = 4096, kMostStrayIds = 4096;

// The side has ended the session, and the other one may have answered a SESSION_OPEN of it before it knew.
bool may_be_answered(const ObservedSession& session, Side opener) {
  return session.stage == SessionStage::over && session.ended_by == opener && session.half(opener).opens_waiting > 0;
}

// The opener has given its identifier to another session that is there: which of them is meant by it is not known from
// then on.
bool is_doubled(const Seen& seen) {
  Connection& connection = seen.connection;
  const Side side = seen.message.sender;
  const std::uint32_t id = seen.header().req_id;
  std::set<std::uint32_t>& doubled = connection.doubled[index_of(side)];
  const auto number = connection.find_session_number(side, id);
  const ObservedSession* const named = number ? &connection.sessions.at(*number) : nullptr;
  const bool is_there = named != nullptr && (named->stage != SessionStage::over || may_be_answered(*named, side));
  const bool was_doubled = doubled.contains(id) || doubled.size() >= kMostDoubled;
  if (!forget_opening_elsewhere(seen) && !is_there && !was_doubled) return false;
  if (is_there) forget_session(connection, *number);
  doubled.insert(id);
  connection.sessions_forgotten = true;
  if (connection.partial.empty()) connection.partial = "an identifier was given to two sessions";
  return true;
}

// The sender has named its half otherwise before: the other side may go by either, whatever session has it next.
void note_other_name(const Seen& seen, const SessionHalf& half) {
  std::set<std::uint32_t>& doubled = seen.connection.doubled[index_of(seen.message.sender)];
  const std::uint32_t id = seen.header().req_id;
  if (half.id && *half.id != id && doubled.size() < kMostDoubled) doubled.insert(id);
}

// The other side may have accepted an instruction that broke the handshake, with another identifier or other terms.
void note_breach(const Seen& seen, ObservedSession& session) {
  SessionHalf& half = session.half(seen.message.sender);
  half.broke_handshake = true;
  if (seen.is(Opcode::session_reject)) return;
  note_other_name(seen, half);
  half.terms_unknown = true;
  half.profile.reset();
  const auto number = seen.connection.find_session_number(other(seen.message.sender), *seen.membership.session_id);
  const auto named = seen.connection.find_session_number(seen.message.sender, seen.header().req_id);
  if (!number || named == number) return;
  if (named && is_doubled(seen)) return forget_session(seen.connection, *number);
  if (!half.id) name_half(seen.connection, seen.message.sender, *number, half, seen.header().req_id);
}

void begin_session(const Seen& seen) {
  if (is_doubled(seen)) return;
  Connection& connection = seen.connection;
  if (connection.sessions.size() >= kMostSessions) forget_oldest(connection, connection.sessions.begin()->first);
  const std::uint64_t number = connection.next_session++;
  ObservedSession& session = connection.sessions[number];
  session.from_start = true;
  session.initiator = session.latest_open = seen.message.sender;
  session.opens = 1;
  session.begun_ns = session.latest_open_ns = seen.message.time_ns;
  session.gjid = identifier_of(seen, Operand::gjid);
  session.second = session.gjid && note_job(connection, number, *session.gjid);
  session.half(seen.message.sender).opens_waiting = 1;
  note_stage(session, seen);
  take_open(seen, session);
  name_half(connection, seen.message.sender, number, session.half(seen.message.sender), seen.header().req_id);
}

// A node that accepts another session of the same job has ended the previous one (UMSP/B11).
void replace_others(const Seen& seen, const ObservedSession& accepted) {
  if (!accepted.second) return;
  const auto same = seen.connection.sessions_of_job.find(job_key(*accepted.gjid));
  if (same == seen.connection.sessions_of_job.end()) return;
  for (const std::uint64_t number : same->second) {
    ObservedSession& session = seen.connection.sessions.at(number);
    if (&session == &accepted || session.gjid != accepted.gjid || !session.is_in_use()) continue;
    session.replaced_by = seen.message.sender;
    session.replaced = mark_of(seen.message);
  }
}

// Returns false if the session is forgotten: it is then unknown whose identifier names it.
bool answer_open(const Seen& seen) {
  ObservedSession& session = *seen.session;
  const auto number = seen.connection.session_by_id[index_of(other(seen.message.sender))][*seen.membership.session_id];
  SessionHalf& half = session.half(seen.message.sender);
  if (!half.id && is_doubled(seen)) {
    forget_session(seen.connection, number);
    return false;
  }
  if (!half.id) name_half(seen.connection, seen.message.sender, number, half, seen.header().req_id);
  note_other_name(seen, half);
  if (const auto& id = session.half(other(seen.message.sender)).id)
    forget_left(seen.connection, other(seen.message.sender), *id);
  if (seen.is(Opcode::session_accept)) {
    happen(session, SessionEvent::accept, seen);
    session.accepted_ns = seen.message.time_ns;
    session.half(other(seen.message.sender)).broke_handshake = false;
    // It accepts the required profile. In a two-way opening nothing else declares what it provides (5.3.4, UMSP/B47).
    if (!half.terms_unknown && (half.profile || half.asked))
      half.profile = half.profile.value_or(0) | half.asked.value_or(0);
    replace_others(seen, session);
    return true;
  }
  take_open(seen, session);
  ++session.opens;
  session.latest_open = seen.message.sender;
  session.latest_open_ns = seen.message.time_ns;
  return true;
}

// Updates the session after a SESSION_OPEN or SESSION_ACCEPT. One that is out of turn here was not judged: a part of
// the handshake is missing from the capture, or is read late. Its receiver may have agreed to its terms or ignored it,
// so the terms of both sides become unknown. Returns false if the session is forgotten.
bool follow_handshake(const Seen& seen, ObservedSession& session) {
  const bool is_opening = session.stage == SessionStage::opening;
  const bool may_go_on = session.half(other(seen.message.sender)).broke_handshake;  // in any way (UMSP/B38)
  const bool in_turn = is_opening && (session.latest_open != seen.message.sender || may_go_on);
  if (!in_turn)
    for (SessionHalf& half : session.halves) {
      half.terms_unknown = true;
      half.profile.reset();
    }
  if (in_turn || (is_opening && seen.is(Opcode::session_accept))) return answer_open(seen);
  note_other_name(seen, session.half(seen.message.sender));
  return true;
}

// True for RSP_P to SESSION_CLOSE. It should have REQ_ID 0, but any value is accepted that no request has (UMSP/A13):
// one with the REQ_ID of a request answers that, and leaves the SESSION_CLOSE unanswered.
bool is_answer_to_close(const Seen& seen, const ObservedSession& session) {
  if (!seen.is(Opcode::rsp_p)) return false;
  return seen.header().req_id == 0 || (knows_requests(seen) && session.half(session.initiator).closes == 0);
}

// Updates the session after instructions outside the handshake: closing, and instructions that cancel the closing
// (UMSP/B12).
void follow_use(const Seen& seen, ObservedSession& session) {
  const bool initiates = seen.message.sender == session.initiator;
  if (seen.is(Opcode::session_close) && initiates) return happen(session, SessionEvent::close, seen);
  if (session.stage != SessionStage::closing && session.stage != SessionStage::closed) return;
  if (session.stage == SessionStage::closing && !initiates && is_answer_to_close(seen, session))
    return happen(session, seen.says_yes() ? SessionEvent::agree : SessionEvent::refuse, seen);
  if (initiates && !seen.is_response()) happen(session, SessionEvent::use, seen);
}

// A SESSION_OPEN that names no session of its receiver is rejected with the identifier that its sender has assigned in
// it. The sender may have given that to a session, which the refusal then seems to name.
void note_stray_open(const Seen& seen) {
  if (!seen.header().ask || seen.header().pck == Pck::no_session) return;
  ObservedSession* const named = seen.connection.find_session(seen.message.sender, seen.header().req_id);
  if (named != nullptr) ++named->half(seen.message.sender).opens_waiting;
}

// A later step of a handshake, of a session that its receiver is not known to have.
bool names_session(const Seen& seen) {
  return seen.is(Opcode::session_accept) ||
         (seen.is(Opcode::session_open) && seen.header().pck != Pck::no_session && !seen.is_of_zero_session());
}
void note_stray_step(const Seen& seen) {
  seen.connection.has_stray_handshake = true;
  std::set<std::uint32_t>& ids = seen.connection.stray_ids[index_of(seen.message.sender)];
  if (seen.header().ask && ids.size() < kMostStrayIds) ids.insert(seen.header().req_id);
}

// Counts the SESSION_OPEN that wait for an answer. Returns true if this instruction refuses one of them.
bool refuses_open(const Seen& seen, ObservedSession& session) {
  if (seen.is(Opcode::session_open)) ++session.half(seen.message.sender).opens_waiting;
  const bool is_step =
      seen.is(Opcode::session_open) || seen.is(Opcode::session_accept) || seen.is(Opcode::session_reject);
  unsigned& waiting = session.half(other(seen.message.sender)).opens_waiting;
  if (!is_step || waiting == 0) return false;
  --waiting;
  return seen.is(Opcode::session_reject);
}

// The capture shows all that the two nodes have sent of the session.
bool is_sure(const Seen& seen) {
  return is_all_seen(seen.connection, *seen.session);
}

// A session of which its sender has sent the end, by SESSION_REJECT or SESSION_ABEND. `holds`: this is the end.
void state_own_end(const Seen& seen, FactSink& facts, const ObservedSession& session, bool holds) {
  const Claim claim = session.rejected ? Claim::is_before_own_refusal : Claim::is_before_own_abend;
  facts.state({claim, holds, seen.field(HeaderField::session_id), 0, 0, is_sure(seen)});
}

// VMs exchange instructions only on an open session: before, they have agreed on nothing.
void compare_open(const Seen& seen, FactSink& facts, const ObservedSession& session) {
  if (!seen.is_request_of_vm() || session.is_several) return;
  // The receiver of SESSION_REJECT may have accepted before that, unless its own SESSION_OPEN was the latest.
  if (session.stage == SessionStage::over && (!session.rejected || session.latest_open != seen.message.sender)) return;
  if (has_fault(session) || !session.from_start || !seen.connection.is_all_seen() || seen.message.order_unknown) return;
  if (seen.connection.pair != nullptr && seen.connection.pair->is_broken()) return;
  // The other side may have taken it as the acceptance.
  const auto is_stray = [](const Connection& one, bool) { return one.has_stray_handshake; };
  if (seen.connection.has_stray_handshake || look_elsewhere(seen.connection, is_stray)) return;
  const Claim claim = session.rejected ? Claim::follows_no_refusal : Claim::follows_acceptance;
  facts.state({claim, session.is_in_use(), {0, 1}, 0, 0, is_sure(seen)});
}

// The other side has ended the session by SESSION_ABEND. This side may not know that yet.
void compare_abended(const Seen& seen, FactSink& facts, const ObservedSession& session) {
  if (!seen.is_request_of_vm() || seen.message.order_unknown) return;
  const bool is_answered = session.stage_is_here && has_answered_after(seen, session.stage_index);
  const bool is_later = is_answered || is_sent_after(seen, session.stage_ns);
  const bool is_live = seen.connection.jobs != nullptr && seen.connection.jobs->is_live();
  const bool is_certain = is_later && is_sure(seen);
  if (!is_later && (is_live || seen.message.time_ns - session.stage_ns < kTransitNs)) return;
  const Claim claim = is_certain ? Claim::is_before_abend : Claim::seems_to_be_before_abend;
  facts.state({claim, false, seen.field(HeaderField::session_id), 0, session.stage_frame, is_certain});
}

// Compares an instruction with the end of its session. Returns true if the session is over.
bool compare_over(const Seen& seen, FactSink& facts, const ObservedSession& session, bool refuses) {
  if (session.stage != SessionStage::over) return false;
  if (session.ended_by != seen.message.sender)
    session.rejected ? compare_open(seen, facts, session) : compare_abended(seen, facts, session);
  else if (!refuses)  // otherwise it refuses a SESSION_OPEN that came too late (UMSP/B38)
    state_own_end(seen, facts, session, false);
  return true;
}

// Returns true if the instruction has its usual effect on a session that is being closed.
bool compare_closing(const Seen& seen, FactSink& facts, const ObservedSession& session) {
  const bool initiates = seen.message.sender == session.initiator;
  // If the session is not in use yet, the instruction may belong to an earlier session of that identifier.
  if (seen.is(Opcode::session_close) && session.is_in_use())
    return facts.state({Claim::closes_own_session, initiates, {0, 1}});
  if (session.stage != SessionStage::closed || initiates) return true;
  // A node that still has to send a response may do so in fragments, for which it asks first (UMSP/B43).
  const bool may_be_response =
      seen.is(Opcode::req_buf) || seen.is(Opcode::snd_cancel) || (seen.is(Opcode::nop) && seen.membership.chain);
  const bool is_waiting = seen.message.time_ns - session.stage_ns < kClosingTime;
  const bool has_agreed = session.half(session.initiator).closes == 0;  // RSP_P may also answer another request
  const bool is_certain = !may_be_response && is_waiting && has_agreed && is_all_here(seen.connection, session);
  const bool holds = seen.is_response() || seen.is(Opcode::session_abend);
  return facts.state({Claim::respects_closing, holds, {0, 1}, 0, 0, is_certain});
}

// The JCP has opened the session's job again. Returns true if the former session is over for it: it has received the
// acceptance, or seems to have done so (UMSP/B11).
bool is_replaced_by_own(const Seen& seen, const ObservedSession& session, bool is_certain) {
  const std::size_t from = index_of(seen.message.sender);
  const bool is_jcp = session.gjid && job_node_of(*session.gjid) == seen.connection.nodes[from];
  if (session.replaced_by != other(seen.message.sender) || !is_jcp || seen.message.order_unknown) return false;
  return is_certain || seen.message.time_ns - session.replaced.time_ns >= kTransitNs;
}

void compare_latest(const Seen& seen, FactSink& facts, const ObservedSession& session) {
  if (seen.is_response() || seen.is(Opcode::session_abend)) return;
  const OctetRange where = seen.field(HeaderField::session_id);
  const bool is_certain =
      is_sent_after(seen, session.replaced.time_ns) || has_answered_after(seen, session.replaced.index);
  if (seen.connection.pair != nullptr && is_replaced_by_own(seen, session, is_certain))
    facts.state({Claim::names_latest_session, false, where, 0, 0, is_certain});
  else
    facts.state({Claim::names_latest_session, session.replaced_by != seen.message.sender, where});
}

// S20 of a profile: both sides know of the alignment if the receiver offers it, and the sender offers it or was
// required to use it.
bool have_border(const SessionHalf& from, const SessionHalf& to) {
  const auto in = [](const std::optional<std::uint32_t>& profile) { return profile && (*profile & kBorderFlag) != 0; };
  return in(to.profile) && (in(from.profile) || (!from.profile && in(from.asked)));
}

void state_profile(const Seen& seen, FactSink& facts, const ObservedSession& session) {
  const SessionHalf& to = session.half(other(seen.message.sender));
  if (session.is_in_use() && to.profile)
    facts.state(ProfileFact{*to.profile, false, have_border(session.half(seen.message.sender), to)});
}

// A side that closes the session and then ends it sends nothing more of its sequences, so the last instruction of each
// has _END_CHAIN. It may have given one up, which the document does not forbid (UMSP/B62).
void compare_sequences(const Seen& seen, FactSink& facts, const ObservedSession& session) {
  const Side sender = seen.message.sender;
  const bool is_agreed = session.stage == SessionStage::closed && session.half(sender).closes == 0;
  if (!seen.is(Opcode::session_abend) || sender != session.initiator || !is_agreed) return;
  if (!is_all_here(seen.connection, session)) return;
  std::optional<std::uint16_t> open;
  bool has_any = false;
  for (const auto& [number, chain] : session.half(sender).chains) {
    if (chain.kind != ObservedChainKind::sequence || !chain.from_start || !chain.complete) continue;
    if (chain.asked || chain.in_fragments || chain.cancelled) continue;  // a refusal may have ended it (7.1)
    has_any = true;
    if (!chain.ended) open = number;
  }
  if (has_any)
    facts.state({Claim::ends_sequences, !open, seen.field(HeaderField::session_id), open.value_or(0), 0, kLikely});
}

void note_end(const Seen& seen, ObservedSession& session) {
  session.rejected = seen.is(Opcode::session_reject);
  session.ended_by = seen.message.sender;
  happen(session, SessionEvent::end, seen);
}

// The only session of the connection that waits for a step of the sender; empty if there are several, or if one has a
// fault.
std::optional<std::uint64_t> find_waiting(const Seen& seen) {
  std::optional<std::uint64_t> found;
  for (const auto& [number, session] : seen.connection.sessions) {
    if (session.stage != SessionStage::opening || session.latest_open == seen.message.sender) continue;
    if (found || session.is_several || has_fault(session)) return std::nullopt;
    found = number;
  }
  return found;
}

// A step of a handshake that names no session may be meant for the one that waits. That is certain if nothing else
// answers that one (UMSP/B49).
bool keep_as_answer(const Seen& seen, Fact fact) {
  const bool is_step = seen.is(Opcode::session_accept) || seen.is(Opcode::session_reject) ||
                       (seen.is(Opcode::session_open) && seen.header().pck != Pck::no_session);
  if (!is_step || seen.session != nullptr || seen.connection.pair == nullptr) return false;
  const auto waiting = find_waiting(seen);
  if (!waiting) return false;
  fact.claim = Claim::answers_open;
  return keep_fact(seen, {.fact = fact, .session = *waiting});
}

// A SESSION_ID that its receiver has given to no session of the two nodes.
void follow_named(const Seen& seen, FactSink& facts) {
  const auto& id = seen.membership.session_id;
  if (!id || *id == kZeroSession || *id == kReservedSessionId || !seen.header().has_session_id()) return;
  if (!seen.connection.is_all_seen() || seen.message.order_unknown) return;
  // The sender's own identifier has another rule (UMSP-3.1-49, UMSP-4.1-8).
  const bool is_own = seen.session == nullptr && seen.connection.find_session(seen.message.sender, *id) != nullptr;
  // A case does not know all connections of the two nodes.
  const bool is_live = seen.connection.jobs != nullptr && seen.connection.jobs->is_live();
  if (!seen.is_about_session() && (is_own || is_live)) return;
  // The receiver has assigned it in a step that named no session, and that was reported.
  if (seen.session == nullptr && seen.connection.stray_ids[index_of(other(seen.message.sender))].contains(*id)) return;
  const OctetRange where = seen.field(HeaderField::session_id);
  const Fact fact{Claim::names_session, seen.session != nullptr, where, *id, 0, kLikely};
  if (!keep_as_answer(seen, fact)) facts.state(fact);
}

void begin_or_take_profile(const Seen& seen, FactSink& facts) {
  if (seen.is_of_zero_session()) {
    if (const auto profile = seen.value(Operand::sender_profile))
      seen.connection.zero_profiles[index_of(seen.message.sender)] = static_cast<std::uint32_t>(*profile);
    return;
  }
  if (seen.connection.datagrams) return;  // datagrams cannot open a session (UMSP-5-3)
  if (seen.header().pck != Pck::no_session || !seen.header().ask) return;
  compare_beginning(seen, facts);
  compare_new_id(seen, facts);
  begin_session(seen);
}

// Follows a session that uses several connections. Instructions of one side on two connections arrive in any order.
// Rules on the order of instructions are judged only if this connection has brought the session to its current stage.
void follow_several(const Seen& seen, FactSink& facts, ObservedSession& session, bool refuses) {
  if (session.stage == SessionStage::over) {
    if (session.stage_is_here) compare_over(seen, facts, session, refuses);
    return;
  }
  const bool is_ordered = session.stage_is_here && session.stage != SessionStage::opening;
  if (!is_ordered && seen.is(Opcode::session_accept)) compare_acceptance_elsewhere(seen, facts, session);
  if (is_ordered && !compare_step(seen, facts, session)) return;
  if (seen.is(Opcode::session_open) || seen.is(Opcode::session_accept)) {
    if (!follow_handshake(seen, session)) return;
  } else if (seen.is(Opcode::session_reject) || seen.is(Opcode::session_abend)) {
    note_end(seen, session);
  } else {
    state_profile(seen, facts, session);
    if (follow_buffers(seen, session) || !compare_closing(seen, facts, session)) return;
    follow_use(seen, session);
  }
  share_stage(seen.connection, session);
}

}  // namespace

std::optional<Identifier> identifier_of(const SeenInstruction& seen, Operand operand) {
  const auto octets = seen.octets_of(operand);
  if (!octets) return std::nullopt;
  const auto identifier = decode_identifier(*octets);
  return identifier ? std::optional(*identifier) : std::nullopt;
}

void follow_session(const Seen& seen, FactSink& facts) {
  follow_named(seen, facts);
  if (seen.is_of_zero_session())
    if (const auto& profile = seen.connection.zero_profiles[index_of(other(seen.message.sender))])
      facts.state(ProfileFact{*profile, true});
  if (seen.session == nullptr) {
    if (names_session(seen)) note_stray_step(seen);
    if (!seen.is(Opcode::session_open)) return;
    note_stray_open(seen);
    begin_or_take_profile(seen, facts);
    return;
  }
  ObservedSession& session = *seen.session;
  if (seen.is(Opcode::session_close))
    ++session.half(seen.message.sender).closes;  // it is answered, whoever may close the session
  const bool refuses = refuses_open(seen, session);
  if (refuses && session.is_in_use()) return;  // a SESSION_OPEN that named no session (note_stray_open)
  if (session.is_several) return follow_several(seen, facts, session, refuses);
  if (compare_over(seen, facts, session, refuses)) return;
  if (!compare_step(seen, facts, session)) return note_breach(seen, session);
  if (seen.is(Opcode::session_open) || seen.is(Opcode::session_accept)) {
    compare_new_id(seen, facts);
    follow_handshake(seen, session);
    return;
  }
  compare_latest(seen, facts, session);
  compare_open(seen, facts, session);
  state_profile(seen, facts, session);
  if (follow_buffers(seen, session) || !compare_closing(seen, facts, session)) return;
  if (!seen.is(Opcode::session_reject) && !seen.is(Opcode::session_abend)) return follow_use(seen, session);
  compare_sequences(seen, facts, session);
  note_end(seen, session);
  state_own_end(seen, facts, session, true);
}

void forget_what_was_sent(Connection& connection, Side) {
  for (Direction& direction : connection.directions) {
    direction.requests.clear();
    direction.requests_known = false;
    direction.guesses.clear();
    direction.left.clear();
  }
  connection.management.forget();
  connection.exchanges.clear();
  connection.sessions.clear();
  connection.sessions_of_job.clear();
  connection.sessions_forgotten = true;
  connection.chains = 0;
  for (auto& ids : connection.session_by_id) ids.clear();
  connection.zero_profiles = {};
}

void state_closed_sessions(const Connection& connection, std::int64_t now_ns, FactSink& facts) {
  if (!connection.is_all_seen()) return;
  const bool has_ended = connection.of(Side::a).ended || connection.of(Side::b).ended;
  for (const auto& [number, session] : connection.sessions) {
    if (!session.closing_accepted || !session.stage_is_here) continue;
    const std::int64_t since = connection.was_open_until(now_ns) - session.stage_ns;
    const bool came = session.stage != SessionStage::closed || since <= kPatience;
    if (came && has_ended) continue;  // SESSION_ABEND may go over another connection
    facts.at({.sender = other(session.initiator),
              .index = session.stage_index,
              .frame = session.stage_frame,
              .time_ns = session.stage_ns});
    const auto seconds = static_cast<std::uint64_t>(since / 1'000'000'000);
    facts.state({Claim::ends_closed_session, came, {}, seconds, 0, is_all_seen(connection, session)});
  }
}

}  // namespace wirelaw::umsp
