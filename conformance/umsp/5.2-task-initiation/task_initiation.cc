// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.2: a node registers a task at the JCP of its job, or checks it there.
#include "conformance/umsp/5.2-task-initiation/task_initiation.h"

#include <fmt/format.h>

#include "conformance/umsp/5-job-management/job_checks.h"
#include "conformance/umsp/5.1-job-initiation/rules.h"
#include "conformance/umsp/5.2-task-initiation/rules.h"
#include "conformance/umsp/5.7-activity-control/activity_control.h"
#include "conformance/umsp/certainty.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/job_operands.h"

namespace wirelaw::umsp {
namespace {

void judge_task_reject(Judge& judge, const SeenInstruction& seen) {
  const auto code = seen.value(Operand::basic_error_code).value_or(0);
  judge.require(rule<"UMSP-5.2.3-10">, code != 0, seen.operand(Operand::basic_error_code),
                expected("a code other than 0"), actual(code));
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::task_reg_2,
     .last = Opcode::task_reg_8,
     .ask = &rule<"UMSP-5.2.1-5">,
     .pck = &rule<"UMSP-5.2.1-3">,
     .opr_length = &rule<"UMSP-5.2.1-7">,
     .operands = &rule<"UMSP-5.2.1-8">},
    {.first = Opcode::task_confirm,
     .ask = &rule<"UMSP-5.2.2-4">,
     .pck = &rule<"UMSP-5.2.2-2">,
     .opr_length = &rule<"UMSP-5.2.2-7">},
    {.first = Opcode::task_reject,
     .ask = &rule<"UMSP-5.2.3-5">,
     .pck = &rule<"UMSP-5.2.3-3">,
     .opr_length = &rule<"UMSP-5.2.3-8">,
     .judge = judge_task_reject},
    {.first = Opcode::task_chk,
     .ask = &rule<"UMSP-5.2.4-7">,
     .pck = &rule<"UMSP-5.2.4-5">,
     .operands = &rule<"UMSP-5.2.4-9">},
};

// ---------------------------------------------------------------------------------------------------------- procedure
// Checks the length of the CTID by the GJIDs of the JCP.
void check_registered_ctid(Judge& judge, const SeenInstruction& seen, const AddressFormat& jcp_format) {
  const Located* const ctid = seen.operands.find(Operand::ctid);
  if (ctid == nullptr) return;
  const std::size_t due = field_octets(jcp_format.memory_octets());
  judge.advise(rule<"UMSP-5.2.1-2">, ctid->length == due, octets(0, 1),
               expected([&] { return fmt::format("the OPCODE for a CTID of {} octets", due); }),
               actual(seen.instruction.opcode()), "the JCP's GJIDs have a CTID of that length");
}

void check_checked_ctid(Judge& judge, const SeenInstruction& seen, const AddressFormat& jcp_format) {
  const auto due = static_cast<std::uint8_t>(field_octets(jcp_format.memory_octets()));
  const OperandView view = locate(*seen.layout, seen.instruction.operands, {.ctid = due});
  const Located* const ctid = view.find(Operand::ctid);  // has that length if the operands can be read so
  if (ctid == nullptr) return;
  judge.advise(rule<"UMSP-5.2.4-10">, ctid->length == due, seen.all_operands(),
               expected([&] { return fmt::format("a CTID of {} octets, and a GTID after it", due); }),
               actual("operands that have another length then"), "the JCP's GJIDs have a CTID of that length");
}

void check_opening(Judge& judge, const SeenInstruction& seen, const RegistrationFact::Opening& fact) {
  const std::uint64_t ctid = *certain_value(seen, Operand::ctid);
  const auto why = [&] { return fmt::format("frame {} has the SESSION_OPEN", fact.latest.frame); };
  if (require_if(judge, fact.has_begun, rule<"UMSP-5.2.1-11">, fact.is_of_job, seen.operand(Operand::ctid),
                 expected(hex(fact.latest.job.task)), actual(hex(ctid)), why))
    require_if(judge, fact.has_begun, rule<"UMSP-5.2.1-13">, fact.is_of_opener, seen.operand(Operand::gtid),
               expected([&] {
                 return fmt::format("the node that opens the session, with task {}", say(hex(fact.latest.ltid)));
               }),
               actual([&] { return to_string(*certain_gtid(seen)); }), why);
}

void check_registration(Judge& judge, const SeenInstruction& seen, const RegistrationFact& fact) {
  if (seen.is(Opcode::task_chk)) {
    if (fact.jcp_format) check_checked_ctid(judge, seen, *fact.jcp_format);
    return;
  }
  if (fact.opening) check_opening(judge, seen, *fact.opening);
  if (fact.jcp_format) check_registered_ctid(judge, seen, *fact.jcp_format);
  if (fact.has_task)
    require_if(judge, fact.is_certain, rule<"UMSP-5.2.1-16">, !*fact.has_task, seen.operand(Operand::ctid),
               expected("a job without a task on this node"), actual(hex(*certain_value(seen, Operand::ctid))),
               "a task of the job was confirmed to the node, and its end was not seen");
  check_inaction_of_registration(judge, seen, fact.is_active);
}

// Checks the task that opens the session for which the node registers.
void check_registered_opener(Judge& judge, const RegisteredFact& fact, const Identifier& gtid) {
  const auto want = expected("TASK_REJECT");
  const auto got = actual("TASK_CONFIRM");
  const auto why = [&] { return fmt::format("frame {} has the JOB_COMPLETED", fact.completed->frame); };
  if (fact.completed && fact.completed->is_proven)
    judge.require(rule<"UMSP-5.2.1-18">, false, octets(0, 1), want, got, why, Evidence::order);
  else if (fact.completed)
    judge.advise(rule<"UMSP-5.2.1-18">, false, octets(0, 1), want, got,
                 [&] { return why() + ", unless the JCP had not received it"; });
  if (fact.has_opener)
    require_if(judge, !fact.is_live, rule<"UMSP-5.2.1-18">, *fact.has_opener, octets(0, 1), want, got,
               [&] { return fmt::format("no task of the job was confirmed for {}", to_string(gtid)); });
}

void check_registered(Judge& judge, const SeenInstruction& seen, const RegisteredFact& fact,
                      const ManagementRequest& request) {
  const OctetRange where = seen.operand(Operand::ctid);
  const auto want = expected("a CTID that no active task has");
  const auto got = actual([&] { return say(hex(*certain_value(seen, Operand::ctid))); });
  if (fact.is_taken_elsewhere)
    require_if(judge, !fact.is_live, rule<"UMSP-5.2.2-11">, false, where, want, got,
               "another node's task was confirmed with it, and its end was not seen");
  if (request.gtid) check_registered_opener(judge, fact, *request.gtid);
  if (fact.name) {
    const std::string name = *job_name_of(seen);
    judge.require(rule<"UMSP-5.1.1-19">, name == *fact.name, seen.all_operands(), expected([&] { return *fact.name; }),
                  actual([&] { return name; }), "an active task of the job has it by that name", Evidence::absence);
  }
  if (fact.is_taken)
    require_if(judge, fact.is_certain, rule<"UMSP-5.2.2-11">, !*fact.is_taken, where, want, got,
               "another task was confirmed with it, and its end was not seen");
  check_inaction_of_answer(judge, seen, request);
}

void check_checked(Judge& judge, const SeenInstruction& seen, const CheckedFact& fact,
                   const ManagementRequest& request) {
  const auto want = expected("TASK_REJECT");
  const auto got = actual("TASK_CONFIRM");
  // The order of the two is certain only if there is just one connection.
  if (fact.is_alone)
    judge.require(rule<"UMSP-5.2.4-14">, !request.after_end, octets(0, 1), want, got,
                  "the node had ended the task before it asked", Evidence::order);
  if (fact.has_task)
    require_if(judge, !fact.is_live, rule<"UMSP-5.2.4-14">, *fact.has_task, octets(0, 1), want, got,
               "no task with that LTID was confirmed to the node");
  if (fact.has_no_other)
    judge.advise(rule<"UMSP-5.2.4-14">, *fact.has_no_other, octets(0, 1), want, got,
                 "the node's task of the job has another LTID, and none was confirmed with this one, unless that was "
                 "before the capture");
  if (fact.has_opener)
    require_if(judge, !fact.is_live, rule<"UMSP-5.2.4-14">, *fact.has_opener, octets(0, 1), want, got,
               [&] { return fmt::format("no task of the job was confirmed for {}", to_string(*request.gtid)); });
  if (!fact.ctid) return;
  const std::uint64_t ctid = *certain_value(seen, Operand::ctid);
  require_if(judge, fact.is_alone, rule<"UMSP-5.2.2-10">, ctid == *fact.ctid, seen.operand(Operand::ctid),
             expected(hex(*fact.ctid)), actual(hex(ctid)), "the task of this LTID was confirmed with that CTID");
}

void check_opener(Judge& judge, const SeenInstruction& seen, const OpenerFact& fact) {
  judge.advise(rule<"UMSP-5.2-1">, fact.has_task, seen.operand(Operand::gjid),
               expected("a job that the node has a task of"), actual([&] { return to_string(*certain_gjid(seen)); }),
               [&] {
                 return fact.was_told ? fmt::format("frame {} has told it that the job is completed", fact.frame)
                                      : fmt::format("the JCP has rejected its TASK_REG of frame {}", fact.frame);
               });
}

void check_sanction(Judge& judge, const SanctionFact& fact) {
  const auto why = [&] { return fmt::format("frame {} has its TASK_REG", fact.frame); };
  if (fact.state == JobQuestion::State::rejected)
    judge.require(rule<"UMSP-5.2.3-2">, false, octets(0, 1), expected("SESSION_REJECT"), actual("SESSION_ACCEPT"), why);
  else
    judge.require(rule<"UMSP-5.2-7">, fact.state == JobQuestion::State::confirmed, octets(0, 1),
                  expected("TASK_CONFIRM of the JCP before it"), actual("no answer of the JCP"), why);
}

}  // namespace

SectionTables task_tables() {
  return {.instructions = kInstructions};
}

void check_missing_sanction(Judge& judge, const MissingSanctionFact& fact) {
  judge.at(message_at(fact.acceptance.sender, fact.acceptance.where));
  judge.require(rule<"UMSP-5.2-7">, false, octets(0, 0), expected("TASK_CONFIRM of the JCP before SESSION_ACCEPT"),
                actual("no TASK_REG to the JCP at all"), "no connection of the two nodes has one", Evidence::absence);
}

void check_task(Judge& judge, const SeenInstruction& seen, const TaskFacts& facts) {
  if (facts.registration) check_registration(judge, seen, *facts.registration);
  if (facts.answer)
    check_answer(judge, seen, *facts.answer,
                 seen.is(Opcode::task_confirm)
                     ? AnswerRules{.in_answer = rule<"UMSP-5.2.2-1">, .req_id = rule<"UMSP-5.2.2-9">}
                     : AnswerRules{.in_answer = rule<"UMSP-5.2.3-1">, .req_id = rule<"UMSP-5.2.3-9">});
  if (facts.registered) check_registered(judge, seen, *facts.registered, *facts.answer->request);
  if (facts.checked) check_checked(judge, seen, *facts.checked, *facts.answer->request);
  if (facts.opener) check_opener(judge, seen, *facts.opener);
  if (facts.sanction) check_sanction(judge, *facts.sanction);
  if (facts.is_jcp)
    judge.advise(rule<"UMSP-5.2-6">, *facts.is_jcp, seen.operand(Operand::gjid), expected("the address of the JCP"),
                 actual([&] { return to_string(*certain_gjid(seen)); }), "CONTROL_CONFIRM came from another address");
}

}  // namespace wirelaw::umsp
