// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.2: a task is registered at the JCP of its job, and checked there.
#include <fmt/format.h>

#include <algorithm>

#include "conformance/section.h"
#include "conformance/umsp/management_requests.h"
#include "conformance/umsp/pair.h"
#include "conformance/umsp/parties.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

using enum Observable;
using namespace management_notes;

constexpr Section kInitiation{"RFC 3018 5.2"};
constexpr Section kRegistration{"RFC 3018 5.2.1"};
constexpr Section kConfirmation{"RFC 3018 5.2.2"};
constexpr Section kRejection{"RFC 3018 5.2.3"};
constexpr Section kCheck{"RFC 3018 5.2.4"};

constinit const Rule kTaskOnEachNode = kInitiation.by(stimulus).must(
    "UMSP-5.2-1", "Each node that executes a job initiates a task of the job.", kAllNodes);
constinit const Rule kOneTaskOfJob = kInitiation.by(none).must("UMSP-5.2-2", "A node has one task of a job, not two.",
                                                               "UMSP-5.2.1-16 judges the second registration");
constinit const Rule kOneJobOfTask = kInitiation.by(none).must("UMSP-5.2-3", "A task belongs to one job.",
                                                               "UMSP-5-14 judges the registration for a second job");
constinit const Rule kTaskAtFirstOpen = kInitiation.by(stimulus).must(
    "UMSP-5.2-4",
    "On a node other than the job's own the task is initiated when the first SESSION_OPEN of the job arrives.",
    kAllNodes);
constinit const Rule kOpenHasGjid = kInitiation.by(none).must(
    "UMSP-5.2-5", "The request to open a session carries the job's GJID.", "a session cannot be opened without: 5.3.1");
constinit const Rule kGjidLeadsToJcp = kInitiation.by(stimulus).must(
    "UMSP-5.2-6", "The GJID leads to the JCP: its NODE_ADDR is that of the JCP.",
    "UMSP/B41: another address in a capture is a warning, since a JCP may be behind a gateway");
constinit const Rule kAsksJcpFirst =
    kInitiation.by(stimulus)
        .resting_on(Evidence::order)
        .must("UMSP-5.2-7", "A node asks the JCP and waits for its confirm before it starts a task for a SESSION_OPEN.",
              kAllNodes);
constinit const Rule kJcpNeedsNoSanction = kInitiation.by(none).may(
    "UMSP-5.2-8", "No sanction is asked for where SESSION_OPEN came from the JCP itself.", "a permission");
constinit const Rule kJcpIsAccepted = kInitiation.by(stimulus).must(
    "UMSP-5.2-9", "SESSION_OPEN from the JCP is accepted without a TASK_REG being answered first.");
constinit const Rule kRegToJcp = kRegistration.by(stimulus).must(
    "UMSP-5.2.1-1", "TASK_REG is sent by the node that initiates the task, to the JCP of the job.", kRoles);
constinit const Rule kRegCode = kRegistration.must(
    "UMSP-5.2.1-2", "OPCODE of TASK_REG is that of the CTID's length: 6 for 2 octets, 7 for 4, 8 for 8.",
    "UMSP/A22; a longer field with zeros in front is another reading");
constinit const Rule kRegPck = kRegistration.must("UMSP-5.2.1-3", "TASK_REG has PCK 00.");
constinit const Rule kRegChn = kRegistration.by(none).must("UMSP-5.2.1-4", "TASK_REG has CHN 0.", kChained);
constinit const Rule kRegAsk = kRegistration.must("UMSP-5.2.1-5", "TASK_REG has ASK 1.");
constinit const Rule kRegExt =
    kRegistration.by(stimulus).must("UMSP-5.2.1-6", "A JCP takes TASK_REG with and without extension headers.");
constinit const Rule kRegLength = kRegistration.must(
    "UMSP-5.2.1-7", "TASK_REG has 2 to 8 words of operands, and with each OPCODE as many as its CTID can make.");
constinit const Rule kRegOperands = kRegistration.must(
    "UMSP-5.2.1-8", "OPR_LENGTH of TASK_REG is what a CTID, a GTID and an LTID take together, rounded up to words.",
    "UMSP/A21");
constinit const Rule kRegReqId = kRegistration.by(none).must(
    "UMSP-5.2.1-9", "REQ_ID of TASK_REG is chosen by its sender; no two unanswered ones share it.",
    "UMSP-3.1-57 judges it of all requests");
constinit const Rule kRegCtid = kRegistration.by(none).must(
    "UMSP-5.2.1-10",
    "The first operand of TASK_REG is the CTID of the job's initial task, in as many octets as the OPCODE says.",
    kForm);
constinit const Rule kRegCtidOfGjid =
    kRegistration.by(stimulus)
        .resting_on(Evidence::absence)
        .must("UMSP-5.2.1-11", "The CTID of TASK_REG is the local memory address part of the GJID of the SESSION_OPEN.",
              kAllNodes);
constinit const Rule kRegGtid = kRegistration.by(none).must(
    "UMSP-5.2.1-12", "The second operand of TASK_REG is the GTID, 4 to 16 octets, of the task that opens the session.",
    "UMSP-5.2.1-8 judges operands without one");
constinit const Rule kRegGtidOfSender = kRegistration.by(stimulus)
                                            .resting_on(Evidence::absence)
                                            .must("UMSP-5.2.1-13",
                                                  "The GTID of TASK_REG is the transport address of SESSION_OPEN's "
                                                  "sender with the LTID of that SESSION_OPEN.",
                                                  kAllNodes);
constinit const Rule kRegLtid = kRegistration.by(none).must(
    "UMSP-5.2.1-14", "The third operand of TASK_REG is the LTID of the task to be initiated, in 2, 4 or 8 octets.",
    kForm);
constinit const Rule kRegInaction =
    kRegistration.by(stimulus).must("UMSP-5.2.1-15", "A JCP takes a TASK_REG with an _INACTION_TIME header.");
constinit const Rule kRegOnce =
    kRegistration.resting_on(Evidence::absence)
        .must_not("UMSP-5.2.1-16", "TASK_REG is not sent while a task of that GJID is initiated on the node.",
                  kElsewhere);
constinit const Rule kConfirms = kRegistration.by(stimulus).must(
    "UMSP-5.2.1-17",
    "The JCP confirms a task whose GTID is registered and whose LTID is not registered for the asking node.",
    "UMSP/B3, UMSP/B4");
constinit const Rule kUnknownGtidRejected =
    kRegistration.by(stimulus)
        .resting_on(Evidence::absence)
        .must("UMSP-5.2.1-18", "The JCP rejects a task whose GTID is not registered.", "UMSP/B3, UMSP/B4");
constinit const Rule kKnownLtidRejected = kRegistration.by(stimulus).must(
    "UMSP-5.2.1-19", "The JCP rejects a task whose LTID is registered already for the asking node.",
    "UMSP/B4, UMSP/B5");
constinit const Rule kUnknownJobRejected =
    kRegistration.by(stimulus).must("UMSP-5.2.1-20", "The JCP rejects a task of a job whose CTID it does not know.");
constinit const Rule kRegAnswered =
    kRegistration.by(stimulus).must("UMSP-5.2.1-21", "The JCP answers TASK_REG.", "UMSP/B28: no time is given for it");
constinit const Rule kRegAnswer = kRegistration.must(
    "UMSP-5.2.1-22", "The JCP's answer to TASK_REG is TASK_CONFIRM if it confirms, and TASK_REJECT if not.");
constinit const Rule kConfirmAnswers =
    kConfirmation.resting_on(Evidence::absence)
        .must("UMSP-5.2.2-1", "TASK_CONFIRM is sent once, and only in answer to TASK_REG or TASK_CHK.", kElsewhere);
constinit const Rule kConfirmPck = kConfirmation.must("UMSP-5.2.2-2", "TASK_CONFIRM has PCK 00.");
constinit const Rule kConfirmChn = kConfirmation.by(none).must("UMSP-5.2.2-3", "TASK_CONFIRM has CHN 0.", kChained);
constinit const Rule kConfirmAsk = kConfirmation.must("UMSP-5.2.2-4", "TASK_CONFIRM has ASK 1.");
constinit const Rule kConfirmUnanswered =
    kConfirmation.by(stimulus).must_not("UMSP-5.2.2-5", "TASK_CONFIRM gets no response.");
constinit const Rule kConfirmExt = kConfirmation.by(stimulus).must(
    "UMSP-5.2.2-6", "The asking node takes TASK_CONFIRM with and without extension headers.");
constinit const Rule kConfirmLength = kConfirmation.must("UMSP-5.2.2-7", "TASK_CONFIRM has 1 or 2 words of operands.");
constinit const Rule kConfirmFitsCtid =
    kConfirmation.by(none).must("UMSP-5.2.2-8", "OPR_LENGTH of TASK_CONFIRM fits the CTID: 1 with 4 octets, 2 with 8.",
                                "the length is what says how long the CTID's field is");
constinit const Rule kConfirmReqId =
    kConfirmation.resting_on(Evidence::absence)
        .must("UMSP-5.2.2-9", "REQ_ID of TASK_CONFIRM is that of the TASK_REG or TASK_CHK.", kElsewhere);
constinit const Rule kConfirmCtid =
    kConfirmation.resting_on(Evidence::absence)
        .must("UMSP-5.2.2-10", "The CTID in the confirmation of a TASK_CHK is the one that was assigned to the task.",
              kElsewhere);
constinit const Rule kConfirmCtidUnique =
    kConfirmation.resting_on(Evidence::absence)
        .must("UMSP-5.2.2-11", "The CTID that a TASK_CONFIRM assigns is not that of another active task of the JCP.",
              kElsewhere);
constinit const Rule kConfirmName = kConfirmation.by(stimulus).must(
    "UMSP-5.2.2-12", "The asking node takes a TASK_CONFIRM with the job's name in a _NAME header.", "UMSP/A35");
constinit const Rule kRejectAnswers =
    kRejection.resting_on(Evidence::absence)
        .must("UMSP-5.2.3-1", "TASK_REJECT is sent once, and only in answer to TASK_REG or TASK_CHK.", kElsewhere);
constinit const Rule kRejectedRefuses =
    kRejection.by(stimulus)
        .resting_on(Evidence::order)
        .must("UMSP-5.2.3-2", "A node whose TASK_REG was rejected refuses the SESSION_OPEN that made it ask.");
constinit const Rule kRejectPck = kRejection.must("UMSP-5.2.3-3", "TASK_REJECT has PCK 00.");
constinit const Rule kRejectChn = kRejection.by(none).must("UMSP-5.2.3-4", "TASK_REJECT has CHN 0.", kChained);
constinit const Rule kRejectAsk = kRejection.must("UMSP-5.2.3-5", "TASK_REJECT has ASK 1.");
constinit const Rule kRejectUnanswered =
    kRejection.by(stimulus).must_not("UMSP-5.2.3-6", "TASK_REJECT gets no response.");
constinit const Rule kRejectExt = kRejection.by(stimulus).must(
    "UMSP-5.2.3-7", "The asking node takes TASK_REJECT with and without extension headers.");
constinit const Rule kRejectLength = kRejection.must("UMSP-5.2.3-8", "TASK_REJECT has 1 word of operands.");
constinit const Rule kRejectReqId =
    kRejection.resting_on(Evidence::absence)
        .must("UMSP-5.2.3-9", "REQ_ID of TASK_REJECT is that of the TASK_REG or TASK_CHK.",
              "UMSP/A23, UMSP/B31; another connection of the two nodes, which is not seen, may have it");
constinit const Rule kRejectBasic = kRejection.must("UMSP-5.2.3-10", "The basic error code of TASK_REJECT is not 0.");
constinit const Rule kRejectAdditional = kRejection.by(none).must(
    "UMSP-5.2.3-11", "The second operand of TASK_REJECT is the additional error code, 2 octets.", kForm);
constinit const Rule kRejectInaction =
    kRejection.by(stimulus).must("UMSP-5.2.3-12", "The asking node takes a TASK_REJECT with an _INACTION_TIME header.");
constinit const Rule kRejectMsg =
    kRejection.by(stimulus).must("UMSP-5.2.3-13", "The asking node takes a TASK_REJECT with a _MSG header.");
constinit const Rule kMayCheck = kCheck.by(none).may(
    "UMSP-5.2.4-1", "A node may check the opener of a session at the JCP though its own task exists.", "a permission");
constinit const Rule kChkAfterOpen = kCheck.by(stimulus).must(
    "UMSP-5.2.4-2", "TASK_CHK is sent by a node that received SESSION_OPEN, to the JCP.", kAllNodes);
constinit const Rule kChkOfTask = kCheck.by(stimulus).must(
    "UMSP-5.2.4-3", "TASK_CHK is sent only where the task of that GJID exists on the node already.", kAllNodes);
constinit const Rule kChkCode =
    kCheck.by(none).must("UMSP-5.2.4-4", "OPCODE of TASK_CHK is 11.", "a definition; UMSP-3.1-4 judges the values");
constinit const Rule kChkPck = kCheck.must("UMSP-5.2.4-5", "TASK_CHK has PCK 00.");
constinit const Rule kChkChn = kCheck.by(none).must("UMSP-5.2.4-6", "TASK_CHK has CHN 0.", kChained);
constinit const Rule kChkAsk = kCheck.must("UMSP-5.2.4-7", "TASK_CHK has ASK 1.");
constinit const Rule kChkExt =
    kCheck.by(stimulus).must("UMSP-5.2.4-8", "A JCP takes TASK_CHK with and without extension headers.");
constinit const Rule kChkOperands = kCheck.must(
    "UMSP-5.2.4-9", "The operands of TASK_CHK are a CTID, a GTID and an LTID, as those of TASK_REG.", "UMSP/A22");
constinit const Rule kChkCtidLength =
    kCheck.must("UMSP-5.2.4-10", "The CTID of TASK_CHK is as long as the JCP's local memory address.",
                "UMSP/A22; a longer field with zeros in front is another reading");
constinit const Rule kChkReqId = kCheck.by(none).must(
    "UMSP-5.2.4-11", "REQ_ID of TASK_CHK is chosen by its sender; no two unanswered ones share it.",
    "UMSP-3.1-57 judges it of all requests");
constinit const Rule kChkAnswer =
    kCheck.must("UMSP-5.2.4-12", "The answer to TASK_CHK is TASK_CONFIRM or TASK_REJECT.");
constinit const Rule kChkConfirmed = kCheck.by(stimulus).must(
    "UMSP-5.2.4-13", "The JCP confirms TASK_CHK if the tasks of its GTID and of its LTID are both registered.");
constinit const Rule kChkRejected = kCheck.by(stimulus).must(
    "UMSP-5.2.4-14", "The JCP does not confirm TASK_CHK where the task of its GTID or of its LTID is not registered.");
constinit const Rule kChkOptional =
    kCheck.by(none).may("UMSP-5.2.4-15", "A node is free to leave TASK_CHK out.", "a permission");

void judge_task_reject(Judge& judge, const Seen& seen) {
  const auto code = seen.value(Operand::basic_error_code).value_or(0);
  judge.require(kRejectBasic, code != 0, seen.operand(Operand::basic_error_code), expected("a code other than 0"),
                actual(code));
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::task_reg_2,
     .last = Opcode::task_reg_8,
     .ask = &kRegAsk,
     .pck = &kRegPck,
     .opr_length = &kRegLength,
     .operands = &kRegOperands},
    {.first = Opcode::task_confirm, .ask = &kConfirmAsk, .pck = &kConfirmPck, .opr_length = &kConfirmLength},
    {.first = Opcode::task_reject,
     .ask = &kRejectAsk,
     .pck = &kRejectPck,
     .opr_length = &kRejectLength,
     .judge = judge_task_reject},
    {.first = Opcode::task_chk, .ask = &kChkAsk, .pck = &kChkPck, .operands = &kChkOperands},
};

// ---------------------------------------------------------------------------------------------------------- procedure
// The width of the CTID by the GJIDs of the JCP.
void judge_registered_ctid(Judge& judge, const Seen& seen, const ManagedNode& node) {
  const Located* const ctid = seen.operands.find(Operand::ctid);
  if (!node.jcp_format || ctid == nullptr) return;
  const std::size_t due = field_octets(node.jcp_format->memory_octets());
  judge.advise(kRegCode, ctid->length == due, octets(0, 1),
               expected([&] { return fmt::format("the OPCODE for a CTID of {} octets", due); }),
               actual(seen.instruction.opcode()), "the JCP's GJIDs have a CTID of that length");
}

void judge_checked_ctid(Judge& judge, const Seen& seen, const ManagedNode& node) {
  if (!node.jcp_format) return;
  const auto due = static_cast<std::uint8_t>(field_octets(node.jcp_format->memory_octets()));
  const OperandView view = locate(*seen.layout, seen.instruction.operands, {.ctid = due});
  const Located* const ctid = view.find(Operand::ctid);  // of that length where the operands can be read so
  if (ctid == nullptr) return;
  judge.advise(kChkCtidLength, ctid->length == due, seen.all_operands(),
               expected([&] { return fmt::format("a CTID of {} octets, and a GTID behind it", due); }),
               actual("operands that have another length then"), "the JCP's GJIDs have a CTID of that length");
}

// A node registers one task of a job. What it has registered before may have ended on another connection.
void judge_registered_once(Judge& judge, const Seen& seen, const ManagedNode& node) {
  const auto first_ctid = certain_value(seen, Operand::ctid);
  if (!first_ctid || find_inaction_time(seen) || !node.asked.empty()) return;
  const bool active = std::ranges::any_of(
      node.tasks, [&](const auto& one) { return !one.second.ended && one.second.first_ctid == *first_ctid; });
  judge.advise(kRegOnce, !active, seen.operand(Operand::ctid), expected("a job without a task on this node"),
               actual(hex(*first_ctid)), "a task of the job was confirmed to the node, and its end was not seen");
}

// ------------------------------------------------------------- what the connections of all nodes show together
// (jobs.h) A node that executes a job registers because somebody opens a session of it: with the CTID of that GJID, and
// the GTID of whoever that is. A job that began before the capture may have been opened before it, too.
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
  if (!judge_it(kRegCtidOfGjid, std::ranges::any_of(openings, is_of_job), seen.operand(Operand::ctid),
                say(hex(openings.back().job.task)), say(hex(*ctid))))
    return;
  const auto opener = job_node_of(*gtid);
  const bool is_named = std::ranges::any_of(
      openings, [&](const JobOpening& one) { return is_of_job(one) && opener == one.from && one.ltid == gtid->task; });
  judge_it(kRegGtidOfSender, is_named, seen.operand(Operand::gtid),
           fmt::format("the node that opens the session, with task {}", say(hex(openings.back().ltid))),
           to_string(*gtid));
}

// Of a job whose beginning was seen all tasks are known, where the connections of its JCP are: the initiator's, and
// this one.
void judge_registered_opener(Judge& judge, const Parties& parties, const JobName& job, const Identifier& gtid) {
  const auto opener = job_node_of(gtid);
  if (!opener || *opener == parties.from || !parties.jobs.has_begun(job)) return;
  if (!parties.jobs.has_peers(parties.from, 2)) return;
  const JobTask* const task = parties.jobs.task(parties.from, *opener, gtid.task);
  if (task != nullptr && task->ended) return;  // it may have been on its way
  require_of_all(judge, parties.jobs, kUnknownGtidRejected, task != nullptr && task->job == job, octets(0, 1),
                 expected("TASK_REJECT"), actual("TASK_CONFIRM"),
                 [&] { return fmt::format("no task of the job was confirmed for {}", to_string(gtid)); });
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
    require_of_all(judge, parties->jobs, kConfirmCtidUnique, false, seen.operand(Operand::ctid),
                   expected("a CTID that no active task has"), actual(hex(*ctid)),
                   "another node's task was confirmed with it, and its end was not seen");
  if (request.gtid) judge_registered_opener(judge, *parties, job, *request.gtid);
  parties->jobs.note_task({.job = job, .node = parties->to, .ltid = *request.ltid, .ctid = *ctid});
}

// A node that has asked its JCP accepts no session before it has been confirmed, and none once it has been rejected.
void judge_sanction(Judge& judge, const Seen& seen) {
  const auto parties = parties_of(seen);
  if (!parties || seen.session == nullptr || !seen.session->gjid || seen.message.order_unknown) return;
  if (seen.message.sender == seen.session->initiator) return;
  const auto jcp = job_node_of(*seen.session->gjid);
  if (!jcp || *jcp == parties->from || *jcp == parties->to) return;
  const JobQuestion* const asked = parties->jobs.question({*jcp, seen.session->gjid->task}, parties->from);
  if (asked == nullptr) return;
  if (parties->jobs.is_live()) return;  // this may have been sent before that
  // Who is asked by the JCP itself to open a session needs no other word of it (5.2).
  const auto openings = parties->jobs.openings_at(parties->from, *jcp);
  if (std::ranges::any_of(openings, [&](const JobOpening& one) {
        return one.from == *jcp && one.job.task == seen.session->gjid->task;
      }))
    return;
  const auto why = [&] { return fmt::format("frame {} has its TASK_REG", asked->frame); };
  if (asked->state == JobQuestion::State::rejected)
    judge.require(kRejectedRefuses, false, octets(0, 1), expected("SESSION_REJECT"), actual("SESSION_ACCEPT"), why);
  else
    judge.require(kAsksJcpFirst, asked->state == JobQuestion::State::confirmed, octets(0, 1),
                  expected("TASK_CONFIRM of the JCP before it"), actual("no answer of the JCP"), why);
}

// Which address a node is known by may differ from that of its connection.
void judge_assigned_gjid(Judge& judge, const Seen& seen) {
  const auto parties = parties_of(seen);
  const auto gjid = certain_gjid(seen);
  const auto jcp = gjid ? job_node_of(*gjid) : std::nullopt;
  if (!parties || !jcp) return;
  judge.advise(kGjidLeadsToJcp, *jcp == parties->from, seen.operand(Operand::gjid), expected("the address of the JCP"),
               actual([&] { return to_string(*gjid); }), "CONTROL_CONFIRM came from another address");
}

void take_registration(Judge& judge, const Seen& seen) {
  judge_registered_opening(judge, seen);
  gather_questions(seen, seen.message.sender);
  const ManagedNode& node = seen.connection.management.of(seen.message.sender);
  judge_registered_ctid(judge, seen, node);
  judge_registered_once(judge, seen, node);
  judge_inaction_of_registration(judge, seen);
  keep_request(seen, {.answer = &kRegAnswer});
}

void take_check(Judge& judge, const Seen& seen) {
  judge_checked_ctid(judge, seen, seen.connection.management.of(seen.message.sender));
  keep_request(seen, {.answer = &kChkAnswer, .for_check = true});
}

// The task is registered by this CTID from now on.
void keep_task(Judge& judge, const Seen& seen, const ManagementRequest& request, std::uint64_t ctid) {
  const Side registered = other(seen.message.sender);
  gather_questions(seen, registered);
  ManagedNode& node = seen.connection.management.of(registered);
  if (request.has_inaction_time)  // the node was reloaded (UMSP/B5)
    for_each_account(seen, registered, [](ManagedNode& one, bool is_here) { one.end_all(is_here); });
  const bool taken = std::ranges::any_of(node.tasks, [&](const auto& one) {
    return !one.second.ended && one.second.ctid == ctid && one.first != *request.ltid;
  });
  if (node.asked.empty())  // else the JCP may have taken the node's tasks for ended
    require_if_all_seen(judge, seen, kConfirmCtidUnique, !taken, seen.operand(Operand::ctid),
                        expected("a CTID that no active task has"), actual(hex(ctid)),
                        "another task was confirmed with it, and its end was not seen");
  node.keep(*request.ltid, ManagedTask{.ctid = ctid, .first_ctid = *request.ctid});
  if (request.period) for_each_account(seen, registered, [&](ManagedNode& one, bool) { one.period = request.period; });
}

void take_confirmation(Judge& judge, const Seen& seen) {
  const ManagementRequest* const request =
      match_answer(judge, seen, false, {.in_answer = kConfirmAnswers, .req_id = kConfirmReqId});
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
  const ManagedTask* const task = seen.connection.management.of(other(seen.message.sender)).find_active(*request->ltid);
  if (task != nullptr)
    judge.advise(kConfirmCtid, task->ctid == *ctid, seen.operand(Operand::ctid), expected(hex(task->ctid)),
                 actual(hex(*ctid)), "the task of this LTID was confirmed with that CTID");
}

void take_rejection(Judge& judge, const Seen& seen) {
  const ManagementRequest* const request =
      match_answer(judge, seen, false, {.in_answer = kRejectAnswers, .req_id = kRejectReqId});
  if (request == nullptr || request->for_check) return;
  follow_answer(judge, seen, *request, std::nullopt);
  judge_inaction_of_answer(judge, seen, *request);
}

}  // namespace

UmspSection task_rules() {
  static constexpr const Rule* kRules[] = {&kTaskOnEachNode,
                                           &kOneTaskOfJob,
                                           &kOneJobOfTask,
                                           &kTaskAtFirstOpen,
                                           &kOpenHasGjid,
                                           &kGjidLeadsToJcp,
                                           &kAsksJcpFirst,
                                           &kJcpNeedsNoSanction,
                                           &kJcpIsAccepted,
                                           &kRegToJcp,
                                           &kRegCode,
                                           &kRegPck,
                                           &kRegChn,
                                           &kRegAsk,
                                           &kRegExt,
                                           &kRegLength,
                                           &kRegOperands,
                                           &kRegReqId,
                                           &kRegCtid,
                                           &kRegCtidOfGjid,
                                           &kRegGtid,
                                           &kRegGtidOfSender,
                                           &kRegLtid,
                                           &kRegInaction,
                                           &kRegOnce,
                                           &kConfirms,
                                           &kUnknownGtidRejected,
                                           &kKnownLtidRejected,
                                           &kUnknownJobRejected,
                                           &kRegAnswered,
                                           &kRegAnswer,
                                           &kConfirmAnswers,
                                           &kConfirmPck,
                                           &kConfirmChn,
                                           &kConfirmAsk,
                                           &kConfirmUnanswered,
                                           &kConfirmExt,
                                           &kConfirmLength,
                                           &kConfirmFitsCtid,
                                           &kConfirmReqId,
                                           &kConfirmCtid,
                                           &kConfirmCtidUnique,
                                           &kConfirmName,
                                           &kRejectAnswers,
                                           &kRejectedRefuses,
                                           &kRejectPck,
                                           &kRejectChn,
                                           &kRejectAsk,
                                           &kRejectUnanswered,
                                           &kRejectExt,
                                           &kRejectLength,
                                           &kRejectReqId,
                                           &kRejectBasic,
                                           &kRejectAdditional,
                                           &kRejectInaction,
                                           &kRejectMsg,
                                           &kMayCheck,
                                           &kChkAfterOpen,
                                           &kChkOfTask,
                                           &kChkCode,
                                           &kChkPck,
                                           &kChkChn,
                                           &kChkAsk,
                                           &kChkExt,
                                           &kChkOperands,
                                           &kChkCtidLength,
                                           &kChkReqId,
                                           &kChkAnswer,
                                           &kChkConfirmed,
                                           &kChkRejected,
                                           &kChkOptional};
  return {.rules = {.rules = kRules}, .instructions = kInstructions};
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
    case Opcode::session_accept:
      return judge_sanction(judge, seen);
    case Opcode::control_confirm:
      return judge_assigned_gjid(judge, seen);
    default:
      return;
  }
}

}  // namespace wirelaw::umsp
