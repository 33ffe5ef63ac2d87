// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 5.7: a JCP watches whether its nodes are active.
#include <algorithm>

#include "conformance/section.h"
#include "conformance/umsp/management_requests.h"
#include "conformance/umsp/pair.h"
#include "conformance/umsp/rules.h"

namespace wirelaw::umsp {
namespace {

using enum Observable;
using namespace management_notes;

constexpr Section kActivity{"RFC 3018 5.7"};
constexpr Section kPeriod{"RFC 3018 5.7.1"};
constexpr Section kQuestion{"RFC 3018 5.7.2"};
constexpr Section kState{"RFC 3018 5.7.3"};
constexpr Section kReload{"RFC 3018 5.7.4"};

constinit const Rule kConnectionIsNoNode = kActivity.by(stimulus).must_not(
    "UMSP-5.7-1", "The break or renewal of a transport connection is not taken for the end or restart of a node.");
constinit const Rule kNoConnectionNeeded = kActivity.by(stimulus).must_not(
    "UMSP-5.7-2", "A node without a transport connection at the moment is not taken for inactive for this alone.");
constinit const Rule kEmergencyReported =
    kActivity.by(api).must("UMSP-5.7-3", "A task that ends by an emergency is reported by TASK_TERMINATE.",
                           "an emergency is not seen, nor brought about, from another node");
constinit const Rule kEndsItself =
    kActivity.by(none).must("UMSP-5.7-4", "A node that cannot report the end of a task ends its own work abnormally.",
                            "the end of a node is what cannot be reported");
constinit const Rule kWatchesNodes = kActivity.by(stimulus).must(
    "UMSP-5.7-5",
    "The JCP watches the activity of nodes: it sends STATE_REQ periodically to nodes with an inaction time.",
    "UMSP/A34");
constinit const Rule kInitiatorInactive =
    kActivity.by(stimulus).must("UMSP-5.7-6",
                                "The node of the initial task is found inactive: the JCP takes the job for completed "
                                "and sends JOB_COMPLETED_INFO to all other nodes.",
                                kAllNodes);
constinit const Rule kNodeInactive = kActivity.by(stimulus).must(
    "UMSP-5.7-7",
    "The node of another task is found inactive: the JCP sends TASK_TERMINATE_INFO to all other nodes of the job.",
    kAllNodes);
constinit const Rule kAnyGjidAgain = kActivity.by(none).may(
    "UMSP-5.7-8", "After a normal end, with JOB_COMPLETED_INFO to all nodes, the JCP may assign any GJID.",
    "a permission");
constinit const Rule kNoOldGjid = kActivity.by(api).must_not(
    "UMSP-5.7-9",
    "After an emergency end the JCP assigns no GJID from before for two of the longest inaction times that it set.",
    "an emergency of the JCP is not brought about from another node");
constinit const Rule kAnyLtidAgain =
    kActivity.by(none).may("UMSP-5.7-10", "A node that is no JCP may assign any LTID after a reload.", "a permission");
constinit const Rule kInactionLength = kPeriod.must("UMSP-5.7.1-1", "_INACTION_TIME has one word of DATA.");
constinit const Rule kInactionCode = kPeriod.by(none).must("UMSP-5.7.1-2", "_INACTION_TIME has HEAD_CODE 2.",
                                                           "a definition; UMSP-3.2-4 judges the codes");
constinit const Rule kInactionHob = kPeriod.must("UMSP-5.7.1-3", "_INACTION_TIME has HOB 1.");
constinit const Rule kInactionPeriod = kPeriod.by(none).must(
    "UMSP-5.7.1-4", "DATA of _INACTION_TIME is the period in half seconds, 2 octets.", "every value is one");
constinit const Rule kPeriodLength = kPeriod.by(none).must(
    "UMSP-5.7.1-5", "The inaction period is longer than three times the transport's longest delivery time.",
    "UMSP/B28; the delivery time of a transport is not known");
constinit const Rule kQueueDoesNotCount = kPeriod.by(none).must_not(
    "UMSP-5.7.1-6", "Time in the queue to the transport does not count for the inaction period.",
    "how long an instruction was in a queue is not seen from another node");
constinit const Rule kInactionPlaces = kPeriod.must_not(
    "UMSP-5.7.1-7",
    "_INACTION_TIME is attached to CONTROL_REQ, CONTROL_REJECT, TASK_REG, TASK_REJECT and TASK_CONFIRM alone.",
    "UMSP/B18; the text says where it may be, and not that it may be nowhere else");
constinit const Rule kInactionFirstTask =
    kPeriod.resting_on(Evidence::absence)
        .must("UMSP-5.7.1-8",
              "TASK_REG has _INACTION_TIME only where the node has no other active task under this JCP.", kElsewhere);
constinit const Rule kPeriodZero =
    kPeriod.resting_on(Evidence::absence)
        .must("UMSP-5.7.1-9", "A node that has registered with the period 0 is not asked for its state.", kElsewhere);
constinit const Rule kJcpSetsPeriod =
    kPeriod.by(stimulus).must("UMSP-5.7.1-10", "TASK_REG without the header: the JCP sets the period.",
                              "a TASK_CONFIRM that sets 0 is a warning: TASK_REG has 0 for a node that is not checked, "
                              "and a JCP that names no period may have set one");
constinit const Rule kInactionRefused = kPeriod.must(
    "UMSP-5.7.1-11", "TASK_REJECT has _INACTION_TIME only where the TASK_REG had one that the JCP does not take.");
constinit const Rule kInactionGiven =
    kPeriod.must("UMSP-5.7.1-12", "TASK_CONFIRM has _INACTION_TIME only where the TASK_REG had none.");
constinit const Rule kLooksForTasks = kPeriod.by(stimulus).must(
    "UMSP-5.7.1-13", "TASK_REG with _INACTION_TIME: the JCP looks for active tasks of that node.", "UMSP/B5");
constinit const Rule kOldTasksEnded = kPeriod.by(stimulus).must(
    "UMSP-5.7.1-14", "Each active task so found is ended, with notice to the other nodes.", "UMSP/A24, UMSP/B5");
constinit const Rule kConfirmAfterNotices =
    kPeriod.by(stimulus).must("UMSP-5.7.1-15", "TASK_CONFIRM follows only after the notices of those ends.", kAllNodes);
constinit const Rule kStateReqFromJcp = kQuestion.by(stimulus).must(
    "UMSP-5.7.2-1", "STATE_REQ is sent by the JCP, to a node with a task that the JCP confirmed.", kRoles);
constinit const Rule kStateReqPck = kQuestion.must("UMSP-5.7.2-2", "STATE_REQ has PCK 00.");
constinit const Rule kStateReqChn = kQuestion.by(none).must("UMSP-5.7.2-3", "STATE_REQ has CHN 0.", kChained);
constinit const Rule kStateReqAsk = kQuestion.must("UMSP-5.7.2-4", "STATE_REQ has ASK 0.", "UMSP/B17");
constinit const Rule kStateReqExt = kQuestion.must("UMSP-5.7.2-5", "STATE_REQ has EXT 0.");
constinit const Rule kStateReqLength = kQuestion.must("UMSP-5.7.2-6", "STATE_REQ has 1 or 2 words of operands.");
constinit const Rule kStateReqFitsLtid =
    kQuestion.by(none).must("UMSP-5.7.2-7", "OPR_LENGTH of STATE_REQ fits the LTID: 1 with 4 octets, 2 with 8.",
                            "the length is what says how long the LTID's field is");
constinit const Rule kStateReqLtid = kQuestion.by(stimulus).must(
    "UMSP-5.7.2-8", "The operand of STATE_REQ is an LTID that the addressee registered, 4 or 8 octets.",
    "the LTID may have been registered on another connection");
constinit const Rule kStateReqAfterSilence =
    kQuestion.resting_on(Evidence::absence)
        .must("UMSP-5.7.2-9", "STATE_REQ is sent if no instruction went between node and JCP for the inaction time.",
              kElsewhere);
constinit const Rule kNewTaskNoInfluence = kQuestion.by(stimulus).must(
    "UMSP-5.7.2-10", "A task activated after the last STATE_REQ has no influence on the check of activity.");
constinit const Rule kStateReqAnswered =
    kQuestion.by(stimulus).must("UMSP-5.7.2-11", "A node answers STATE_REQ by TASK_STATE, or NODE_RELOAD.",
                                "a node that is switched off does not answer");
constinit const Rule kWaitsOnePeriod =
    kQuestion.by(stimulus).must("UMSP-5.7.2-12", "The JCP waits one inaction period for the answer to STATE_REQ.");
constinit const Rule kSilentIsOff = kQuestion.by(stimulus).must(
    "UMSP-5.7.2-13", "After that period without an answer the JCP takes the node for switched off, and ends its tasks.",
    kAllNodes);
constinit const Rule kSilentJcp =
    kQuestion.by(stimulus).must("UMSP-5.7.2-14",
                                "A node that gets nothing from the JCP for two inaction times ends the job's tasks as "
                                "at JOB_COMPLETED_INFO, if it checks this.");
constinit const Rule kNeedNotCheckJcp =
    kQuestion.by(none).may("UMSP-5.7.2-15", "A node need not check the activity of its JCP.", "a permission");
constinit const Rule kNoTaskNoStateReq =
    kQuestion.resting_on(Evidence::absence)
        .must("UMSP-5.7.2-16",
              "The JCP does not ask for the state of a task whose job it has reported to be completed.", kElsewhere);
constinit const Rule kStateToJcp =
    kState.by(stimulus).must("UMSP-5.7.3-1", "TASK_STATE is sent by the node of the task, to the JCP.", kRoles);
constinit const Rule kStateAnswers =
    kState.resting_on(Evidence::absence)
        .must("UMSP-5.7.3-2", "TASK_STATE is sent only in answer to STATE_REQ.",
              "UMSP/B17, UMSP/B31; another connection of the two nodes, which is not seen, may have it");
constinit const Rule kStatePck = kState.must("UMSP-5.7.3-3", "TASK_STATE has PCK 00.");
constinit const Rule kStateChn = kState.by(none).must("UMSP-5.7.3-4", "TASK_STATE has CHN 0.", kChained);
constinit const Rule kStateAsk = kState.must("UMSP-5.7.3-5", "TASK_STATE has ASK 0.", "UMSP/B17");
constinit const Rule kStateExt = kState.must("UMSP-5.7.3-6", "TASK_STATE has EXT 0.");
constinit const Rule kStateLength = kState.must("UMSP-5.7.3-7", "TASK_STATE has 1, 2 or 3 words of operands.");
constinit const Rule kStateFitsCtid =
    kState.by(none).must("UMSP-5.7.3-8", "OPR_LENGTH of TASK_STATE fits the CTID: 1 with 2 octets, 2 with 4, 3 with 8.",
                         "UMSP/A26; the length is what says how long the CTID's field is");
constinit const Rule kStateCode =
    kState.must("UMSP-5.7.3-9", "The first operand of TASK_STATE is the state code, 1 octet, from 1 to 4.");
constinit const Rule kStateActive =
    kState.by(stimulus).must("UMSP-5.7.3-10", "State 1: the task is active and has sessions.");
constinit const Rule kStateWithoutSession =
    kState.by(stimulus).must("UMSP-5.7.3-11", "State 2: the task is active and has no session.");
constinit const Rule kStateWithoutResources =
    kState.by(stimulus).must("UMSP-5.7.3-12", "State 3: the task is active and has neither sessions nor resources.");
constinit const Rule kStateCompleted = kState.by(stimulus).must("UMSP-5.7.3-13", "State 4: the task is completed.");
constinit const Rule kStateReserved = kState.by(none).must(
    "UMSP-5.7.3-14", "The reserved octets of TASK_STATE are 1 with OPR_LENGTH 1 and 3 otherwise.", kForm);
constinit const Rule kReservedUnchecked =
    kState.by(stimulus).must_not("UMSP-5.7.3-15", "The JCP does not check the reserved octets of TASK_STATE.");
constinit const Rule kReservedZero = kState.must("UMSP-5.7.3-16", "The reserved octets of TASK_STATE are zero.");
constinit const Rule kStateCtid =
    kState.resting_on(Evidence::absence)
        .must("UMSP-5.7.3-17", "The last operand of TASK_STATE is the CTID of the task whose LTID STATE_REQ named.",
              "UMSP/B17, UMSP/B31; another connection of the two nodes, which is not seen, may have it");
constinit const Rule kStateShortCtid =
    kState.by(none).must("UMSP-5.7.3-18", "With OPR_LENGTH 1 the CTID of TASK_STATE is 2 octets.", kForm);
constinit const Rule kStateLongCtid = kState.by(none).must(
    "UMSP-5.7.3-19", "With a longer TASK_STATE the CTID is at least 4 octets.", "UMSP/A26; the form itself");
constinit const Rule kReloadToJcp =
    kReload.by(stimulus).must("UMSP-5.7.4-1", "NODE_RELOAD is sent by a node, to the JCP.", kRoles);
constinit const Rule kReloadAnswers =
    kReload.resting_on(Evidence::absence)
        .must("UMSP-5.7.4-2", "NODE_RELOAD is sent only in answer to STATE_REQ.",
              "UMSP/B17, UMSP/B31; another connection of the two nodes, which is not seen, may have it");
constinit const Rule kReloadPck = kReload.must("UMSP-5.7.4-3", "NODE_RELOAD has PCK 00.");
constinit const Rule kReloadChn = kReload.by(none).must("UMSP-5.7.4-4", "NODE_RELOAD has CHN 0.", kChained);
constinit const Rule kReloadAsk = kReload.must("UMSP-5.7.4-5", "NODE_RELOAD has ASK 0.");
constinit const Rule kReloadExt = kReload.must("UMSP-5.7.4-6", "NODE_RELOAD has EXT 0.");
constinit const Rule kReloadLength = kReload.must("UMSP-5.7.4-7", "NODE_RELOAD has 1 or 2 words of operands.");
constinit const Rule kReloadFitsLtid =
    kReload.by(none).must("UMSP-5.7.4-8", "OPR_LENGTH of NODE_RELOAD fits the LTID: 1 with 4 octets, 2 with 8.",
                          "the length is what says how long the LTID's field is");
constinit const Rule kReloadLtid =
    kReload.resting_on(Evidence::absence)
        .must("UMSP-5.7.4-9", "The operand of NODE_RELOAD is the LTID of the STATE_REQ, 4 or 8 octets.",
              "UMSP/B17, UMSP/B31; another connection of the two nodes, which is not seen, may have it");
constinit const Rule kAbsentTaskReloads = kReload.by(stimulus).must(
    "UMSP-5.7.4-10", "STATE_REQ with an LTID that has no task for this JCP gets NODE_RELOAD.");
constinit const Rule kAsksOldTasks = kReload.by(stimulus).must(
    "UMSP-5.7.4-11",
    "At NODE_RELOAD the JCP first asks all tasks of the node that were initiated before the last but one STATE_REQ.");
constinit const Rule kWaitsAfterReload =
    kReload.by(stimulus).must("UMSP-5.7.4-12", "The JCP then waits one inaction period after its last STATE_REQ.");
constinit const Rule kAsksNewTasks = kReload.by(stimulus).must(
    "UMSP-5.7.4-13",
    "The JCP then asks the tasks that were initiated between the last two STATE_REQ, without those asked before.");
constinit const Rule kEachAnswered = kReload.by(none).must(
    "UMSP-5.7.4-14", "Every STATE_REQ gets its TASK_STATE or NODE_RELOAD.", "the same as UMSP-5.7.2-11");

// ------------------------------------------------------------------------------------------------------------- tables
// An instruction that may have no extension header at all breaks the rule of EXT alone.
void judge_inaction_time(Judge& judge, const Seen& seen, std::size_t index) {
  if (seen.layout == nullptr || !seen.layout->allows_ext(true)) return;
  judge.advise(kInactionPlaces, seen.layout->lists(HeadCode::inaction_time), seen.extension(index),
               expected("an instruction about a job or a task that is requested, or its answer"),
               actual(seen.layout->name));
}

void judge_task_state(Judge& judge, const Seen& seen) {
  constexpr std::uint64_t kFirstState = 1, kLastState = 4;
  const auto state = seen.value(Operand::state).value_or(0);
  judge.require(kStateCode, state >= kFirstState && state <= kLastState, seen.operand(Operand::state),
                expected("1 to 4"), actual(state));
  const auto reserved = seen.value(Operand::reserved).value_or(0);
  judge.require(kReservedZero, reserved == 0, seen.operand(Operand::reserved), expected(0), actual(reserved));
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::state_req,
     .ask = &kStateReqAsk,
     .pck = &kStateReqPck,
     .ext = &kStateReqExt,
     .opr_length = &kStateReqLength},
    {.first = Opcode::task_state,
     .ask = &kStateAsk,
     .pck = &kStatePck,
     .ext = &kStateExt,
     .opr_length = &kStateLength,
     .judge = judge_task_state},
    {.first = Opcode::node_reload,
     .ask = &kReloadAsk,
     .pck = &kReloadPck,
     .ext = &kReloadExt,
     .opr_length = &kReloadLength},
};

constexpr ExtensionRules kExtensions[] = {
    {.head_code = HeadCode::inaction_time,
     .hob = &kInactionHob,
     .head_length = &kInactionLength,
     .judge = judge_inaction_time},
};

// ---------------------------------------------------------------------------------------------------------- procedure
// The JCP asks after an inaction time in which nothing was sent. Here it may seem shorter by the time that instructions
// are under way, of which an inaction time is more than three times the longest (5.7.1).
void judge_silence_before(Judge& judge, const Seen& seen, const ManagedNode& node) {
  if (!node.period || node.reloaded || !node.asked.empty()) return;
  if (!judge.advise(kPeriodZero, *node.period != 0, octets(0, 1), expected("no STATE_REQ"), actual("STATE_REQ"),
                    "the node has registered with the inaction period 0"))
    return;
  constexpr std::int64_t kHalfSecond = 500'000'000;
  const std::int64_t least = *node.period * kHalfSecond / 3 * 2;
  const std::int64_t silent = seen.message.time_ns - node.latest_ns;
  if (silent < 0) return;
  judge.advise(kStateReqAfterSilence, silent >= least, octets(0, 1),
               expected([&] { return fmt::format("an inaction time of {} half seconds", *node.period); }),
               actual([&] { return fmt::format("{} ms since the latest instruction", silent / 1'000'000); }));
}

void take_state_req(Judge& judge, const Seen& seen) {
  ManagedNode& node = seen.connection.management.of(other(seen.message.sender));
  const auto ltid = certain_value(seen, Operand::ltid);
  if (!ltid) {
    node.complete = false;  // it may be answered all the same
    return;
  }
  const auto task = node.tasks.find(*ltid);
  const bool reported = task != node.tasks.end() && task->second.job_reported;
  if (judge.advise(kNoTaskNoStateReq, !reported, seen.operand(Operand::ltid), expected("an active task"),
                   actual(hex(*ltid)), "JOB_COMPLETED_INFO went before it"))
    judge_silence_before(judge, seen, node);
  node.keep_asked(*ltid);
}

// Whether the answer to a STATE_REQ has one before it. Without one nothing is known where any may be missing, and the
// first that waits is taken for answered where the answer does not say which it is for.
bool answers(Judge& judge, const Seen& seen, ManagedNode& node, const Rule& rule, bool certain) {
  if (!certain) {
    if (!node.asked.empty()) node.asked.erase(node.asked.begin());
    return false;
  }
  const bool all_seen = seen.to().unbroken && node.complete && !seen.message.order_unknown;
  if (node.asked.empty() && !all_seen) return false;
  return judge.advise(rule, !node.asked.empty(), octets(0, 1), expected("a STATE_REQ before it"), actual("none"),
                      "no STATE_REQ on this connection waits for an answer");
}

void take_task_state(Judge& judge, const Seen& seen) {
  gather_questions(seen, seen.message.sender);
  ManagedNode& node = seen.connection.management.of(seen.message.sender);
  const auto ctid = certain_value(seen, Operand::ctid);
  if (!answers(judge, seen, node, kStateAnswers, ctid.has_value())) return;
  const auto known = [&](std::uint64_t ltid) { return node.tasks.contains(ltid); };
  auto asked = std::ranges::find_if(node.asked,
                                    [&](std::uint64_t ltid) { return known(ltid) && node.tasks[ltid].ctid == *ctid; });
  if (asked != node.asked.end() || std::ranges::all_of(node.asked, known))
    judge.advise(kStateCtid, asked != node.asked.end(), seen.operand(Operand::ctid),
                 expected("the CTID of a task that was asked for"), actual(hex(*ctid)),
                 "the LTID of STATE_REQ was confirmed with another CTID");
  if (asked == node.asked.end()) asked = std::ranges::find_if_not(node.asked, known);
  node.asked.erase(asked == node.asked.end() ? node.asked.begin() : asked);
  constexpr std::uint64_t kCompleted = 4;
  if (seen.value(Operand::state) == kCompleted)
    for_each_account(seen, seen.message.sender, [&](ManagedNode& one, bool is_here) { one.end_task(*ctid, is_here); });
}

void take_node_reload(Judge& judge, const Seen& seen) {
  gather_questions(seen, seen.message.sender);
  ManagedNode& node = seen.connection.management.of(seen.message.sender);
  const auto ltid = certain_value(seen, Operand::ltid);
  node.reloaded = true;
  if (!answers(judge, seen, node, kReloadAnswers, ltid.has_value())) return;
  const auto asked = std::ranges::find(node.asked, *ltid);
  judge.advise(kReloadLtid, asked != node.asked.end(), seen.operand(Operand::ltid),
               expected("the LTID of a STATE_REQ that waits"), actual(hex(*ltid)));
  node.asked.erase(asked == node.asked.end() ? node.asked.begin() : asked);
  for_each_account(seen, seen.message.sender, [&](ManagedNode& one, bool is_here) { one.end_ltid(*ltid, is_here); });
}

}  // namespace

UmspSection activity_rules() {
  static constexpr const Rule* kRules[] = {&kConnectionIsNoNode,
                                           &kNoConnectionNeeded,
                                           &kEmergencyReported,
                                           &kEndsItself,
                                           &kWatchesNodes,
                                           &kInitiatorInactive,
                                           &kNodeInactive,
                                           &kAnyGjidAgain,
                                           &kNoOldGjid,
                                           &kAnyLtidAgain,
                                           &kInactionLength,
                                           &kInactionCode,
                                           &kInactionHob,
                                           &kInactionPeriod,
                                           &kPeriodLength,
                                           &kQueueDoesNotCount,
                                           &kInactionPlaces,
                                           &kInactionFirstTask,
                                           &kPeriodZero,
                                           &kJcpSetsPeriod,
                                           &kInactionRefused,
                                           &kInactionGiven,
                                           &kLooksForTasks,
                                           &kOldTasksEnded,
                                           &kConfirmAfterNotices,
                                           &kStateReqFromJcp,
                                           &kStateReqPck,
                                           &kStateReqChn,
                                           &kStateReqAsk,
                                           &kStateReqExt,
                                           &kStateReqLength,
                                           &kStateReqFitsLtid,
                                           &kStateReqLtid,
                                           &kStateReqAfterSilence,
                                           &kNewTaskNoInfluence,
                                           &kStateReqAnswered,
                                           &kWaitsOnePeriod,
                                           &kSilentIsOff,
                                           &kSilentJcp,
                                           &kNeedNotCheckJcp,
                                           &kNoTaskNoStateReq,
                                           &kStateToJcp,
                                           &kStateAnswers,
                                           &kStatePck,
                                           &kStateChn,
                                           &kStateAsk,
                                           &kStateExt,
                                           &kStateLength,
                                           &kStateFitsCtid,
                                           &kStateCode,
                                           &kStateActive,
                                           &kStateWithoutSession,
                                           &kStateWithoutResources,
                                           &kStateCompleted,
                                           &kStateReserved,
                                           &kReservedUnchecked,
                                           &kReservedZero,
                                           &kStateCtid,
                                           &kStateShortCtid,
                                           &kStateLongCtid,
                                           &kReloadToJcp,
                                           &kReloadAnswers,
                                           &kReloadPck,
                                           &kReloadChn,
                                           &kReloadAsk,
                                           &kReloadExt,
                                           &kReloadLength,
                                           &kReloadFitsLtid,
                                           &kReloadLtid,
                                           &kAbsentTaskReloads,
                                           &kAsksOldTasks,
                                           &kWaitsAfterReload,
                                           &kAsksNewTasks,
                                           &kEachAnswered};
  return {.rules = {.rules = kRules}, .instructions = kInstructions, .extensions = kExtensions};
}

void judge_activity(Judge& judge, const Seen& seen) {
  if (seen.is(Opcode::state_req)) return take_state_req(judge, seen);
  if (seen.is(Opcode::task_state)) return take_task_state(judge, seen);
  if (seen.is(Opcode::node_reload)) return take_node_reload(judge, seen);
}

void judge_inaction_of_registration(Judge& judge, const Seen& seen) {
  const auto index = find_inaction_time(seen);
  if (!index) return;
  const ManagedNode& node = seen.connection.management.of(seen.message.sender);
  const bool active = std::ranges::any_of(node.tasks, [](const auto& one) { return !one.second.ended; });
  judge.advise(kInactionFirstTask, !active, seen.extension(*index), expected("no _INACTION_TIME"),
               actual("_INACTION_TIME"), "the node has an active task under this JCP");
}

void judge_inaction_of_answer(Judge& judge, const Seen& seen, const ManagementRequest& request) {
  const auto index = find_inaction_time(seen);
  if (!index) return;
  const bool confirms = seen.is(Opcode::task_confirm);
  // One that says no time has perhaps set none.
  const bool certain = !request.has_inaction_time || request.period.has_value();
  if (certain)
    judge.require(confirms ? kInactionGiven : kInactionRefused, request.has_inaction_time != confirms,
                  seen.extension(*index), expected("no _INACTION_TIME"), actual("_INACTION_TIME"),
                  confirms ? "TASK_REG has set the period" : "TASK_REG has set no period that could be refused");
  if (confirms)
    for_each_account(seen, other(seen.message.sender), [&](ManagedNode& one, bool) { one.period = period_of(seen); });
}

}  // namespace wirelaw::umsp
