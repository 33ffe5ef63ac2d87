// SPDX-License-Identifier: Apache-2.0
// The tasks of a node with a scripted Job Control Point, and whole jobs of three nodes.
#include "reference/umsp/node/tasks.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "reference/umsp/node/test_nodes.h"

namespace wirelaw::umsp {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using Kind = TaskEvent::Kind;

constexpr Octet kJcp = 1, kA = 2, kB = 3, kC = 4;
constexpr TaskId kLtidA{0x11, 4};
const Identifier kGjid = identifier_of({}, node_at(kJcp), 0x77);

// One node, B, whose JCP is the test.
struct TasksTest : testing::Test {
  TestNet net;
  void begin(TaskOptions options = {}) { net.add(kB, {}, options); }
  Tasks& tasks() { return *net.at(kB).tasks; }
  std::vector<Sent> answers() {
    std::vector<Sent> all(net.wire.begin(), net.wire.end());
    net.wire.clear();
    return all;
  }
  // The answer of the JCP to this request.
  void answer(const Sent& request, Draft draft, Octet from = kJcp) {
    draft.req_id = request.draft.req_id;
    net.inject(from, kB, std::move(draft));
  }
  template <class What>
  static What read(const Sent& one) {
    const OctetBuffer octets = write(one.draft);
    const auto instruction = decode(octets);
    return What::read(*instruction).value();
  }
  static TaskReg read_registration(const Sent& one) {
    const OctetBuffer octets = write(one.draft);
    const auto instruction = decode(octets);
    return TaskReg::read(*instruction, 4, 4).value();
  }
  Admission open(Octet opener = kA, const Identifier& gjid = kGjid, bool again = false) {
    return tasks().admit({gjid, node_at(opener), kLtidA, again}, net.now);
  }
  // A task that the JCP has confirmed.
  std::uint64_t join(const Identifier& gjid = kGjid, std::uint64_t ctid = 5) {
    open(kA, gjid);
    answer(answers().at(0), TaskConfirm{{ctid, 4}}.draft());
    const auto events = net.events(kB);
    const TaskEvent* const admitted = find_event(events, Kind::admitted);
    EXPECT_NE(admitted, nullptr);
    return admitted == nullptr ? 0 : admitted->ltid;
  }
  Identifier start_job() {
    tasks().begin_job(node_at(kJcp), 0, "sum", {}, net.now);
    answer(answers().at(0), ControlConfirm{kGjid}.draft());
    net.events(kB);
    return kGjid;
  }
};

// ------------------------------------------------------------------------------------------------------------- jobs

TEST_F(TasksTest, AJobIsPutUnderItsJcpBeforeItStarts) {
  begin();
  const auto ltid = tasks().begin_job(node_at(kJcp), 60, "sum", 8, net.now);
  const Sent request = answers().at(0);
  EXPECT_EQ(request.to, node_at(kJcp));
  EXPECT_EQ(read<ControlReq>(request).ltid.number, ltid);
  EXPECT_EQ(read<ControlReq>(request).profile.job_life_time, 60);
  EXPECT_EQ(request.draft.extensions.size(), 2u);
  EXPECT_TRUE(net.events(kB).empty());
  answer(request, ControlConfirm{kGjid}.draft());
  const auto events = net.events(kB);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, Kind::task_begun);
  EXPECT_EQ(events[1].kind, Kind::job_started);
  EXPECT_EQ(events[1].gjid, kGjid);
  EXPECT_EQ(tasks().find(kGjid)->ltid, ltid);
  EXPECT_TRUE(answers().empty());
}

TEST_F(TasksTest, ARefusedJobSaysWhatTheJcpWouldAllow) {
  begin();
  tasks().begin_job(node_at(kJcp), 60, "", {}, net.now);
  Draft draft = ControlReject{{4, 2}, encode(ControlProfile{.job_life_time = 30})}.draft();
  draft.extensions.push_back(inaction_extension(9));
  draft.extensions.push_back(text_extension(HeadCode::msg, "no"));
  answer(answers().at(0), draft);
  const auto events = net.events(kB);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, Kind::job_refused);
  EXPECT_EQ(events[0].codes, (Codes{4, 2}));
  EXPECT_EQ(events[0].profile->job_life_time, 30);
  EXPECT_EQ(events[0].inaction, 9);
}

TEST_F(TasksTest, ARejectionMayHaveTheOpcodeOfAConfirmation) {
  begin();
  tasks().begin_job(node_at(kJcp), 0, "", {}, net.now);
  Draft draft = ControlReject{{1, 0}}.draft();
  draft.opcode = 4;
  answer(answers().at(0), draft);
  EXPECT_NE(find_event(net.events(kB), Kind::job_refused), nullptr);
}

TEST_F(TasksTest, AGjidHasToBeTheJcpsOwnAndNew) {
  begin();
  start_job();
  for (const Identifier& gjid : {kGjid, identifier_of({}, node_at(9), 1)}) {
    tasks().begin_job(node_at(kJcp), 0, "", {}, net.now);
    answer(answers().at(0), ControlConfirm{gjid}.draft());
    const auto events = net.events(kB);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].codes, codes_of(JobCode::wrong_gjid));
  }
}

TEST_F(TasksTest, OnlyTheJcpThatWasAskedAnswers) {
  begin();
  tasks().begin_job(node_at(kJcp), 0, "", {}, net.now);
  const Sent request = answers().at(0);
  answer(request, ControlConfirm{kGjid}.draft(), kC);
  answer(request, TaskConfirm{{5, 4}}.draft());
  EXPECT_TRUE(net.events(kB).empty());
  answer(request, ControlConfirm{kGjid}.draft());
  answer(request, ControlConfirm{kGjid}.draft());
  EXPECT_EQ(net.events(kB).size(), 2u);
  EXPECT_TRUE(answers().empty());
}

TEST_F(TasksTest, WaitsForAnAnswerNoLongerThanItsTimeout) {
  begin({.timeout = seconds(3)});
  tasks().begin_job(node_at(kJcp), 0, "", {}, net.now);
  const Admission waiting = open();
  answers();
  EXPECT_EQ(tasks().deadline(), seconds(3));
  tasks().advance(seconds(3) - milliseconds(1));
  EXPECT_TRUE(net.events(kB).empty());
  tasks().advance(seconds(3));
  const auto events = net.events(kB);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, Kind::job_refused);
  EXPECT_EQ(events[1].kind, Kind::refused);
  EXPECT_EQ(events[1].opening, waiting.opening);
  EXPECT_EQ(events[1].codes, codes_of(JobCode::no_answer));
  EXPECT_EQ(tasks().deadline(), std::nullopt);
}

TEST_F(TasksTest, ACompletedJobIsReportedToTheJcpAndItsSessionsAreAbended) {
  begin();
  const Identifier gjid = start_job();
  EXPECT_TRUE(tasks().complete_job(gjid, {2, 3}, net.now));
  const auto all = answers();
  EXPECT_EQ(read<JobCompleted>(all.at(0)).codes, (Codes{2, 3}));
  EXPECT_EQ(read<JobCompleted>(all.at(0)).ctid.number, gjid.task);
  const auto events = net.events(kB);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].end, TaskEnd::completed);
  EXPECT_TRUE(events[0].abends);
  EXPECT_FALSE(tasks().complete_job(gjid, {}, net.now));
}

TEST_F(TasksTest, AJobOfAnotherNodeIsNotThisNodesToComplete) {
  begin();
  join();
  EXPECT_FALSE(tasks().complete_job(kGjid, {}, net.now));
  EXPECT_TRUE(answers().empty());
}

// ------------------------------------------------------------------------------------------------------- admissions

TEST_F(TasksTest, AnUnknownJobIsRegisteredAtTheJcpOfItsGjid) {
  begin({.first_ltid = 0x40, .inaction = 12});
  const Admission admission = open();
  EXPECT_EQ(admission.kind, Admission::Kind::waiting);
  const Sent request = answers().at(0);
  EXPECT_EQ(request.to, node_at(kJcp));
  EXPECT_TRUE(request.is(Opcode::task_reg_4));
  const TaskReg registration = read_registration(request);
  EXPECT_EQ(registration.ctid, (TaskId{0x77, 4}));
  EXPECT_EQ(registration.gtid, gtid_of(node_at(kA), kLtidA));
  EXPECT_EQ(registration.ltid, (TaskId{0x40, 4}));
  EXPECT_EQ(request.draft.extensions.size(), 1u);
  Draft confirm = TaskConfirm{{5, 4}}.draft();
  confirm.extensions.push_back(text_extension(HeadCode::name, "sum"));
  answer(request, confirm);
  const auto events = net.events(kB);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].kind, Kind::task_begun);
  EXPECT_EQ(events[0].name, "sum");
  EXPECT_EQ(events[1].kind, Kind::admitted);
  EXPECT_EQ(events[1].opening, admission.opening);
}

TEST_F(TasksTest, APeriodIsNamedInTheFirstRegistrationAlone) {
  begin({.inaction = 12});
  open();
  Identifier second = kGjid;
  second.task = 0x78;
  open(kA, second);
  const auto all = answers();
  EXPECT_EQ(all.at(0).draft.extensions.size(), 1u);
  EXPECT_TRUE(all.at(1).draft.extensions.empty());
}

TEST_F(TasksTest, TheJcpItselfNeedsNoSanction) {
  begin();
  const Admission admission = open(kJcp);
  EXPECT_EQ(admission.kind, Admission::Kind::admitted);
  EXPECT_TRUE(answers().empty());
  EXPECT_NE(find_event(net.events(kB), Kind::task_begun), nullptr);
}

TEST_F(TasksTest, AKnownJobIsNotRegisteredAgain) {
  begin();
  const std::uint64_t ltid = join();
  const Admission admission = open(kC);
  EXPECT_EQ(admission.kind, Admission::Kind::admitted);
  EXPECT_EQ(admission.ltid, ltid);
  EXPECT_TRUE(answers().empty());
}

TEST_F(TasksTest, AnOpenerOfAKnownJobMayBeChecked) {
  begin({.checks = true});
  const std::uint64_t ltid = join();
  for (const bool confirmed : {true, false}) {
    const Admission admission = open(kC);
    EXPECT_EQ(admission.kind, Admission::Kind::waiting);
    const Sent request = answers().at(0);
    EXPECT_TRUE(request.is(Opcode::task_chk));
    EXPECT_EQ(read_registration(request).ltid.number, ltid);
    EXPECT_EQ(read_registration(request).gtid, gtid_of(node_at(kC), kLtidA));
    answer(request, confirmed ? TaskConfirm{{5, 4}}.draft() : TaskReject{{9, 0}}.draft());
    const auto events = net.events(kB);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].kind, confirmed ? Kind::admitted : Kind::refused);
    EXPECT_EQ(events[0].opening, admission.opening);
  }
  EXPECT_NE(tasks().find(ltid), nullptr);
}

TEST_F(TasksTest, ARejectedTaskIsRefusedAndTheNextOpenerIsAskedFor) {
  begin();
  const Admission first = open(kA), second = open(kC);
  const auto all = answers();
  ASSERT_EQ(all.size(), 1u);
  answer(all[0], TaskReject{{0, 0}}.draft());
  auto events = net.events(kB);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, Kind::refused);
  EXPECT_EQ(events[0].opening, first.opening);
  EXPECT_NE(events[0].codes.basic, 0);
  const Sent request = answers().at(0);
  EXPECT_EQ(read_registration(request).gtid, gtid_of(node_at(kC), kLtidA));
  answer(request, TaskConfirm{{5, 4}}.draft());
  events = net.events(kB);
  EXPECT_EQ(find_event(events, Kind::admitted)->opening, second.opening);
}

TEST_F(TasksTest, WhoHasGoneIsNotAnswered) {
  begin();
  const Admission admission = open();
  tasks().withdraw(admission.opening);
  answer(answers().at(0), TaskConfirm{{5, 4}}.draft());
  const auto events = net.events(kB);
  EXPECT_EQ(find_event(events, Kind::admitted), nullptr);
  EXPECT_NE(find_event(events, Kind::task_begun), nullptr);
}

TEST_F(TasksTest, ASecondSessionIsTheJcpsAloneAndEndsTheTask) {
  begin();
  const std::uint64_t ltid = join();
  EXPECT_EQ(open(kA, kGjid, true).codes, codes_of(JobCode::already_open));
  EXPECT_NE(tasks().find(ltid), nullptr);
  EXPECT_TRUE(net.events(kB).empty());
  const Admission again = open(kJcp, kGjid, true);
  EXPECT_EQ(again.kind, Admission::Kind::admitted);
  EXPECT_NE(again.ltid, ltid);
  const auto events = net.events(kB);
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].end, TaskEnd::opened_again);
  EXPECT_FALSE(events[0].abends);
  EXPECT_EQ(events[1].kind, Kind::task_begun);
  EXPECT_TRUE(answers().empty());
}

TEST_F(TasksTest, AGjidOfNoNetworkThatIsAssignedIsRefused) {
  begin();
  EXPECT_EQ(open(kA, Identifier{{4, 1, 2}, {}, 1}).codes, codes_of(JobCode::no_jcp));
}

// -------------------------------------------------------------------------------------------------- ends and notices

TEST_F(TasksTest, ATaskThatEndsIsReportedWithItsOwnCtid) {
  begin();
  join(kGjid, 5);
  EXPECT_TRUE(tasks().terminate_task(kGjid, {1, 2}, net.now));
  const auto all = answers();
  EXPECT_EQ(read<TaskTerminate>(all.at(0)).ctid.number, 5u);
  EXPECT_EQ(all[0].to, node_at(kJcp));
  const auto events = net.events(kB);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].end, TaskEnd::terminated);
  EXPECT_TRUE(events[0].abends);
}

TEST_F(TasksTest, AnEndOfTheJobEndsItsTaskWithoutAWord) {
  for (const bool coded : {true, false}) {
    begin();
    join();
    JobCompletedInfo notice{{}, kGjid};
    if (coded) notice.codes = Codes{4, 4};
    net.inject(kA, kB, notice.draft());
    EXPECT_TRUE(net.events(kB).empty());
    net.inject(kJcp, kB, notice.draft());
    const auto events = net.events(kB);
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(events[0].end, TaskEnd::job_completed);
    EXPECT_FALSE(events[0].abends);
    EXPECT_TRUE(answers().empty());
  }
}

TEST_F(TasksTest, WhoWaitsWhenTheJobEndsIsRefused) {
  begin();
  open();
  answers();
  net.inject(kJcp, kB, JobCompletedInfo{{}, kGjid}.draft());
  const auto events = net.events(kB);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].kind, Kind::refused);
  EXPECT_NE(events[0].codes.basic, 0);
}

TEST_F(TasksTest, TheEndOfATaskElsewhereConcernsTheJobThatKnowsIt) {
  begin();
  Identifier second = kGjid;
  second.task = 0x78;
  const std::uint64_t first_ltid = join();
  const std::uint64_t second_ltid = join(second, 6);
  tasks().add_peer(second_ltid, node_at(kC), {0x31, 4});
  const auto ended = [&](Octet from, Octet node, TaskId ltid) {
    net.inject(from, kB, TaskTerminateInfo{{1, 0}, gtid_of(node_at(node), ltid)}.draft());
    return net.events(kB);
  };
  EXPECT_TRUE(ended(kA, kC, {0x31, 4}).empty());
  const auto known = ended(kJcp, kC, {0x31, 4});
  ASSERT_EQ(known.size(), 1u);
  EXPECT_EQ(known[0].ltid, second_ltid);
  EXPECT_EQ(known[0].ended, gtid_of(node_at(kC), {0x31, 4}));
  const auto unknown = ended(kJcp, 9, {1, 4});
  ASSERT_EQ(unknown.size(), 2u);
  EXPECT_EQ(unknown[0].ltid, first_ltid);
  EXPECT_TRUE(ended(kJcp, kB, {1, 4}).empty());
}

// --------------------------------------------------------------------------------------------------------- questions

TEST_F(TasksTest, AnswersForTheStateOfATask) {
  begin();
  const std::uint64_t ltid = join(kGjid, 5);
  const auto ask = [&](Octet from = kJcp) {
    net.inject(from, kB, StateReq{{ltid, 4}}.draft());
    const auto all = answers();
    EXPECT_EQ(all.size(), 1u);
    if (all.at(0).is(Opcode::node_reload)) return 0;
    EXPECT_EQ(read<TaskState>(all[0]).ctid.number, 5u);
    EXPECT_EQ(all[0].on, 7u);
    return int{read<TaskState>(all[0]).state};
  };
  EXPECT_EQ(ask(), 3);
  tasks().set_resources(ltid, true);
  EXPECT_EQ(ask(), 2);
  tasks().set_sessions(ltid, true);
  EXPECT_EQ(ask(), 1);
  EXPECT_EQ(ask(kA), 0);
  tasks().terminate_task(kGjid, {}, net.now);
  answers();
  EXPECT_EQ(ask(), 4);
  EXPECT_EQ(ask(kA), 0);
}

TEST_F(TasksTest, AJcpThatIsSilentForTwoPeriodsIsGoneWhereThatIsWatched) {
  for (const bool watches : {true, false}) {
    net.now = {};
    begin({.inaction = 10, .watches_jcp = watches});
    join();
    net.now = seconds(4);
    net.inject(kJcp, kB, StateReq{{1, 4}}.draft());
    answers();
    EXPECT_EQ(tasks().deadline(), watches ? std::optional<Instant>(seconds(14)) : std::nullopt);
    tasks().advance(seconds(14) - milliseconds(1));
    EXPECT_TRUE(net.events(kB).empty());
    tasks().advance(seconds(14));
    const auto events = net.events(kB);
    ASSERT_EQ(events.size(), watches ? 1u : 0u);
    for (const TaskEvent& event : events) EXPECT_EQ(event.end, TaskEnd::jcp_silent);
  }
}

TEST_F(TasksTest, FloodsEndAtTheBounds) {
  begin({.tasks = 5, .openings = 7, .peers = 3, .completed = 2});
  Identifier gjid = kGjid;
  for (std::uint64_t i = 0; i < 50; ++i) {
    gjid.task = 1000 + i;
    open(kA, gjid);
  }
  EXPECT_EQ(answers().size(), 3u);  // one JCP has half of the room
  for (std::uint64_t i = 0; i < 50; ++i) open(kA, identifier_of({}, node_at(kC), i + 1));
  EXPECT_EQ(answers().size(), 2u);  // and another one the rest
  gjid.task = 1000;
  for (Octet opener = 10; opener < 60; ++opener) open(opener, gjid);
  net.now = seconds(10);
  tasks().advance(net.now);
  EXPECT_EQ(net.events(kB).size(), 7u);
  const std::uint64_t ltid = join();
  for (Octet opener = 10; opener < 60; ++opener) open(opener);
  EXPECT_EQ(tasks().find(ltid)->peers.size(), 3u);
}

// Without a JCP nothing reports the end of a job.
TEST_F(TasksTest, TasksThatHaveLostTheirSessionsGiveWay) {
  begin({.tasks = 4});
  Identifier gjid = kGjid;
  const auto open_next = [&] {
    ++gjid.task;
    return open(kJcp, gjid);
  };
  const Admission idle = open_next(), busy = open_next();
  ASSERT_EQ(busy.kind, Admission::Kind::admitted);
  EXPECT_EQ(open_next().kind, Admission::Kind::refused);  // none of them has lost a session yet
  for (const Admission& one : {idle, busy}) tasks().set_sessions(one.ltid, true);
  tasks().set_sessions(idle.ltid, false);
  net.events(kB).clear();
  const Admission third = open_next();
  EXPECT_EQ(third.kind, Admission::Kind::admitted);
  EXPECT_EQ(tasks().find(idle.ltid), nullptr);
  EXPECT_NE(tasks().find(busy.ltid), nullptr);
  EXPECT_EQ(open_next().kind, Admission::Kind::refused);
}

TEST_F(TasksTest, ATaskThatAnOpeningWaitsForDoesNotGiveWay) {
  for (const bool is_waited_for : {false, true}) {
    begin({.checks = true, .tasks = 2});
    const Admission idle = open(kJcp);
    ASSERT_EQ(idle.kind, Admission::Kind::admitted);
    tasks().set_sessions(idle.ltid, true);
    tasks().set_sessions(idle.ltid, false);
    if (is_waited_for) {
      EXPECT_EQ(open(kA).kind, Admission::Kind::waiting);
    }
    Identifier another = kGjid;
    ++another.task;
    EXPECT_EQ(open(kJcp, another).kind, is_waited_for ? Admission::Kind::refused : Admission::Kind::admitted);
  }
}

TEST_F(TasksTest, AnyOperandsAreTakenWithoutHarm) {
  begin();
  join();
  for (unsigned opcode = 0; opcode < 256; ++opcode)
    for (const std::size_t size : {0u, 4u, 8u, 16u, 36u})
      net.inject(kJcp, kB,
                 {.opcode = static_cast<std::uint8_t>(opcode), .req_id = 1, .operands = OctetBuffer(size, 0x41)});
  EXPECT_NE(tasks().find(kGjid), nullptr);
}

// --------------------------------------------------------------------------------------------- whole jobs, three nodes

struct WholeJob : testing::Test {
  TestNet net;
  Identifier gjid;
  // A begins a job at the JCP, opens a session at B, and B one at C.
  void begin(Octet jcp) {
    net.add(kJcp, {.inaction = 10});
    for (const Octet node : {kA, kB, kC}) net.add(node);
    net.at(kA).tasks->begin_job(node_at(jcp), 0, "sum", {}, net.now);
    net.deliver();
    const auto started = net.events(kA);
    gjid = find_event(started, Kind::job_started)->gjid;
    session(kA, kB);
    session(kB, kC);
  }
  void session(Octet from, Octet to) {
    const Tasks::Task* const task = net.at(from).tasks->find(gjid);
    ASSERT_NE(task, nullptr);
    net.at(to).tasks->admit({gjid, node_at(from), {task->ltid, 4}}, net.now);
    if (node_of(gjid) == node_at(from))
      net.at(from).control->register_opened_by_jcp(gjid, node_at(to), {}, false, net.now);
    net.deliver();
    const auto events = net.events(to);
    EXPECT_NE(find_event(events, Kind::task_begun), nullptr);
    EXPECT_NE(net.at(to).tasks->find(gjid), nullptr);
  }
  std::vector<Octet> running() {
    std::vector<Octet> nodes;
    for (const auto& [address, node] : net.nodes) {
      net.events(address.ip[3]);
      if (node->tasks->find(gjid) != nullptr) nodes.push_back(address.ip[3]);
    }
    return nodes;
  }
};

TEST_F(WholeJob, OfAnotherNodesJcpRunsAndEndsEverywhere) {
  begin(kJcp);
  EXPECT_EQ(running(), (std::vector<Octet>{kA, kB, kC}));
  net.at(kC).tasks->terminate_task(gjid, {1, 0}, net.now);
  net.deliver();
  const auto events = net.events(kB);
  EXPECT_EQ(node_of(*find_event(events, Kind::node_ended)->ended), node_at(kC));
  net.at(kA).tasks->complete_job(gjid, {}, net.now);
  net.deliver();
  EXPECT_TRUE(running().empty());
  EXPECT_EQ(net.at(kJcp).control->tasks(), 0u);
}

TEST_F(WholeJob, OfTheInitiatorsOwnJcpRunsAndEndsEverywhere) {
  begin(kA);
  EXPECT_EQ(node_of(gjid), node_at(kA));
  EXPECT_EQ(running(), (std::vector<Octet>{kA, kB, kC}));
  net.at(kB).tasks->terminate_task(gjid, {1, 0}, net.now);
  EXPECT_TRUE(net.wire.empty()) << "B knows no CTID: its SESSION_ABEND is what A gets";
  net.at(kA).control->ended_on(gjid, node_at(kB), {1, 0}, net.now);
  net.deliver();
  const auto events = net.events(kA);
  EXPECT_EQ(node_of(*find_event(events, Kind::node_ended)->ended), node_at(kB));
  net.at(kA).tasks->complete_job(gjid, {}, net.now);
  net.deliver();
  EXPECT_TRUE(running().empty());
}

TEST_F(WholeJob, TheJcpMayBeOneOfTheNodesThatExecuteIt) {
  begin(kJcp);
  session(kC, kJcp);
  EXPECT_EQ(running(), (std::vector<Octet>{kJcp, kA, kB, kC}));
  EXPECT_TRUE(net.of(Opcode::task_reg_4).size() == 2u);
  net.at(kA).tasks->complete_job(gjid, {}, net.now);
  net.deliver();
  EXPECT_TRUE(running().empty());
}

TEST_F(WholeJob, ASilentNodeLosesItsTaskAndTheOthersGoOn) {
  begin(kJcp);
  net.at(kC).reachable = false;
  for (int i = 0; i < 20; ++i) net.wait(milliseconds(1000));
  EXPECT_EQ(net.at(kJcp).control->tasks(), 2u);
  const auto events = net.events(kA);
  EXPECT_EQ(node_of(*find_event(events, Kind::node_ended)->ended), node_at(kC));
  EXPECT_EQ(running(), (std::vector<Octet>{kA, kB, kC}));
}

TEST_F(WholeJob, AReloadedNodeIsFoundAndMayJoinAgain) {
  begin(kJcp);
  net.add(kC, {}, {.first_ltid = 50});
  for (int i = 0; i < 6; ++i) net.wait(milliseconds(1000));
  EXPECT_EQ(net.at(kJcp).control->tasks(), 2u);
  session(kB, kC);
  EXPECT_EQ(net.at(kJcp).control->tasks(), 3u);
}

TEST_F(WholeJob, TheEndOfTheJcpIsTheEndOfTheJob) {
  begin(kJcp);
  net.at(kJcp).control->shut_down(net.now);
  net.deliver();
  EXPECT_TRUE(running().empty());
}

}  // namespace
}  // namespace wirelaw::umsp
