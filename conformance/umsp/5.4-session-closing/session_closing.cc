// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.4: the closing of sessions.
#include "conformance/umsp/5.4-session-closing/session_closing.h"

#include <fmt/format.h>

#include "conformance/umsp/5.4-session-closing/rules.h"
#include "conformance/umsp/7-chains/chains.h"
#include "conformance/umsp/certainty.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/jobs.h"
#include "conformance/umsp/tracker/pair.h"
#include "conformance/umsp/tracker/parties.h"
#include "conformance/umsp/tracker/sessions.h"

namespace wirelaw::umsp {
namespace {

constexpr std::int64_t kClosingTime = 30'000'000'000;  // ns
constexpr std::int64_t kPatience = 2 * kClosingTime;   // UMSP/B12: some tolerance

void judge_close_ask(Judge& judge, const Seen& seen) {
  judge.advise(rule<"UMSP-5.4.1-3">, !seen.header().ask, seen.field(HeaderField::ask), expected("0"),
               actual(seen.header().ask));
}

constexpr InstructionRules kInstructions[] = {{.first = Opcode::session_close,
                                               .pck = &rule<"UMSP-5.4.1-1">,
                                               .chn = &rule<"UMSP-5.4.1-2">,
                                               .opr_length = &rule<"UMSP-5.4.1-5">,
                                               .judge = judge_close_ask},
                                              {.first = Opcode::session_abend,
                                               .ask = &rule<"UMSP-5.4.2-6">,
                                               .pck = &rule<"UMSP-5.4.2-4">,
                                               .chn = &rule<"UMSP-5.4.2-5">,
                                               .opr_length = &rule<"UMSP-5.4.2-8">}};

}  // namespace

bool judge_closing(Judge& judge, const Seen& seen, const ObservedSession& session) {
  const bool initiates = seen.message.sender == session.initiator;
  // If the session is not in use yet, the instruction may belong to an earlier session of that identifier.
  if (seen.is(Opcode::session_close) && session.is_in_use())
    return judge.require(rule<"UMSP-5.4-1">, initiates, octets(0, 1), expected("the side that opened the session"),
                         actual("the other side"));
  if (session.stage != SessionStage::closed || initiates) return true;
  const bool response = seen.layout != nullptr && seen.layout->response;
  const bool holds = response || seen.is(Opcode::session_abend);
  const auto want = expected("nothing until the other side cancels the closing");
  const auto got = actual("an instruction");
  // A node that still has to send a response may do so in fragments, for which it asks first (UMSP/B43).
  const bool may_be_response =
      seen.is(Opcode::req_buf) || seen.is(Opcode::snd_cancel) || (seen.is(Opcode::nop) && seen.membership.chain);
  const bool is_waiting = seen.message.time_ns - session.stage_ns < kClosingTime;
  const bool has_agreed = session.half(session.initiator).closes == 0;  // RSP_P may also answer another request
  if (may_be_response || !is_waiting || !has_agreed)
    return judge.advise(rule<"UMSP-5.4-12">, holds, octets(0, 1), want, got);
  return require_here(judge, seen, rule<"UMSP-5.4-12">, holds, octets(0, 1), want, got);
}

void judge_after_abend(Judge& judge, const Seen& seen, bool nothing) {
  require_anywhere(judge, seen, rule<"UMSP-5.4-16">, nothing, seen.field(HeaderField::session_id),
                   expected("nothing after the sender's SESSION_ABEND"), actual("an instruction"));
}

void judge_after_others_abend(Judge& judge, const Seen& seen, const ObservedSession& session) {
  const bool is_of_vm = seen.layout != nullptr && seen.layout->opcode_class() == OpcodeClass::exchange;
  if (!is_of_vm || seen.layout->response || seen.message.order_unknown) return;
  const auto want = expected("nothing after the other side's SESSION_ABEND");
  const auto got = actual("an instruction");
  const OctetRange where = seen.field(HeaderField::session_id);
  const auto why = [&] { return fmt::format("frame {} has the SESSION_ABEND", session.stage_frame); };
  const bool is_later = is_sent_after(seen, session.stage_ns);
  const bool is_live = seen.connection.jobs != nullptr && seen.connection.jobs->is_live();
  if (is_later && is_all_seen(seen.connection, session))
    judge.require(rule<"UMSP-5.4.2-1">, false, where, want, got, why, Evidence::order);
  else if (is_later || (!is_live && seen.message.time_ns - session.stage_ns >= kTransitNs))
    judge.advise(rule<"UMSP-5.4.2-1">, false, where, want, got,
                 [&] { return why() + ", unless it had not arrived, or the instruction was sent before that"; });
}

const Rule* names_closing_rule(Opcode opcode) {
  if (opcode == Opcode::session_close) return &rule<"UMSP-5.4.1-6">;
  if (opcode == Opcode::session_abend) return &rule<"UMSP-5.4.2-9">;
  return nullptr;
}

void judge_abend_came(Judge& judge, const Connection& connection, const ObservedSession& session) {
  // Once this connection has ended, SESSION_ABEND may go over another one.
  const std::int64_t since = connection.was_open_until(judge.now_ns()) - session.stage_ns;
  const bool goes_on = !connection.of(Side::a).ended && !connection.of(Side::b).ended;
  const bool came = session.stage != SessionStage::closed || since <= kPatience;
  if (came && !goes_on) return;
  judge.at({.sender = other(session.initiator),
            .index = session.stage_index,
            .frame = session.stage_frame,
            .time_ns = session.stage_ns});
  const auto want = expected("SESSION_ABEND 30 s after the positive answer to SESSION_CLOSE");
  const auto got = actual([&] { return fmt::format("nothing for {} s", since / 1'000'000'000); });
  if (is_all_seen(connection, session))
    judge.require(rule<"UMSP-5.4-13">, came, octets(0, 0), want, got);
  else
    judge.advise(rule<"UMSP-5.4-13">, came, octets(0, 0), want, got);
}

SectionTables closing_tables() {
  return {.instructions = kInstructions};
}

}  // namespace wirelaw::umsp
