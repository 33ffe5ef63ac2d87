// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/job_ends.h"

#include <algorithm>

#include "conformance/umsp/tracker/job_operands.h"
#include "conformance/umsp/tracker/management_requests.h"
#include "conformance/umsp/tracker/pair.h"
#include "conformance/umsp/tracker/parties.h"

namespace wirelaw::umsp {
namespace {

std::optional<std::int64_t> time_of(const std::optional<JobEnd>& end) {
  return end ? std::optional(end->time_ns) : std::nullopt;
}

// ----------------------------------------------------------------------------------------------------- 5.5: tasks
// Compares a notice of the JCP with what the task's node has sent it (jobs.h).
std::optional<TaskNoticeFact> follow_task_notice(const Seen& seen) {
  const auto parties = parties_of(seen);
  const auto gtid = certain_gtid(seen);
  const auto node = gtid ? job_node_of(*gtid) : std::nullopt;
  if (!parties || !node || !end_codes_of(seen)) return std::nullopt;
  TaskNoticeFact fact{.is_of_addressee = *node == parties->to, .has_task = has_confirmed_task(seen)};
  const JobTask* const task = parties->jobs.task(parties->from, *node, gtid->task);
  if (task != nullptr && task->ended && task->end_codes)
    fact.end = TaskNoticeFact::End{*task->end_codes, task->end_frame};
  // The node has sent something to the JCP, so that its tasks are known.
  if (!parties->jobs.is_live() && parties->jobs.have_met(parties->from, *node)) fact.is_confirmed = task != nullptr;
  parties->jobs.notified_of_task(parties->from, parties->to, *node, gtid->task);
  return fact;
}

std::optional<TaskEndFact> follow_terminate(const Seen& seen) {
  const auto ctid = certain_value(seen, Operand::ctid);
  if (!ctid) return std::nullopt;
  const ManagedNode& node = seen.connection.management.of(seen.message.sender);
  const TaskEndFact fact{.names_first_task = node.has_registered_for(*ctid) && !node.has_registered(*ctid),
                         .is_alone = is_only_one(seen.connection),
                         .is_known = is_known_ctid(seen),
                         .once = end_once(seen, *ctid)};
  for_each_account(seen, seen.message.sender, [&](ManagedNode& one, bool is_here) { one.end_task(*ctid, is_here); });
  const auto parties = parties_of(seen);
  const auto codes = end_codes_of(seen);
  if (parties && codes)
    parties->jobs.end_task(parties->to, parties->from, *ctid, *codes, seen.message.time_ns, seen.message.frame);
  return fact;
}

// A node uses a session of a task that it has ended.
std::optional<UseAfterEndFact> use_of_ended_task(const Seen& seen) {
  const auto job = job_in_use(seen);
  const auto parties = job ? parties_of(seen) : std::nullopt;
  if (!parties) return std::nullopt;
  const auto ended = parties->jobs.task_ended_by(parties->from, *job);
  // The task may be the first of the job, which CONTROL_REQ has registered.
  const bool is_here = has_ended_here(seen, *job, false) || has_ended_here(seen, *job, true);
  return use_after_end(seen, ended, time_of(ended), is_here);
}

// ------------------------------------------------------------------------------------------------------ 5.6: jobs
// Returns true if the sender was seen to put the job under this JCP; empty if no node was.
std::optional<bool> is_initiator(const Parties& parties, std::uint64_t ctid) {
  const auto initiator = parties.jobs.initiator_of({parties.to, ctid});
  // After the completion, the GJID may belong to another job.
  if (!initiator || parties.jobs.completion({parties.to, ctid})) return std::nullopt;
  return *initiator == parties.from;
}

std::optional<JobEndFact> follow_completed(const Seen& seen) {
  const auto ctid = certain_value(seen, Operand::ctid);
  if (!ctid) return std::nullopt;
  const ManagedNode& node = seen.connection.management.of(seen.message.sender);
  const bool is_own =
      std::ranges::any_of(node.tasks, [&](const auto& one) { return one.second.gjid && one.second.ctid == *ctid; });
  using enum JobEndFact::Of;
  JobEndFact fact{.of = is_own                           ? any
                        : node.has_registered_for(*ctid) ? other_job
                        : node.has_registered(*ctid)     ? other_task
                                                         : any,
                  .is_alone = is_only_one(seen.connection),
                  .is_known = is_known_ctid(seen),
                  .once = end_once(seen, *ctid)};
  const auto parties = parties_of(seen);
  if (parties) {
    fact.is_initiator = is_initiator(*parties, *ctid);
    fact.is_live = parties->jobs.is_live();
  }
  for_each_account(seen, seen.message.sender, [&](ManagedNode& one, bool is_here) { one.end_job(*ctid, is_here); });
  if (!parties || !is_own) return fact;
  const JobName job{parties->to, *ctid};
  parties->jobs.end_job(job, parties->from, end_codes_of(seen), seen.message.time_ns, seen.message.frame);
  note_under_way(seen, job);
  return fact;
}

// A JCP may have ended the job by itself while JOB_COMPLETED was on its way, and then uses its own codes. It notifies
// the node that initiated the job first (5.6.2).
bool may_be_ended_by_jcp(const Parties& parties, const JobName& job) {
  const auto initiator = parties.jobs.initiator_of(job);
  return !initiator || parties.jobs.told(job, *initiator);
}

// Compares a notice of the JCP with the initiator's JOB_COMPLETED (jobs.h).
void take_job_notice(const Seen& seen, const Identifier& gjid, JobNoticeFact& fact) {
  const auto parties = parties_of(seen);
  const auto jcp = job_node_of(gjid);
  if (!parties || !jcp) return;
  fact.is_jcp = *jcp == parties->from;
  if (!*fact.is_jcp) return;
  const JobName job{*jcp, gjid.task};
  parties->jobs.note_told(job, parties->to, {seen.message.frame, seen.message.time_ns});
  note_under_way(seen, job);
  if (!parties->jobs.is_live()) {
    fact.is_named = parties->jobs.is_named(job);
    if (!*fact.is_named) return;
  }
  if (!may_be_ended_by_jcp(*parties, job)) fact.codes = parties->jobs.completion(job);
  parties->jobs.notified_of_job(job, parties->to);
}

// If the other node has assigned the GJID to the sender, the GJID names the other node as JCP.
std::optional<JobNoticeFact> follow_job_notice(const Seen& seen) {
  const auto gjid = certain_gjid(seen);
  if (!gjid) return std::nullopt;
  ManagementAccount& account = seen.connection.management;
  JobNoticeFact fact{.is_of_sender = std::ranges::any_of(account.of(seen.message.sender).tasks,
                                                         [&](const auto& one) { return one.second.gjid == *gjid; })};
  if (fact.is_of_sender) return fact;
  account.of(other(seen.message.sender)).report_job(gjid->task);
  take_job_notice(seen, *gjid, fact);
  for_each_account(seen, other(seen.message.sender),
                   [&](ManagedNode& one, bool is_here) { one.end_job(gjid->task, is_here); });
  return fact;
}

// A session, with the JCP or another node, of a job that the node may have completed over another connection. The two
// used different connections, so time does not order them (UMSP/B45, UMSP/B60). A connection that was answered only
// after JOB_COMPLETED had passed does: its opener sent nothing before that answer came.
std::optional<JobOpeningFact> opening_of_other(const Seen& seen, const Identifier& gjid) {
  const auto parties = parties_of(seen);
  const auto jcp = job_node_of(gjid);
  if (!parties || !jcp || !parties->jobs.knows(*jcp) || parties->jobs.is_live()) return std::nullopt;
  if (seen.header().pck != Pck::no_session || seen.message.order_unknown) return std::nullopt;
  const auto completed = parties->jobs.completed_by(parties->from, {*jcp, gjid.task});
  JobOpeningFact fact{.has_ended = completed.has_value(), .is_elsewhere = true};
  if (!completed) return fact;
  fact.is_certain = is_sent_after(seen, completed->time_ns);
  fact.frame = completed->frame;
  return fact;
}

// The SESSION_OPEN of a node for its job under the other node as JCP.
std::optional<JobOpeningFact> follow_opening(const Seen& seen) {
  const auto gjid = certain_gjid(seen);
  if (!gjid) return std::nullopt;
  const auto& tasks = seen.connection.management.of(seen.message.sender).tasks;
  const auto own = std::ranges::find_if(tasks, [&](const auto& one) { return one.second.gjid == *gjid; });
  if (own == tasks.end() || (own->second.ended && own->second.ended_elsewhere)) return opening_of_other(seen, *gjid);
  if (own->second.job_reported) return std::nullopt;  // the JCP's report may not have arrived
  return JobOpeningFact{.has_ended = own->second.ended, .is_certain = is_all_seen(seen.connection)};
}

// A node uses a session of a job that it has completed, or that the JCP has reported to it as completed.
void follow_use_of_job(const Seen& seen, JobEndFacts& facts) {
  const auto job = job_in_use(seen);
  const auto parties = job ? parties_of(seen) : std::nullopt;
  if (!parties) return;
  const auto completed = parties->jobs.completed_by(parties->from, *job);
  facts.use_of_completed = use_after_end(seen, completed, time_of(completed), has_ended_here(seen, *job, true));
  const auto told = parties->jobs.told(*job, parties->from);
  facts.use_of_reported = use_after_end(seen, told, told ? told->received_ns : std::nullopt, false);
}

}  // namespace

TaskEndFacts follow_task_end(const Seen& seen) {
  TaskEndFacts facts{.use = use_of_ended_task(seen)};
  if (seen.is(Opcode::task_terminate_info)) facts.notice = follow_task_notice(seen);
  if (seen.is(Opcode::task_terminate)) facts.end = follow_terminate(seen);
  return facts;
}

JobEndFacts follow_job_end(const Seen& seen) {
  JobEndFacts facts;
  if (seen.is(Opcode::job_completed)) facts.end = follow_completed(seen);
  if (seen.is(Opcode::job_completed_info)) facts.notice = follow_job_notice(seen);
  if (seen.is(Opcode::session_open)) facts.opening = follow_opening(seen);
  follow_use_of_job(seen, facts);
  return facts;
}

std::vector<MissingNoticeFact> take_missing_notices(const Connection& connection, std::int64_t now_ns) {
  constexpr std::int64_t kPatience = 30'000'000'000;  // ns; the document sets no time for it
  if (connection.jobs == nullptr || !connection.is_all_seen()) return {};
  if (!connection.jobs->knows(connection.nodes[0]) || !connection.jobs->knows(connection.nodes[1])) return {};
  if (connection.jobs->is_live()) return {};  // the notice may have arrived already
  std::vector<MissingNoticeFact> missing;
  // Once this connection has ended, a notice may go over another one.
  const std::int64_t until_ns = connection.was_open_until(now_ns);
  for (const Side jcp : {Side::a, Side::b}) {
    const std::size_t from = jcp == Side::a ? 0 : 1;
    const JobNode &sender = connection.nodes[from], &to = connection.nodes[1 - from];
    const auto& latest = connection.latest[from];
    if (!latest || sender == to) continue;
    const std::size_t before = missing.size();
    for (const JobNotice& notice : connection.jobs->notices(sender, to))
      if (until_ns - notice.since_ns >= kPatience) missing.push_back({jcp, *latest, notice});
    if (missing.size() > before) connection.jobs->forget_notices(sender, to);
  }
  return missing;
}

}  // namespace wirelaw::umsp
