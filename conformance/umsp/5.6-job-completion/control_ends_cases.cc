// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 5, 5.5 and 5.6, for an IUT that is the control point (JCP): the end of tasks and jobs, and its
// notices.
#include "conformance/umsp/5-job-management/rules.h"
#include "conformance/umsp/5.5-task-termination/rules.h"
#include "conformance/umsp/5.6-job-completion/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/control_probe.h"
#include "conformance/umsp/probes/with_headers.h"

namespace wirelaw::umsp {
namespace {

using std::chrono::seconds;

constexpr Codes kEndCodes{5, 6};
constexpr std::string_view kTaskNotice = "TASK_TERMINATE_INFO", kJobNotice = "JOB_COMPLETED_INFO";

void terminate(SharedJob& peer, Codes codes = kEndCodes) {
  peer.first.send(TaskTerminate{codes, peer.task_of_first.ctid}.draft());
}
void complete(ControlProbe& peer, const ControlledJob& job) {
  peer.send(JobCompleted{kEndCodes, job.ctid()}.draft());
}

bool is(const std::optional<Received>& notice, Opcode opcode) {
  return notice && notice->is(opcode);
}

// --------------------------------------------------------------------------------------------------- the end of a task
void end_of_task_is_notified(SharedJob& peer) {
  Party third(peer.run(), 3);
  if (!third.ok() || !peer.register_task(third, peer.job)) return;
  terminate(peer);
  for (Party* const at : {&peer.second, &third}) {
    const auto notice = ControlProbe::next_notice(*at);
    peer.require_each(
        {&rule<"UMSP-5-5">, &rule<"UMSP-5.5-3">, &rule<"UMSP-5.5.1-15">, &rule<"UMSP-5.5.1-16">, &rule<"UMSP-5.5.2-1">},
        is(notice, Opcode::task_terminate_info), kTaskNotice, to_text(notice),
        "a task on another node has ended with a basic code other than 0");
  }
}

void takes_terminate_with_headers(SharedJob& peer) {
  terminate(peer);
  if (!ControlProbe::next_notice(peer.second)) return peer.inconclusive("the end of a task was not notified");
  for (const WithHeader& header : kHeaders) {
    const auto task = peer.register_task(peer.first, peer.job);
    if (!task) return;
    peer.first.send(header.add(TaskTerminate{kEndCodes, task->ctid}.draft()));
    const auto notice = ControlProbe::next_notice(peer.second);
    peer.require_each({&rule<"UMSP-5.5.1-6">, &rule<"UMSP-5.5.1-11">}, is(notice, Opcode::task_terminate_info),
                      kTaskNotice, to_text(notice), header.name);
  }
}

void ended_node_is_not_notified(SharedJob& peer) {
  terminate(peer);
  if (!ControlProbe::next_notice(peer.second)) return peer.inconclusive("the end of a task was not notified");
  const auto notice = ControlProbe::next_notice(peer.first, peer.run().silence_time());
  peer.require(rule<"UMSP-5.5.2-2">, !is(notice, Opcode::task_terminate_info), "no TASK_TERMINATE_INFO", kTaskNotice,
               "it is the node's own task that has ended");
}

void notice_has_gtid_and_codes(SharedJob& peer) {
  terminate(peer);
  const auto notice = ControlProbe::next_notice(peer.second);
  const auto info =
      is(notice, Opcode::task_terminate_info) ? TaskTerminateInfo::read(notice->instruction) : std::nullopt;
  if (!info) return peer.inconclusive("the end of a task was not notified");
  const bool of_task = node_of(info->gtid) == peer.first.self() && info->gtid.task == peer.task_of_first.ltid.number;
  peer.require(rule<"UMSP-5.5.2-12">, of_task, to_string(gtid_of(peer.first.self(), peer.task_of_first.ltid)),
               to_string(info->gtid));
  peer.require(rule<"UMSP-5.5.2-14">, info->codes == kEndCodes, "the codes of TASK_TERMINATE", "other codes");
}

void task_end_is_no_job_end(SharedJob& peer) {
  terminate(peer);
  const auto notice = ControlProbe::next_notice(peer.second);
  peer.require(rule<"UMSP-5.6.2-2">, !is(notice, Opcode::job_completed_info), kTaskNotice, kJobNotice,
               "the task that has ended is not the first of its job");
  if (!peer.ok() || !notice) return peer.inconclusive("the end of a task was not notified");
  const auto more = ControlProbe::next_notice(peer.second, peer.run().silence_time());
  peer.require(rule<"UMSP-5.6.2-2">, !is(more, Opcode::job_completed_info), "nothing more", kJobNotice,
               "the task that has ended is not the first of its job");
}

void begins_again_behind_notice(SharedJob& peer) {
  terminate(peer);
  const auto again = peer.ask(peer.first, peer.task_reg(peer.job, peer.new_ltid()));
  if (!ControlProbe::says_yes(again)) return;  // the IUT may refuse it until all nodes have the notice
  const auto before = peer.was_sent_before(peer.second, peer.job);
  peer.require(rule<"UMSP-5-6">, before.value_or(true),
               "the notice of the previous task's end before the new task is confirmed",
               "the notice after an answer to an instruction that was sent after TASK_CONFIRM");
}

void ltid_is_free_again(SharedJob& peer) {
  terminate(peer);
  if (!ControlProbe::next_notice(peer.second)) return peer.inconclusive("the end of a task was not notified");
  const auto again = peer.ask(peer.first, peer.task_reg(peer.job, peer.task_of_first.ltid));
  peer.require(rule<"UMSP-5-15">, ControlProbe::says_yes(again), "TASK_CONFIRM", to_text(again),
               "the task that had the LTID has ended");
}

// The field of the CTID is not as long as the JCP's local addresses.
void takes_ctid_of_other_length(SharedJob& peer) {
  const bool longer = peer.job.gjid.format.memory_octets() < 8;
  if (!longer && peer.task_of_first.ctid.number >> 32 != 0) return peer.skip("the CTID needs eight octets");
  const TaskId ctid{peer.task_of_first.ctid.number, static_cast<std::uint8_t>(longer ? 8 : 4)};
  peer.first.send(TaskTerminate{kEndCodes, ctid}.draft());
  const auto notice = ControlProbe::next_notice(peer.second);
  peer.require(rule<"UMSP-5-27">, notice.has_value(), kTaskNotice, to_text(notice),
               "TASK_TERMINATE has the CTID with leading zeros, or without those that it begins with");
}

// ---------------------------------------------------------------------------------------------------- the end of a job
void takes_completed_with_headers(SharedJob& peer) {
  complete(peer, peer.job);
  if (!ControlProbe::next_notice(peer.second)) return peer.inconclusive("the end of a job was not notified");
  for (const WithHeader& header : kHeaders) {
    const auto job = peer.begin_job(peer);
    if (!job || !peer.register_task(peer.second, *job)) return;
    peer.send(header.add(JobCompleted{kEndCodes, job->ctid()}.draft()));
    const auto notice = ControlProbe::next_notice(peer.second);
    peer.require_each({&rule<"UMSP-5.6.1-5">, &rule<"UMSP-5.6.1-10">}, is(notice, Opcode::job_completed_info),
                      kJobNotice, to_text(notice), header.name);
  }
}

void end_of_job_is_notified(SharedJob& peer) {
  complete(peer, peer.job);
  for (Party* const at : {&peer.first, &peer.second}) {
    const auto notice = ControlProbe::next_notice(*at);
    peer.require_each({&rule<"UMSP-5.6.1-13">, &rule<"UMSP-5.6.1-14">}, is(notice, Opcode::job_completed_info),
                      kJobNotice, to_text(notice));
    if (!peer.ok()) return;
    const auto info = JobCompletedInfo::read(notice->instruction);
    if (info && info->codes)
      peer.require(rule<"UMSP-5.6.2-12">, *info->codes == kEndCodes, "the codes of JOB_COMPLETED", "other codes");
  }
}

// ----------------------------------------------------------------------------------------- the end of a job's lifetime

// A job of node 1 with a lifetime of one second and a task on node 2. Skipped if the IUT requires another lifetime.
class ShortJob : public ControlProbe {
 public:
  explicit ShortJob(CaseRun& run) : ControlProbe(run), initiator(run, 1), executor(run, 2) {
    if (!ok()) return;
    if (!initiator.ok() || !executor.ok()) stop();
    if (!ok()) return;
    if (const auto begun = begin_job(initiator, 1)) job = *begun;
    if (ok()) register_task(executor, job);
  }
  std::chrono::nanoseconds wait() const { return seconds(1) + run().answer_time(); }

  Party initiator, executor;
  ControlledJob job;
};

void ends_with_its_life(ShortJob& peer) {
  static_cast<void>(ControlProbe::next_notice(peer.executor, peer.wait()));
  const auto late = peer.ask(peer.executor, peer.task_reg(peer.job, peer.new_ltid()));
  peer.require(rule<"UMSP-5.6-3">, ControlProbe::says_no(late), "TASK_REJECT", to_text(late),
               "a task of a job whose lifetime has passed");
  if (!peer.ok()) return;
  const auto other = peer.begin_job(peer);
  if (other) peer.register_task(peer.executor, *other);
}

void notifies_at_end_of_life(ShortJob& peer) {
  for (Party* const at : {&peer.executor, &peer.initiator}) {
    const auto notice = ControlProbe::next_notice(*at, peer.wait());
    peer.require(rule<"UMSP-5.6.2-16">, is(notice, Opcode::job_completed_info), kJobNotice, to_text(notice),
                 "the lifetime of the job has passed");
  }
}

void notifies_initiator_first(ShortJob& peer) {
  if (!ControlProbe::next_notice(peer.executor, peer.wait()))
    return peer.inconclusive("the end of a job's lifetime was not notified");
  const auto before = peer.was_sent_before(peer.initiator, peer.job);
  peer.require(rule<"UMSP-5.6.2-17">, before.value_or(true),
               "JOB_COMPLETED_INFO to the initiator before that to others",
               "the notice after an answer to an instruction that was sent once another node had JOB_COMPLETED_INFO");
}

const CaseRow kRows[] = {
    {"jcp/end-of-a-task-is-notified",
     {&rule<"UMSP-5-5">, &rule<"UMSP-5.5-3">, &rule<"UMSP-5.5.1-15">, &rule<"UMSP-5.5.1-16">, &rule<"UMSP-5.5.2-1">},
     "The IUT notifies each other node of a job of the end of a task.",
     with<end_of_task_is_notified>()},
    {"jcp/takes-task-terminate-with-extension-headers",
     {&rule<"UMSP-5.5.1-6">, &rule<"UMSP-5.5.1-11">},
     "The IUT accepts TASK_TERMINATE with extension headers.",
     with<takes_terminate_with_headers>()},
    {"jcp/node-of-the-ended-task-is-not-notified",
     {&rule<"UMSP-5.5.2-2">},
     "The IUT sends the node of an ended task no notice of it.",
     with<ended_node_is_not_notified>()},
    {"jcp/notice-names-the-task",
     {&rule<"UMSP-5.5.2-12">, &rule<"UMSP-5.5.2-14">},
     "The IUT sends TASK_TERMINATE_INFO with the GTID of the task and the codes of its end.",
     with<notice_has_gtid_and_codes>()},
    {"jcp/end-of-a-task-is-not-that-of-its-job",
     {&rule<"UMSP-5.6.2-2">},
     "The IUT keeps a job when a task other than its first ends.",
     with<task_end_is_no_job_end>()},
    {"jcp/task-begins-again-behind-the-notice",
     {&rule<"UMSP-5-6">},
     "The IUT confirms a node's task again after it has sent the notice of the previous task's end.",
     with<begins_again_behind_notice>()},
    {"jcp/ltid-is-free-again",
     {&rule<"UMSP-5-15">},
     "The IUT accepts an LTID again after its task has ended.",
     with<ltid_is_free_again>()},
    {"jcp/takes-a-ctid-of-another-length",
     {&rule<"UMSP-5-27">},
     "The IUT reads a CTID with leading zeros as the same CTID.",
     with<takes_ctid_of_other_length>()},
    {"jcp/takes-job-completed-with-extension-headers",
     {&rule<"UMSP-5.6.1-5">, &rule<"UMSP-5.6.1-10">},
     "The IUT accepts JOB_COMPLETED with extension headers.",
     with<takes_completed_with_headers>()},
    {"jcp/end-of-a-job-is-notified",
     {&rule<"UMSP-5.6.1-13">, &rule<"UMSP-5.6.1-14">, &rule<"UMSP-5.6.2-12">},
     "The IUT notifies all nodes of a job of its end, with the codes of JOB_COMPLETED.",
     with<end_of_job_is_notified>()},
    {"jcp/job-ends-with-its-lifetime",
     {&rule<"UMSP-5.6-3">},
     "The IUT ends a job when its lifetime has passed.",
     with<ends_with_its_life>()},
    {"jcp/end-of-a-lifetime-is-notified",
     {&rule<"UMSP-5.6.2-16">},
     "The IUT reports the end of a lifetime by JOB_COMPLETED_INFO.",
     with<notifies_at_end_of_life>()},
    {"jcp/initiator-is-notified-first",
     {&rule<"UMSP-5.6.2-17">},
     "The IUT notifies the initiator first of the end of a lifetime.",
     with<notifies_initiator_first>()},
};

}  // namespace

std::vector<Case> control_ends_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
