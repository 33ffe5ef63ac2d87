// SPDX-License-Identifier: Apache-2.0
// A job of three nodes with a connection for each pair: tests of the facts that they show together.
#include "conformance/umsp/tracker/jobs.h"

#include <gmock/gmock.h>

#include <functional>

#include "conformance/umsp/tracker/world_test.h"

namespace wirelaw::umsp {
namespace {

using namespace world;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Jobs, OfHonestNodesBlameNobody) {
  World world;
  world.run();
  world.terminate();
  world.leave(kExecutor);
  world.say(kJcp, kInitiator, TaskTerminateInfo{{1, 0}, identifier(kExecutor, kLtid)}.draft());
  world.say(kInitiator, kJcp, JobCompleted{.ctid = {kFirstCtid, 4}}.draft());
  world.pause(100 * kSecond);
  EXPECT_THAT(world.findings(), IsEmpty());
}

TEST(Jobs, ASessionIsAcceptedOnceTheJcpHasConfirmed) {
  World world;
  world.control();
  world.open();
  world.enrol();
  world.accept();
  world.confirm();
  EXPECT_THAT(world.findings(), ElementsAre("UMSP-5.2-7 violation"));
}

// The JCP opens a session itself, so it wants the task to run.
TEST(Jobs, ASessionIsAcceptedOnceTheJcpHasOpenedOne) {
  World world;
  world.control();
  world.open();
  world.enrol();
  world.say(kJcp, kExecutor,
            SessionOpen{.required_vm = {50000, 1},
                        .required_profile = 0xfbff'17fe,
                        .sender_vm = {50000, 1},
                        .sender_profile = 0xfbff'07fe,
                        .gjid = identifier(kJcp, kFirstCtid),
                        .ltid = {0x77, 4}}
                .draft(),
            6);
  world.say(kExecutor, kJcp, draft_of(Opcode::session_accept), 2, 6);
  world.accept();
  EXPECT_THAT(world.findings(), IsEmpty());
}

TEST(Jobs, ASessionIsRefusedOnceTheJcpHasRejected) {
  World world;
  world.control();
  world.open();
  world.enrol();
  world.say(kJcp, kExecutor, TaskReject{{1, 0}}.draft(), 7);
  world.accept();
  EXPECT_THAT(world.findings(), ElementsAre("UMSP-5.2.3-2 violation"));
}

TEST(Jobs, ATaskIsRegisteredForTheSessionThatIsOpened) {
  struct Row {
    std::function<void(TaskReg&)> fault;
    std::vector<std::string> rules;
  };
  const Row rows[] = {
      {[](TaskReg& one) { one.gtid = identifier(kInitiator, kFirstLtid + 1); },
       {"UMSP-5.2.1-13 violation", "UMSP-5.2.1-18 violation"}},
      {[](TaskReg& one) { one.gtid = identifier(kOther, kFirstLtid); },
       {"UMSP-5.2.1-13 violation", "UMSP-5.2.1-18 violation"}},
      // The job may have begun before the capture.
      {[](TaskReg& one) { one.ctid.number = 0x3009; }, {"UMSP-5.2.1-11 warning"}},
  };
  for (const Row& row : rows) {
    World world;
    world.control();
    world.open();
    TaskReg registration = World::registration();
    row.fault(registration);
    world.enrol(registration);
    world.confirm();
    EXPECT_THAT(world.findings(), testing::ElementsAreArray(row.rules));
  }
}

TEST(Jobs, ATaskIsRegisteredForAJobThatSomebodyHasOpenedThere) {
  World world;
  world.control();
  world.say(kInitiator, kJcp, ControlReq{.ltid = {kFirstLtid + 1, 4}}.draft(), 2);
  world.say(kJcp, kInitiator, ControlConfirm{identifier(kJcp, 0x3009)}.draft(), 2);
  world.open();
  TaskReg registration = World::registration();
  registration.ctid.number = 0x3009;
  world.enrol(registration);
  EXPECT_THAT(world.findings(), ElementsAre("UMSP-5.2.1-11 violation"));
}

TEST(Jobs, ActiveTasksAndJobsHaveIdentifiersOfTheirOwn) {
  World world;
  world.run();
  world.say(kOther, kJcp, World::registration().draft(), 8);
  world.say(kJcp, kOther, TaskConfirm{{kCtid, 4}}.draft(), 8);
  world.say(kOther, kJcp, ControlReq{.ltid = {9, 4}}.draft(), 9);
  world.say(kJcp, kOther, ControlConfirm{identifier(kJcp, kFirstCtid)}.draft(), 9);
  EXPECT_THAT(world.findings(), ElementsAre("UMSP-5.2.2-11 violation", "UMSP-2.2-10 violation"));
}

// Whoever does not answer STATE_REQ may be off: its task may be over without a word.
TEST(Jobs, AnIdentifierOfANodeThatMayBeOffIsFree) {
  World world;
  world.run();
  world.say(kJcp, kExecutor, StateReq{{kLtid, 4}}.draft());
  world.say(kOther, kJcp, World::registration().draft(), 8);
  world.say(kJcp, kOther, TaskConfirm{{kCtid, 4}}.draft(), 8);
  EXPECT_THAT(world.findings(), IsEmpty());
}

// The node sends something again, but no answer. Its earlier tasks may be over, too.
TEST(Jobs, AnIdentifierOfANodeThatWasOffIsFree) {
  for (const bool answers : {true, false}) {
    World world;
    world.run();
    world.say(kJcp, kExecutor, StateReq{{kLtid, 4}}.draft());
    if (answers)
      world.say(kExecutor, kJcp, TaskState{.state = 1, .ctid = {kCtid, 4}}.draft());
    else
      world.say(kExecutor, kJcp, ControlReq{.ltid = {0x77, 4}}.draft(), 20);
    world.say(kOther, kJcp, World::registration().draft(), 8);
    world.say(kJcp, kOther, TaskConfirm{{kCtid, 4}}.draft(), 8);
    EXPECT_EQ(testing::Value(world.findings(), testing::Contains("UMSP-5.2.2-11 violation")), answers);
  }
}

TEST(Jobs, AnIdentifierOfATaskThatTheJcpReportsEndedIsFree) {
  World world;
  world.run();
  world.say(kJcp, kInitiator, TaskTerminateInfo{{1, 0}, identifier(kExecutor, kLtid)}.draft());
  world.say(kOther, kJcp, World::registration().draft(), 8);
  world.say(kJcp, kOther, TaskConfirm{{kCtid, 4}}.draft(), 8);
  EXPECT_THAT(world.findings(), IsEmpty());
}

TEST(Jobs, TheOtherNodesAreNotifiedOfTheEndOfATask) {
  World world;
  world.run();
  world.terminate();
  world.leave(kExecutor);
  world.pause(100 * kSecond);
  EXPECT_THAT(world.findings(), ElementsAre("UMSP-5.5.1-15 violation"));
}

TEST(Jobs, NoNodeIsLeftOut) {
  World world;
  world.run();
  world.say(kOther, kJcp, TaskReg{{kFirstCtid, 4}, identifier(kInitiator, kFirstLtid), {9, 4}}.draft(), 8);
  world.say(kJcp, kOther, TaskConfirm{{0x3003, 4}}.draft(), 8);
  world.terminate();
  world.leave(kExecutor);
  world.say(kJcp, kOther, TaskTerminateInfo{{1, 0}, identifier(kExecutor, kLtid)}.draft());
  world.pause(100 * kSecond);
  EXPECT_THAT(world.findings(), ElementsAre("UMSP-5.5.1-16 violation"));
}

// With a basic code of 0 a notice is optional (UMSP/B15), and one may still come.
TEST(Jobs, NoNoticeIsOwedOfAnEndWithoutACodeOrAtOnce) {
  World world;
  world.run();
  world.terminate({0, 7});
  world.leave(kExecutor);
  world.pause(100 * kSecond);
  EXPECT_THAT(world.findings(), IsEmpty());
  World other;
  other.run();
  other.terminate();
  other.pause(10 * kSecond);
  EXPECT_THAT(other.findings(), IsEmpty());
}

TEST(Jobs, NoticesRepeatTheCodesAndGoToOthers) {
  World world;
  world.run();
  world.terminate({1, 2});
  world.say(kJcp, kInitiator, TaskTerminateInfo{{1, 3}, identifier(kExecutor, kLtid)}.draft());
  world.say(kJcp, kExecutor, TaskTerminateInfo{{1, 2}, identifier(kExecutor, kLtid)}.draft());
  EXPECT_THAT(world.findings(), ElementsAre("UMSP-5.5.2-14 violation", "UMSP-5.5.2-2 violation"));
}

TEST(Jobs, AllNodesAreNotifiedOfTheEndOfTheJob) {
  for (const bool notified : {true, false}) {
    World world;
    world.run();
    world.say(kInitiator, kJcp, JobCompleted{.codes = {1, 0}, .ctid = {kFirstCtid, 4}}.draft());
    world.leave(kInitiator);
    if (notified) world.say(kJcp, kExecutor, JobCompletedInfo{Codes{2, 0}, identifier(kJcp, kFirstCtid)}.draft());
    world.pause(100 * kSecond);
    EXPECT_THAT(world.findings(), ElementsAre(notified ? "UMSP-5.6.2-12 violation" : "UMSP-5.6.1-13 violation"));
  }
}

// The GJID identifies the JCP. The node that opens another session is not the JCP.
TEST(Jobs, ASecondSessionIsAcceptedFromTheJcpAlone) {
  World world;
  world.run();
  world.open(6);
  world.say(kExecutor, kInitiator, draft_of(Opcode::session_accept), 2, 6);
  EXPECT_THAT(world.findings(), ElementsAre("UMSP-5.3.1-37 violation"));
}

TEST(Jobs, AJcpAssignsGjidsOfItsOwnAddress) {
  World world;
  world.say(kInitiator, kJcp, ControlReq{.ltid = {kFirstLtid, 4}}.draft(), 1);
  world.say(kJcp, kInitiator, ControlConfirm{identifier(kOther, kFirstCtid)}.draft(), 1);
  EXPECT_THAT(world.findings(), ElementsAre("UMSP-5.2-6 warning"));
}

// A gap on one connection may explain what the others show.
TEST(Jobs, OfBrokenConnectionsAreNotJudged) {
  World world;
  world.control();
  world.open();
  world.enrol();
  world.lose(kJcp, kExecutor, 12);
  world.accept();
  world.terminate();
  world.pause(100 * kSecond);
  EXPECT_THAT(world.findings(), IsEmpty());
}

// A gap between two other nodes explains nothing of these.
TEST(Jobs, OfOtherNodesThanThoseOfABrokenConnectionAreJudged) {
  World world;
  world.control();
  world.open();
  world.enrol();
  world.say(kOther, kInitiatorOfOthers, ControlReq{.ltid = {9, 4}}.draft(), 9);
  world.lose(kOther, kInitiatorOfOthers, 12);
  world.accept();
  EXPECT_THAT(world.findings(), ElementsAre("UMSP-5.2-7 violation"));
}

TEST(Jobs, ANodeHasTheGjidOfItsActiveJobOnce) {
  for (const bool has_ended : {false, true}) {
    World world;
    world.control();
    if (has_ended) world.say(kInitiator, kJcp, JobCompleted{.ctid = {kFirstCtid, 4}}.draft());
    world.say(kInitiator, kJcp, ControlReq{.ltid = {kFirstLtid + 1, 4}}.draft(), 2);
    world.say(kJcp, kInitiator, ControlConfirm{identifier(kJcp, kFirstCtid)}.draft(), 2);
    EXPECT_EQ(testing::Value(world.findings(), testing::Contains("UMSP-2.2-10 violation")), !has_ended);
  }
}

TEST(Jobs, NoSessionIsOpenedOfAJobThatTheNodeHasCompleted) {
  for (const Completeness completeness : {Completeness::complete, Completeness::unknown}) {
    World world(completeness);
    world.control();
    world.say(kInitiator, kJcp, JobCompleted{.ctid = {kFirstCtid, 4}}.draft());
    world.pause(2 * kSecond);
    world.say(kExecutor, kInitiator, draft_of(Opcode::nop));
    world.pause(2 * kSecond);  // the initiator's TCP has acknowledged it
    world.open();
    EXPECT_THAT(world.findings(), ElementsAre(completeness == Completeness::complete ? "UMSP-5.6.1-12 violation"
                                                                                     : "UMSP-5.6.1-12 warning"));
  }
}

// It went over another connection, and may have been sent before, however long it took.
TEST(Jobs, ASessionThatIsOpenedAfterItsJobHasEndedIsWarnedOfIfNothingProvesTheOrder) {
  for (const std::int64_t pause : {std::int64_t{0}, kSecond, 3 * kSecond, 9 * kSecond, 3600 * kSecond}) {
    World world(Completeness::complete);
    world.control();
    world.say(kInitiator, kJcp, JobCompleted{.ctid = {kFirstCtid, 4}}.draft());
    world.pause(pause);
    world.open();
    EXPECT_THAT(world.findings(), ElementsAre("UMSP-5.6.1-12 warning")) << pause;
  }
}

// Its opener sends nothing before a connection is accepted, so that the order is proven.
TEST(Jobs, ASessionOverAConnectionThatIsAcceptedAfterTheEndOfItsJobIsAViolation) {
  for (const std::int64_t pause : {std::int64_t{0}, kSecond / 2, kSecond, 3 * kSecond}) {
    World world(Completeness::complete);
    world.control();
    world.say(kInitiator, kJcp, JobCompleted{.ctid = {kFirstCtid, 4}}.draft());
    world.pause(pause);
    world.connect(kInitiator, kExecutor);
    world.open();
    EXPECT_THAT(world.findings(), ElementsAre(pause >= kSecond ? "UMSP-5.6.1-12 violation" : "UMSP-5.6.1-12 warning"))
        << pause;
  }
  World world(Completeness::complete);  // the connection is older than the end of the job
  world.connect(kInitiator, kExecutor);
  world.control();
  world.say(kInitiator, kJcp, JobCompleted{.ctid = {kFirstCtid, 4}}.draft());
  world.pause(3 * kSecond);
  world.open();
  EXPECT_THAT(world.findings(), ElementsAre("UMSP-5.6.1-12 warning"));
}

// A job that begins again has its GJID back.
TEST(Jobs, ASessionMayBeOpenedOfAJobThatHasBegunAgain) {
  World world;
  world.control();
  world.say(kInitiator, kJcp, JobCompleted{.ctid = {kFirstCtid, 4}}.draft());
  world.control();
  world.open();
  EXPECT_THAT(world.findings(), testing::Not(testing::Contains("UMSP-5.6.1-12 violation")));
}

// They may have been given before the capture: warnings.
TEST(Jobs, IdentifiersThatNobodyHasGivenAreWarnedOf) {
  World completed, reported;
  completed.control();
  completed.say(kInitiator, kJcp, JobCompleted{.ctid = {kFirstCtid + 1, 4}}.draft());
  EXPECT_THAT(completed.findings(), ElementsAre("UMSP-5.6.1-9 warning"));
  for (const std::uint64_t ctid : {std::uint64_t{0x4444}, kLtid}) {
    World world;
    world.run();
    world.say(kExecutor, kJcp, TaskTerminate{.codes = {1, 0}, .ctid = {ctid, 4}}.draft());
    EXPECT_THAT(world.findings(), ElementsAre("UMSP-5.5.1-10 warning"));
  }
  reported.control();
  reported.say(kJcp, kInitiator, JobCompletedInfo{Codes{1, 0}, identifier(kJcp, 0x4444)}.draft());
  EXPECT_THAT(reported.findings(), ElementsAre("UMSP-5.6.2-2 warning"));
}

TEST(Jobs, OfACaptureThatMayLackFramesAreWarnedOf) {
  World world(Completeness::unknown);
  world.control();
  world.open();
  world.enrol();
  world.accept();
  EXPECT_THAT(world.findings(), ElementsAre("UMSP-5.2-7 warning"));
}

TEST(Jobs, KeepToTheirBounds) {
  Jobs jobs;
  const JobName job{node(kJcp), kFirstCtid};
  for (std::uint64_t at = 0; at < 3 * Jobs::kMost; ++at) {
    jobs.note_job({node(kJcp), at}, node(kInitiator), at);
    jobs.note_opening({.job = job, .from = node(kInitiator), .to = node(kExecutor), .ltid = at});
    jobs.note_question({node(kJcp), at}, node(kExecutor), at);
  }
  EXPECT_FALSE(jobs.is_complete());
  EXPECT_LE(jobs.memory(), Jobs::kMost * std::size_t{1024});
}

}  // namespace
}  // namespace wirelaw::umsp
