// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/job_begins.h"

#include <algorithm>

#include "conformance/umsp/tracker/job_operands.h"
#include "conformance/umsp/tracker/management_requests.h"
#include "conformance/umsp/tracker/pair.h"
#include "conformance/umsp/tracker/parties.h"

namespace wirelaw::umsp {
namespace {

bool is_registration(const Seen& seen) {
  return seen.is(Opcode::task_reg_2) || seen.is(Opcode::task_reg_4) || seen.is(Opcode::task_reg_8);
}

// ------------------------------------------------------------------------------------------------------- 5.1: jobs
// The addressee's tasks that have the CTID at the end of the GJID.
void find_ctid(const Seen& seen, const Identifier& gjid, const ManagementRequest& request, GjidFact& fact) {
  bool is_taken = false, is_known = !request.has_inaction_time;  // otherwise the node was reloaded (UMSP/B5)
  for_each_account(seen, other(seen.message.sender), [&](const ManagedNode& node, bool) {
    is_known &= node.asked.empty() && node.complete;  // otherwise the JCP may consider the node's tasks ended
    is_taken |= node.has_task_with(gjid.task);
  });
  if (is_known) fact.is_ctid_taken = is_taken;
  // The notice of its end may be on its way on another connection, which TCP does not order before this one.
  fact.is_alone = is_only_one(seen.connection);
}

GjidFact::Holders find_holders(const Parties& parties, const Identifier& gjid, const ManagementRequest& request) {
  GjidFact::Holders holders{.is_live = parties.jobs.is_live()};
  const JobTask* const taken = parties.jobs.active_elsewhere(parties.from, gjid.task, parties.to);
  const JobTask* const former = parties.jobs.task(parties.from, parties.to, *request.ltid);
  holders.is_first_task_elsewhere = taken != nullptr && taken->is_first;
  holders.is_task_elsewhere = taken != nullptr && !taken->is_first &&
                              !(former != nullptr && former->job == taken->job);  // CONTROL_REQ has ended it (UMSP/B6)
  // The node itself has a job with that GJID, unless it was reloaded (5.7.1). In a live run, the case judges that.
  holders.is_own_job = !request.has_inaction_time && !holders.is_live &&
                       parties.jobs.active_job({parties.from, gjid.task}, parties.to, *request.ltid) != nullptr;
  return holders;
}

void follow_control_confirm(const Seen& seen, JobFacts& facts) {
  facts.answer = follow_answer(seen, true);
  const ManagementRequest* const request = facts.answer->answered();
  const auto gjid = certain_gjid(seen);
  const Side initiator = other(seen.message.sender);
  ManagedNode& node = seen.connection.management.of(initiator);
  node.knows_ctids &= gjid.has_value();
  if (!gjid) return;
  node.jcp_format = gjid->format;
  const auto parties = parties_of(seen);
  if (request == nullptr || !request->ltid) {
    node.knows_ctids = false;
    if (parties) parties->jobs.forget_job({parties->from, gjid->task});
    return;
  }
  find_ctid(seen, *gjid, *request, facts.gjid.emplace());
  if (parties) {
    facts.gjid->holders = find_holders(*parties, *gjid, *request);
    parties->jobs.begin_again(parties->from, parties->to, *request->ltid, seen.message.time_ns, seen.message.frame);
    parties->jobs.note_job({parties->from, gjid->task}, parties->to, *request->ltid, request->name);
    if (job_node_of(*gjid) == parties->from) parties->jobs.note_format(parties->from, gjid->format);
  }
  node.keep(*request->ltid,
            ManagedTask{.ctid = gjid->task, .first_ctid = gjid->task, .gjid = *gjid, .begun_ns = seen.message.time_ns});
  for_each_account(seen, initiator, [&](ManagedNode& one, bool) { one.period = request->period; });
}

// CONTROL_CONFIRM assigned the GJID to the job; CONTROL_REQ named the job's first task.
std::optional<FirstTaskFact> first_task_of(const Seen& seen) {
  const auto gjid = certain_gjid(seen);
  if (!gjid || !certain_value(seen, Operand::ltid)) return std::nullopt;
  for (const auto& [ltid, task] : seen.connection.management.of(seen.message.sender).tasks)
    if (!task.ended && task.gjid == *gjid) return FirstTaskFact{ltid, is_only_one(seen.connection)};
  return std::nullopt;
}

// ------------------------------------------------------------------------------------------------------ 5.2: tasks
// Uses all connections (jobs.h). A node registers because another node opens a session of the job: with the CTID in its
// GJID, and with the GTID of the opener. If the job began before the capture, the session may have been opened before
// it as well.
std::optional<RegistrationFact::Opening> find_opening(const Seen& seen) {
  const auto parties = parties_of(seen);
  const auto ctid = certain_value(seen, Operand::ctid);
  const auto gtid = certain_gtid(seen);
  if (!parties || !ctid || !gtid || seen.message.order_unknown) return std::nullopt;
  const JobName job{parties->to, *ctid};
  parties->jobs.note_question(job, parties->from, seen.message.frame);
  const auto openings = parties->jobs.openings_at(parties->from, parties->to);
  if (openings.empty()) return std::nullopt;
  const auto opener = job_node_of(*gtid);
  const auto is_of_job = [&](const JobOpening& one) { return one.job == job; };
  return RegistrationFact::Opening{.latest = openings.back(),
                                   .has_begun = parties->jobs.has_begun(job),
                                   .is_of_job = std::ranges::any_of(openings, is_of_job),
                                   .is_of_opener = std::ranges::any_of(openings, [&](const JobOpening& one) {
                                     return is_of_job(one) && opener == one.from && one.ltid == gtid->task;
                                   })};
}

// A node registers one task of a job. An earlier registration may have ended on another connection. A node whose JCP is
// silent for two inaction times may end the task without a word (5.7.2).
void find_former(const Seen& seen, const ManagedNode& node, RegistrationFact& fact) {
  const auto is_active = [](const auto& one) { return !one.second.ended; };
  fact.is_active = std::ranges::any_of(node.tasks, is_active);
  const auto first_ctid = certain_value(seen, Operand::ctid);
  if (!first_ctid || find_inaction_time(seen) || !node.asked.empty()) return;
  fact.has_task = std::ranges::any_of(
      node.tasks, [&](const auto& one) { return is_active(one) && one.second.first_ctid == *first_ctid; });
  fact.is_certain = !node.may_have_given_up(seen.message.time_ns) && is_only_one(seen.connection);
}

RegistrationFact follow_registration(const Seen& seen) {
  RegistrationFact fact{.opening = find_opening(seen)};
  gather_questions(seen, seen.message.sender);
  const ManagedNode& node = seen.connection.management.of(seen.message.sender);
  fact.jcp_format = jcp_format_of(seen, seen.message.sender);
  find_former(seen, node, fact);
  keep_request(seen, {.kind = ManagementRequest::Kind::registration});
  return fact;
}

RegistrationFact follow_check(const Seen& seen) {
  const ManagedNode& node = seen.connection.management.of(seen.message.sender);
  const RegistrationFact fact{.jcp_format = jcp_format_of(seen, seen.message.sender)};
  const auto task = node.tasks.find(certain_value(seen, Operand::ltid).value_or(0));
  const bool has_ended = task != node.tasks.end() && task->second.ended && task->second.ended_by_node;
  keep_request(seen, {.kind = ManagementRequest::Kind::check, .after_end = has_ended});
  return fact;
}

// If the beginning of a job was seen, all its tasks are known, provided that the connections of its JCP were seen: the
// initiator's and this one.
void find_opener(const Seen& seen, const Parties& parties, const JobName& job, const Identifier& gtid,
                 RegisteredFact& fact) {
  const auto opener = job_node_of(gtid);
  if (!opener || *opener == parties.from || !parties.jobs.has_begun(job)) return;
  if (!parties.jobs.has_peers(parties.from, 2)) return;
  // JOB_COMPLETED may have been on its way. Time alone does not tell (UMSP/B60).
  const auto completed = parties.jobs.completed_by(*opener, job);
  if (completed && seen.message.time_ns - completed->time_ns >= kTransitNs && !parties.jobs.is_live())
    fact.completed = RegisteredFact::Completed{completed->frame,
                                               completed->received_ns && is_sent_after(seen, *completed->received_ns)};
  const JobTask* const task = parties.jobs.task(parties.from, *opener, gtid.task);
  if (task != nullptr && task->ended) return;  // its end may have been on its way
  const bool is_of_job = task != nullptr && task->job == job;
  // The node that initiated the job has begun another one with the same LTID since then.
  if (task != nullptr && !is_of_job && parties.jobs.initiator_of(job) == *opener) return;
  fact.has_opener = is_of_job;
}

// The JCP has confirmed or rejected the registration.
void note_answer(const Seen& seen, const ManagementRequest& request, std::optional<std::uint64_t> ctid,
                 RegisteredFact& fact) {
  const auto parties = parties_of(seen);
  if (!parties || !request.ctid || !request.ltid) return;
  Jobs& jobs = parties->jobs;
  const JobName job{parties->from, *request.ctid};
  jobs.note_answer(job, parties->to, ctid.has_value());
  if (!ctid) return;
  if (request.has_inaction_time) jobs.end_tasks_of(parties->from, parties->to);  // it was reloaded (UMSP/B5)
  fact.is_live = jobs.is_live();
  fact.is_taken_elsewhere = jobs.active_elsewhere(parties->from, *ctid, parties->to) != nullptr;
  if (request.gtid) find_opener(seen, *parties, job, *request.gtid, fact);
  if (job_name_of(seen)) fact.name = jobs.name_of(job);
  jobs.note_task({.job = job,
                  .node = parties->to,
                  .ltid = *request.ltid,
                  .ctid = *ctid,
                  .name = job_name_of(seen),
                  .begun_ns = seen.message.time_ns});
}

// From now on, the task is registered under this CTID.
void keep_task(const Seen& seen, const ManagementRequest& request, std::uint64_t ctid, RegisteredFact& fact) {
  const Side registered = other(seen.message.sender);
  gather_questions(seen, registered);
  ManagedNode& node = seen.connection.management.of(registered);
  if (request.has_inaction_time)  // the node was reloaded (UMSP/B5)
    for_each_account(seen, registered, [](ManagedNode& one, bool is_here) { one.end_all(is_here); });
  if (node.asked.empty())  // otherwise the JCP may consider the node's tasks ended
    fact.is_taken = std::ranges::any_of(node.tasks, [&](const auto& one) {
      return !one.second.ended && one.second.ctid == ctid && one.first != *request.ltid;
    });
  fact.is_certain = is_all_seen(seen.connection);
  node.keep(*request.ltid, ManagedTask{.ctid = ctid, .first_ctid = *request.ctid, .begun_ns = seen.message.time_ns});
  // Without a period in the request, the JCP sets one, which TASK_CONFIRM may name.
  const auto period = find_inaction_time(seen) ? period_of(seen) : request.period;
  for_each_account(seen, registered, [&](ManagedNode& one, bool) { one.period = period; });
}

// As for a registration: all tasks of a job are known if its beginning was seen. A task whose LTID now belongs to
// another job may have been checked before that.
std::optional<bool> is_confirmed(const Jobs& jobs, const JobName& job, const JobNode& node, std::uint64_t ltid) {
  const JobTask* const task = jobs.task(job.jcp, node, ltid);
  if (task == nullptr) return false;
  return task->job == job && !task->ended ? std::optional(true) : std::nullopt;
}

// A node has one task of a job (5.2). If it has registered that one, TASK_CHK names no other.
std::optional<bool> has_no_other_task(const Seen& seen, const ManagementRequest& request) {
  if (!is_all_seen(seen.connection)) return std::nullopt;
  bool has_it = false, has_other = false, is_known = true;
  for_each_account(seen, other(seen.message.sender), [&](const ManagedNode& node, bool) {
    is_known &= node.complete && node.knows_ctids;
    has_it |= node.tasks.contains(*request.ltid);
    has_other |= std::ranges::any_of(
        node.tasks, [&](const auto& one) { return !one.second.ended && one.second.first_ctid == *request.ctid; });
  });
  return is_known && (has_it || has_other) ? std::optional(has_it) : std::nullopt;
}

CheckedFact follow_checked(const Seen& seen, const ManagementRequest& request) {
  const ManagedTask* const task = seen.connection.management.of(other(seen.message.sender)).find_active(*request.ltid);
  CheckedFact fact{.is_alone = is_only_one(seen.connection),
                   .ctid = task != nullptr ? std::optional(task->ctid) : std::nullopt};
  const auto parties = parties_of(seen);
  if (!parties) return fact;
  const JobName job{parties->from, *request.ctid};
  if (!parties->jobs.has_begun(job)) {
    fact.has_no_other = has_no_other_task(seen, request);
    return fact;
  }
  fact.is_live = parties->jobs.is_live();
  fact.has_task = is_confirmed(parties->jobs, job, parties->to, *request.ltid);
  const auto opener = request.gtid ? job_node_of(*request.gtid) : std::nullopt;
  if (opener && *opener != parties->from && parties->jobs.has_peers(parties->from, 2))
    fact.has_opener = is_confirmed(parties->jobs, job, *opener, request.gtid->task);
  return fact;
}

void follow_task_confirm(const Seen& seen, TaskFacts& facts) {
  facts.answer = follow_answer(seen, false);
  const ManagementRequest* const request = facts.answer->answered();
  const auto ctid = certain_value(seen, Operand::ctid);
  ManagedNode& node = seen.connection.management.of(other(seen.message.sender));
  if (request == nullptr || !request->ltid || !request->ctid || !ctid) {
    node.knows_ctids = false;
    return;
  }
  if (request->kind == ManagementRequest::Kind::check) {
    facts.checked = follow_checked(seen, *request);
    return;
  }
  note_answer(seen, *request, *ctid, facts.registered.emplace());
  keep_task(seen, *request, *ctid, *facts.registered);
}

void follow_task_reject(const Seen& seen, TaskFacts& facts) {
  facts.answer = follow_answer(seen, false);
  const ManagementRequest* const request = facts.answer->answered();
  if (request == nullptr || request->kind == ManagementRequest::Kind::check) return;
  note_answer(seen, *request, std::nullopt, facts.registered.emplace());
}

// Returns true if the JCP itself has sent the node a SESSION_OPEN of the job: then it need not confirm the task (5.2).
bool is_asked_by_jcp(const Jobs& jobs, const JobName& job, const JobNode& node) {
  return std::ranges::any_of(jobs.openings_at(node, job.jcp),
                             [&](const JobOpening& one) { return one.from == job.jcp && one.job.task == job.task; });
}

// A node that was told the end of the job, and has not registered since then, has no task of it either.
std::optional<OpenerFact> opener_of_ended(const Seen& seen, const Parties& parties, const JobName& job) {
  const auto told = parties.jobs.told(job, parties.from);
  const bool has_arrived = told && seen.message.time_ns - told->time_ns >= kTransitNs;
  if (!has_arrived || parties.jobs.initiator_of(job) == parties.from || seen.header().pck != Pck::no_session)
    return std::nullopt;
  return OpenerFact{.was_told = true, .frame = told->frame};
}

// A node whose TASK_REG was rejected has no task of the job that could open a session of it.
std::optional<OpenerFact> follow_opener(const Seen& seen) {
  const auto parties = parties_of(seen);
  const auto gjid = certain_gjid(seen);
  const auto jcp = gjid ? job_node_of(*gjid) : std::nullopt;
  if (!parties || !jcp || *jcp == parties->from || parties->jobs.is_live() || seen.message.order_unknown)
    return std::nullopt;
  const JobName job{*jcp, gjid->task};
  if (is_asked_by_jcp(parties->jobs, job, parties->from)) return std::nullopt;
  const JobQuestion* const asked = parties->jobs.question(job, parties->from);
  if (asked == nullptr) return opener_of_ended(seen, *parties, job);
  return OpenerFact{.has_task = asked->state != JobQuestion::State::rejected, .frame = asked->frame};
}

// A node that has not asked the JCP of a job that has begun in the capture has no right to a task of it.
void keep_unasked(const Seen& seen, const Jobs& jobs, const JobName& job, const JobNode& node) {
  auto& unasked = seen.connection.unasked;
  if (!jobs.has_begun(job) || jobs.has_had_task(job, node) || unasked.size() >= kMostUnasked) return;
  unasked.push_back({.sender = seen.message.sender, .jcp = job.jcp, .task = job.task, .where = mark_of(seen.message)});
}

// A node that has sent TASK_REG accepts no session before the JCP confirms it, and none after the JCP has rejected it.
std::optional<SanctionFact> follow_sanction(const Seen& seen) {
  const auto parties = parties_of(seen);
  if (!parties || seen.session == nullptr || !seen.session->gjid || seen.message.order_unknown) return std::nullopt;
  if (seen.message.sender == seen.session->initiator) return std::nullopt;
  const auto jcp = job_node_of(*seen.session->gjid);
  if (!jcp || *jcp == parties->from || *jcp == parties->to) return std::nullopt;
  const JobName job{*jcp, seen.session->gjid->task};
  const JobQuestion* const asked = parties->jobs.question(job, parties->from);
  // In a live run, this may have been sent before the answer.
  if (parties->jobs.is_live() || is_asked_by_jcp(parties->jobs, job, parties->from)) return std::nullopt;
  if (asked != nullptr) return SanctionFact{asked->state, asked->frame};
  keep_unasked(seen, parties->jobs, job, parties->from);
  return std::nullopt;
}

// The address by which a node is known may differ from that of its connection.
std::optional<bool> is_jcp_of_gjid(const Seen& seen) {
  const auto parties = parties_of(seen);
  const auto gjid = certain_gjid(seen);
  const auto jcp = gjid ? job_node_of(*gjid) : std::nullopt;
  if (!parties || !jcp) return std::nullopt;
  return *jcp == parties->from;
}

}  // namespace

ManagementFacts follow_management(const Seen& seen) {
  ManagementFacts facts;
  const Side node_of_ctid = seen.is(Opcode::task_confirm) ? other(seen.message.sender) : seen.message.sender;
  if (certain_value(seen, Operand::ctid)) facts.jcp_format = jcp_format_of(seen, node_of_ctid);
  facts.is_format_elsewhere = !seen.connection.management.of(node_of_ctid).jcp_format;
  if (!is_registration(seen)) return facts;
  const ManagedNode& node = seen.connection.management.of(seen.message.sender);
  const auto ltid = certain_value(seen, Operand::ltid);
  // A sign of a reload: the LTID may be used again.
  if (!ltid || find_inaction_time(seen) || !node.asked.empty()) return facts;
  const ManagedTask* const active = node.find_active(*ltid);
  facts.is_ltid_free = active == nullptr || active->first_ctid == certain_value(seen, Operand::ctid);
  facts.is_certain = is_all_seen(seen.connection);
  return facts;
}

JobFacts follow_job(const Seen& seen) {
  JobFacts facts;
  if (seen.is(Opcode::control_req)) keep_request(seen, {.kind = ManagementRequest::Kind::control});
  if (is_control_confirm(seen)) follow_control_confirm(seen, facts);
  if (is_control_reject(seen)) facts.answer = follow_answer(seen, true);
  if (seen.is(Opcode::session_open)) facts.first_task = first_task_of(seen);
  return facts;
}

TaskFacts follow_task(const Seen& seen) {
  TaskFacts facts;
  if (is_registration(seen)) facts.registration = follow_registration(seen);
  if (seen.is(Opcode::task_chk)) facts.registration = follow_check(seen);
  if (seen.is(Opcode::task_confirm)) follow_task_confirm(seen, facts);
  if (seen.is(Opcode::task_reject)) follow_task_reject(seen, facts);
  if (seen.is(Opcode::session_open)) facts.opener = follow_opener(seen);
  if (seen.is(Opcode::session_accept)) facts.sanction = follow_sanction(seen);
  if (is_control_confirm(seen)) facts.is_jcp = is_jcp_of_gjid(seen);
  return facts;
}

}  // namespace wirelaw::umsp
