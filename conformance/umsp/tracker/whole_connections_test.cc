// SPDX-License-Identifier: Apache-2.0
// Faults that two instructions show together, or the absence of one (UMSP/B31). If the capture holds
// every connection of the two nodes whole, and shows which instruction came first, the fault is a violation. If the
// nodes also used another connection, it is a warning. If a connection has a gap, it is not judged.
#include "conformance/umsp/tracker/conversations_test.h"

namespace wirelaw::umsp::conversations::whole {
namespace {

constexpr std::uint16_t kMinute = 120;  // half seconds
constexpr std::uint16_t kParts[] = {0, 1, 2};

Draft with_period(Draft draft, std::uint16_t period = kMinute) {
  draft.extensions.push_back(
      {HeadCode::inaction_time, {static_cast<Octet>(period >> 8), static_cast<Octet>(period & 0xff)}});
  return draft;
}
// The executor registers its task, and sets its inaction time.
void enrol_with(World& world, std::uint16_t period = kMinute) {
  world.say(kExecutor, kJcp, with_period(World::registration().draft(), period), 7);
  world.confirm();
}
void ask_state(World& world) {
  world.say(kJcp, kExecutor, StateReq{{kLtid, 4}}.draft());
}
Draft state_of(std::uint64_t ctid) {
  return TaskState{.state = 2, .ctid = {ctid, 4}}.draft();
}
Draft register_again() {
  TaskReg again = World::registration();
  again.ltid = {kLtid + 1, 4};
  return again.draft();
}
void check_task(World& world) {
  world.say(kExecutor, kJcp, World::registration().draft(true), 8);
}
// The two nodes also have another connection.
void use_another(World& world, Who one, Who other) {
  world.over(1);
  world.say(one, other, VmReq{{{50000, 1}}}.draft());
  world.over(0);
}
void send_above_window(World& world) {
  for (const std::uint16_t number : kParts)
    a_says(world, long_link(2, number, number == 0 ? std::vector{kTransaction} : std::vector<OwnedExtension>{}));
}
Draft fragment(std::uint16_t chain, std::uint16_t parent, std::uint16_t number) {
  const auto octet = [](std::uint16_t value) { return static_cast<Octet>(value); };
  Draft draft = link(chain, 0, {{HeadCode::begin_frg, {0, octet(parent), 0, octet(number)}}, kEnd}, draft_of(nop));
  draft.operands = OctetBuffer{0x86, 0x72, 0, octet(parent), 0, octet(number), 0, 0, 0x20, 0, 0, 0, 0, 1, 0, 0};
  return draft;
}

const Conversation kConversations[] = {
    // ------------------------------------------------------------------------------------- 5.7: the activity of nodes
    {"a JCP asks for the state ten seconds after TASK_CONFIRM, although the inaction time is a minute",
     [](World& w) {
       w.connect(kExecutor, kJcp);
       enrol_with(w);
       w.pause(10 * kSecond);
       ask_state(w);
       w.say(kExecutor, kJcp, state_of(kCtid));
     },
     {"UMSP-5.7.2-9 violation"}},
    {"a JCP asks too early, and the two nodes have another connection",
     [](World& w) {
       w.connect(kExecutor, kJcp);
       enrol_with(w);
       use_another(w, kExecutor, kJcp);
       w.pause(10 * kSecond);
       ask_state(w);
       w.say(kExecutor, kJcp, state_of(kCtid));
     },
     {"UMSP-5.7.2-9 warning"}},
    {"a JCP asks for the state after the inaction time",
     [](World& w) {
       enrol_with(w);
       w.pause(61 * kSecond);
       ask_state(w);
       w.say(kExecutor, kJcp, state_of(kCtid));
     }},
    {"a JCP asks soon after it has confirmed a later task, which does not influence the control",
     [](World& w) {
       w.connect(kExecutor, kJcp);
       enrol_with(w);
       w.pause(50 * kSecond);
       TaskReg second = World::registration();
       second.ctid = {kFirstCtid + 0x10, 4};
       second.ltid = {kLtid + 1, 4};
       w.say(kExecutor, kJcp, second.draft(), 8);
       w.say(kJcp, kExecutor, with_period(TaskConfirm{{kCtid + 1, 4}}.draft()), 8);
       w.pause(11 * kSecond);
       ask_state(w);
       w.say(kExecutor, kJcp, state_of(kCtid));
     },
     {"UMSP-5.7.2-9 warning"}},
    {"a JCP asks a node that has registered with the period 0",
     [](World& w) {
       enrol_with(w, 0);
       w.pause(61 * kSecond);
       ask_state(w);
       w.say(kExecutor, kJcp, state_of(kCtid));
     },
     {"UMSP-5.7.1-9 violation"}},
    {"a JCP asks a node that has registered with the period 0, and has another connection",
     [](World& w) {
       use_another(w, kJcp, kExecutor);
       enrol_with(w, 0);
       w.pause(61 * kSecond);
       ask_state(w);
       w.say(kExecutor, kJcp, state_of(kCtid));
     },
     {"UMSP-5.7.1-9 warning"}},
    {"a node answers STATE_REQ with another CTID than it was given",
     [](World& w) {
       enrol_with(w);
       w.pause(61 * kSecond);
       ask_state(w);
       w.say(kExecutor, kJcp, state_of(kCtid + 1));
     },
     {"UMSP-5.7.3-17 violation"}},
    {"a node answers STATE_REQ with another CTID, and the two nodes have another connection",
     [](World& w) {
       enrol_with(w);
       use_another(w, kExecutor, kJcp);
       w.pause(61 * kSecond);
       ask_state(w);
       w.say(kExecutor, kJcp, state_of(kCtid + 1));
     },
     {"UMSP-5.7.3-17 warning"}},
    {"a node answers STATE_REQ with another CTID, and a part of the connection is missing",
     [](World& w) {
       enrol_with(w);
       w.lose(kExecutor, kJcp, 24);
       w.pause(61 * kSecond);
       ask_state(w);
       w.say(kExecutor, kJcp, state_of(kCtid + 1));
     }},
    {"a JCP asks for the state of a task of a job whose end it has reported",
     [](World& w) {
       w.control();
       w.say(kJcp, kInitiator, job_notice());
       w.say(kJcp, kInitiator, StateReq{{kFirstLtid, 4}}.draft());
     },
     {"UMSP-5.7.2-16 violation"}},

    // ------------------------------------------------------------------------------------- 5.1 to 5.6: jobs and tasks
    {"a node registers a task twice",
     [](World& w) {
       w.control();
       w.enrol();
       w.confirm();
       w.say(kExecutor, kJcp, register_again(), 8);
     },
     {"UMSP-5.2.1-16 violation"}},
    {"a node registers a task twice, over two connections",
     [](World& w) {
       w.control();
       w.enrol();
       w.confirm();
       w.over(1);
       w.say(kExecutor, kJcp, register_again(), 8);
       w.over(0);
       w.say(kExecutor, kJcp, register_again(), 9);
     },
     {"UMSP-5.2.1-16 warning"}},
    {"a node registers a task again after a silence in which it may have given up the JCP",
     [](World& w) {
       w.control();
       w.enrol();
       w.confirm();
       w.pause(300 * kSecond);
       w.say(kExecutor, kJcp, register_again(), 8);
     },
     {"UMSP-5.2.1-16 warning"}},
    {"a JCP confirms TASK_CHK with another CTID than before",
     [](World& w) {
       w.control();
       w.enrol();
       w.confirm();
       check_task(w);
       w.say(kJcp, kExecutor, TaskConfirm{{kCtid + 1, 4}}.draft(), 8);
     },
     {"UMSP-5.2.2-10 violation"}},
    {"a JCP confirms TASK_CHK with the CTID that it has given",
     [](World& w) {
       w.control();
       w.enrol();
       w.confirm();
       check_task(w);
       w.say(kJcp, kExecutor, TaskConfirm{{kCtid, 4}}.draft(), 8);
     }},
    {"a node opens a session of its job at the JCP with another LTID",
     [](World& w) {
       w.control();
       open_of_job(w, kInitiator, kJcp, kFirstLtid + 1);
     },
     {"UMSP-5.1-2 violation"}},
    {"a node opens a session with another LTID, and has another connection with the JCP",
     [](World& w) {
       w.control();
       use_another(w, kInitiator, kJcp);
       open_of_job(w, kInitiator, kJcp, kFirstLtid + 1);
     },
     {"UMSP-5.1-2 warning"}},
    {"a node ends the first task of a job of which it has registered another task",
     [](World& w) {
       w.control();
       w.enrol();
       w.confirm();
       w.say(kExecutor, kJcp, TaskTerminate{.codes = {0, 0}, .ctid = {kFirstCtid, 4}}.draft());
     },
     {"UMSP-5.5.1-10 violation"}},
    {"a node completes a job of which it has registered a task",
     [](World& w) {
       w.control();
       w.enrol();
       w.confirm();
       w.say(kExecutor, kJcp, complete());
     },
     {"UMSP-5.6.1-1 violation"}},
    {"a node completes a job with the CTID of a task that it has registered",
     [](World& w) {
       w.control();
       w.enrol();
       w.confirm();
       w.say(kExecutor, kJcp, complete(kCtid));
     },
     {"UMSP-5.6.1-9 violation"}},

    // ------------------------------------------------------------------------------------------------- 5.3: sessions
    {"the only answer to SESSION_OPEN names no session",
     [](World& w) {
       w.say(kInitiator, kExecutor, own_open(), kIdOfA);
       w.say(kExecutor, kInitiator, draft_of(session_accept), kIdOfB, kIdOfA + 3);
     },
     {"UMSP-5.3.2-9 violation"}},
    {"a SESSION_REJECT names no session, and the SESSION_OPEN is accepted later",
     [](World& w) {
       w.say(kInitiator, kExecutor, own_open(), kIdOfA);
       w.say(kExecutor, kInitiator, codes_draft(session_reject, {1, 0}), {}, kIdOfA + 3);
       w.say(kExecutor, kInitiator, draft_of(session_accept), kIdOfB, kIdOfA);
     },
     {"UMSP-5.3.3-8 warning"}},
    {"a SESSION_ACCEPT names no session, and two wait for an answer",
     [](World& w) {
       w.say(kInitiator, kExecutor, own_open(), kIdOfA);
       w.say(kInitiator, kExecutor, own_open(0x1002), kIdOfA + 1);
       w.say(kExecutor, kInitiator, draft_of(session_accept), kIdOfB, kIdOfA + 3);
     },
     {"UMSP-5.3.2-9 warning"}},
    {"a SESSION_ACCEPT names no session, and the SESSION_OPEN is answered on another connection",
     [](World& w) {
       w.say(kInitiator, kExecutor, own_open(), kIdOfA);
       w.say(kExecutor, kInitiator, draft_of(session_accept), kIdOfB + 1, kIdOfA + 3);
       w.over(1);
       w.say(kExecutor, kInitiator, draft_of(session_accept), kIdOfB, kIdOfA);
     },
     {"UMSP-5.3.2-9 warning"}},
    {"a SESSION_ACCEPT names no session, and a part of the other direction is missing",
     [](World& w) {
       w.say(kInitiator, kExecutor, own_open(), kIdOfA);
       w.lose(kInitiator, kExecutor, 40);
       w.say(kExecutor, kInitiator, draft_of(session_accept), kIdOfB, kIdOfA + 3);
     }},
    {"a node agrees to a closing, and writes",
     [](World& w) {
       open_own(w);
       a_says(w, close());
       b_says(w, agree(), 0);
       b_says(w, write_here());
       a_says(w, draft_of(session_abend));
     },
     {"UMSP-5.4-12 violation"}},
    {"a node agrees to a closing, and cancels a chain, which may be a response",
     [](World& w) {
       open_own(w);
       b_says(w, link(7, 0, {kTransaction}));
       a_says(w, close());
       b_says(w, agree(), 0);
       Draft cancel = codes_draft(snd_cancel, {1, 0});
       cancel.chain = ChainPlace{7, 0};
       b_says(w, cancel);
       a_says(w, draft_of(session_abend));
     },
     {"UMSP-5.4-12 warning"}},
    {"a node agrees to a closing, and writes when the opener has cancelled it",
     [](World& w) {
       open_own(w);
       a_says(w, close());
       b_says(w, agree(), 0);
       a_says(w, draft_of(nop));
       b_says(w, write_here());
     }},
    {"a node agrees to a closing and writes, and the session uses two connections",
     [](World& w) {
       open_two(w);
       a_says(w, close());
       b_says(w, agree(), 0);
       b_says(w, write_here());
       a_says(w, draft_of(session_abend));
     },
     {"UMSP-5.4-12 warning"}},

    // ---------------------------------------------------------------------------------------------------- 7: chains
    {"a transaction is longer than the window, for which nothing was asked",
     [](World& w) {
       open_own(w);
       w.say(kExecutor, kInitiator, draft_of(nop), {}, kIdOfA);
       for (const std::uint16_t number : kParts)
         b_says(w, long_link(2, number, number == 0 ? std::vector{kTransaction} : std::vector<OwnedExtension>{}));
     },
     {"UMSP-7.4-12 violation"}},
    {"a transaction is longer than the window, and the nodes have another connection",
     [](World& w) {
       open_own(w);
       use_another(w, kInitiator, kExecutor);
       for (const std::uint16_t number : kParts)
         b_says(w, long_link(2, number, number == 0 ? std::vector{kTransaction} : std::vector<OwnedExtension>{}));
     },
     {"UMSP-7.4-12 warning"}},
    {"a transaction is longer than the window of a side that has declared none",
     [](World& w) {
       open_own(w);
       send_above_window(w);
     }},
    {"fragments name a parental chain that their sender does not send before it closes the connection",
     [](World& w) {
       open_own(w);
       a_says(w, fragment(3, 7, 1));
       w.close(kInitiator, kExecutor);
     },
     {"UMSP-7.3-19 violation"}},
    {"fragments name a parental chain that may follow, as the connection is open",
     [](World& w) {
       open_own(w);
       a_says(w, fragment(3, 7, 1));
     },
     {"UMSP-7.3-19 warning"}},
    {"fragments name a parental chain that is cancelled",
     [](World& w) {
       open_own(w);
       a_says(w, fragment(3, 7, 1));
       Draft cancel = codes_draft(snd_cancel, {1, 0});
       cancel.chain = ChainPlace{7, 0};
       a_says(w, cancel);
       w.close(kInitiator, kExecutor);
     },
     {"UMSP-7.3-19 warning"}},
    {"fragments name a parental chain, and the other side ends the session",
     [](World& w) {
       open_own(w);
       a_says(w, fragment(3, 7, 1));
       b_says(w, draft_of(session_abend));
       w.close(kInitiator, kExecutor);
     },
     {"UMSP-7.3-19 warning"}},
    {"fragments name a parental chain that another connection may still carry",
     [](World& w) {
       open_own(w);
       use_another(w, kInitiator, kExecutor);
       a_says(w, fragment(3, 7, 1));
       w.close(kInitiator, kExecutor);
     },
     {"UMSP-7.3-19 warning"}},
};

TEST(WholeConnections, FaultsThatTwoInstructionsShowAreViolations) {
  expect_findings(kConversations);
}

}  // namespace
}  // namespace wirelaw::umsp::conversations::whole
