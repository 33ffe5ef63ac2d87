// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.5: a task ends before its job.
#include "conformance/umsp/5.5-task-termination/task_termination.h"

#include <fmt/format.h>

#include "conformance/umsp/5.5-task-termination/rules.h"
#include "conformance/umsp/7-chains/chains.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/management_requests.h"
#include "conformance/umsp/tracker/pair.h"
#include "conformance/umsp/tracker/parties.h"

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

}  // namespace

SectionTables task_end_tables() {
  return {.instructions = kInstructions};
}

namespace {

// Compares a notice of the JCP with what the task's node has sent it (jobs.h).
void take_notice(Judge& judge, const Seen& seen) {
  const auto parties = parties_of(seen);
  const auto gtid = certain_gtid(seen);
  const auto codes = end_codes_of(seen);
  const auto node = gtid ? job_node_of(*gtid) : std::nullopt;
  if (!parties || !node || !codes) return;
  judge.require(rule<"UMSP-5.5.2-2">, *node != parties->to, seen.operand(Operand::gtid),
                expected("a task of another node than the addressee"), actual([&] { return to_string(*gtid); }));
  judge_is_jcp_of(judge, seen, rule<"UMSP-5.5.2-1">);
  const JobTask* const task = parties->jobs.task(parties->from, *node, gtid->task);
  if (task != nullptr && task->ended && task->end_codes)
    judge.require(rule<"UMSP-5.5.2-14">, *codes == *task->end_codes, seen.operand(Operand::basic_termination_code),
                  expected([&] { return to_string(*task->end_codes); }), actual([&] { return to_string(*codes); }),
                  [&] { return fmt::format("frame {} has the TASK_TERMINATE", task->end_frame); });
  // The node has spoken to the JCP, so that its tasks are known.
  if (!parties->jobs.is_live() && parties->jobs.have_met(parties->from, *node))
    judge.advise(rule<"UMSP-5.5.2-3">, task != nullptr, seen.operand(Operand::gtid),
                 expected("a task that the JCP has confirmed"), actual([&] { return to_string(*gtid); }),
                 "unless that was before the capture");
  parties->jobs.notified_of_task(parties->from, parties->to, *node, gtid->task);
}

// Judges an instruction that a node sends in a session of a task that it has ended.
void judge_use_of_ended(Judge& judge, const Seen& seen) {
  const auto job = job_in_use(seen);
  const auto parties = job ? parties_of(seen) : std::nullopt;
  if (!parties) return;
  const auto ended = parties->jobs.task_ended_by(parties->from, *job);
  // The task may be the first of the job, which CONTROL_REQ has registered.
  const bool is_here = has_ended_here(seen, *job, false) || has_ended_here(seen, *job, true);
  judge_use_after_end(judge, seen, rule<"UMSP-5.5.1-13">, ended, ended ? std::optional(ended->time_ns) : std::nullopt,
                      is_here);
}

}  // namespace

void judge_task_notice(Judge& judge, const JobNotice& notice) {
  judge.require(notice.others_were ? rule<"UMSP-5.5.1-16"> : rule<"UMSP-5.5.1-15">, false, octets(0, 0),
                expected("TASK_TERMINATE_INFO to this node, as to all of the job"), actual("none"),
                [&] { return fmt::format("frame {} has the TASK_TERMINATE of another node", notice.frame); });
}

void judge_task_end(Judge& judge, const Seen& seen) {
  judge_use_of_ended(judge, seen);
  if (seen.is(Opcode::task_terminate_info)) return take_notice(judge, seen);
  const auto ctid = certain_value(seen, Operand::ctid);
  if (!seen.is(Opcode::task_terminate) || !ctid) return;
  const ManagedNode& node = seen.connection.management.of(seen.message.sender);
  if (require_if_alone(judge, seen, rule<"UMSP-5.5.1-10">,
                       node.has_registered(*ctid) || !node.has_registered_for(*ctid), seen.operand(Operand::ctid),
                       expected("the CTID of the task"), actual(hex(*ctid)),
                       "it is that of the job's first task, which is another node's"))
    judge_unknown_ctid(judge, seen, rule<"UMSP-5.5.1-10">);
  judge_ended_once(judge, seen, rule<"UMSP-5.5.1-10">, *ctid);
  for_each_account(seen, seen.message.sender, [&](ManagedNode& one, bool is_here) { one.end_task(*ctid, is_here); });
  const auto parties = parties_of(seen);
  const auto codes = end_codes_of(seen);
  if (parties && codes)
    parties->jobs.end_task(parties->to, parties->from, *ctid, *codes, seen.message.time_ns, seen.message.frame);
}

}  // namespace wirelaw::umsp
