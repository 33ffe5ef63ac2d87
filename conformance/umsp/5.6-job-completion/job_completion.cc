// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.6: the end of a job.
#include "conformance/umsp/5.6-job-completion/job_completion.h"

#include <fmt/format.h>

#include "conformance/umsp/5-job-management/job_checks.h"
#include "conformance/umsp/5.1-job-initiation/job_initiation.h"
#include "conformance/umsp/5.5-task-termination/task_termination.h"
#include "conformance/umsp/5.6-job-completion/rules.h"
#include "conformance/umsp/certainty.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/job_operands.h"

namespace wirelaw::umsp {
namespace {

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::job_completed,
     .ask = &rule<"UMSP-5.6.1-4">,
     .pck = &rule<"UMSP-5.6.1-2">,
     .opr_length = &rule<"UMSP-5.6.1-6">},
    {.first = Opcode::job_completed_info,
     .ask = &rule<"UMSP-5.6.2-5">,
     .pck = &rule<"UMSP-5.6.2-3">,
     .opr_length = &rule<"UMSP-5.6.2-7">,
     .operands = &rule<"UMSP-5.6.2-9">},
};

void check_end(Judge& judge, const SeenInstruction& seen, const JobEndFact& fact) {
  using enum JobEndFact::Of;
  const OctetRange where = seen.operand(Operand::ctid);
  const auto own_job = expected("a job that the node has initiated");
  const auto ctid = actual(hex(*certain_value(seen, Operand::ctid)));
  const bool may_initiate =
      require_if(judge, fact.is_alone, rule<"UMSP-5.6.1-1">, fact.of != other_job, where, own_job, ctid,
                 "the node has registered a task of that job, which another node has initiated");
  if (may_initiate &&
      require_if(judge, fact.is_alone, rule<"UMSP-5.6.1-9">, fact.of != other_task, where,
                 expected("the CTID of a job's first task"), ctid, "it was assigned to another task than the first"))
    check_known_ctid(judge, seen, rule<"UMSP-5.6.1-9">, fact.is_known);
  check_ended_once(judge, seen, rule<"UMSP-5.6.1-12">, fact.once);
  if (may_initiate && fact.is_initiator)
    require_if(judge, !fact.is_live, rule<"UMSP-5.6.1-1">, *fact.is_initiator, where, own_job, ctid,
               "CONTROL_CONFIRM has given it to another node");
}

// Codes may be left out (UMSP/A25). The address by which a node is known may differ from that of its connection
// (UMSP-5.2-6).
void check_notice(Judge& judge, const SeenInstruction& seen, const JobNoticeFact& fact) {
  const OctetRange where = seen.operand(Operand::gjid);
  const auto of_sender = expected("a job of which the sender is the JCP");
  const auto gjid = actual([&] { return to_string(*certain_gjid(seen)); });
  judge.require(rule<"UMSP-5.6.2-1">, !fact.is_of_sender, where, of_sender, gjid,
                "the addressee has assigned this GJID to the sender's job");
  if (fact.is_jcp)
    judge.advise(rule<"UMSP-5.6.2-1">, *fact.is_jcp, where, of_sender, gjid, "the GJID has another node's address");
  if (fact.is_named)
    judge.advise(rule<"UMSP-5.6.2-2">, *fact.is_named, where, expected("the GJID of a job"), gjid,
                 "nothing has named that job, unless it was before the capture");
  const auto codes = end_codes_of(seen);
  if (codes && fact.codes)
    judge.require(rule<"UMSP-5.6.2-12">, *codes == *fact.codes, seen.operand(Operand::basic_completion_code),
                  expected([&] { return to_string(*fact.codes); }), actual([&] { return to_string(*codes); }),
                  "as in the JOB_COMPLETED of the node that initiated the job");
}

void check_opening(Judge& judge, const SeenInstruction& seen, const JobOpeningFact& fact) {
  const Rule& rule_of_end = rule<"UMSP-5.6.1-12">;
  const OctetRange where = seen.operand(Operand::gjid);
  const auto want = expected("a job that has not ended");
  const auto got = actual([&] { return to_string(*certain_gjid(seen)); });
  const auto why = [&] { return fmt::format("frame {} has its JOB_COMPLETED", fact.frame); };
  if (!fact.is_elsewhere)
    require_if(judge, fact.is_certain, rule_of_end, !fact.has_ended, where, want, got, "JOB_COMPLETED went before it");
  else if (fact.has_ended && !fact.is_certain)
    judge.advise(rule_of_end, false, where, want, got,
                 [&] { return why() + "; or the session was opened before that, and came later"; });
  else
    judge.require(rule_of_end, !fact.has_ended, where, want, got, why, Evidence::order);
}

}  // namespace

SectionTables job_end_tables() {
  return {.instructions = kInstructions};
}

void check_missing_notice(Judge& judge, const MissingNoticeFact& fact) {
  const JobNotice& notice = fact.notice;
  judge.at(
      {.sender = fact.jcp, .index = fact.latest.index, .frame = fact.latest.frame, .time_ns = fact.latest.time_ns});
  if (notice.begun_again) return check_former_job_notice(judge, notice);
  if (notice.of) return check_task_notice(judge, notice);
  judge.require(notice.others_were ? rule<"UMSP-5.6.1-14"> : rule<"UMSP-5.6.1-13">, false, octets(0, 0),
                expected("JOB_COMPLETED_INFO to this node, as to all of the job"), actual("none"),
                [&] { return fmt::format("frame {} has the JOB_COMPLETED of another node", notice.frame); });
}

void check_missing_abend_of_job(Judge& judge, const MissingAbendFact& fact) {
  check_missing_abend(judge, rule<"UMSP-5.6.1-11">, fact, "JOB_COMPLETED");
}

void check_job_end(Judge& judge, const SeenInstruction& seen, const JobEndFacts& facts) {
  if (facts.end) check_end(judge, seen, *facts.end);
  if (facts.notice) check_notice(judge, seen, *facts.notice);
  if (facts.opening) check_opening(judge, seen, *facts.opening);
  check_use_after_end(judge, seen, rule<"UMSP-5.6.1-11">, facts.use_of_completed);
  check_use_after_end(judge, seen, rule<"UMSP-5.6.2-13">, facts.use_of_reported);
}

}  // namespace wirelaw::umsp
