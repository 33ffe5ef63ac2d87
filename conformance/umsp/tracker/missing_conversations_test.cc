// SPDX-License-Identifier: Apache-2.0
// What a node leaves out although it was due, and what it uses although it is over (UMSP/B11, UMSP/B41, UMSP/B57,
// UMSP/B60, UMSP/B62, UMSP/B63).
#include "conformance/umsp/tracker/conversations_test.h"

namespace wirelaw::umsp::conversations::missing {
namespace {

constexpr std::uint16_t kTenSeconds = 20;  // half seconds
constexpr Identifier kOfFormat24 = {.format = kIpv4Memory24, .node_octets = {192, 0, 2, 3}, .task = kFirstCtid};

// The executor registers its task, and sets its inaction time.
void enrol_with_period(World& world) {
  Draft draft = World::registration().draft();
  draft.extensions.push_back({HeadCode::inaction_time, {0, kTenSeconds}});
  world.say(kExecutor, kJcp, draft, 7);
  world.confirm();
}
void begin_with_period(World& world) {
  world.control();
  world.open();
  enrol_with_period(world);
  world.accept();
}
void ask_state(World& world, std::uint64_t ltid = kLtid) {
  world.say(kJcp, kExecutor, StateReq{{ltid, 4}}.draft());
}
void tell_state(World& world, std::uint64_t ctid, std::uint8_t octets = 4) {
  world.say(kExecutor, kJcp, TaskState{.state = 1, .ctid = {ctid, octets}}.draft());
}
void reload(World& world, std::uint64_t ltid = kLtid) {
  world.say(kExecutor, kJcp, NodeReload{{ltid, 4}}.draft());
}
void ask_data(World& world) {
  world.say(kInitiator, kExecutor, req_data(kHere, 4), 70, 1);
}
void give_data(World& world) {
  Draft draft = draft_of(data);
  draft.operands = OctetBuffer(4);
  world.say(kExecutor, kInitiator, draft, 70, 5);
}
void complete_job(World& world) {
  world.say(kInitiator, kJcp, complete());
  world.say(kJcp, kExecutor, job_notice());
}
void search(World& world, Who from, Who to) {
  world.say(from, to, VmReq{{{50000, 1}}}.draft());
}
void enrol_second(World& world) {
  TaskReg second = World::registration();
  second.ctid = {kFirstCtid + 0x10, 4};
  second.ltid = {kLtid + 1, 4};
  world.say(kExecutor, kJcp, second.draft(), 8);
  world.say(kJcp, kExecutor, TaskConfirm{{kCtid + 1, 4}}.draft(), 8);
}
// The second task is asked for twice, and is unknown to the node then.
void reload_second(World& world) {
  enrol_second(world);
  for (int i = 0; i < 2; ++i) {
    world.pause(100 * kSecond);
    ask_state(world, kLtid + 1);
    if (i == 0) tell_state(world, kCtid + 1);
  }
  reload(world, kLtid + 1);
}
void control_24(World& world) {
  world.say(kInitiator, kJcp, ControlReq{.ltid = {kFirstLtid, 4}}.draft(), 1);
  world.say(kJcp, kInitiator, ControlConfirm{kOfFormat24}.draft(), 1);
}
// The JCP of its own job opens the session a second time.
void open_again(World& world) {
  open_own(world);
  world.say(kInitiator, kExecutor, own_open(), kIdOfA + 1);
  world.say(kExecutor, kInitiator, draft_of(session_accept), kIdOfB + 1, kIdOfA + 1);
}
void open_sequence(World& world) {
  open_own(world);
  a_says(world, link(2, 0, {kSequence}));
  a_says(world, link(2, 1));
}
void close_and_end(World& world) {
  a_says(world, close());
  b_says(world, agree(), 0);
  a_says(world, draft_of(session_abend));
}

const Conversation kConversations[] = {
    // -------------------------------------------------------------------------------- 5.2: the sanction of the JCP
    {"a node accepts a session, and never asks the JCP, with which it has spoken",
     [](World& w) {
       w.control();
       search(w, kExecutor, kJcp);
       w.open();
       w.accept();
     },
     {"UMSP-5.2-7 violation"}},
    {"a node accepts a session, and no connection with the JCP was captured",
     [](World& w) {
       w.control();
       w.open();
       w.accept();
     }},
    {"a node accepts a session, and a part of its connection with the JCP is missing",
     [](World& w) {
       w.control();
       search(w, kExecutor, kJcp);
       w.lose(kExecutor, kJcp, 24);
       w.open();
       w.accept();
     }},
    {"a node accepts a session of a job that may have begun before the capture",
     [](World& w) {
       search(w, kExecutor, kJcp);
       w.open();
       w.accept();
     }},
    {"a node accepts a session, and its TASK_REG passes later",
     [](World& w) {
       w.control();
       w.open();
       w.accept();
       w.enrol();
       w.confirm();
     }},
    {"a node accepts a second session of the job, without another TASK_REG",
     [](World& w) {
       w.run();
       w.say(kExecutor, kInitiator, draft_of(session_abend), {}, 5);
       w.open(6);
       w.say(kExecutor, kInitiator, draft_of(session_accept), 2, 6);
     }},
    // ------------------------------------------------------------------------------- 5.2.4: tasks that are checked
    {"a JCP confirms the check of another task than that of the job",
     [](World& w) {
       w.enrol();
       w.confirm();
       TaskReg another = World::registration();
       another.ltid = {kLtid + 1, 4};
       check_task(w, another);
     },
     {"UMSP-5.2.4-14 warning"}},
    {"a JCP confirms the check of a task that may have begun before the capture",
     [](World& w) { check_task(w, World::registration()); }},
    // ----------------------------------------------------------------------------------- 5: the length of the CTID
    {"a JCP with addresses of 24 bits gives a CTID of 32 bits on another connection",
     [](World& w) {
       control_24(w);
       w.enrol();
       w.say(kJcp, kExecutor, TaskConfirm{{0x0100'0012, 4}}.draft(), 7);
     },
     {"UMSP-5-26 violation"}},
    {"a node reports its state with a CTID of two octets, although those of the JCP have four",
     [](World& w) {
       begin_with_period(w);
       w.pause(11 * kSecond);
       ask_state(w);
       tell_state(w, kCtid, 2);
     },
     {"UMSP-5.7.3-8 warning"}},
    // ------------------------------------------------------------------------------ 5.5 and 5.6: the end of sessions
    {"a node completes its job, and keeps its session open",
     [](World& w) {
       w.run();
       complete_job(w);
       w.pause(60 * kSecond);
       search(w, kInitiator, kJcp);
     },
     {"UMSP-5.6.1-11 violation"}},
    {"a node completes its job, keeps its session open, and is silent",
     [](World& w) {
       w.run();
       complete_job(w);
     },
     {"UMSP-5.6.1-11 warning"}},
    {"a node completes its job, and ends its session",
     [](World& w) {
       w.run();
       complete_job(w);
       w.say(kInitiator, kExecutor, draft_of(session_abend), {}, 1);
       w.pause(60 * kSecond);
       search(w, kInitiator, kJcp);
     }},
    {"a node completes its job, and ends its session on another connection",
     [](World& w) {
       w.run();
       complete_job(w);
       w.over(1);
       w.say(kInitiator, kExecutor, draft_of(session_abend), {}, 1);
       w.pause(60 * kSecond);
       search(w, kInitiator, kJcp);
     }},
    {"a node completes its job, and a part of the connection with the session is missing",
     [](World& w) {
       w.run();
       complete_job(w);
       w.lose(kInitiator, kExecutor, 24);
       w.pause(60 * kSecond);
       search(w, kInitiator, kJcp);
     }},
    {"a node ends its task, and keeps its session open",
     [](World& w) {
       w.run();
       w.terminate({0, 0});
       w.pause(60 * kSecond);
       search(w, kExecutor, kJcp);
     },
     {"UMSP-5.5.1-12 violation"}},
    // -------------------------------------------------------------------------------------------- 5.7: activity
    {"a node is silent to STATE_REQ, and works on",
     [](World& w) {
       begin_with_period(w);
       w.pause(11 * kSecond);
       ask_state(w);
       w.pause(60 * kSecond);
       ask_data(w);
       give_data(w);
     },
     {"UMSP-5.7.2-11 warning"}},
    {"a node is silent to STATE_REQ, and to all else",
     [](World& w) {
       begin_with_period(w);
       w.pause(11 * kSecond);
       ask_state(w);
       w.pause(60 * kSecond);
       ask_data(w);
     }},
    {"a node reports NODE_RELOAD, and answers a request that came later",
     [](World& w) {
       begin_with_period(w);
       w.pause(11 * kSecond);
       ask_state(w);
       reload(w);
       w.pause(2 * kSecond);
       ask_data(w);
       give_data(w);
     },
     {"UMSP-5.7.4-10 violation"}},
    {"a node reports NODE_RELOAD, and an answer to an earlier request passes after it",
     [](World& w) {
       begin_with_period(w);
       w.pause(11 * kSecond);
       ask_data(w);
       ask_state(w);
       reload(w);
       give_data(w);
     }},
    {"a node reports NODE_RELOAD, registers its task again, and answers in a new session",
     [](World& w) {
       begin_with_period(w);
       w.pause(11 * kSecond);
       ask_state(w);
       reload(w);
       w.pause(2 * kSecond);
       w.open(6);
       enrol_with_period(w);
       w.say(kExecutor, kInitiator, draft_of(session_accept), 2, 6);
       w.say(kInitiator, kExecutor, req_data(kHere, 4), 71, 2);
       Draft draft = draft_of(data);
       draft.operands = OctetBuffer(4);
       w.say(kExecutor, kInitiator, draft, 71, 6);
     }},
    {"a JCP does not ask for the older task of a node that was reloaded",
     [](World& w) {
       w.enrol();
       w.confirm();
       reload_second(w);
     },
     {"UMSP-5.7.4-11 warning"}},
    {"a JCP asks for the older task of a node that was reloaded",
     [](World& w) {
       w.enrol();
       w.confirm();
       reload_second(w);
       ask_state(w);
       reload(w);
     }},
    {"a node that was reloaded registers its tasks again before it is asked for the older one",
     [](World& w) {
       w.enrol();
       w.confirm();
       reload_second(w);
       enrol_with_period(w);
     },
     {"UMSP-5.7.1-8 warning"}},
    // ------------------------------------------------------------------------------------------------ 5.3: sessions
    {"a JCP uses the former session ten seconds after it has opened it again",
     [](World& w) {
       open_again(w);
       w.pause(10 * kSecond);
       a_says(w, write_here());
     },
     {"UMSP-5.3-5 warning"}},
    {"a JCP uses the former session before the new one is accepted",
     [](World& w) {
       open_own(w);
       w.say(kInitiator, kExecutor, own_open(), kIdOfA + 1);
       w.pause(10 * kSecond);
       a_says(w, write_here());
       w.say(kExecutor, kInitiator, draft_of(session_accept), kIdOfB + 1, kIdOfA + 1);
     }},
    {"a JCP uses the former session when the acceptance may be on its way",
     [](World& w) {
       w.acknowledge_late();
       open_again(w);
       a_says(w, write_here());
     }},
    {"a later SESSION_OPEN of a handshake has PCK 00",
     [](World& w) {
       w.say(kInitiator, kExecutor, own_open(), kIdOfA);
       w.say(kExecutor, kInitiator, its_open(), kIdOfB, kIdOfA);
       w.pause(2 * kSecond);
       w.say(kInitiator, kExecutor, own_open(), kIdOfA);
       w.say(kExecutor, kInitiator, draft_of(session_accept), kIdOfB, kIdOfA);
     },
     {"UMSP-5.3.1-4 warning"}},
    {"a SESSION_OPEN and the same one again, before the other side's may have arrived",
     [](World& w) {
       w.acknowledge_late();
       w.say(kInitiator, kExecutor, own_open(), kIdOfA);
       w.say(kExecutor, kInitiator, its_open(), kIdOfB, kIdOfA);
       w.say(kInitiator, kExecutor, own_open(), kIdOfA);
     }},
    // -------------------------------------------------------------------------------------------------- 7: chains
    {"a side closes and ends a session, in which a sequence of its own has no end",
     [](World& w) {
       open_sequence(w);
       close_and_end(w);
     },
     {"UMSP-7-15 warning"}},
    {"a side closes and ends a session, in which its sequence has ended",
     [](World& w) {
       open_sequence(w);
       a_says(w, link(2, 2, {kEnd}));
       close_and_end(w);
     }},
    {"a side closes and ends a session, in which a part of its sequence used another connection",
     [](World& w) {
       open_sequence(w);
       w.over(1);
       a_says(w, link(2, 2, {kEnd}));
       w.over(0);
       close_and_end(w);
     }},
};

TEST(MissingConversations, AreReportedIfTheyBreakARule) {
  expect_findings(kConversations);
}

}  // namespace
}  // namespace wirelaw::umsp::conversations::missing
