// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.1: a node puts a job under the control of another node.
#include "conformance/umsp/5.1-job-initiation/job_initiation.h"

#include "conformance/umsp/2.3-transport/transport.h"
#include "conformance/umsp/5-job-management/job_checks.h"
#include "conformance/umsp/5-job-management/rules.h"
#include "conformance/umsp/5.1-job-initiation/rules.h"
#include "conformance/umsp/certainty.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/job_operands.h"

namespace wirelaw::umsp {
namespace {

// ------------------------------------------------------------------------------------------------------------ profile
// The last two octets of the control profile: CMT, 3 reserved bits and VERSION; then 8 reserved bits.
struct ProfileEnd {
  bool cmt;
  unsigned reserved, version, last;
  OctetRange flags, end;  // places in the instruction
};

ProfileEnd profile_of(const SeenInstruction& seen) {
  const std::uint64_t value = seen.value(Operand::control_profile).value_or(0);
  const std::size_t at = seen.operand(Operand::control_profile).offset;
  return {.cmt = (value >> 15 & 1) != 0,
          .reserved = static_cast<unsigned>(value >> 12 & 7),
          .version = static_cast<unsigned>(value >> 8 & 15),
          .last = static_cast<unsigned>(value & 0xff),
          .flags = octets(at + 2, 1),
          .end = octets(at + 3, 1)};
}

void judge_control_req(Judge& judge, const SeenInstruction& seen) {
  const ProfileEnd profile = profile_of(seen);
  judge.advise(rule<"UMSP-5.1.1-12">, !profile.cmt, profile.flags, expected(0), actual(profile.cmt));
  judge.require(rule<"UMSP-5.1.1-14">, profile.version == 1, profile.flags, expected(1), actual(profile.version));
  judge.require(rule<"UMSP-5.1.1-15">, profile.reserved == 0, profile.flags, expected(0), actual(profile.reserved));
  judge.require(rule<"UMSP-5.1.1-16">, profile.last == 0, profile.end, expected(0), actual(profile.last));
}

void judge_control_reject(Judge& judge, const SeenInstruction& seen) {
  const auto code = seen.value(Operand::basic_error_code).value_or(0);
  judge.require(rule<"UMSP-5.1.3-11">, code != 0, seen.operand(Operand::basic_error_code),
                expected("a code other than 0"), actual(code));
  if (seen.operands.find(Operand::control_profile) == nullptr) return;
  const ProfileEnd profile = profile_of(seen);
  const bool at_end = profile.reserved == 0;
  judge.require(rule<"UMSP-5.1.3-14">, at_end && profile.last == 0, at_end ? profile.end : profile.flags, expected(0),
                actual(at_end ? profile.last : profile.reserved));
}

// ---------------------------------------------------------------------------------------------------------- procedure
// No task of another job has the CTID at the end of the GJID.
void check_gjid(Judge& judge, const SeenInstruction& seen, const GjidFact& fact) {
  const OctetRange where = seen.operand(Operand::gjid);
  const auto want = expected("a GJID that ends in a CTID which no active task has");
  const auto got = actual([&] { return to_string(*certain_gjid(seen)); });
  const bool is_free =
      !fact.is_ctid_taken || require_if(judge, fact.is_alone, rule<"UMSP-5-18">, !*fact.is_ctid_taken, where, want, got,
                                        "a task of the node was confirmed with it, and its end was not seen");
  if (!fact.holders) return;
  if (is_free && fact.holders->is_task_elsewhere)
    require_if(judge, !fact.holders->is_live, rule<"UMSP-5-18">, false, where, want, got,
               "another node's task was confirmed with it, and its end was not seen");
  check_unique_gjid(judge, seen, *fact.holders);
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::control_req,
     .ask = &rule<"UMSP-5.1.1-4">,
     .pck = &rule<"UMSP-5.1.1-2">,
     .opr_length = &rule<"UMSP-5.1.1-6">,
     .judge = judge_control_req},
    {.first = Opcode::control_confirm,
     .ask = &rule<"UMSP-5.1.2-4">,
     .pck = &rule<"UMSP-5.1.2-2">,
     .opr_length = &rule<"UMSP-5.1.2-7">,
     .operands = &rule<"UMSP-5.1.2-8">},
    {.first = Opcode::control_reject,
     .ask = &rule<"UMSP-5.1.3-6">,
     .pck = &rule<"UMSP-5.1.3-4">,
     .opr_length = &rule<"UMSP-5.1.3-9">,
     .judge = judge_control_reject},
};

}  // namespace

SectionTables job_tables() {
  return {.instructions = kInstructions};
}

void check_job(Judge& judge, const SeenInstruction& seen, const JobFacts& facts) {
  if (facts.answer)
    check_answer(judge, seen, *facts.answer,
                 is_control_confirm(seen)
                     ? AnswerRules{.in_answer = rule<"UMSP-5.1.2-1">, .req_id = rule<"UMSP-5.1.2-9">}
                     : AnswerRules{.in_answer = rule<"UMSP-5.1.3-1">, .req_id = rule<"UMSP-5.1.3-10">});
  if (facts.gjid) check_gjid(judge, seen, *facts.gjid);
  if (facts.first_task) {
    const std::uint64_t ltid = *certain_value(seen, Operand::ltid);
    require_if(judge, facts.first_task->is_alone, rule<"UMSP-5.1-2">, ltid == facts.first_task->ltid,
               seen.operand(Operand::ltid), expected(hex(facts.first_task->ltid)), actual(hex(ltid)),
               "the job was put under the JCP with that LTID");
  }
}

void check_former_job_notice(Judge& judge, const JobNotice& notice) {
  judge.require(
      rule<"UMSP-5.1.1-22">, false, octets(0, 0), expected("the notice that the former job has ended"), actual("none"),
      [&] { return fmt::format("frame {} allows its node a new job with the same LTID", notice.frame); },
      Evidence::absence);
}

}  // namespace wirelaw::umsp
