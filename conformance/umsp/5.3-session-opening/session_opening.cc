// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 5.3 to 5.3.3: the opening of sessions.
#include "conformance/umsp/5.3-session-opening/session_opening.h"

#include <algorithm>

#include "conformance/umsp/3.1-header/rules.h"
#include "conformance/umsp/4-responses/rules.h"
#include "conformance/umsp/5.3-session-opening/rules.h"
#include "conformance/umsp/5.3.4-profile/profile.h"
#include "conformance/umsp/5.4-session-closing/session_closing.h"
#include "conformance/umsp/5.8-zero-session/zero_session.h"
#include "conformance/umsp/7-chains/chains.h"
#include "conformance/umsp/9-search/search.h"
#include "conformance/umsp/certainty.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/jobs.h"
#include "conformance/umsp/tracker/pair.h"
#include "conformance/umsp/tracker/parties.h"
#include "conformance/umsp/tracker/sessions.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint32_t kMostOpens = 7;

// ------------------------------------------------------------------------------------------ checks of one instruction

void judge_vm(Judge& judge, const Seen& seen, const Rule& rule, Operand type, Operand version) {
  const std::uint64_t vm_type = seen.value(type).value_or(0);
  const std::uint64_t vm_version = seen.value(version).value_or(0);
  judge.advise(rule, vm_version != 0 || vm_type == 0, seen.operand(version), expected("1 or more"), actual(vm_version),
               [&] { return fmt::format("the VM type is {}", vm_type); });
}

void judge_open_operands(Judge& judge, const Seen& seen) {
  judge_profiles(judge, seen);
  if (is_of_zero_session(seen)) return;
  judge_vm(judge, seen, rule<"UMSP-5.3-18">, Operand::required_vm_type, Operand::required_vm_version);
  judge_vm(judge, seen, rule<"UMSP-5.3-18">, Operand::sender_vm_type, Operand::sender_vm_version);
  if (!is_of_zero_session(seen)) {
    judge_vm_of(judge, seen, Operand::sender_vm_type, Operand::sender_vm_version);
    judge_vm_of(judge, seen, Operand::required_vm_type, Operand::required_vm_version);
  }
  const bool named = seen.value(Operand::sender_vm_type) != 0u || seen.value(Operand::sender_vm_version) != 0u;
  judge.require(rule<"UMSP-5.3.1-27">, named, seen.operand(Operand::sender_vm_type),
                expected("the sender's VM, or its group"), actual("type 0, version 0"));
}

void judge_reject_operands(Judge& judge, const Seen& seen) {
  const std::uint64_t code = seen.value(Operand::basic_error_code).value_or(0);
  judge.require(rule<"UMSP-5.3.3-9">, code != 0, seen.operand(Operand::basic_error_code), expected("1 or more"),
                actual(code));
}

constexpr InstructionRules kInstructions[] = {{.first = Opcode::session_open,
                                               .ask = &rule<"UMSP-5.3.1-6">,
                                               .pck = &rule<"UMSP-5.3.1-4">,
                                               .chn = &rule<"UMSP-5.3.1-5">,
                                               .opr_length = &rule<"UMSP-5.3.1-8">,
                                               .operands = &rule<"UMSP-5.3.1-9">,
                                               .judge = judge_open_operands},
                                              {.first = Opcode::session_accept,
                                               .ask = &rule<"UMSP-5.3.2-3">,
                                               .pck = &rule<"UMSP-5.3.2-5">,
                                               .chn = &rule<"UMSP-5.3.2-7">,
                                               .opr_length = &rule<"UMSP-5.3.2-8">},
                                              {.first = Opcode::session_reject,
                                               .ask = &rule<"UMSP-5.3.3-3">,
                                               .pck = &rule<"UMSP-5.3.3-4">,
                                               .chn = &rule<"UMSP-5.3.3-6">,
                                               .opr_length = &rule<"UMSP-5.3.3-7">,
                                               .judge = judge_reject_operands}};

// ------------------------------------------------------------------------------------------------ checks of a session

bool is_turn_of(const ObservedSession& session, Side side) {
  return session.stage == SessionStage::opening && session.latest_open != side;
}

// Judges the values that a side keeps in all its SESSION_OPENs. Returns true if it keeps them.
bool judge_kept(Judge& judge, const Seen& seen, const ObservedSession& session) {
  const SessionHalf& half = session.half(seen.message.sender);
  const bool reserved = seen.header().req_id == kZeroSession || seen.header().req_id == kReservedSessionId;  // 3.1
  if (half.id && !reserved &&
      !judge.require(rule<"UMSP-5.3.1-13">, seen.header().req_id == *half.id, seen.field(HeaderField::req_id),
                     expected([&] { return say(hex(*half.id)); }), actual(hex(seen.header().req_id))))
    return false;
  const auto gjid = identifier_of(seen, Operand::gjid);
  if (gjid && session.gjid &&
      !judge.require(rule<"UMSP-5.3.1-22">, *gjid == *session.gjid, seen.operand(Operand::gjid),
                     expected([&] { return to_string(*session.gjid); }), actual([&] { return to_string(*gjid); })))
    return false;
  if (!half.profile) return true;  // this is its first
  const std::uint64_t former = half.window.value_or(0), window = seen.value(Operand::window).value_or(former);
  if (!judge.require(rule<"UMSP-5.3.1-19">, window == former, seen.operand(Operand::window), expected(former),
                     actual(window)))
    return false;
  const auto ltid = seen.value(Operand::ltid);
  return !ltid || !half.ltid ||
         judge.require(rule<"UMSP-5.3.1-24">, *ltid == *half.ltid, seen.operand(Operand::ltid),
                       expected([&] { return say(hex(*half.ltid)); }), actual(hex(*ltid)));
}

bool judge_open_again(Judge& judge, const Seen& seen, const ObservedSession& session) {
  if (!judge.require(rule<"UMSP-5.3.1-2">, is_turn_of(session, seen.message.sender), octets(0, 1),
                     expected("the other side's SESSION_OPEN before it"), actual([&] {
                       return session.stage == SessionStage::opening ? "two of one side in a row"
                                                                     : "the session is no longer being opened";
                     })))
    return false;
  if (!judge.require(rule<"UMSP-5.3.1-28">, session.opens < kMostOpens, octets(0, 1),
                     expected("SESSION_ACCEPT or SESSION_REJECT"), actual("an eighth SESSION_OPEN")))
    return false;
  return judge_kept(judge, seen, session);
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
void judge_reopened(Judge& judge, const Seen& seen, const ObservedSession& session) {
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
  constexpr std::string_view kWhy =
      "a session of the job is in use, and the node that opens another one is not its JCP";
  const auto want = expected("SESSION_REJECT");
  const auto got = actual("SESSION_ACCEPT");
  if (session.second)
    judge.require(rule<"UMSP-5.3.1-37">, !is_in_use(seen.connection), octets(0, 1), want, got, kWhy);
  else if (!session.is_several && is_all_seen(seen.connection))
    judge.advise(rule<"UMSP-5.3.1-37">,
                 !look_elsewhere(seen.connection, [&](Connection& there, bool) { return is_in_use(there); }),
                 octets(0, 1), want, got, kWhy);
}

bool judge_accept(Judge& judge, const Seen& seen, const ObservedSession& session) {
  judge_reopened(judge, seen, session);
  if (!judge.require(rule<"UMSP-5.3.2-2">, is_turn_of(session, seen.message.sender), octets(0, 1),
                     expected("a SESSION_OPEN that waits for it"), actual("none")))
    return false;
  const auto& id = session.half(seen.message.sender).id;
  const bool reserved = seen.header().req_id == kZeroSession || seen.header().req_id == kReservedSessionId;  // 3.1
  return !id || reserved ||
         judge.require(rule<"UMSP-5.3.2-11">, seen.header().req_id == *id, seen.field(HeaderField::req_id),
                       expected([&] { return say(hex(*id)); }), actual(hex(seen.header().req_id)));
}

bool judge_reject(Judge& judge, const Seen& seen, const ObservedSession& session) {
  const bool awaited = is_turn_of(session, seen.message.sender);
  // "On any step" (5.3.1): a side may refuse after its own SESSION_OPEN as well.
  if (!awaited && session.stage == SessionStage::opening)
    return judge.advise(rule<"UMSP-5.3.3-1">, false, octets(0, 1), expected("a SESSION_OPEN that waits for it"),
                        actual("the sender's own SESSION_OPEN"));
  return judge.require(rule<"UMSP-5.3.3-1">, awaited, octets(0, 1), expected("a SESSION_OPEN that waits for it"),
                       actual("none"));
}

}  // namespace

bool judge_handshake(Judge& judge, const Seen& seen, const ObservedSession& session) {
  // After a gap, the two streams are read with different delays, so their order is not known.
  if (!seen.connection.is_all_seen()) return true;
  // The missing part of another connection of the two nodes may have the SESSION_OPEN that is answered here (UMSP/B31).
  if (seen.connection.pair != nullptr && seen.connection.pair->is_broken()) return true;
  if (session.half(other(seen.message.sender)).broke_handshake) return true;
  if (seen.is(Opcode::session_open)) return judge_open_again(judge, seen, session);
  if (seen.is(Opcode::session_accept)) return judge_accept(judge, seen, session);
  if (seen.is(Opcode::session_reject)) return judge_reject(judge, seen, session);
  return true;
}

// Another connection has already carried the only acceptance that is due. The SESSION_OPEN that this one answers came
// before, on any connection.
void judge_accepted_elsewhere(Judge& judge, const Seen& seen, const ObservedSession& session) {
  if (!is_all_seen(seen.connection) || seen.message.order_unknown) return;
  judge.advise(rule<"UMSP-5.3.2-2">, session.stage != SessionStage::open, octets(0, 1),
               expected("a SESSION_OPEN that waits for it"), actual("none"),
               "another connection of the two nodes has brought SESSION_ACCEPT");
}

void judge_replaced(Judge& judge, const Seen& seen, const ObservedSession& session) {
  const bool response = seen.layout != nullptr && seen.layout->response;
  if (response || seen.is(Opcode::session_abend)) return;
  const bool left = session.replaced_by == seen.message.sender;
  judge.require(rule<"UMSP-5.3-5">, !left, seen.field(HeaderField::session_id),
                expected("the session of this GJID that was accepted last"), actual("an older one"));
}

// VMs exchange instructions only on an open session: before, they have agreed on nothing.
void judge_open(Judge& judge, const Seen& seen, const ObservedSession& session) {
  const bool is_of_vm = seen.layout != nullptr && seen.layout->opcode_class() == OpcodeClass::exchange;
  if (!is_of_vm || seen.layout->response || session.is_several) return;
  // The receiver of SESSION_REJECT may have accepted before that, unless its own SESSION_OPEN was the latest.
  if (session.stage == SessionStage::over && (!session.rejected || session.latest_open != seen.message.sender)) return;
  const auto is_faulty = [](const SessionHalf& half) { return half.broke_handshake || half.terms_unknown; };
  if (std::ranges::any_of(session.halves, is_faulty) || !session.from_start) return;
  if (!seen.connection.is_all_seen() || seen.message.order_unknown) return;
  if (seen.connection.pair != nullptr && seen.connection.pair->is_broken()) return;
  // The other side may have taken it as the acceptance.
  const auto is_stray = [](const Connection& one, bool) { return one.has_stray_handshake; };
  if (seen.connection.has_stray_handshake || look_elsewhere(seen.connection, is_stray)) return;
  require_anywhere(judge, seen, rule<"UMSP-5.3-20">, session.is_in_use(), octets(0, 1),
                   expected("SESSION_ACCEPT before it"),
                   actual(session.rejected ? "SESSION_OPEN and SESSION_REJECT" : "SESSION_OPEN alone"));
}

// A session of the same job replaces the previous one (UMSP/B11), whatever its identifier is.
void judge_own_identifier(Judge& judge, const Seen& seen) {
  const std::uint32_t id = seen.header().req_id;
  if (!seen.header().ask || id == kZeroSession || id == kReservedSessionId) return;
  if (!seen.connection.is_all_seen() || seen.message.order_unknown) return;
  const ObservedSession* const named = seen.connection.find_session(seen.message.sender, id);
  const auto gjid = seen.session != nullptr ? seen.session->gjid : identifier_of(seen, Operand::gjid);
  const bool holds = named == nullptr || named == seen.session || !named->is_in_use() || named->gjid == gjid;
  judge.advise(rule<"UMSP-3.1-51">, holds, seen.field(HeaderField::req_id),
               expected("an identifier that names no session of the two nodes"), actual(hex(id)),
               "the sender has given it to another session, whose end was not seen");
}

const Rule* names_session_rule(const Seen& seen) {
  // The sender's own identifier: judge_header() and judge_response() have reported a warning.
  const bool is_own = seen.session == nullptr &&
                      seen.connection.find_session(seen.message.sender, *seen.membership.session_id) != nullptr;
  // A case does not know all connections of the two nodes.
  const bool is_live = seen.connection.jobs != nullptr && seen.connection.jobs->is_live();
  const bool is_rsp = seen.is(Opcode::rsp) || seen.is(Opcode::rsp_p);
  const Rule* const others = is_own || is_live ? nullptr : is_rsp ? &rule<"UMSP-4.1-8"> : &rule<"UMSP-3.1-49">;
  if (seen.layout == nullptr) return others;
  switch (seen.layout->opcode) {
    case Opcode::session_open:
      return &rule<"UMSP-5.3.1-11">;
    case Opcode::session_accept:
      return &rule<"UMSP-5.3.2-9">;
    case Opcode::session_reject:
      return &rule<"UMSP-5.3.3-8">;
    case Opcode::session_close:
    case Opcode::session_abend:
      return names_closing_rule(seen.layout->opcode);
    default:
      return others;
  }
}

void judge_after_reject(Judge& judge, const Seen& seen, bool unused) {
  require_anywhere(judge, seen, rule<"UMSP-5.3.3-2">, unused, seen.field(HeaderField::session_id),
                   expected("an identifier of a session that was not refused"),
                   actual("one that this side has refused"));
}

SectionTables session_tables() {
  return {.instructions = kInstructions};
}

}  // namespace wirelaw::umsp
