// SPDX-License-Identifier: Apache-2.0
// Tests the Job Control Point with drafts from nodes that do not exist, so that its behaviour depends on nothing else.
#include "reference/umsp/node/control_point.h"

#include <gtest/gtest.h>

#include "reference/umsp/node/test_nodes.h"

namespace wirelaw::umsp {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Octet kJcp = 1, kA = 2, kB = 3, kC = 4;
constexpr TaskId kLtidA{0x11, 4}, kLtidB{0x21, 4}, kLtidC{0x31, 4};

// A JCP, and the instructions that it has sent.
struct ControlPointTest : testing::Test {
  TestNet net;
  std::uint32_t req_id = 100;

  ControlPoint& control() { return *net.at(kJcp).control; }
  Draft asking(Draft draft, std::optional<std::uint16_t> inaction = {}, std::string_view name = {}) {
    draft.req_id = ++req_id;
    if (inaction) draft.extensions.push_back(inaction_extension(*inaction));
    if (!name.empty()) draft.extensions.push_back(text_extension(HeadCode::name, name));
    return draft;
  }
  // Everything that the JCP sends next.
  std::vector<Sent> say(Octet from, Draft draft) {
    net.inject(from, kJcp, std::move(draft));
    return answers();
  }
  std::vector<Sent> answers() {
    std::vector<Sent> all(net.wire.begin(), net.wire.end());
    net.wire.clear();
    return all;
  }
  std::vector<Sent> pass(Instant time) {
    net.now += time;
    control().advance(net.now);
    return answers();
  }
  static OctetBuffer wire(const Sent& one) { return write(one.draft); }
  template <class What>
  static What read(const Sent& one) {
    const OctetBuffer octets = wire(one);
    const auto instruction = decode(octets);
    return What::read(*instruction).value();
  }
  Identifier begin_job(Octet from, TaskId ltid, std::uint16_t life_time = 0, std::optional<std::uint16_t> period = {},
                       std::string_view name = {}) {
    const auto all = say(from, asking(ControlReq{{.job_life_time = life_time}, ltid}.draft(), period, name));
    EXPECT_TRUE(!all.empty() && all.back().is(Opcode::control_confirm));
    return all.empty() ? Identifier{} : read<ControlConfirm>(all.back()).gjid;
  }
  Draft registration(const Identifier& gjid, Identifier opener, TaskId ltid, bool check = false) {
    return TaskReg{{gjid.task, 4}, opener, ltid}.draft(check);
  }
  std::uint64_t join(const Identifier& gjid, Octet node, TaskId ltid, std::optional<std::uint16_t> period = {}) {
    const auto all = say(node, asking(registration(gjid, gtid_of(node_at(kA), kLtidA), ltid), period));
    EXPECT_TRUE(!all.empty() && all.back().is(Opcode::task_confirm));
    return all.empty() ? 0 : read<TaskConfirm>(all.back()).ctid.number;
  }
  static std::vector<Octet> addressees(const std::vector<Sent>& all) {
    std::vector<Octet> nodes;
    for (const Sent& one : all) nodes.push_back(one.to.ip[3]);
    return nodes;
  }
  static JobCode code_of(Codes codes) { return static_cast<JobCode>(codes.basic); }
  JobCode refusal(Octet from, Draft draft) {
    const auto all = say(from, std::move(draft));
    if (all.size() != 1 || !all[0].is(Opcode::task_reject)) return {};
    return code_of(read<TaskReject>(all[0]).codes);
  }
  // A job of node A with tasks on B and C.
  Identifier whole_job(std::optional<std::uint16_t> period = {}) {
    const Identifier gjid = begin_job(kA, kLtidA, 0, period, "sum");
    ctid_b = join(gjid, kB, kLtidB, period);
    ctid_c = join(gjid, kC, kLtidC, period);
    return gjid;
  }
  std::uint64_t ctid_b = 0, ctid_c = 0;
};

using Octets8 = std::vector<Octet>;

TEST_F(ControlPointTest, TakesAJobUnderItsControlAndNamesItByItsOwnAddress) {
  net.add(kJcp);
  const auto all = say(kA, asking(ControlReq{{}, kLtidA}.draft()));
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].draft.req_id, req_id);
  EXPECT_EQ(all[0].on, 7u);
  const Identifier gjid = read<ControlConfirm>(all[0]).gjid;
  EXPECT_EQ(node_of(gjid), node_at(kJcp));
  EXPECT_EQ(control().jobs(), 1u);
  EXPECT_NE(begin_job(kA, {0x12, 4}).task, gjid.task);
}

TEST_F(ControlPointTest, RefusesAJobThatItCannotTake) {
  net.add(kJcp, {.least_inaction = 4, .most_inaction = 100, .most_life_time = 60});
  const auto reject = [&](Draft draft) { return read<ControlReject>(say(kA, std::move(draft)).at(0)); };
  const auto too_long = reject(asking(ControlReq{{.job_life_time = 61}, kLtidA}.draft()));
  EXPECT_EQ(code_of(too_long.codes), JobCode::life_time);
  EXPECT_EQ(decode_control_profile(*too_long.profile).job_life_time, 60);
  EXPECT_EQ(code_of(reject(asking(ControlReq{{.job_life_time = 0}, kLtidA}.draft())).codes), JobCode::life_time);
  const auto version = reject(asking(ControlReq{{.job_life_time = 9, .version = 2}, kLtidA}.draft()));
  EXPECT_EQ(code_of(version.codes), JobCode::version_unknown);
  EXPECT_EQ(decode_control_profile(*version.profile).version, 1);
  const auto period = say(kA, asking(ControlReq{{.job_life_time = 9}, kLtidA}.draft(), 101));
  EXPECT_EQ(code_of(read<ControlReject>(period.at(0)).codes), JobCode::inaction_time);
  EXPECT_EQ(wire(period[0]).size(), write(ControlReject{{1, 0}}.draft()).size() + 4 + 4);
  EXPECT_EQ(code_of(reject(asking(draft_of(Opcode::control_req, OctetBuffer(4)))).codes), JobCode::malformed);
  const std::string long_name(256, 'x');
  EXPECT_EQ(code_of(reject(asking(ControlReq{{}, kLtidA}.draft(), {}, long_name)).codes), JobCode::malformed);
  EXPECT_EQ(control().jobs(), 0u);
}

TEST_F(ControlPointTest, ControlsNoForeignJobsWhereItShallNot) {
  net.add(kJcp, {.accepts_jobs = false});
  const auto all = say(kA, asking(ControlReq{{}, kLtidA}.draft()));
  EXPECT_EQ(code_of(read<ControlReject>(all.at(0)).codes), JobCode::not_accepted);
  EXPECT_TRUE(control().begin_own_job(kLtidA, "", 0, net.now).has_value());
}

TEST_F(ControlPointTest, DoesNotLookAtCmtAndReservedBits) {
  net.add(kJcp);
  const auto all = say(kA, asking(ControlReq{{.cmt = true, .reserved = 0x7ff}, kLtidA}.draft()));
  EXPECT_TRUE(all.at(0).is(Opcode::control_confirm));
}

TEST_F(ControlPointTest, ARepeatedRequestEndsTheFormerJobFirst) {
  net.add(kJcp);
  const Identifier former = whole_job();
  const auto all = say(kA, asking(ControlReq{{}, kLtidA}.draft()));
  ASSERT_EQ(addressees(all), (Octets8{kB, kC, kA}));
  EXPECT_EQ(read<JobCompletedInfo>(all[0]).gjid, former);
  EXPECT_NE(read<JobCompletedInfo>(all[1]).codes->basic, 0);
  EXPECT_NE(read<ControlConfirm>(all[2]).gjid, former);
  EXPECT_EQ(control().jobs(), 1u);
  EXPECT_EQ(control().tasks(), 1u);
}

TEST_F(ControlPointTest, AJobWithAnotherLtidLeavesTheFirstAlone) {
  net.add(kJcp);
  whole_job();
  EXPECT_EQ(addressees(say(kA, asking(ControlReq{{}, {0x12, 4}}.draft()))), Octets8{kA});
  EXPECT_EQ(addressees(say(kB, asking(ControlReq{{}, kLtidA}.draft()))), Octets8{kB});
  EXPECT_EQ(control().jobs(), 3u);
}

TEST_F(ControlPointTest, ConfirmsATaskWithTheJobsNameAndThePeriodThatItSets) {
  net.add(kJcp, {.inaction = 30});
  const Identifier gjid = begin_job(kA, kLtidA, 0, {}, "sum");
  const auto all = say(kB, asking(registration(gjid, gtid_of(node_at(kA), kLtidA), kLtidB)));
  const OctetBuffer octets = wire(all.at(0));
  const auto instruction = decode(octets);
  EXPECT_EQ(name_of(*instruction), "sum");
  EXPECT_EQ(inaction_of(*instruction), 30);
  const auto named = say(kC, asking(registration(gjid, gtid_of(node_at(kA), kLtidA), kLtidC), 8));
  const OctetBuffer second = wire(named.at(0));
  EXPECT_EQ(inaction_of(*decode(second)), std::nullopt);
}

TEST_F(ControlPointTest, RejectsATaskWhereOneConditionDoesNotHold) {
  net.add(kJcp, {.least_inaction = 4});
  const Identifier gjid = whole_job();
  const Identifier opener = gtid_of(node_at(kA), kLtidA);
  const auto with = [&](const Identifier& job, const Identifier& gtid, TaskId ltid) {
    return refusal(kB, asking(registration(job, gtid, ltid)));
  };
  Identifier unknown = gjid;
  unknown.task = 999;
  EXPECT_EQ(with(unknown, opener, {5, 4}), JobCode::unknown_job);
  EXPECT_EQ(with(gjid, gtid_of(node_at(kA), {0x99, 4}), {5, 4}), JobCode::opener_unknown);
  EXPECT_EQ(with(gjid, gtid_of(node_at(9), kLtidA), {5, 4}), JobCode::opener_unknown);
  EXPECT_EQ(with(gjid, opener, kLtidB), JobCode::task_registered);
  EXPECT_EQ(refusal(kB, asking(draft_of(Opcode::task_reg_4, OctetBuffer(8)))), JobCode::malformed);
  EXPECT_EQ(refusal(9, asking(registration(gjid, opener, {5, 4}), 3)), JobCode::inaction_time);
  EXPECT_EQ(control().tasks(), 3u);
}

TEST_F(ControlPointTest, AnLtidIsFreeAgainWhenItsTaskHasEnded) {
  net.add(kJcp);
  const Identifier gjid = whole_job();
  say(kB, TaskTerminate{{}, {ctid_b, 4}}.draft());
  EXPECT_NE(join(gjid, kB, kLtidB), ctid_b);
}

TEST_F(ControlPointTest, ChecksBothTasksOfTaskChk) {
  net.add(kJcp);
  const Identifier gjid = whole_job();
  const Identifier opener = gtid_of(node_at(kC), kLtidC);
  const auto all = say(kB, asking(registration(gjid, opener, kLtidB, true)));
  EXPECT_EQ(read<TaskConfirm>(all.at(0)).ctid.number, ctid_b);
  EXPECT_EQ(refusal(kB, asking(registration(gjid, opener, {0x99, 4}, true))), JobCode::task_not_registered);
  EXPECT_EQ(refusal(kB, asking(registration(gjid, gtid_of(node_at(9), kLtidC), kLtidB, true))),
            JobCode::opener_unknown);
}

TEST_F(ControlPointTest, ATaskThatEndsIsReportedToTheOtherNodesWithItsCodes) {
  net.add(kJcp);
  whole_job();
  const auto all = say(kB, TaskTerminate{{5, 6}, {ctid_b, 4}}.draft());
  ASSERT_EQ(addressees(all), (Octets8{kA, kC}));
  const auto info = read<TaskTerminateInfo>(all[0]);
  EXPECT_EQ(info.codes, (Codes{5, 6}));
  EXPECT_EQ(info.gtid, gtid_of(node_at(kB), kLtidB));
  EXPECT_TRUE(say(kC, TaskTerminate{{0, 6}, {ctid_c, 4}}.draft()).empty());
}

TEST_F(ControlPointTest, NobodyEndsWhatIsNotHis) {
  net.add(kJcp);
  const Identifier gjid = whole_job();
  EXPECT_TRUE(say(kC, TaskTerminate{{5, 6}, {ctid_b, 4}}.draft()).empty());
  EXPECT_TRUE(say(kB, JobCompleted{{1, 0}, {gjid.task, 4}}.draft()).empty());
  EXPECT_TRUE(say(kA, JobCompleted{{1, 0}, {ctid_b, 4}}.draft()).empty());
  EXPECT_EQ(control().tasks(), 3u);
}

TEST_F(ControlPointTest, TheFirstTaskTakesItsJobWithIt) {
  net.add(kJcp);
  const Identifier gjid = whole_job();
  const auto all = say(kA, TaskTerminate{{5, 6}, {gjid.task, 4}}.draft());
  ASSERT_EQ(addressees(all), (Octets8{kB, kC}));
  EXPECT_TRUE(all[0].is(Opcode::job_completed_info));
  EXPECT_EQ(control().jobs(), 0u);
}

TEST_F(ControlPointTest, ACompletedJobIsReportedToItsOtherNodes) {
  net.add(kJcp);
  const Identifier gjid = whole_job();
  const auto all = say(kA, JobCompleted{{3, 4}, {gjid.task, 4}}.draft());
  ASSERT_EQ(addressees(all), (Octets8{kB, kC}));
  EXPECT_EQ(read<JobCompletedInfo>(all[1]).codes, (Codes{3, 4}));
  EXPECT_EQ(read<JobCompletedInfo>(all[1]).gjid, gjid);
  EXPECT_EQ(control().tasks(), 0u);
}

TEST_F(ControlPointTest, TheEndOfALifeIsReportedToTheInitiatorFirst) {
  net.add(kJcp);
  const Identifier gjid = begin_job(kB, kLtidB, 10);
  say(kA, asking(registration(gjid, gtid_of(node_at(kB), kLtidB), kLtidA)));
  EXPECT_EQ(control().deadline(), seconds(10));
  EXPECT_TRUE(pass(seconds(10) - milliseconds(1)).empty());
  EXPECT_EQ(addressees(pass(milliseconds(1))), (Octets8{kB, kA}));
  EXPECT_EQ(control().deadline(), std::nullopt);
}

TEST_F(ControlPointTest, AnEndOfItsWorkEndsAllJobs) {
  net.add(kJcp);
  whole_job();
  begin_job(kB, {0x22, 4});
  control().shut_down(net.now);
  EXPECT_EQ(addressees(answers()), (Octets8{kA, kB, kC, kB}));
  EXPECT_EQ(control().jobs(), 0u);
  EXPECT_FALSE(control().former().assigned_any());
}

TEST_F(ControlPointTest, AReloadedNodeLosesItsTasksBeforeItsRequestIsConfirmed) {
  net.add(kJcp);
  const Identifier gjid = whole_job();
  const auto all = say(kB, asking(registration(gjid, gtid_of(node_at(kA), kLtidA), kLtidB), 0));
  ASSERT_EQ(addressees(all), (Octets8{kA, kC, kB}));
  EXPECT_TRUE(all[0].is(Opcode::task_terminate_info));
  EXPECT_TRUE(all[2].is(Opcode::task_confirm));
  EXPECT_EQ(control().tasks(), 3u);
}

// -------------------------------------------------------------------------------------------------------- activity

TEST_F(ControlPointTest, AsksASilentNodeAndTakesItForSwitchedOffAfterOneMorePeriod) {
  net.add(kJcp);
  const Identifier gjid = begin_job(kA, kLtidA, 0, 0);
  ctid_b = join(gjid, kB, kLtidB, 10);
  join(gjid, kC, kLtidC, 0);
  EXPECT_EQ(control().deadline(), seconds(5));
  EXPECT_TRUE(pass(seconds(5) - milliseconds(1)).empty());
  const auto asked = pass(milliseconds(1));
  ASSERT_EQ(addressees(asked), Octets8{kB});
  EXPECT_EQ(read<StateReq>(asked[0]).ltid.number, kLtidB.number);
  EXPECT_TRUE(say(kB, TaskState{1, {ctid_b, 4}}.draft()).empty());
  EXPECT_EQ(pass(seconds(5)).size(), 1u);
  EXPECT_TRUE(pass(seconds(5) - milliseconds(1)).empty());
  const auto off = pass(milliseconds(1));
  ASSERT_EQ(addressees(off), (Octets8{kA, kC}));
  EXPECT_TRUE(off[0].is(Opcode::task_terminate_info));
  EXPECT_EQ(control().deadline(), std::nullopt);
}

TEST_F(ControlPointTest, EveryInstructionPutsTheQuestionOff) {
  net.add(kJcp);
  begin_job(kA, kLtidA, 0, 10);
  net.now += seconds(4);
  control().noted(node_at(kA), net.now);
  EXPECT_EQ(control().deadline(), seconds(9));
}

TEST_F(ControlPointTest, AnInitiatorThatIsSwitchedOffEndsItsJob) {
  net.add(kJcp);
  const Identifier gjid = begin_job(kA, kLtidA, 0, 10);
  join(gjid, kB, kLtidB, 0);
  EXPECT_EQ(pass(seconds(5)).size(), 1u);
  const auto off = pass(seconds(5));
  ASSERT_EQ(addressees(off), Octets8{kB});
  EXPECT_TRUE(off[0].is(Opcode::job_completed_info));
}

TEST_F(ControlPointTest, NeitherANewTaskNorAStrangersAnswerSettlesTheQuestion) {
  net.add(kJcp);
  const Identifier gjid = begin_job(kA, kLtidA, 0, 10);
  join(gjid, kB, kLtidB, 0);
  pass(seconds(5));
  begin_job(kA, {0x12, 4});
  say(kB, TaskState{1, {gjid.task, 4}}.draft());
  say(kB, NodeReload{kLtidA}.draft());
  net.now += seconds(5);
  control().advance(net.now);
  EXPECT_EQ(addressees(answers()), Octets8{kB});
  EXPECT_EQ(control().jobs(), 0u);
}

TEST_F(ControlPointTest, ATaskThatIsCompletedIsEnded) {
  net.add(kJcp);
  const Identifier gjid = begin_job(kA, kLtidA, 0, 0);
  ctid_b = join(gjid, kB, kLtidB, 10);
  pass(seconds(5));
  EXPECT_EQ(addressees(say(kB, TaskState{4, {ctid_b, 4}}.draft())), Octets8{kA});
  EXPECT_EQ(control().tasks(), 1u);
}

// The three steps of 5.7.4: tasks from before the last question but one are asked at once, those between the last two
// questions one period after the last, later ones not at all.
TEST_F(ControlPointTest, AfterAReloadAsksTheOldTasksNowAndTheLaterOnesAfterAPeriod) {
  net.add(kJcp);
  const Identifier gjid = begin_job(kA, kLtidA, 0, 0);
  const Identifier second = begin_job(kA, {0x12, 4}, 0, 0);
  const Identifier third = begin_job(kA, {0x13, 4}, 0, 0);
  const auto task = [&](const Identifier& job, TaskId own, TaskId ltid, std::optional<std::uint16_t> period) {
    const auto all = say(kB, asking(registration(job, gtid_of(node_at(kA), own), ltid), period));
    return read<TaskConfirm>(all.at(0)).ctid.number;
  };
  const std::uint64_t oldest = task(gjid, kLtidA, kLtidB, 10);
  task(second, {0x12, 4}, {0x22, 4}, {});
  pass(seconds(5));
  say(kB, TaskState{2, {oldest, 4}}.draft());
  task(third, {0x13, 4}, {0x23, 4}, {});
  ASSERT_EQ(pass(seconds(5)).size(), 1u);
  const Instant last = net.now;
  net.now += seconds(1);
  const auto asked = say(kB, NodeReload{kLtidB}.draft());
  ASSERT_EQ(addressees(asked), (Octets8{kA, kB}));
  EXPECT_EQ(read<StateReq>(asked[1]).ltid.number, 0x22u);
  EXPECT_EQ(addressees(say(kB, NodeReload{{0x22, 4}}.draft())), Octets8{kA});
  EXPECT_EQ(control().deadline(), last + seconds(5));
  const auto later = pass(last + seconds(5) - net.now);
  ASSERT_EQ(addressees(later), Octets8{kB});
  EXPECT_EQ(read<StateReq>(later[0]).ltid.number, 0x23u);
}

TEST_F(ControlPointTest, AnUnaskedReloadHasNoEffect) {
  net.add(kJcp);
  whole_job();
  EXPECT_TRUE(say(kB, NodeReload{kLtidB}.draft()).empty());
  EXPECT_TRUE(say(kB, TaskState{4, {ctid_b, 4}}.draft()).empty());
  EXPECT_EQ(control().tasks(), 3u);
}

// -------------------------------------------------------------------------------------------------- restarts, bounds

TEST_F(ControlPointTest, GjidsOfBeforeAnEmergencyAreKeptApartForTwoPeriods) {
  net.add(kJcp);
  begin_job(kA, kLtidA, 0, 20);
  begin_job(kA, {0x12, 4});
  net.former = control().former();
  EXPECT_EQ(net.former.longest_inaction, 20);
  net.add(kJcp);
  EXPECT_EQ(begin_job(kA, kLtidA).task, 3u);
  net.now += seconds(20);
  net.former = {};
  net.add(kJcp);
  EXPECT_EQ(begin_job(kA, kLtidA).task, 1u);
}

TEST_F(ControlPointTest, WhereAllCtidsAreKeptApartNoJobIsTaken) {
  net.former = {1, 0xffff, 20};
  net.add(kJcp, {.format = {kIpv4Memory16}});
  EXPECT_EQ(code_of(read<ControlReject>(say(kA, asking(ControlReq{{}, kLtidA}.draft())).at(0)).codes),
            JobCode::no_room);
  net.now += seconds(20);
  EXPECT_EQ(begin_job(kA, kLtidA).octets(), 7u);
}

TEST_F(ControlPointTest, CtidsBeginAgainAtOneAndPassOverThoseInUse) {
  net.add(kJcp, {.format = {kIpv4Memory16}, .first_ctid = 0xffff});
  EXPECT_EQ(begin_job(kA, {1, 4}).task, 0xffffu);
  EXPECT_EQ(begin_job(kA, {2, 4}).task, 1u);
}

TEST_F(ControlPointTest, FloodsEndAtTheBounds) {
  net.add(kJcp, {.jobs = 3, .tasks = 6, .nodes = 4});
  const Identifier gjid = begin_job(kA, kLtidA);
  for (std::uint64_t i = 0; i < 50; ++i) say(kB, asking(ControlReq{{}, {i + 1, 4}}.draft()));
  EXPECT_EQ(control().jobs(), 3u);
  const Identifier opener = gtid_of(node_at(kA), kLtidA);
  for (Octet node = 10; node < 60; ++node) say(node, asking(registration(gjid, opener, {1, 4})));
  EXPECT_EQ(control().tasks(), 5u);
  for (std::uint64_t i = 0; i < 50; ++i) say(kB, asking(registration(gjid, opener, {i + 100, 4})));
  EXPECT_EQ(control().tasks(), 6u);
}

TEST_F(ControlPointTest, RequestsWithoutAReqIdAndStraysAreLeftAlone) {
  net.add(kJcp);
  EXPECT_TRUE(say(kA, ControlReq{{}, kLtidA}.draft()).empty());
  for (unsigned opcode = 0; opcode < 256; ++opcode)
    for (const std::size_t size : {0u, 4u, 8u, 16u, 36u}) {
      const Draft draft{.opcode = static_cast<std::uint8_t>(opcode), .operands = OctetBuffer(size, 0x41)};
      say(kA, draft);
    }
  EXPECT_EQ(control().jobs(), 0u);
}

// ---------------------------------------------------------------------------------------------------- the own node

TEST_F(ControlPointTest, ANodeThatTheJcpHasOpenedIsPartOfTheJob) {
  net.add(kJcp);
  const Identifier gjid = *control().begin_own_job({7, 4}, "own", 0, net.now);
  control().register_opened_by_jcp(gjid, node_at(kB), {}, false, net.now);
  const auto all = say(kC, asking(registration(gjid, gtid_of(node_at(kB), kLtidB), kLtidC)));
  EXPECT_TRUE(all.at(0).is(Opcode::task_confirm));
  EXPECT_EQ(refusal(9, asking(registration(gjid, gtid_of(node_at(kB), {0x99, 4}), {1, 4}))), JobCode::opener_unknown);
  control().register_opened_by_jcp(gjid, node_at(kB), {}, true, net.now);
  const auto again = answers();
  ASSERT_EQ(addressees(again), Octets8{kC});
  EXPECT_EQ(read<TaskTerminateInfo>(again[0]).gtid, gtid_of(node_at(kB), kLtidB));
  OwnNotice notice;
  ASSERT_TRUE(control().next_notice(notice));
  EXPECT_EQ(notice.ended_task, gtid_of(node_at(kB), kLtidB));
  control().ended_on(gjid, node_at(kB), {9, 0}, net.now);
  EXPECT_EQ(addressees(answers()), Octets8{kC});
  control().complete_own_job(gjid, {}, net.now);
  EXPECT_EQ(addressees(answers()), Octets8{kC});
}

TEST_F(ControlPointTest, ARegistrationBringsTheCtidToANodeThatTheJcpHasOpened) {
  net.add(kJcp);
  const Identifier gjid = *control().begin_own_job({7, 4}, "", 0, net.now);
  control().register_opened_by_jcp(gjid, node_at(kB), kLtidB, false, net.now);
  const auto all = say(kB, asking(registration(gjid, gtid_of(node_at(kJcp), {7, 4}), kLtidB)));
  EXPECT_TRUE(all.at(0).is(Opcode::task_confirm));
  EXPECT_EQ(control().tasks(), 2u);
}

}  // namespace
}  // namespace wirelaw::umsp
