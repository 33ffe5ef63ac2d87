// SPDX-License-Identifier: Apache-2.0
// RFC 3018, sections 5.1 and 5.2, for an IUT that is the control point (JCP): requests of nodes.
#include "conformance/umsp/5.1-job-initiation/rules.h"
#include "conformance/umsp/5.2-task-initiation/rules.h"
#include "conformance/umsp/5.7-activity-control/rules.h"
#include "conformance/umsp/probes/case_file.h"
#include "conformance/umsp/probes/control_probe.h"
#include "conformance/umsp/probes/with_headers.h"

namespace wirelaw::umsp {
namespace {

using std::chrono::seconds;

constexpr std::string_view kConfirm = "CONTROL_CONFIRM", kRegistered = "TASK_CONFIRM";

void take_control(ControlProbe& peer, const Rule& judged, Draft draft, std::string_view explanation) {
  const auto answer = peer.ask(peer, std::move(draft));
  // If the IUT has no room for another job, it also refuses a plain request, and the case is skipped.
  if (ControlProbe::says_no(answer) && !peer.begin_job(peer)) return;
  peer.require(judged, ControlProbe::says_yes(answer), kConfirm, to_text(answer), explanation);
}

// --------------------------------------------------------------------------------------------------------- CONTROL_REQ
void answers_control_req(ControlProbe& peer) {
  const auto answer = peer.ask(peer, peer.control_req(peer.new_ltid()));
  peer.require(rule<"UMSP-5.1.1-26">, answer.has_value(), "CONTROL_CONFIRM or CONTROL_REJECT", to_text(answer));
}

void gjid_leads_to_it(ControlProbe& peer) {
  const auto job = peer.begin_job(peer);
  if (!job) return;
  peer.require(rule<"UMSP-5.2-6">, node_of(job->gjid) == peer.iut(), "a GJID with the IUT's own address",
               to_string(job->gjid), "other nodes find the JCP by this address");
}

void takes_control_req_with_headers(ControlProbe& peer) {
  if (!peer.begin_job(peer)) return;
  for (const WithHeader& header : kHeaders)
    take_control(peer, rule<"UMSP-5.1.1-5">, header.add(peer.control_req(peer.new_ltid())), header.name);
}

void takes_job_name(ControlProbe& peer) {
  if (!peer.begin_job(peer)) return;
  take_control(peer, rule<"UMSP-5.1.1-18">, named(peer.control_req(peer.new_ltid()), "a job"), "with _NAME");
}

// The IUT may refuse a period that it does not accept with the same header (UMSP/B18).
void takes_inaction_time(ControlProbe& peer) {
  if (!peer.begin_job(peer)) return;
  Draft draft = peer.control_req(peer.new_ltid());
  draft.extensions.push_back(inaction_extension(120));
  const auto answer = peer.ask(peer, std::move(draft));
  const bool taken = ControlProbe::says_yes(answer) || (answer && inaction_of(answer->instruction));
  peer.require(rule<"UMSP-5.1.1-20">, taken, "CONTROL_CONFIRM, or CONTROL_REJECT with _INACTION_TIME", to_text(answer));
}

void looks_at_no_cmt(ControlProbe& peer) {
  if (!peer.begin_job(peer)) return;
  const TaskId ltid = peer.new_ltid();
  take_control(peer, rule<"UMSP-5.1.1-13">, ControlReq{{.cmt = true}, ltid}.draft(), "CMT is 1");
}

void job_without_life_time_lives(ControlProbe& peer) {
  Party other(peer.run(), 1);
  const auto job = peer.begin_job(peer);
  if (!job || !other.ok()) return;
  const bool silent = ControlProbe::is_without_notice(peer, seconds(2));
  peer.require(rule<"UMSP-5.1.1-11">, silent, "no notice of its end", "a notice", "JOB_LIFE_TIME is 0");
  const auto answer = peer.ask(other, peer.task_reg(*job, peer.new_ltid()));
  peer.require(rule<"UMSP-5.1.1-11">, ControlProbe::says_yes(answer), kRegistered, to_text(answer),
               "a task of a job whose JOB_LIFE_TIME is 0, two seconds after its beginning");
}

void name_stays(ControlProbe& peer) {
  Party first(peer.run(), 1), second(peer.run(), 2);
  const TaskId ltid = peer.new_ltid();
  const auto job = peer.begin_job(peer, ltid, named(peer.control_req(ltid), "a job"));
  if (!job || !first.ok() || !second.ok()) return;
  for (Party* const on : {&first, &second}) {
    const auto task = peer.register_task(*on, *job);
    if (!task) return;
    if (!task->job_name) return peer.skip("the IUT may omit the names of jobs in TASK_CONFIRM");
    peer.require(rule<"UMSP-5.1.1-19">, *task->job_name == "a job", "the name that CONTROL_REQ gave", *task->job_name);
  }
}

// ------------------------------------------------------------------------------------------------ repeated CONTROL_REQ
void former_job_is_looked_up(SharedJob& peer) {
  const auto again = peer.begin_job(peer, peer.job.ltid, peer.control_req(peer.job.ltid));
  if (!again) return;
  Party third(peer.run(), 3);
  if (!third.ok()) return;
  const auto of_former = peer.ask(third, peer.task_reg(peer.job, peer.new_ltid()));
  peer.require(rule<"UMSP-5.1.1-21">, ControlProbe::says_no(of_former), "TASK_REJECT", to_text(of_former),
               "a task of the job whose LTID another CONTROL_REQ has used since");
  if (peer.ok() && !peer.register_task(third, *again)) return;
}

void former_job_is_notified(SharedJob& peer) {
  const auto answer = peer.ask(peer, peer.control_req(peer.job.ltid));
  for (Party* const at : {&peer.first, &peer.second}) {
    const auto notice = ControlProbe::next_notice(*at);
    peer.require(rule<"UMSP-5.1.1-22">, notice.has_value(), "TASK_TERMINATE_INFO or JOB_COMPLETED_INFO",
                 to_text(notice), "the job's first node has begun a job with the same LTID");
  }
  peer.require(rule<"UMSP-5.1.1-23">, ControlProbe::says_yes(answer), kConfirm, to_text(answer),
               "the LTID belongs to an old job");
}

void former_job_is_notified_first(SharedJob& peer) {
  const auto answer = peer.ask(peer, peer.control_req(peer.job.ltid));
  if (!ControlProbe::says_yes(answer)) return peer.inconclusive("the repeated CONTROL_REQ was not confirmed");
  const auto before = peer.was_sent_before(peer.second, peer.job);
  peer.require(rule<"UMSP-5.1.1-24">, before.value_or(true), "the notice before CONTROL_CONFIRM",
               "the notice after an answer to an instruction that was sent after CONTROL_CONFIRM");
}

void other_jobs_go_on(SharedJob& peer) {
  const auto answer = peer.ask(peer, peer.control_req(peer.new_ltid()));
  peer.require(rule<"UMSP-5.1.1-25">, ControlProbe::says_yes(answer), kConfirm, to_text(answer), "another LTID");
  peer.require(rule<"UMSP-5.1.1-25">, ControlProbe::is_without_notice(peer.first), "no notice", "a notice",
               "another job of the node was begun");
}

// ------------------------------------------------------------------------------------------------------------ TASK_REG
class JobAndNode : public ControlProbe {
 public:
  explicit JobAndNode(CaseRun& run) : ControlProbe(run), node(run, 1) {
    if (!ok()) return;
    if (!node.ok()) stop();
    if (!ok()) return;
    if (const auto begun = begin_job(*this)) job = *begun;
  }
  void expect(const Rule& judged, bool confirmed, Draft draft, std::string_view explanation) {
    const auto answer = ask(node, std::move(draft));
    if (confirmed)
      require(judged, says_yes(answer), kRegistered, to_text(answer), explanation);
    else
      require(judged, !says_yes(answer), "TASK_REJECT", to_text(answer), explanation);
  }

  Party node;
  ControlledJob job;
};

void answers_task_reg(JobAndNode& peer) {
  const auto answer = peer.ask(peer.node, peer.task_reg(peer.job, peer.new_ltid()));
  peer.require(rule<"UMSP-5.2.1-21">, answer.has_value(), "TASK_CONFIRM or TASK_REJECT", to_text(answer));
}

void confirms_task(JobAndNode& peer) {
  peer.expect(rule<"UMSP-5.2.1-17">, true, peer.task_reg(peer.job, peer.new_ltid()),
              "the GTID is that of the task in CONTROL_REQ, and the LTID is new");
}

void takes_task_reg_with_headers(JobAndNode& peer) {
  if (!peer.register_task(peer.node, peer.job)) return;
  for (const WithHeader& header : kHeaders) {
    const auto job = peer.begin_job(peer);
    if (!job) return;
    peer.expect(rule<"UMSP-5.2.1-6">, true, header.add(peer.task_reg(*job, peer.new_ltid())), header.name);
  }
}

void takes_task_reg_with_period(JobAndNode& peer) {
  Draft draft = peer.task_reg(peer.job, peer.new_ltid());
  draft.extensions.push_back(inaction_extension(120));
  const auto answer = peer.ask(peer.node, draft);
  if (ControlProbe::says_yes(answer) || !answer)
    return static_cast<void>(peer.require(rule<"UMSP-5.2.1-15">, answer.has_value(), kRegistered, to_text(answer)));
  const auto fitting = inaction_of(answer->instruction);
  peer.require(rule<"UMSP-5.2.1-15">, fitting.has_value(), "TASK_CONFIRM, or TASK_REJECT with _INACTION_TIME",
               to_text(answer));
  if (!peer.ok()) return;
  draft.extensions = {inaction_extension(*fitting)};
  peer.expect(rule<"UMSP-5.2.1-15">, true, draft, "the period is the one in TASK_REJECT");
}

void rejects_unknown_opener(JobAndNode& peer) {
  const Identifier unknown = gtid_of(peer.self(), peer.new_ltid());
  peer.expect(rule<"UMSP-5.2.1-18">, false, peer.task_reg(peer.job, peer.new_ltid(), unknown), "no task has that GTID");
  if (peer.ok()) peer.register_task(peer.node, peer.job);
}

void rejects_known_ltid(JobAndNode& peer) {
  const auto task = peer.register_task(peer.node, peer.job);
  const auto other = task ? peer.begin_job(peer) : std::nullopt;
  if (!other) return;
  peer.expect(rule<"UMSP-5.2.1-19">, false, peer.task_reg(*other, task->ltid),
              "the node has an active task with that LTID");
  if (peer.ok()) peer.register_task(peer.node, *other);
}

void rejects_unknown_job(JobAndNode& peer) {
  ControlledJob unknown = peer.job;
  unknown.gjid.task ^= 0x5a5a;
  peer.expect(rule<"UMSP-5.2.1-20">, false, peer.task_reg(unknown, peer.new_ltid()), "no job has that CTID");
  if (peer.ok()) peer.register_task(peer.node, peer.job);
}

void names_a_period(JobAndNode& peer) {
  const auto task = peer.register_task(peer.node, peer.job);
  if (!task) return;
  if (!task->period) return peer.skip("TASK_CONFIRM names no period, so the IUT's own is not known");
  peer.advise(rule<"UMSP-5.7.1-10">, *task->period != 0, "a period", "0, which is no period", "TASK_REG named none");
}

// ------------------------------------------------------------------------------------------------------------ TASK_CHK
void checks(SharedJob& peer) {
  const Identifier opener = gtid_of(peer.second.self(), peer.task_of_second.ltid);
  const auto answer = peer.ask(peer.first, peer.task_chk(peer.job, peer.task_of_first.ltid, opener));
  peer.require(rule<"UMSP-5.2.4-13">, ControlProbe::says_yes(answer), kRegistered, to_text(answer),
               "both tasks were registered");
}

void takes_check_with_headers(SharedJob& peer) {
  const Identifier opener = gtid_of(peer.second.self(), peer.task_of_second.ltid);
  const Draft plain = peer.task_chk(peer.job, peer.task_of_first.ltid, opener);
  for (const WithHeader& header : kHeaders) {
    const auto answer = peer.ask(peer.first, header.add(plain));
    peer.require(rule<"UMSP-5.2.4-8">, ControlProbe::says_yes(answer), kRegistered, to_text(answer), header.name);
  }
}

void rejects_checks_of_unknown(SharedJob& peer) {
  const Identifier opener = gtid_of(peer.second.self(), peer.task_of_second.ltid);
  const auto served = peer.ask(peer.first, peer.task_chk(peer.job, peer.task_of_first.ltid, opener));
  if (!ControlProbe::says_yes(served)) return peer.inconclusive("TASK_CHK of registered tasks was not confirmed");
  const Identifier unknown = gtid_of(peer.second.self(), peer.new_ltid());
  for (const Draft& draft :
       {peer.task_chk(peer.job, peer.task_of_first.ltid, unknown), peer.task_chk(peer.job, peer.new_ltid(), opener)}) {
    const auto answer = peer.ask(peer.first, draft);
    peer.require(rule<"UMSP-5.2.4-14">, !ControlProbe::says_yes(answer), "TASK_REJECT", to_text(answer),
                 "the task of the GTID or of the LTID was not registered");
  }
}

const CaseRow kRows[] = {
    {"jcp/answers-control-req", {&rule<"UMSP-5.1.1-26">}, "The IUT answers CONTROL_REQ.", with<answers_control_req>()},
    {"jcp/gjid-leads-to-it",
     {&rule<"UMSP-5.2-6">},
     "The IUT assigns a GJID with its own address.",
     with<gjid_leads_to_it>()},
    {"jcp/takes-control-req-with-extension-headers",
     {&rule<"UMSP-5.1.1-5">},
     "The IUT accepts CONTROL_REQ with extension headers.",
     with<takes_control_req_with_headers>()},
    {"jcp/takes-control-req-with-a-name",
     {&rule<"UMSP-5.1.1-18">},
     "The IUT accepts CONTROL_REQ that names the job.",
     with<takes_job_name>()},
    {"jcp/takes-control-req-with-a-period",
     {&rule<"UMSP-5.1.1-20">},
     "The IUT accepts CONTROL_REQ with _INACTION_TIME.",
     with<takes_inaction_time>()},
    {"jcp/looks-at-no-cmt",
     {&rule<"UMSP-5.1.1-13">},
     "The IUT answers CONTROL_REQ whatever its CMT.",
     with<looks_at_no_cmt>()},
    {"jcp/job-without-a-lifetime-lives",
     {&rule<"UMSP-5.1.1-11">},
     "The IUT does not end a job with JOB_LIFE_TIME 0.",
     with<job_without_life_time_lives>()},
    {"jcp/name-of-a-job-stays",
     {&rule<"UMSP-5.1.1-19">},
     "The IUT sends TASK_CONFIRM with the name that the job was given.",
     with<name_stays>()},
    {"jcp/repeated-job-is-looked-up",
     {&rule<"UMSP-5.1.1-21">},
     "The IUT ends an active job when CONTROL_REQ repeats its LTID.",
     with<former_job_is_looked_up>()},
    {"jcp/repeated-job-is-notified",
     {&rule<"UMSP-5.1.1-22">, &rule<"UMSP-5.1.1-23">},
     "The IUT notifies the nodes of a job that is begun again, and accepts the new job.",
     with<former_job_is_notified>()},
    {"jcp/repeated-job-is-notified-first",
     {&rule<"UMSP-5.1.1-24">},
     "The IUT sends the notice of a job that is begun again before the confirmation.",
     with<former_job_is_notified_first>()},
    {"jcp/other-jobs-go-on",
     {&rule<"UMSP-5.1.1-25">},
     "The IUT keeps the node's other job when CONTROL_REQ has a new LTID.",
     with<other_jobs_go_on>()},
    {"jcp/answers-task-reg", {&rule<"UMSP-5.2.1-21">}, "The IUT answers TASK_REG.", with<answers_task_reg>()},
    {"jcp/confirms-a-task",
     {&rule<"UMSP-5.2.1-17">},
     "The IUT confirms a task for which both conditions hold.",
     with<confirms_task>()},
    {"jcp/takes-task-reg-with-extension-headers",
     {&rule<"UMSP-5.2.1-6">},
     "The IUT accepts TASK_REG with extension headers.",
     with<takes_task_reg_with_headers>()},
    {"jcp/takes-task-reg-with-a-period",
     {&rule<"UMSP-5.2.1-15">},
     "The IUT accepts TASK_REG with _INACTION_TIME.",
     with<takes_task_reg_with_period>()},
    {"jcp/rejects-a-task-of-an-unknown-opener",
     {&rule<"UMSP-5.2.1-18">},
     "The IUT rejects a task whose GTID belongs to no task.",
     with<rejects_unknown_opener>()},
    {"jcp/rejects-a-known-ltid",
     {&rule<"UMSP-5.2.1-19">},
     "The IUT rejects a task whose LTID is in use.",
     with<rejects_known_ltid>()},
    {"jcp/rejects-a-task-of-an-unknown-job",
     {&rule<"UMSP-5.2.1-20">},
     "The IUT rejects a task whose CTID belongs to no job.",
     with<rejects_unknown_job>()},
    {"jcp/names-a-period",
     {&rule<"UMSP-5.7.1-10">},
     "The IUT, as the JCP, sets a period if TASK_REG has none.",
     with<names_a_period>()},
    {"jcp/confirms-a-check",
     {&rule<"UMSP-5.2.4-13">},
     "The IUT confirms TASK_CHK of registered tasks.",
     with<checks>()},
    {"jcp/takes-task-chk-with-extension-headers",
     {&rule<"UMSP-5.2.4-8">},
     "The IUT accepts TASK_CHK with extension headers.",
     with<takes_check_with_headers>()},
    {"jcp/rejects-a-check-of-unknown-tasks",
     {&rule<"UMSP-5.2.4-14">},
     "The IUT does not confirm TASK_CHK of a task that is not registered.",
     with<rejects_checks_of_unknown>()},
};

}  // namespace

std::vector<Case> control_requests_cases() {
  return cases_of(kRows);
}

}  // namespace wirelaw::umsp
