// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.6: the end of a job.
#include "conformance/umsp/5.6-job-completion/job_completion.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/umsp/5.1-job-initiation/job_initiation.h"
#include "conformance/umsp/5.5-task-termination/task_termination.h"
#include "conformance/umsp/5.6-job-completion/rules.h"
#include "conformance/umsp/7-chains/chains.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/management_requests.h"
#include "conformance/umsp/tracker/pair.h"
#include "conformance/umsp/tracker/parties.h"

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

// Judges whether another node was seen to put the job under this JCP.
void judge_initiator(Judge& judge, const Seen& seen, std::uint64_t ctid) {
  const auto parties = parties_of(seen);
  const auto initiator = parties ? parties->jobs.initiator_of({parties->to, ctid}) : std::nullopt;
  // After the completion, the GJID may belong to another job.
  if (!initiator || parties->jobs.completion({parties->to, ctid})) return;
  require_of_all(judge, parties->jobs, rule<"UMSP-5.6.1-1">, *initiator == parties->from, seen.operand(Operand::ctid),
                 expected("a job that the node has initiated"), actual(hex(ctid)),
                 "CONTROL_CONFIRM has given it to another node");
}

void take_job_completed(Judge& judge, const Seen& seen) {
  const auto ctid = certain_value(seen, Operand::ctid);
  if (!ctid) return;
  const ManagedNode& node = seen.connection.management.of(seen.message.sender);
  const OctetRange where = seen.operand(Operand::ctid);
  const bool own =
      std::ranges::any_of(node.tasks, [&](const auto& one) { return one.second.gjid && one.second.ctid == *ctid; });
  const bool may_initiate =
      require_if_alone(judge, seen, rule<"UMSP-5.6.1-1">, own || !node.has_registered_for(*ctid), where,
                       expected("a job that the node has initiated"), actual(hex(*ctid)),
                       "the node has registered a task of that job, which another node has initiated");
  if (may_initiate)
    if (require_if_alone(judge, seen, rule<"UMSP-5.6.1-9">, own || !node.has_registered(*ctid), where,
                         expected("the CTID of a job's first task"), actual(hex(*ctid)),
                         "it was assigned to another task than the first"))
      judge_unknown_ctid(judge, seen, rule<"UMSP-5.6.1-9">);
  judge_ended_once(judge, seen, rule<"UMSP-5.6.1-12">, *ctid);
  if (may_initiate) judge_initiator(judge, seen, *ctid);
  for_each_account(seen, seen.message.sender, [&](ManagedNode& one, bool is_here) { one.end_job(*ctid, is_here); });
  const auto parties = parties_of(seen);
  if (!parties || !own) return;
  const JobName job{parties->to, *ctid};
  parties->jobs.end_job(job, parties->from, end_codes_of(seen), seen.message.time_ns, seen.message.frame);
  note_under_way(seen, job);
}

// A JCP may have ended the job by itself while JOB_COMPLETED was on its way, and then uses its own codes. It notifies
// the node that initiated the job first (5.6.2).
bool may_be_ended_by_jcp(const Parties& parties, const JobName& job) {
  const auto initiator = parties.jobs.initiator_of(job);
  return !initiator || parties.jobs.told(job, *initiator);
}

// Compares a notice of the JCP with the initiator's JOB_COMPLETED (jobs.h). Codes may be left out (UMSP/A25).
void take_notice(Judge& judge, const Seen& seen, const Identifier& gjid) {
  const auto parties = parties_of(seen);
  const auto jcp = job_node_of(gjid);
  if (!parties || !jcp) return;
  // The address by which a node is known may differ from that of its connection (UMSP-5.2-6).
  if (!judge.advise(rule<"UMSP-5.6.2-1">, *jcp == parties->from, seen.operand(Operand::gjid),
                    expected("a job of which the sender is the JCP"), actual([&] { return to_string(gjid); }),
                    "the GJID has another node's address"))
    return;
  const JobName job{*jcp, gjid.task};
  parties->jobs.note_told(job, parties->to, {seen.message.frame, seen.message.time_ns});
  note_under_way(seen, job);
  if (!parties->jobs.is_live() &&
      !judge.advise(rule<"UMSP-5.6.2-2">, parties->jobs.is_named(job), seen.operand(Operand::gjid),
                    expected("the GJID of a job"), actual([&] { return to_string(gjid); }),
                    "nothing has named that job, unless it was before the capture"))
    return;
  const auto codes = end_codes_of(seen), due = parties->jobs.completion(job);
  if (codes && due && !may_be_ended_by_jcp(*parties, job))
    judge.require(rule<"UMSP-5.6.2-12">, *codes == *due, seen.operand(Operand::basic_completion_code),
                  expected([&] { return to_string(*due); }), actual([&] { return to_string(*codes); }),
                  "as in the JOB_COMPLETED of the node that initiated the job");
  parties->jobs.notified_of_job(job, parties->to);
}

// Judges a session, with the JCP or another node, of a job that the node has completed over another connection.
void judge_open_of_completed(Judge& judge, const Seen& seen, const Identifier& gjid) {
  const auto parties = parties_of(seen);
  const auto jcp = job_node_of(gjid);
  if (!parties || !jcp || !parties->jobs.knows(*jcp) || parties->jobs.is_live()) return;
  if (seen.header().pck != Pck::no_session || seen.message.order_unknown) return;
  const auto completed = parties->jobs.completed_by(parties->from, {*jcp, gjid.task});
  // The two used different connections, so time does not order them (UMSP/B45, UMSP/B60). A connection that was
  // answered only after JOB_COMPLETED had passed does: its opener sent nothing before that answer came.
  const auto want = expected("a job that has not ended");
  const auto got = actual([&] { return to_string(gjid); });
  if (completed && !is_sent_after(seen, completed->time_ns))
    judge.advise(rule<"UMSP-5.6.1-12">, false, seen.operand(Operand::gjid), want, got, [&] {
      return fmt::format("frame {} has its JOB_COMPLETED; or the session was opened before that, and came later",
                         completed->frame);
    });
  else
    judge.require(
        rule<"UMSP-5.6.1-12">, !completed, seen.operand(Operand::gjid), want, got,
        [&] { return fmt::format("frame {} has its JOB_COMPLETED", completed->frame); }, Evidence::order);
}

// Judges an instruction that a node sends in a session of a job that it has completed, or that the JCP has reported to
// it as completed.
void judge_use_of_completed(Judge& judge, const Seen& seen) {
  const auto job = job_in_use(seen);
  const auto parties = job ? parties_of(seen) : std::nullopt;
  if (!parties) return;
  const bool is_here = has_ended_here(seen, *job, true);
  const auto completed = parties->jobs.completed_by(parties->from, *job);
  judge_use_after_end(judge, seen, rule<"UMSP-5.6.1-11">, completed,
                      completed ? std::optional(completed->time_ns) : std::nullopt, is_here);
  const auto told = parties->jobs.told(*job, parties->from);
  judge_use_after_end(judge, seen, rule<"UMSP-5.6.2-13">, told, told ? told->received_ns : std::nullopt, false);
}

// Judges the SESSION_OPEN of a node for its job under the other node as JCP.
void judge_open_of_job(Judge& judge, const Seen& seen) {
  const auto gjid = certain_gjid(seen);
  if (!gjid) return;
  const auto& tasks = seen.connection.management.of(seen.message.sender).tasks;
  const auto own = std::ranges::find_if(tasks, [&](const auto& one) { return one.second.gjid == *gjid; });
  if (own == tasks.end() || (own->second.ended && own->second.ended_elsewhere))
    return judge_open_of_completed(judge, seen, *gjid);
  if (own->second.job_reported) return;  // the JCP's report may not have arrived
  require_if_all_seen(judge, seen, rule<"UMSP-5.6.1-12">, !own->second.ended, seen.operand(Operand::gjid),
                      expected("a job that has not ended"), actual([&] { return to_string(*gjid); }),
                      "JOB_COMPLETED went before it");
}

// If the other node has assigned the GJID to the sender, the GJID names the other node as JCP.
void take_job_info(Judge& judge, const Seen& seen) {
  const auto gjid = certain_gjid(seen);
  if (!gjid) return;
  ManagementAccount& account = seen.connection.management;
  const bool assigned_by_other = std::ranges::any_of(account.of(seen.message.sender).tasks,
                                                     [&](const auto& one) { return one.second.gjid == *gjid; });
  if (!judge.require(rule<"UMSP-5.6.2-1">, !assigned_by_other, seen.operand(Operand::gjid),
                     expected("a job of which the sender is the JCP"), actual([&] { return to_string(*gjid); }),
                     "the addressee has assigned this GJID to the sender's job"))
    return;
  ManagedNode& node = account.of(other(seen.message.sender));
  node.report_job(gjid->task);
  take_notice(judge, seen, *gjid);
  for_each_account(seen, other(seen.message.sender),
                   [&](ManagedNode& one, bool is_here) { one.end_job(gjid->task, is_here); });
}

}  // namespace

SectionTables job_end_tables() {
  return {.instructions = kInstructions};
}

void judge_notices(Judge& judge, const Connection& connection) {
  constexpr std::int64_t kPatience = 30'000'000'000;  // ns; the document sets no time for it
  if (connection.jobs == nullptr || !connection.is_all_seen()) return;
  if (!connection.jobs->knows(connection.nodes[0]) || !connection.jobs->knows(connection.nodes[1])) return;
  if (connection.jobs->is_live()) return;  // the notice may have arrived already
  // Once this connection has ended, a notice may go over another one.
  const std::int64_t until_ns = connection.was_open_until(judge.now_ns());
  for (const Side jcp : {Side::a, Side::b}) {
    const std::size_t from = jcp == Side::a ? 0 : 1;
    const JobNode &sender = connection.nodes[from], &to = connection.nodes[1 - from];
    const auto& latest = connection.latest[from];
    if (!latest || sender == to) continue;
    bool any = false;
    for (const JobNotice& notice : connection.jobs->notices(sender, to)) {
      if (until_ns - notice.since_ns < kPatience) continue;
      any = true;
      judge.at({.sender = jcp, .index = latest->index, .frame = latest->frame, .time_ns = latest->time_ns});
      if (notice.begun_again)
        judge_former_job_notice(judge, notice);
      else if (notice.of)
        judge_task_notice(judge, notice);
      else
        judge.require(notice.others_were ? rule<"UMSP-5.6.1-14"> : rule<"UMSP-5.6.1-13">, false, octets(0, 0),
                      expected("JOB_COMPLETED_INFO to this node, as to all of the job"), actual("none"),
                      [&] { return fmt::format("frame {} has the JOB_COMPLETED of another node", notice.frame); });
    }
    if (any) connection.jobs->forget_notices(sender, to);
  }
}

void judge_job_end(Judge& judge, const Seen& seen) {
  if (seen.is(Opcode::job_completed)) take_job_completed(judge, seen);
  if (seen.is(Opcode::job_completed_info)) take_job_info(judge, seen);
  if (seen.is(Opcode::session_open)) judge_open_of_job(judge, seen);
  judge_use_of_completed(judge, seen);
}

}  // namespace wirelaw::umsp
