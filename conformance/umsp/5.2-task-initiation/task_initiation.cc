// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.2: a node registers a task at the JCP of its job, or checks it there.
#include "conformance/umsp/5.2-task-initiation/task_initiation.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/umsp/5.1-job-initiation/rules.h"
#include "conformance/umsp/5.2-task-initiation/rules.h"
#include "conformance/umsp/5.7-activity-control/activity_control.h"
#include "conformance/umsp/7-chains/chains.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/management_requests.h"
#include "conformance/umsp/tracker/pair.h"
#include "conformance/umsp/tracker/parties.h"

namespace wirelaw::umsp {
namespace {

void judge_task_reject(Judge& judge, const Seen& seen) {
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
// Judges the length of the CTID by the GJIDs of the JCP.
void judge_registered_ctid(Judge& judge, const Seen& seen, const ManagedNode& node) {
  const Located* const ctid = seen.operands.find(Operand::ctid);
  if (!node.jcp_format || ctid == nullptr) return;
  const std::size_t due = field_octets(node.jcp_format->memory_octets());
  judge.advise(rule<"UMSP-5.2.1-2">, ctid->length == due, octets(0, 1),
               expected([&] { return fmt::format("the OPCODE for a CTID of {} octets", due); }),
               actual(seen.instruction.opcode()), "the JCP's GJIDs have a CTID of that length");
}

void judge_checked_ctid(Judge& judge, const Seen& seen, const ManagedNode& node) {
  if (!node.jcp_format) return;
  const auto due = static_cast<std::uint8_t>(field_octets(node.jcp_format->memory_octets()));
  const OperandView view = locate(*seen.layout, seen.instruction.operands, {.ctid = due});
  const Located* const ctid = view.find(Operand::ctid);  // has that length if the operands can be read so
  if (ctid == nullptr) return;
  judge.advise(rule<"UMSP-5.2.4-10">, ctid->length == due, seen.all_operands(),
               expected([&] { return fmt::format("a CTID of {} octets, and a GTID after it", due); }),
               actual("operands that have another length then"), "the JCP's GJIDs have a CTID of that length");
}

// A node registers one task of a job. An earlier registration may have ended on another connection. A node whose JCP is
// silent for two inaction times may end the task without a word (5.7.2).
void judge_registered_once(Judge& judge, const Seen& seen, const ManagedNode& node) {
  const auto first_ctid = certain_value(seen, Operand::ctid);
  if (!first_ctid || find_inaction_time(seen) || !node.asked.empty()) return;
  const bool active = std::ranges::any_of(
      node.tasks, [&](const auto& one) { return !one.second.ended && one.second.first_ctid == *first_ctid; });
  const OctetRange where = seen.operand(Operand::ctid);
  const auto want = expected("a job without a task on this node");
  const auto got = actual(hex(*first_ctid));
  constexpr std::string_view kWhy = "a task of the job was confirmed to the node, and its end was not seen";
  if (node.may_have_given_up(seen.message.time_ns))
    judge.advise(rule<"UMSP-5.2.1-16">, !active, where, want, got, kWhy);
  else
    require_if_alone(judge, seen, rule<"UMSP-5.2.1-16">, !active, where, want, got, kWhy);
}

// ---------------------------------------------------------------------------------------- all nodes of a job together
// Uses all connections (jobs.h). A node registers because another node opens a session of the job: with the CTID in its
// GJID, and with the GTID of the opener. If the job began before the capture, the session may have been opened before
// it as well.
void judge_registered_opening(Judge& judge, const Seen& seen) {
  const auto parties = parties_of(seen);
  const auto ctid = certain_value(seen, Operand::ctid);
  const auto gtid = certain_gtid(seen);
  if (!parties || !ctid || !gtid || seen.message.order_unknown) return;
  const JobName job{parties->to, *ctid};
  parties->jobs.note_question(job, parties->from, seen.message.frame);
  const auto openings = parties->jobs.openings_at(parties->from, parties->to);
  if (openings.empty()) return;
  const bool has_begun = parties->jobs.has_begun(job);
  const auto judge_it = [&](const Rule& rule, bool holds, OctetRange where, const std::string& want,
                            const std::string& got) {
    const auto why = [&] { return fmt::format("frame {} has the SESSION_OPEN", openings.back().frame); };
    return has_begun ? judge.require(rule, holds, where, expected(want), actual(got), why)
                     : judge.advise(rule, holds, where, expected(want), actual(got), why);
  };
  const auto is_of_job = [&](const JobOpening& one) { return one.job == job; };
  if (!judge_it(rule<"UMSP-5.2.1-11">, std::ranges::any_of(openings, is_of_job), seen.operand(Operand::ctid),
                say(hex(openings.back().job.task)), say(hex(*ctid))))
    return;
  const auto opener = job_node_of(*gtid);
  const bool is_named = std::ranges::any_of(
      openings, [&](const JobOpening& one) { return is_of_job(one) && opener == one.from && one.ltid == gtid->task; });
  judge_it(rule<"UMSP-5.2.1-13">, is_named, seen.operand(Operand::gtid),
           fmt::format("the node that opens the session, with task {}", say(hex(openings.back().ltid))),
           to_string(*gtid));
}

// If the beginning of a job was seen, all its tasks are known, provided that the connections of its JCP were seen: the
// initiator's and this one.
void judge_registered_opener(Judge& judge, const Seen& seen, const Parties& parties, const JobName& job,
                             const Identifier& gtid) {
  const auto opener = job_node_of(gtid);
  if (!opener || *opener == parties.from || !parties.jobs.has_begun(job)) return;
  if (!parties.jobs.has_peers(parties.from, 2)) return;
  const JobTask* const task = parties.jobs.task(parties.from, *opener, gtid.task);
  // JOB_COMPLETED may have been on its way. Time alone does not tell (UMSP/B60).
  const auto completed = parties.jobs.completed_by(*opener, job);
  if (completed && seen.message.time_ns - completed->time_ns >= kTransitNs && !parties.jobs.is_live()) {
    const auto why = [&] { return fmt::format("frame {} has the JOB_COMPLETED", completed->frame); };
    if (completed->received_ns && is_sent_after(seen, *completed->received_ns))
      judge.require(rule<"UMSP-5.2.1-18">, false, octets(0, 1), expected("TASK_REJECT"), actual("TASK_CONFIRM"), why,
                    Evidence::order);
    else
      judge.advise(rule<"UMSP-5.2.1-18">, false, octets(0, 1), expected("TASK_REJECT"), actual("TASK_CONFIRM"),
                   [&] { return why() + ", unless the JCP had not received it"; });
  }
  if (task != nullptr && task->ended) return;  // its end may have been on its way
  // The node that initiated the job has begun another one with the same LTID since then.
  if (task != nullptr && !(task->job == job) && parties.jobs.initiator_of(job) == *opener) return;
  require_of_all(judge, parties.jobs, rule<"UMSP-5.2.1-18">, task != nullptr && task->job == job, octets(0, 1),
                 expected("TASK_REJECT"), actual("TASK_CONFIRM"),
                 [&] { return fmt::format("no task of the job was confirmed for {}", to_string(gtid)); });
}

// CONTROL_REQ, or the TASK_CONFIRM of another task, has named the job.
void judge_job_name(Judge& judge, const Seen& seen, const Parties& parties, const JobName& job) {
  const auto name = job_name_of(seen), known = name ? parties.jobs.name_of(job) : std::nullopt;
  if (!known) return;
  judge.require(rule<"UMSP-5.1.1-19">, *name == *known, seen.all_operands(), expected([&] { return *known; }),
                actual([&] { return *name; }), "an active task of the job has it by that name", Evidence::absence);
}

void follow_answer(Judge& judge, const Seen& seen, const ManagementRequest& request,
                   std::optional<std::uint64_t> ctid) {
  const auto parties = parties_of(seen);
  if (!parties || request.for_check || !request.ctid || !request.ltid) return;
  const JobName job{parties->from, *request.ctid};
  parties->jobs.note_answer(job, parties->to, ctid.has_value());
  if (!ctid) return;
  if (request.has_inaction_time) parties->jobs.end_tasks_of(parties->from, parties->to);  // it was reloaded (UMSP/B5)
  const JobTask* const taken = parties->jobs.active_elsewhere(parties->from, *ctid, parties->to);
  if (taken != nullptr)
    require_of_all(judge, parties->jobs, rule<"UMSP-5.2.2-11">, false, seen.operand(Operand::ctid),
                   expected("a CTID that no active task has"), actual(hex(*ctid)),
                   "another node's task was confirmed with it, and its end was not seen");
  if (request.gtid) judge_registered_opener(judge, seen, *parties, job, *request.gtid);
  judge_job_name(judge, seen, *parties, job);
  parties->jobs.note_task({.job = job,
                           .node = parties->to,
                           .ltid = *request.ltid,
                           .ctid = *ctid,
                           .name = job_name_of(seen),
                           .begun_ns = seen.message.time_ns});
}

// True if the JCP itself has sent the node a SESSION_OPEN of the job: then it need not confirm the task (5.2).
bool is_asked_by_jcp(const Jobs& jobs, const JobName& job, const JobNode& node) {
  return std::ranges::any_of(jobs.openings_at(node, job.jcp),
                             [&](const JobOpening& one) { return one.from == job.jcp && one.job.task == job.task; });
}

// A node that was told the end of the job, and has not registered since then, has no task of it either.
void judge_opener_of_ended(Judge& judge, const Seen& seen, const Parties& parties, const JobName& job) {
  const auto told = parties.jobs.told(job, parties.from);
  const bool has_arrived = told && seen.message.time_ns - told->time_ns >= kTransitNs;
  if (!has_arrived || parties.jobs.initiator_of(job) == parties.from || seen.header().pck != Pck::no_session) return;
  judge.advise(rule<"UMSP-5.2-1">, false, seen.operand(Operand::gjid), expected("a job that the node has a task of"),
               actual([&] { return to_string(*certain_gjid(seen)); }),
               [&] { return fmt::format("frame {} has told it that the job is completed", told->frame); });
}

// A node whose TASK_REG was rejected has no task of the job that could open a session of it.
void judge_opener(Judge& judge, const Seen& seen) {
  const auto parties = parties_of(seen);
  const auto gjid = certain_gjid(seen);
  const auto jcp = gjid ? job_node_of(*gjid) : std::nullopt;
  if (!parties || !jcp || *jcp == parties->from || parties->jobs.is_live() || seen.message.order_unknown) return;
  const JobName job{*jcp, gjid->task};
  const JobQuestion* const asked = parties->jobs.question(job, parties->from);
  if (is_asked_by_jcp(parties->jobs, job, parties->from)) return;
  if (asked == nullptr) return judge_opener_of_ended(judge, seen, *parties, job);
  judge.advise(rule<"UMSP-5.2-1">, asked->state != JobQuestion::State::rejected, seen.operand(Operand::gjid),
               expected("a job that the node has a task of"), actual([&] { return to_string(*gjid); }),
               [&] { return fmt::format("the JCP has rejected its TASK_REG of frame {}", asked->frame); });
}

// A node that has sent TASK_REG accepts no session before the JCP confirms it, and none after the JCP has rejected it.
void judge_sanction(Judge& judge, const Seen& seen) {
  const auto parties = parties_of(seen);
  if (!parties || seen.session == nullptr || !seen.session->gjid || seen.message.order_unknown) return;
  if (seen.message.sender == seen.session->initiator) return;
  const auto jcp = job_node_of(*seen.session->gjid);
  if (!jcp || *jcp == parties->from || *jcp == parties->to) return;
  const JobQuestion* const asked = parties->jobs.question({*jcp, seen.session->gjid->task}, parties->from);
  if (asked == nullptr) return;
  if (parties->jobs.is_live()) return;  // this may have been sent before the answer
  if (is_asked_by_jcp(parties->jobs, {*jcp, seen.session->gjid->task}, parties->from)) return;
  const auto why = [&] { return fmt::format("frame {} has its TASK_REG", asked->frame); };
  if (asked->state == JobQuestion::State::rejected)
    judge.require(rule<"UMSP-5.2.3-2">, false, octets(0, 1), expected("SESSION_REJECT"), actual("SESSION_ACCEPT"), why);
  else
    judge.require(rule<"UMSP-5.2-7">, asked->state == JobQuestion::State::confirmed, octets(0, 1),
                  expected("TASK_CONFIRM of the JCP before it"), actual("no answer of the JCP"), why);
}

// The address by which a node is known may differ from that of its connection.
void judge_assigned_gjid(Judge& judge, const Seen& seen) {
  const auto parties = parties_of(seen);
  const auto gjid = certain_gjid(seen);
  const auto jcp = gjid ? job_node_of(*gjid) : std::nullopt;
  if (!parties || !jcp) return;
  judge.advise(rule<"UMSP-5.2-6">, *jcp == parties->from, seen.operand(Operand::gjid),
               expected("the address of the JCP"), actual([&] { return to_string(*gjid); }),
               "CONTROL_CONFIRM came from another address");
}

void take_registration(Judge& judge, const Seen& seen) {
  judge_registered_opening(judge, seen);
  gather_questions(seen, seen.message.sender);
  const ManagedNode& node = seen.connection.management.of(seen.message.sender);
  judge_registered_ctid(judge, seen, node);
  judge_registered_once(judge, seen, node);
  judge_inaction_of_registration(judge, seen);
  keep_request(seen, {.answer = &rule<"UMSP-5.2.1-22">});
}

void take_check(Judge& judge, const Seen& seen) {
  const ManagedNode& node = seen.connection.management.of(seen.message.sender);
  judge_checked_ctid(judge, seen, node);
  const auto task = node.tasks.find(certain_value(seen, Operand::ltid).value_or(0));
  const bool has_ended = task != node.tasks.end() && task->second.ended && task->second.ended_by_node;
  keep_request(seen, {.answer = &rule<"UMSP-5.2.4-12">, .for_check = true, .after_end = has_ended});
}

// From now on, the task is registered under this CTID.
void keep_task(Judge& judge, const Seen& seen, const ManagementRequest& request, std::uint64_t ctid) {
  const Side registered = other(seen.message.sender);
  gather_questions(seen, registered);
  ManagedNode& node = seen.connection.management.of(registered);
  if (request.has_inaction_time)  // the node was reloaded (UMSP/B5)
    for_each_account(seen, registered, [](ManagedNode& one, bool is_here) { one.end_all(is_here); });
  const bool taken = std::ranges::any_of(node.tasks, [&](const auto& one) {
    return !one.second.ended && one.second.ctid == ctid && one.first != *request.ltid;
  });
  if (node.asked.empty())  // otherwise the JCP may consider the node's tasks ended
    require_if_all_seen(judge, seen, rule<"UMSP-5.2.2-11">, !taken, seen.operand(Operand::ctid),
                        expected("a CTID that no active task has"), actual(hex(ctid)),
                        "another task was confirmed with it, and its end was not seen");
  node.keep(*request.ltid, ManagedTask{.ctid = ctid, .first_ctid = *request.ctid});
  // Without a period in the request, the JCP sets one, which TASK_CONFIRM may name.
  for_each_account(seen, registered, [&](ManagedNode& one, bool) { one.period = request.period; });
}

void take_confirmation(Judge& judge, const Seen& seen) {
  const ManagementRequest* const request =
      match_answer(judge, seen, false, {.in_answer = rule<"UMSP-5.2.2-1">, .req_id = rule<"UMSP-5.2.2-9">});
  const auto ctid = certain_value(seen, Operand::ctid);
  if (request == nullptr || !request->ltid || !request->ctid || !ctid) {
    seen.connection.management.of(other(seen.message.sender)).knows_ctids = false;
    return;
  }
  if (!request->for_check) {
    follow_answer(judge, seen, *request, *ctid);
    keep_task(judge, seen, *request, *ctid);
    judge_inaction_of_answer(judge, seen, *request);
    return;
  }
  // The order of the two is certain only if there is just one connection.
  if (is_all_seen(seen.connection) && seen.connection.pair->is_first())
    judge.require(rule<"UMSP-5.2.4-14">, !request->after_end, octets(0, 1), expected("TASK_REJECT"),
                  actual("TASK_CONFIRM"), "the node had ended the task before it asked", Evidence::order);
  const ManagedTask* const task = seen.connection.management.of(other(seen.message.sender)).find_active(*request->ltid);
  if (task != nullptr)
    require_if_alone(judge, seen, rule<"UMSP-5.2.2-10">, task->ctid == *ctid, seen.operand(Operand::ctid),
                     expected(hex(task->ctid)), actual(hex(*ctid)),
                     "the task of this LTID was confirmed with that CTID");
}

void take_rejection(Judge& judge, const Seen& seen) {
  const ManagementRequest* const request =
      match_answer(judge, seen, false, {.in_answer = rule<"UMSP-5.2.3-1">, .req_id = rule<"UMSP-5.2.3-9">});
  if (request == nullptr || request->for_check) return;
  follow_answer(judge, seen, *request, std::nullopt);
  judge_inaction_of_answer(judge, seen, *request);
}

}  // namespace

SectionTables task_tables() {
  return {.instructions = kInstructions};
}

void judge_task(Judge& judge, const Seen& seen) {
  if (seen.layout == nullptr) return;
  switch (seen.layout->opcode) {
    case Opcode::task_reg_2:
    case Opcode::task_reg_4:
    case Opcode::task_reg_8:
      return take_registration(judge, seen);
    case Opcode::task_chk:
      return take_check(judge, seen);
    case Opcode::task_confirm:
      return take_confirmation(judge, seen);
    case Opcode::task_reject:
      return take_rejection(judge, seen);
    case Opcode::session_open:
      return judge_opener(judge, seen);
    case Opcode::session_accept:
      return judge_sanction(judge, seen);
    case Opcode::control_confirm:
      return judge_assigned_gjid(judge, seen);
    default:
      return;
  }
}

}  // namespace wirelaw::umsp
