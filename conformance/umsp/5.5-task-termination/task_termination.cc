// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.5: a task ends before its job.
#include "conformance/umsp/5.5-task-termination/task_termination.h"

#include <fmt/format.h>

#include "conformance/umsp/5-job-management/job_checks.h"
#include "conformance/umsp/5.5-task-termination/rules.h"
#include "conformance/umsp/certainty.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/job_operands.h"

namespace wirelaw::umsp {
namespace {

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::task_terminate,
     .ask = &rule<"UMSP-5.5.1-5">,
     .pck = &rule<"UMSP-5.5.1-3">,
     .opr_length = &rule<"UMSP-5.5.1-7">},
    {.first = Opcode::task_terminate_info,
     .ask = &rule<"UMSP-5.5.2-6">,
     .pck = &rule<"UMSP-5.5.2-4">,
     .opr_length = &rule<"UMSP-5.5.2-8">,
     .operands = &rule<"UMSP-5.5.2-9">},
};

void check_notice(Judge& judge, const SeenInstruction& seen, const TaskNoticeFact& fact) {
  const OctetRange where = seen.operand(Operand::gtid);
  const auto gtid = actual([&] { return to_string(*certain_gtid(seen)); });
  judge.require(rule<"UMSP-5.5.2-2">, !fact.is_of_addressee, where,
                expected("a task of another node than the addressee"), gtid);
  check_is_jcp(judge, rule<"UMSP-5.5.2-1">, fact.has_task);
  if (fact.end) {
    const EndCodes codes = *end_codes_of(seen);
    judge.require(rule<"UMSP-5.5.2-14">, codes == fact.end->codes, seen.operand(Operand::basic_termination_code),
                  expected([&] { return to_string(fact.end->codes); }), actual([&] { return to_string(codes); }),
                  [&] { return fmt::format("frame {} has the TASK_TERMINATE", fact.end->frame); });
  }
  if (fact.is_confirmed)
    judge.advise(rule<"UMSP-5.5.2-3">, *fact.is_confirmed, where, expected("a task that the JCP has confirmed"), gtid,
                 "unless that was before the capture");
}

void check_end(Judge& judge, const SeenInstruction& seen, const TaskEndFact& fact) {
  if (require_if(judge, fact.is_alone, rule<"UMSP-5.5.1-10">, !fact.names_first_task, seen.operand(Operand::ctid),
                 expected("the CTID of the task"), actual(hex(*certain_value(seen, Operand::ctid))),
                 "it is that of the job's first task, which is another node's"))
    check_known_ctid(judge, seen, rule<"UMSP-5.5.1-10">, fact.is_known);
  check_ended_once(judge, seen, rule<"UMSP-5.5.1-10">, fact.once);
}

}  // namespace

SectionTables task_end_tables() {
  return {.instructions = kInstructions};
}

void check_task_notice(Judge& judge, const JobNotice& notice) {
  judge.require(notice.others_were ? rule<"UMSP-5.5.1-16"> : rule<"UMSP-5.5.1-15">, false, octets(0, 0),
                expected("TASK_TERMINATE_INFO to this node, as to all of the job"), actual("none"),
                [&] { return fmt::format("frame {} has the TASK_TERMINATE of another node", notice.frame); });
}

void check_missing_abend_of_task(Judge& judge, const MissingAbendFact& fact) {
  check_missing_abend(judge, rule<"UMSP-5.5.1-12">, fact, "TASK_TERMINATE");
}

void check_task_end(Judge& judge, const SeenInstruction& seen, const TaskEndFacts& facts) {
  check_use_after_end(judge, seen, rule<"UMSP-5.5.1-13">, facts.use);
  if (facts.use && seen.is(Opcode::session_abend))
    judge.require(rule<"UMSP-5.5.1-12">, true, octets(0, 1), expected("SESSION_ABEND"), actual("SESSION_ABEND"));
  if (facts.notice) check_notice(judge, seen, *facts.notice);
  if (facts.end) check_end(judge, seen, *facts.end);
}

}  // namespace wirelaw::umsp
