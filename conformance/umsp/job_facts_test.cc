// SPDX-License-Identifier: Apache-2.0
// Facts about job management: each check is given one that keeps its rule, and one that breaks it.
#include "conformance/umsp/5-job-management/job_management.h"
#include "conformance/umsp/5.1-job-initiation/job_initiation.h"
#include "conformance/umsp/5.2-task-initiation/task_initiation.h"
#include "conformance/umsp/5.5-task-termination/task_termination.h"
#include "conformance/umsp/5.6-job-completion/job_completion.h"
#include "conformance/umsp/5.7-activity-control/activity_control.h"
#include "conformance/umsp/facts_test.h"

namespace wirelaw::umsp::facts::jobs {
namespace {

using Match = AnswerFact::Match;
using Of = JobEndFact::Of;
using Order = UseAfterEndFact::Order;

constexpr std::uint64_t kCtid = 0x3002, kLtid = 0x5001;
constexpr std::uint16_t kPeriod = 10;  // half seconds
constexpr std::string_view kName = "name";
constexpr Codes kCodes{.basic = 3, .additional = 4};

// --- instructions that the facts are about
Identifier identifier(std::uint64_t task) {
  constexpr Octet kNode[] = {192, 0, 2, 3};
  return *make_identifier(kIpv4Memory32, kNode, task);
}
Draft with_inaction_time(Draft draft) {
  draft.extensions.push_back(inaction_extension(kPeriod));
  return draft;
}
Draft control_confirm() {
  return with_id(ControlConfirm{.gjid = identifier(kCtid)}.draft());
}
Draft control_reject() {
  return with_id(ControlReject{.codes = kCodes}.draft());
}
Draft control_reject_as_printed() {
  Draft draft = control_reject();
  draft.opcode = static_cast<std::uint8_t>(Opcode::control_confirm);
  return draft;
}
Draft task_reg() {
  return with_id(TaskReg{.ctid = {kCtid}, .gtid = identifier(kLtid), .ltid = {kLtid}}.draft());
}
Draft task_reg_with_inaction_time() {
  return with_inaction_time(task_reg());
}
Draft task_chk() {
  return with_id(TaskReg{.ctid = {kCtid}, .gtid = identifier(kLtid), .ltid = {kLtid}}.draft(true));
}
Draft task_confirm() {
  Draft draft = with_id(TaskConfirm{.ctid = {kCtid}}.draft());
  draft.extensions.push_back(text_extension(HeadCode::name, kName));
  return draft;
}
Draft task_confirm_with_inaction_time() {
  return with_inaction_time(task_confirm());
}
Draft task_reject() {
  return with_id(TaskReject{.codes = kCodes}.draft());
}
Draft task_reject_with_inaction_time() {
  return with_inaction_time(task_reject());
}
Draft session_open() {
  return with_id(SessionOpen{.gjid = identifier(kCtid), .ltid = {kLtid}}.draft());
}
Draft session_accept() {
  Draft draft = with_id(draft_of(Opcode::session_accept));
  draft.session_id = 1;
  return draft;
}
Draft task_terminate() {
  return TaskTerminate{.codes = kCodes, .ctid = {kCtid}}.draft();
}
Draft task_terminate_info() {
  return TaskTerminateInfo{.codes = kCodes, .gtid = identifier(kLtid)}.draft();
}
Draft job_completed() {
  return JobCompleted{.codes = kCodes, .ctid = {0x10000 + kCtid}}.draft();
}
Draft job_completed_info() {
  return JobCompletedInfo{.codes = kCodes, .gjid = identifier(kCtid)}.draft();
}
Draft state_req() {
  return StateReq{.ltid = {kLtid}}.draft();
}
Draft task_state() {
  return TaskState{.state = 1, .ctid = {kCtid}}.draft();
}
Draft node_reload() {
  return NodeReload{.ltid = {kLtid}}.draft();
}

// --- facts
constexpr ManagementRequest::Kind kOfRegistration = ManagementRequest::Kind::registration;
const ManagementRequest kControl, kRegistration{.kind = kOfRegistration},
    kCheck{.kind = ManagementRequest::Kind::check},
    kCheckOfOpener{.kind = ManagementRequest::Kind::check, .gtid = identifier(kLtid)},
    kCheckAfterEnd{.kind = ManagementRequest::Kind::check, .after_end = true},
    kTimed{.kind = kOfRegistration, .has_inaction_time = true, .period = kPeriod},
    kWithOpener{.kind = kOfRegistration, .gtid = identifier(kLtid)};

AnswerFact answer(Match match, const ManagementRequest& request) {
  return {match, &request};
}
void check_registered(Judge& judge, const SeenInstruction& seen, const RegisteredFact& fact) {
  check_task(judge, seen, {.answer = answer(Match::right, kWithOpener), .registered = fact});
}
void check_checked(Judge& judge, const SeenInstruction& seen, const CheckedFact& fact) {
  check_task(judge, seen, {.answer = answer(Match::right, kCheck), .checked = fact});
}
void check_opening(Judge& judge, const SeenInstruction& seen, const RegistrationFact::Opening& fact) {
  check_task(judge, seen, {.registration = RegistrationFact{.opening = fact}});
}
void check_silence(Judge& judge, const SeenInstruction& seen, bool is_alone, const StateRequestFact::Silence& fact) {
  check_activity(judge, seen, {.request = StateRequestFact{.is_alone = is_alone, .silence = fact}});
}
std::optional<UseAfterEndFact> use(bool holds, Order order) {
  return holds ? std::nullopt : std::optional(UseAfterEndFact{.frame = 1, .order = order});
}

const Row kRows[] = {
    // --- 2.2 and 5: identifiers
    {"UMSP-2.2-10", kFails, control_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job(judge, seen, {.gjid = GjidFact{.holders = GjidFact::Holders{.is_own_job = !holds}}});
     }},
    {"UMSP-2.2-10", kWarns, control_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job(judge, seen,
                 {.gjid = GjidFact{.holders = GjidFact::Holders{.is_first_task_elsewhere = !holds, .is_live = true}}});
     }},
    {"UMSP-5-14", kFails, task_reg,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_management(judge, seen, {.is_ltid_free = holds, .is_certain = true});
     }},
    {"UMSP-5-14", kWarns, task_reg,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_management(judge, seen, {.is_ltid_free = holds});
     }},
    {"UMSP-5-18", kFails, control_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job(judge, seen, {.gjid = GjidFact{.is_ctid_taken = !holds, .is_alone = true}});
     }},
    {"UMSP-5-18", kWarns, control_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job(judge, seen, {.gjid = GjidFact{.is_ctid_taken = !holds}});
     }},
    {"UMSP-5-18", kFails, control_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job(judge, seen,
                 {.gjid = GjidFact{.is_ctid_taken = false,
                                   .holders = GjidFact::Holders{.is_task_elsewhere = !holds}}});
     }},
    {"UMSP-5-26", kFails, job_completed,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_management(judge, seen, {.jcp_format = holds ? kIpv4Memory24 : kIpv4Memory16});
     }},
    // --- 5.1: jobs
    {"UMSP-5.1-2", kFails, session_open,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job(judge, seen, {.first_task = FirstTaskFact{.ltid = holds ? kLtid : kLtid + 1, .is_alone = true}});
     }},
    {"UMSP-5.1-2", kWarns, session_open,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job(judge, seen, {.first_task = FirstTaskFact{.ltid = holds ? kLtid : kLtid + 1}});
     }},
    {"UMSP-5.1.2-1", kFails, control_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job(judge, seen, {.answer = answer(holds ? Match::right : Match::again, kControl)});
     }},
    {"UMSP-5.1.2-9", kWarns, control_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job(judge, seen, {.answer = answer(holds ? Match::right : Match::other_waits, kControl)});
     }},
    {"UMSP-5.1.3-1", kWarns, control_reject,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job(judge, seen, {.answer = answer(holds ? Match::right : Match::none, kControl)});
     }},
    {"UMSP-5.1.3-1", kFails, control_reject_as_printed,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job(judge, seen, {.answer = answer(holds ? Match::right : Match::again, kControl)});
     }},
    {"UMSP-5.1.1-27", kFails, task_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_task(judge, seen, {.answer = answer(holds ? Match::right : Match::wrong_kind, kControl)});
     }},
    // --- 5.2: tasks
    {"UMSP-5.1.1-19", kFails, task_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_registered(judge, seen, {.name = std::string(holds ? kName : "other")});
     }},
    {"UMSP-5.2-1", kWarns, session_open,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_task(judge, seen, {.opener = OpenerFact{.has_task = holds}});
     }},
    {"UMSP-5.2-6", kWarns, control_confirm,
     [](Judge& judge, const Seen& seen, bool holds) { check_task(judge, seen, {.is_jcp = holds}); }},
    {"UMSP-5.2-7", kFails, session_accept,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_task(judge, seen, {.sanction = SanctionFact{.state = holds ? JobQuestion::State::confirmed
                                                                        : JobQuestion::State::waiting}});
     }},
    {"UMSP-5.2.3-2", kFails, session_accept,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_task(judge, seen, {.sanction = SanctionFact{.state = holds ? JobQuestion::State::confirmed
                                                                        : JobQuestion::State::rejected}});
     }, kOnlyBreach},
    {"UMSP-5.2.1-2", kWarns, task_reg,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_task(judge, seen,
                  {.registration = RegistrationFact{.jcp_format = holds ? kIpv4Memory32 : kIpv4Memory16}});
     }},
    {"UMSP-5.2.1-11", kFails, task_reg,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_opening(judge, seen, {.has_begun = true, .is_of_job = holds, .is_of_opener = true});
     }},
    {"UMSP-5.2.1-11", kWarns, task_reg,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_opening(judge, seen, {.is_of_job = holds, .is_of_opener = true});
     }},
    {"UMSP-5.2.1-13", kFails, task_reg,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_opening(judge, seen, {.has_begun = true, .is_of_job = true, .is_of_opener = holds});
     }},
    {"UMSP-5.2.1-16", kFails, task_reg,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_task(judge, seen, {.registration = RegistrationFact{.has_task = !holds, .is_certain = true}});
     }},
    {"UMSP-5.2.1-16", kWarns, task_reg,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_task(judge, seen, {.registration = RegistrationFact{.has_task = !holds}});
     }},
    {"UMSP-5.2.1-18", kFails, task_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_registered(judge, seen, {.has_opener = holds});
     }},
    {"UMSP-5.2.1-18", kWarns, task_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_registered(judge, seen, {.is_live = true, .has_opener = holds});
     }},
    {"UMSP-5.2.1-18", kFails, task_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       RegisteredFact fact;
       if (!holds) fact.completed = RegisteredFact::Completed{.is_proven = true};
       check_registered(judge, seen, fact);
     }, kOnlyBreach},
    {"UMSP-5.2.1-22", kFails, control_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job(judge, seen, {.answer = answer(holds ? Match::right : Match::wrong_kind, kRegistration)});
     }},
    {"UMSP-5.2.2-1", kFails, task_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_task(judge, seen, {.answer = answer(holds ? Match::right : Match::again, kRegistration)});
     }},
    {"UMSP-5.2.2-9", kWarns, task_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_task(judge, seen, {.answer = answer(holds ? Match::right : Match::other_waits, kRegistration)});
     }},
    {"UMSP-5.2.2-10", kFails, task_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_checked(judge, seen, {.is_alone = true, .ctid = holds ? kCtid : kCtid + 1});
     }},
    {"UMSP-5.2.2-11", kFails, task_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_registered(judge, seen, {.is_taken = !holds, .is_certain = true});
     }},
    {"UMSP-5.2.2-11", kWarns, task_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_registered(judge, seen, {.is_taken = !holds});
     }},
    {"UMSP-5.2.2-11", kFails, task_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_registered(judge, seen, {.is_taken_elsewhere = !holds});
     }, kOnlyBreach},
    {"UMSP-5.2.3-1", kWarns, task_reject,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_task(judge, seen, {.answer = answer(holds ? Match::right : Match::none, kCheck)});
     }},
    {"UMSP-5.2.4-10", kWarns, task_chk,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_task(judge, seen,
                  {.registration = RegistrationFact{.jcp_format = holds ? kIpv4Memory32 : kIpv4Memory16}});
     }},
    {"UMSP-5.2.4-12", kFails, control_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job(judge, seen, {.answer = answer(holds ? Match::right : Match::wrong_kind, kCheck)});
     }},
    {"UMSP-5.2.4-14", kFails, task_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       AnswerFact fact = answer(Match::right, holds ? kCheck : kCheckAfterEnd);
       check_task(judge, seen, {.answer = fact, .checked = CheckedFact{.is_alone = true}});
     }},
    {"UMSP-5.2.4-14", kFails, task_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_checked(judge, seen, {.has_task = holds});
     }},
    {"UMSP-5.2.4-14", kWarns, task_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_checked(judge, seen, {.has_no_other = holds});
     }},
    {"UMSP-5.2-7", kFails, session_accept,
     [](Judge& judge, const Seen&, bool holds) {
       if (!holds) check_missing_sanction(judge, {});
     }, kOnlyBreach},
    {"UMSP-5.2.4-14", kWarns, task_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_checked(judge, seen, {.is_live = true, .has_task = holds});
     }},
    {"UMSP-5.2.4-14", kFails, task_confirm,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_task(judge, seen, {.answer = answer(Match::right, kCheckOfOpener), .checked = CheckedFact{.has_opener = holds}});
     }},
    // --- 5.5: the end of tasks
    {"UMSP-5.5.1-10", kFails, task_terminate,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_task_end(judge, seen, {.end = TaskEndFact{.names_first_task = !holds, .is_alone = true}});
     }},
    {"UMSP-5.5.1-10", kWarns, task_terminate,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_task_end(judge, seen, {.end = TaskEndFact{.is_known = holds}});
     }},
    {"UMSP-5.5.1-10", kFails, task_terminate,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_task_end(judge, seen, {.end = TaskEndFact{.once = {.is_again = !holds, .is_certain = true}}});
     }},
    {"UMSP-5.5.1-13", kFails, nop,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_task_end(judge, seen, {.use = use(holds, Order::same_connection)});
     }, kOnlyBreach},
    {"UMSP-5.5.1-15", kFails, nop,
     [](Judge& judge, const Seen&, bool holds) {
       if (!holds) check_missing_notice(judge, {.notice = {.of = JobNode{}}});
     }, kOnlyBreach},
    {"UMSP-5.5.1-16", kFails, nop,
     [](Judge& judge, const Seen&, bool holds) {
       if (!holds) check_missing_notice(judge, {.notice = {.of = JobNode{}, .others_were = true}});
     }, kOnlyBreach},
    {"UMSP-5.5.2-1", kWarns, task_terminate_info,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_task_end(judge, seen, {.notice = TaskNoticeFact{.has_task = holds}});
     }},
    {"UMSP-5.5.2-2", kFails, task_terminate_info,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_task_end(judge, seen, {.notice = TaskNoticeFact{.is_of_addressee = !holds}});
     }},
    {"UMSP-5.5.2-3", kWarns, task_terminate_info,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_task_end(judge, seen, {.notice = TaskNoticeFact{.is_confirmed = holds}});
     }},
    {"UMSP-5.5.2-14", kFails, task_terminate_info,
     [](Judge& judge, const Seen& seen, bool holds) {
       const EndCodes codes{kCodes.basic, holds ? kCodes.additional : kCodes.additional + 1u};
       check_task_end(judge, seen, {.notice = TaskNoticeFact{.end = TaskNoticeFact::End{codes, 1}}});
     }},
    // --- 5.6: the end of jobs
    {"UMSP-5.1.1-22", kFails, nop,
     [](Judge& judge, const Seen&, bool holds) {
       if (!holds) check_missing_notice(judge, {.notice = {.begun_again = true}});
     }, kOnlyBreach},
    {"UMSP-5.6.1-1", kFails, job_completed,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job_end(judge, seen, {.end = JobEndFact{.of = holds ? Of::any : Of::other_job, .is_alone = true}});
     }},
    {"UMSP-5.6.1-1", kWarns, job_completed,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job_end(judge, seen, {.end = JobEndFact{.is_initiator = holds, .is_live = true}});
     }},
    {"UMSP-5.6.1-9", kFails, job_completed,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job_end(judge, seen, {.end = JobEndFact{.of = holds ? Of::any : Of::other_task, .is_alone = true}});
     }},
    {"UMSP-5.6.1-9", kWarns, job_completed,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job_end(judge, seen, {.end = JobEndFact{.is_known = holds}});
     }},
    {"UMSP-5.6.1-11", kFails, nop,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job_end(judge, seen, {.use_of_completed = use(holds, Order::proven)});
     }, kOnlyBreach},
    {"UMSP-5.6.1-12", kFails, job_completed,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job_end(judge, seen, {.end = JobEndFact{.once = {.is_again = !holds, .is_certain = true}}});
     }},
    {"UMSP-5.6.1-12", kFails, session_open,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job_end(judge, seen, {.opening = JobOpeningFact{.has_ended = !holds, .is_certain = true}});
     }},
    {"UMSP-5.6.1-12", kWarns, session_open,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job_end(judge, seen, {.opening = JobOpeningFact{.has_ended = !holds, .is_elsewhere = true}});
     }},
    {"UMSP-5.6.1-13", kFails, nop,
     [](Judge& judge, const Seen&, bool holds) {
       if (!holds) check_missing_notice(judge, {});
     }, kOnlyBreach},
    {"UMSP-5.6.1-14", kFails, nop,
     [](Judge& judge, const Seen&, bool holds) {
       if (!holds) check_missing_notice(judge, {.notice = {.others_were = true}});
     }, kOnlyBreach},
    {"UMSP-5.6.2-1", kFails, job_completed_info,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job_end(judge, seen, {.notice = JobNoticeFact{.is_of_sender = !holds}});
     }},
    {"UMSP-5.6.2-1", kWarns, job_completed_info,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job_end(judge, seen, {.notice = JobNoticeFact{.is_jcp = holds}});
     }},
    {"UMSP-5.6.2-2", kWarns, job_completed_info,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job_end(judge, seen, {.notice = JobNoticeFact{.is_named = holds}});
     }},
    {"UMSP-5.6.2-12", kFails, job_completed_info,
     [](Judge& judge, const Seen& seen, bool holds) {
       const EndCodes codes{kCodes.basic, holds ? kCodes.additional : kCodes.additional + 1u};
       check_job_end(judge, seen, {.notice = JobNoticeFact{.codes = codes}});
     }},
    {"UMSP-5.6.2-13", kWarns, nop,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_job_end(judge, seen, {.use_of_reported = use(holds, Order::likely)});
     }, kOnlyBreach},
    {"UMSP-5.5.1-12", kFails, nop,
     [](Judge& judge, const Seen&, bool holds) {
       if (!holds) check_missing_abend_of_task(judge, {.is_certain = true});
     }, kOnlyBreach},
    {"UMSP-5.5.1-12", kWarns, nop,
     [](Judge& judge, const Seen&, bool holds) {
       if (!holds) check_missing_abend_of_task(judge, {});
     }, kOnlyBreach},
    {"UMSP-5.6.1-11", kFails, nop,
     [](Judge& judge, const Seen&, bool holds) {
       if (!holds) check_missing_abend_of_job(judge, {.is_certain = true});
     }, kOnlyBreach},

    // --- 5.7: activity
    {"UMSP-5.7.2-11", kWarns, state_req,
     [](Judge& judge, const Seen&, bool holds) {
       if (!holds) check_missing_state(judge, {});
     }, kOnlyBreach},
    {"UMSP-5.7.2-16", kFails, state_req,
     [](Judge& judge, const Seen& seen, bool holds) {
       StateRequestFact fact;
       if (!holds) fact.ended = StateRequestFact::Ended{.is_certain = true};
       check_activity(judge, seen, {.request = fact});
     }},
    {"UMSP-5.7.2-16", kWarns, state_req,
     [](Judge& judge, const Seen& seen, bool holds) {
       StateRequestFact fact;
       if (!holds) fact.ended = StateRequestFact::Ended{};
       check_activity(judge, seen, {.request = fact});
     }},
    {"UMSP-5.7.3-8", kWarns, task_state,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_activity(judge, seen, {.jcp_format = holds ? kIpv4Memory32 : AddressFormat{4, 0, 3}});
     }},
    {"UMSP-5.7.4-10", kWarns, nop,
     [](Judge& judge, const Seen& seen, bool holds) {
       ActivityFacts facts;
       if (!holds) facts.use_after_reload = UseAfterEndFact{};
       check_activity(judge, seen, facts);
     }, kOnlyBreach},
    {"UMSP-5.7.4-11", kWarns, state_req,
     [](Judge& judge, const Seen&, bool holds) {
       if (!holds) check_missing_question(judge, {});
     }, kOnlyBreach},
    {"UMSP-5.7.1-8", kWarns, task_reg_with_inaction_time,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_task(judge, seen, {.registration = RegistrationFact{.is_active = !holds}});
     }},
    {"UMSP-5.7.1-9", kFails, state_req,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_silence(judge, seen, true, {.period = holds ? kPeriod : std::uint16_t{0}});
     }},
    {"UMSP-5.7.1-11", kFails, task_reject_with_inaction_time,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_inaction_of_answer(judge, seen, holds ? kTimed : kRegistration);
     }},
    {"UMSP-5.7.1-12", kFails, task_confirm_with_inaction_time,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_inaction_of_answer(judge, seen, holds ? kRegistration : kTimed);
     }},
    {"UMSP-5.7.2-1", kWarns, state_req,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_activity(judge, seen, {.request = StateRequestFact{.has_task = holds}});
     }},
    {"UMSP-5.7.2-9", kFails, state_req,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_silence(judge, seen, true,
                     {.period = kPeriod, .silent_ns = holds ? 8 : 7, .least_ns = 8, .is_certain = true});
     }},
    {"UMSP-5.7.2-9", kWarns, state_req,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_silence(judge, seen, false,
                     {.period = kPeriod, .silent_ns = holds ? 8 : 7, .least_ns = 8, .is_certain = true});
     }},
    {"UMSP-5.7.2-16", kFails, state_req,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_activity(judge, seen, {.request = StateRequestFact{.is_alone = true, .is_reported = !holds}});
     }},
    {"UMSP-5.7.3-2", kWarns, task_state,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_activity(judge, seen, {.answer = StateAnswerFact{.is_awaited = holds}});
     }},
    {"UMSP-5.7.3-11", kWarns, nop,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_activity(judge, seen, {.use_without_sessions = use(holds, Order::likely)});
     }, kOnlyBreach},
    {"UMSP-5.7.3-13", kFails, nop,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_activity(judge, seen, {.use_of_completed = use(holds, Order::proven)});
     }, kOnlyBreach},
    {"UMSP-5.7.3-17", kFails, task_state,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_activity(judge, seen,
                      {.answer = StateAnswerFact{.is_alone = true, .is_awaited = true, .names_asked = holds}});
     }},
    {"UMSP-5.7.3-17", kWarns, task_state,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_activity(judge, seen, {.answer = StateAnswerFact{.is_awaited = true, .names_asked = holds}});
     }},
    {"UMSP-5.7.4-2", kWarns, node_reload,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_activity(judge, seen, {.answer = StateAnswerFact{.is_awaited = holds}});
     }},
    {"UMSP-5.7.4-9", kWarns, node_reload,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_activity(judge, seen, {.answer = StateAnswerFact{.is_awaited = true, .names_asked = holds}});
     }},
};

class UmspJobFact : public ::testing::TestWithParam<Row> {};

TEST_P(UmspJobFact, ThatBreaksItsRuleIsReported) {
  expect_breach(GetParam());
}

TEST_P(UmspJobFact, ThatHoldsExercisesItsRuleAndBreaksNothing) {
  expect_kept(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Rows, UmspJobFact, ::testing::ValuesIn(kRows),
                         [](const auto& row) { return std::to_string(row.index); });

// Facts that say nothing exercise no rule, so that nothing counts as judged.
TEST(UmspJobFacts, ThatAreUnknownExerciseNothing) {
  for (const Row& row : kRows) {
    const Row unknown{row.rule, row.severity, row.draft, [](Judge& judge, const Seen& seen, bool) {
                        check_management(judge, seen, {});
                        check_job(judge, seen, {});
                        check_task(judge, seen, {});
                        check_task_end(judge, seen, {});
                        check_job_end(judge, seen, {});
                        check_activity(judge, seen, {});
                      }};
    Judge judge(kProtocol.catalogue());
    check_row(judge, unknown, true);
    for (const Rule* const one : kProtocol.catalogue().rules()) EXPECT_EQ(judge.exercised(*one), 0u) << one->id;
  }
}

}  // namespace
}  // namespace wirelaw::umsp::facts::jobs
