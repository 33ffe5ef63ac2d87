// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.5: a task ends before its job.
#include <fmt/format.h>

#include "conformance/section.h"
#include "conformance/umsp/management_requests.h"
#include "conformance/umsp/pair.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

using enum Observable;
using namespace management_notes;

constexpr Section kEnds{"RFC 3018 5.5"};
constexpr Section kEnd{"RFC 3018 5.5.1"};
constexpr Section kNotice{"RFC 3018 5.5.2"};

constinit const Rule kEndsWithJob =
    kEnds.by(api).must("UMSP-5.5-1", "A task ends when its job ends.", "what a node runs is its own affair");
constinit const Rule kMayEndBefore = kEnds.by(none).may(
    "UMSP-5.5-2", "A task may end before its job: no resources, the node's end, or the VM's decision.", "a permission");
constinit const Rule kEndNotified = kEnds.by(stimulus).must(
    "UMSP-5.5-3", "All nodes of the job are notified when a task ends before its job.", kAllNodes);
constinit const Rule kSessionsAbended =
    kEnds.by(api).must("UMSP-5.5-4", "A node that ends a task sends SESSION_ABEND on all sessions of that task.",
                       "when a node ends a task is its own affair, and nothing that is sent to it makes it do so");
constinit const Rule kTerminateToJcp =
    kEnd.by(api).must("UMSP-5.5.1-1", "TASK_TERMINATE is sent by the node of the ended task, to the JCP.",
                      "when a node ends a task is its own affair, and nothing that is sent to it makes it do so");
constinit const Rule kTerminateSent =
    kEnd.by(api).must("UMSP-5.5.1-2", "A node that ends a task before the job sends TASK_TERMINATE.",
                      "when a node ends a task is its own affair, and nothing that is sent to it makes it do so");
constinit const Rule kTerminatePck = kEnd.must("UMSP-5.5.1-3", "TASK_TERMINATE has PCK 00.");
constinit const Rule kTerminateChn = kEnd.by(none).must("UMSP-5.5.1-4", "TASK_TERMINATE has CHN 0.", kChained);
constinit const Rule kTerminateAsk = kEnd.must("UMSP-5.5.1-5", "TASK_TERMINATE has ASK 0.");
constinit const Rule kTerminateExt =
    kEnd.by(stimulus).must("UMSP-5.5.1-6", "A JCP takes TASK_TERMINATE with and without extension headers.");
constinit const Rule kTerminateLength = kEnd.must("UMSP-5.5.1-7", "TASK_TERMINATE has 2 or 3 words of operands.");
constinit const Rule kTerminateFitsCtid =
    kEnd.by(none).must("UMSP-5.5.1-8", "OPR_LENGTH of TASK_TERMINATE fits the CTID: 2 with 4 octets, 3 with 8.",
                       "the length is what says how long the CTID's field is");
constinit const Rule kTerminateCodes = kEnd.by(none).must(
    "UMSP-5.5.1-9",
    "The first operands of TASK_TERMINATE are the basic and the additional termination code, 2 octets each.", kForm);
constinit const Rule kTerminateCtid = kEnd.resting_on(Evidence::absence)
                                          .must("UMSP-5.5.1-10",
                                                "The last operand of TASK_TERMINATE is the CTID that the JCP assigned "
                                                "to the task, not that of the job's first task.",
                                                kElsewhere);
constinit const Rule kTerminateMsg =
    kEnd.by(stimulus).must("UMSP-5.5.1-11", "A JCP takes a TASK_TERMINATE with a _MSG header.");
constinit const Rule kTerminateBeforeAbend = kEnd.by(api).must(
    "UMSP-5.5.1-12", "After TASK_TERMINATE the node sends SESSION_ABEND on every session of the task.",
    "when a node ends a task is its own affair, and nothing that is sent to it makes it do so; UMSP/B14");
constinit const Rule kTaskIsOver = kEnd.by(api).must(
    "UMSP-5.5.1-13", "After TASK_TERMINATE and the SESSION_ABENDs the task is over: nothing of it is executed.",
    "when a node ends a task is its own affair, and nothing that is sent to it makes it do so");
constinit const Rule kNoNoticeNeeded = kEnd.by(none).may(
    "UMSP-5.5.1-14", "With basic code 0 the JCP need not notify the other nodes.", "UMSP/B15; a permission");
constinit const Rule kNoticeNeeded =
    kEnd.by(stimulus)
        .resting_on(Evidence::absence)
        .must("UMSP-5.5.1-15",
              "With a basic code other than 0 the JCP notifies the other nodes of the job after TASK_TERMINATE.",
              kAllNodes);
constinit const Rule kAllNotified =
    kEnd.by(stimulus)
        .resting_on(Evidence::absence)
        .must("UMSP-5.5.1-16", "The JCP notifies all of the job's nodes of a task's end, leaving none out.", kAllNodes);
constinit const Rule kInfoFromJcp = kNotice.by(stimulus).must(
    "UMSP-5.5.2-1", "TASK_TERMINATE_INFO is sent by the JCP, to other nodes of the job.", kRoles);
constinit const Rule kInfoNotToNode =
    kNotice.by(stimulus).must_not("UMSP-5.5.2-2", "TASK_TERMINATE_INFO is not sent to the node whose task ended.",
                                  "which node a GTID names is not seen on one connection");
constinit const Rule kInfoForEnd =
    kNotice.by(stimulus).must("UMSP-5.5.2-3",
                              "TASK_TERMINATE_INFO is sent only where a task ended: after its TASK_TERMINATE, its "
                              "silence or the reload of its node.",
                              kAllNodes);
constinit const Rule kInfoPck = kNotice.must("UMSP-5.5.2-4", "TASK_TERMINATE_INFO has PCK 00.");
constinit const Rule kInfoChn = kNotice.by(none).must("UMSP-5.5.2-5", "TASK_TERMINATE_INFO has CHN 0.", kChained);
constinit const Rule kInfoAsk = kNotice.must("UMSP-5.5.2-6", "TASK_TERMINATE_INFO has ASK 0.");
constinit const Rule kInfoExt =
    kNotice.by(api).must("UMSP-5.5.2-7", "A node takes TASK_TERMINATE_INFO with and without extension headers.",
                         "what a notice changes are the VM's references, which do not show in what the node sends");
constinit const Rule kInfoLength = kNotice.must("UMSP-5.5.2-8", "TASK_TERMINATE_INFO has 2 to 5 words of operands.");
constinit const Rule kInfoFitsGtid = kNotice.must(
    "UMSP-5.5.2-9", "OPR_LENGTH of TASK_TERMINATE_INFO is what codes and GTID take together, rounded up to words.");
constinit const Rule kInfoCodes = kNotice.by(none).must(
    "UMSP-5.5.2-10",
    "The first operands of TASK_TERMINATE_INFO are the basic and the additional termination code, 2 octets each.",
    kForm);
constinit const Rule kInfoGtid = kNotice.by(none).must(
    "UMSP-5.5.2-11", "The last operand of TASK_TERMINATE_INFO is the GTID of the ended task, 4 to 16 octets.",
    "UMSP-5.5.2-9 judges operands without one");
constinit const Rule kInfoGtidOfTask = kNotice.by(stimulus).must(
    "UMSP-5.5.2-12", "That GTID is the LTID of the task's TASK_REG behind the task's transport address.", kAllNodes);
constinit const Rule kInfoMsg =
    kNotice.by(api).must("UMSP-5.5.2-13", "A node takes a TASK_TERMINATE_INFO with a _MSG header.",
                         "what a notice changes are the VM's references, which do not show in what the node sends");
constinit const Rule kInfoCodesRepeated =
    kNotice.by(stimulus)
        .resting_on(Evidence::absence)
        .must("UMSP-5.5.2-14", "The codes of TASK_TERMINATE_INFO are those of TASK_TERMINATE.", kAllNodes);
constinit const Rule kReferencesInvalid = kNotice.by(api).must(
    "UMSP-5.5.2-15",
    "At TASK_TERMINATE_INFO the job makes all references to resources of the ended task's node invalid.",
    "what a VM does with its references is its own affair");

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::task_terminate, .ask = &kTerminateAsk, .pck = &kTerminatePck, .opr_length = &kTerminateLength},
    {.first = Opcode::task_terminate_info,
     .ask = &kInfoAsk,
     .pck = &kInfoPck,
     .opr_length = &kInfoLength,
     .operands = &kInfoFitsGtid},
};

}  // namespace

UmspSection task_end_rules() {
  static constexpr const Rule* kRules[] = {
      &kEndsWithJob,    &kMayEndBefore,      &kEndNotified,      &kSessionsAbended,
      &kTerminateToJcp, &kTerminateSent,     &kTerminatePck,     &kTerminateChn,
      &kTerminateAsk,   &kTerminateExt,      &kTerminateLength,  &kTerminateFitsCtid,
      &kTerminateCodes, &kTerminateCtid,     &kTerminateMsg,     &kTerminateBeforeAbend,
      &kTaskIsOver,     &kNoNoticeNeeded,    &kNoticeNeeded,     &kAllNotified,
      &kInfoFromJcp,    &kInfoNotToNode,     &kInfoForEnd,       &kInfoPck,
      &kInfoChn,        &kInfoAsk,           &kInfoExt,          &kInfoLength,
      &kInfoFitsGtid,   &kInfoCodes,         &kInfoGtid,         &kInfoGtidOfTask,
      &kInfoMsg,        &kInfoCodesRepeated, &kReferencesInvalid};
  return {.rules = {.rules = kRules}, .instructions = kInstructions};
}

namespace {

// A notice of the JCP, against what the task's node has told it (jobs.h).
void take_notice(Judge& judge, const Seen& seen) {
  const auto parties = parties_of(seen);
  const auto gtid = certain_gtid(seen);
  const auto codes = end_codes_of(seen);
  const auto node = gtid ? job_node_of(*gtid) : std::nullopt;
  if (!parties || !node || !codes) return;
  judge.require(kInfoNotToNode, *node != parties->to, seen.operand(Operand::gtid),
                expected("a task of another node than the addressee"), actual([&] { return to_string(*gtid); }));
  const JobTask* const task = parties->jobs.task(parties->from, *node, gtid->task);
  if (task != nullptr && task->ended && task->end_codes)
    judge.require(kInfoCodesRepeated, *codes == *task->end_codes, seen.operand(Operand::basic_termination_code),
                  expected([&] { return to_string(*task->end_codes); }), actual([&] { return to_string(*codes); }),
                  [&] { return fmt::format("frame {} has the TASK_TERMINATE", task->end_frame); });
  parties->jobs.notified_of_task(parties->from, parties->to, *node, gtid->task);
}

}  // namespace

void judge_task_notice(Judge& judge, const JobNotice& notice) {
  judge.require(notice.others_were ? kAllNotified : kNoticeNeeded, false, octets(0, 0),
                expected("TASK_TERMINATE_INFO to this node, as to all of the job"), actual("none"),
                [&] { return fmt::format("frame {} has the TASK_TERMINATE of another node", notice.frame); });
}

void judge_task_end(Judge& judge, const Seen& seen) {
  if (seen.is(Opcode::task_terminate_info)) return take_notice(judge, seen);
  const auto ctid = certain_value(seen, Operand::ctid);
  if (!seen.is(Opcode::task_terminate) || !ctid) return;
  const ManagedNode& node = seen.connection.management.of(seen.message.sender);
  if (judge.advise(kTerminateCtid, node.has_registered(*ctid) || !node.has_registered_for(*ctid),
                   seen.operand(Operand::ctid), expected("the CTID of the task"), actual(hex(*ctid)),
                   "it is that of the job's first task, which is another node's"))
    judge_unknown_ctid(judge, seen, kTerminateCtid);
  for_each_account(seen, seen.message.sender, [&](ManagedNode& one, bool is_here) { one.end_task(*ctid, is_here); });
  const auto parties = parties_of(seen);
  const auto codes = end_codes_of(seen);
  if (parties && codes)
    parties->jobs.end_task(parties->to, parties->from, *ctid, *codes, seen.message.time_ns, seen.message.frame);
}

}  // namespace wirelaw::umsp
