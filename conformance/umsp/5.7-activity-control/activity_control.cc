// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.7: a JCP checks whether its nodes are active.
#include "conformance/umsp/5.7-activity-control/activity_control.h"

#include <fmt/format.h>

#include "conformance/umsp/5-job-management/job_checks.h"
#include "conformance/umsp/5.7-activity-control/rules.h"
#include "conformance/umsp/certainty.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/job_operands.h"

namespace wirelaw::umsp {
namespace {

// ------------------------------------------------------------------------------------------------------------- tables
// An instruction that may have no extension header at all violates only the rule of EXT.
void judge_inaction_time(Judge& judge, const SeenInstruction& seen, std::size_t index) {
  if (seen.layout == nullptr || !seen.layout->allows_ext(true)) return;
  judge.advise(rule<"UMSP-5.7.1-7">, seen.layout->lists(HeadCode::inaction_time), seen.extension(index),
               expected("an instruction about a job or a task that is requested, or its answer"),
               actual(seen.layout->name));
}

void judge_task_state(Judge& judge, const SeenInstruction& seen) {
  constexpr std::uint64_t kFirstState = 1, kLastState = 4;
  const auto state = seen.value(Operand::state).value_or(0);
  judge.require(rule<"UMSP-5.7.3-9">, state >= kFirstState && state <= kLastState, seen.operand(Operand::state),
                expected("1 to 4"), actual(state));
  const auto reserved = seen.value(Operand::reserved).value_or(0);
  judge.require(rule<"UMSP-5.7.3-16">, reserved == 0, seen.operand(Operand::reserved), expected(0), actual(reserved));
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::state_req,
     .ask = &rule<"UMSP-5.7.2-4">,
     .pck = &rule<"UMSP-5.7.2-2">,
     .ext = &rule<"UMSP-5.7.2-5">,
     .opr_length = &rule<"UMSP-5.7.2-6">},
    {.first = Opcode::task_state,
     .ask = &rule<"UMSP-5.7.3-5">,
     .pck = &rule<"UMSP-5.7.3-3">,
     .ext = &rule<"UMSP-5.7.3-6">,
     .opr_length = &rule<"UMSP-5.7.3-7">,
     .judge = judge_task_state},
    {.first = Opcode::node_reload,
     .ask = &rule<"UMSP-5.7.4-5">,
     .pck = &rule<"UMSP-5.7.4-3">,
     .ext = &rule<"UMSP-5.7.4-6">,
     .opr_length = &rule<"UMSP-5.7.4-7">},
};

constexpr ExtensionRules kExtensions[] = {
    {.head_code = HeadCode::inaction_time,
     .hob = &rule<"UMSP-5.7.1-3">,
     .head_length = &rule<"UMSP-5.7.1-1">,
     .judge = judge_inaction_time},
};

// ---------------------------------------------------------------------------------------------------------- procedure
void check_silence(Judge& judge, const StateRequestFact::Silence& fact, bool is_alone) {
  if (!require_if(judge, is_alone, rule<"UMSP-5.7.1-9">, fact.period != 0, octets(0, 1), expected("no STATE_REQ"),
                  actual("STATE_REQ"), "the node has registered with the inaction period 0") ||
      fact.silent_ns < 0)
    return;
  require_if(judge, fact.is_certain && is_alone, rule<"UMSP-5.7.2-9">, fact.silent_ns >= fact.least_ns, octets(0, 1),
             expected([&] { return fmt::format("an inaction time of {} half seconds", fact.period); }),
             actual([&] { return fmt::format("{} ms since the latest instruction", fact.silent_ns / 1'000'000); }));
}

void check_request(Judge& judge, const SeenInstruction& seen, const StateRequestFact& fact) {
  check_is_jcp(judge, rule<"UMSP-5.7.2-1">, fact.has_task);
  const OctetRange where = seen.operand(Operand::ltid);
  const auto want = expected("an active task");
  const auto got = actual(hex(*certain_value(seen, Operand::ltid)));
  require_if(judge, fact.is_alone, rule<"UMSP-5.7.2-16">, !fact.is_reported, where, want, got,
             "JOB_COMPLETED_INFO went before it");
  if (fact.ended)
    require_if(judge, fact.ended->is_certain, rule<"UMSP-5.7.2-16">, false, where, want, got, [&] {
      return fmt::format("frame {} has its end{}", fact.ended->frame,
                         fact.ended->is_certain ? "" : ", unless the JCP had not received it");
    });
  if (fact.silence) check_silence(judge, *fact.silence, fact.is_alone);
}

void check_answer(Judge& judge, const SeenInstruction& seen, const StateAnswerFact& fact) {
  const bool is_reload = seen.is(Opcode::node_reload);
  judge.advise(is_reload ? rule<"UMSP-5.7.4-2"> : rule<"UMSP-5.7.3-2">, fact.is_awaited, octets(0, 1),
               expected("a STATE_REQ before it"), actual("none"),
               "no STATE_REQ on this connection waits for an answer");
  if (!fact.names_asked) return;
  if (is_reload)
    judge.advise(rule<"UMSP-5.7.4-9">, *fact.names_asked, seen.operand(Operand::ltid),
                 expected("the LTID of a STATE_REQ that waits"), actual(hex(*certain_value(seen, Operand::ltid))));
  else
    require_if(judge, fact.is_alone, rule<"UMSP-5.7.3-17">, *fact.names_asked, seen.operand(Operand::ctid),
               expected("the CTID of a task that was asked for"), actual(hex(*certain_value(seen, Operand::ctid))),
               "the LTID of STATE_REQ was confirmed with another CTID");
}

// A shorter field is a warning: a receiver fills it up with zeros (5).
void check_state_ctid(Judge& judge, const SeenInstruction& seen, const AddressFormat& jcp_format) {
  const Located* const ctid = seen.operands.find(Operand::ctid);
  if (ctid == nullptr) return;
  const std::size_t due = field_octets(jcp_format.memory_octets());
  judge.advise(rule<"UMSP-5.7.3-8">, ctid->length >= due, seen.at(*ctid),
               expected([&] { return fmt::format("a CTID of {} octets", due); }),
               actual([&] { return fmt::format("{} octets", ctid->length); }),
               "the JCP's GJIDs have a CTID of that length");
}

}  // namespace

SectionTables activity_tables() {
  return {.instructions = kInstructions, .extensions = kExtensions};
}

void check_activity(Judge& judge, const SeenInstruction& seen, const ActivityFacts& facts) {
  if (facts.request) check_request(judge, seen, *facts.request);
  if (facts.answer) check_answer(judge, seen, *facts.answer);
  check_use_after_end(judge, seen, rule<"UMSP-5.7.3-11">, facts.use_without_sessions);
  check_use_after_end(judge, seen, rule<"UMSP-5.7.3-13">, facts.use_of_completed);
  check_use_after_end(judge, seen, rule<"UMSP-5.7.4-10">, facts.use_after_reload);
  if (facts.jcp_format) check_state_ctid(judge, seen, *facts.jcp_format);
}

void check_missing_question(Judge& judge, const MissingQuestionFact& fact) {
  judge.at(message_at(fact.jcp, fact.latest));
  judge.advise(rule<"UMSP-5.7.4-11">, false, octets(0, 0),
               expected([&] { return fmt::format("STATE_REQ for the task {}", say(hex(fact.ltid))); }),
               actual("none for 30 s or more"),
               [&] { return fmt::format("frame {} has NODE_RELOAD for another task", fact.reload.frame); });
}

void check_missing_state(Judge& judge, const MissingStateFact& fact) {
  judge.at(message_at(fact.node, fact.latest));
  judge.advise(rule<"UMSP-5.7.2-11">, false, octets(0, 0), expected("TASK_STATE or NODE_RELOAD"),
               actual([&] { return fmt::format("none for {} s", fact.silent_ns / 1'000'000'000); }), [&] {
                 return fmt::format("frame {} has the STATE_REQ, and the node has used a session since then",
                                    fact.question.frame);
               });
}

void check_inaction_of_registration(Judge& judge, const SeenInstruction& seen, bool has_active_task) {
  if (const auto index = find_inaction_time(seen))
    judge.advise(rule<"UMSP-5.7.1-8">, !has_active_task, seen.extension(*index), expected("no _INACTION_TIME"),
                 actual("_INACTION_TIME"), "the node has an active task under this JCP");
}

void check_inaction_of_answer(Judge& judge, const SeenInstruction& seen, const ManagementRequest& request) {
  const auto index = find_inaction_time(seen);
  // A JCP that names no period may not have set one.
  if (!index || (request.has_inaction_time && !request.period)) return;
  const bool confirms = seen.is(Opcode::task_confirm);
  judge.require(confirms ? rule<"UMSP-5.7.1-12"> : rule<"UMSP-5.7.1-11">, request.has_inaction_time != confirms,
                seen.extension(*index), expected("no _INACTION_TIME"), actual("_INACTION_TIME"),
                confirms ? "TASK_REG has set the period" : "TASK_REG has set no period that could be refused");
}

}  // namespace wirelaw::umsp
