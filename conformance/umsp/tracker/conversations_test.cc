// SPDX-License-Identifier: Apache-2.0
// Conversations that go deep into RFC 3018: identifiers that are used again, answers that come late or twice, ends,
// several connections, three nodes. Each that breaks a rule is reported, and by that rule alone; the honest ones beside
// them, which differ in one thing, are not.
#include <gmock/gmock.h>

#include "conformance/umsp/tracker/world_test.h"
#include "reference/umsp/exchange.h"

namespace wirelaw::umsp::conversations {
namespace {

using namespace world;
using enum Opcode;

constexpr std::uint32_t kProfile = 0xfbff'17fe, kOwn = 0xfbff'07fe;
constexpr std::uint32_t kIdOfA = 5, kIdOfB = 1;  // of the session that open_own() opens
constexpr MemoryAddress kHere{.value = 0x1000, .octets = 4}, kShort{.value = 0x10, .octets = 2};

// ------------------------------------------------------------------------------------------------------- the language
// The initiator is the JCP of its own job, so that no task is registered for the session (5.2).
Draft own_open(std::uint64_t job = 0x1001, std::uint16_t window = 16) {
  return SessionOpen{.required_vm = {50000, 1},
                     .required_profile = kProfile,
                     .sender_vm = {50000, 1},
                     .sender_profile = kOwn,
                     .window = window,
                     .gjid = identifier(kInitiator, job),
                     .ltid = {kFirstLtid, 4}}
      .draft();
}
Draft its_open(std::uint64_t job = 0x1001) {
  Draft draft = own_open(job);
  draft.operands.back() = 0x77;  // another LTID
  return draft;
}
void open_own(World& world, std::uint32_t id = kIdOfA, std::uint32_t other = kIdOfB, std::uint64_t job = 0x1001) {
  world.say(kInitiator, kExecutor, own_open(job), id);
  world.say(kExecutor, kInitiator, draft_of(session_accept), other, id);
}
// In that session.
void a_says(World& world, Draft draft, std::optional<std::uint32_t> req_id = {}) {
  world.say(kInitiator, kExecutor, std::move(draft), req_id, kIdOfB);
}
void b_says(World& world, Draft draft, std::optional<std::uint32_t> req_id = {}) {
  world.say(kExecutor, kInitiator, std::move(draft), req_id, kIdOfA);
}
Draft write_here(MemoryAddress at = kHere) {
  return write_data(at, OctetBuffer(at.octets == 2 ? 2 : 4));
}
constexpr std::uint16_t kBoth[] = {0, 1}, kChains[] = {2, 3};
const OwnedExtension kEnd{HeadCode::end_chain};
const OwnedExtension kSequence{HeadCode::begin_sq};
const OwnedExtension kTransaction{HeadCode::begin_tr, {0x40, 0}};
const OwnedExtension kBase{HeadCode::set_mbase, {0, 0, 0x10, 0}};
Draft link(std::uint16_t chain, std::uint16_t number, std::vector<OwnedExtension> heads = {},
           Draft draft = write_here()) {
  draft.chain = ChainPlace{chain, number};
  draft.extensions = std::move(heads);
  return draft;
}
Draft long_link(std::uint16_t chain, std::uint16_t number, std::vector<OwnedExtension> heads = {}) {
  return link(chain, number, std::move(heads), write_data(kHere, OctetBuffer(1500)));
}
Draft close() {
  return draft_of(session_close);
}
Draft agree() {
  return draft_of(rsp_p);
}
Draft named(Draft draft, std::string_view name) {
  draft.extensions.push_back({HeadCode::name, OctetBuffer(name.begin(), name.end())});
  return draft;
}
Draft ask_control(std::uint64_t ltid = kFirstLtid) {
  return ControlReq{.ltid = {ltid, 4}}.draft();
}
Draft take_control(std::uint64_t ctid = kFirstCtid) {
  return ControlConfirm{identifier(kJcp, ctid)}.draft();
}
Draft complete(std::uint64_t ctid = kFirstCtid) {
  return JobCompleted{.codes = {1, 0}, .ctid = {ctid, 4}}.draft();
}
Draft job_notice() {
  return JobCompletedInfo{Codes{1, 0}, identifier(kJcp, kFirstCtid)}.draft();
}
// A third node's task of the same job.
void enrol_other(World& world, Draft confirmation = TaskConfirm{{0x3003, 4}}.draft()) {
  world.say(kOther, kJcp, TaskReg{{kFirstCtid, 4}, identifier(kInitiator, kFirstLtid), {9, 4}}.draft(), 8);
  world.say(kJcp, kOther, std::move(confirmation), 8);
}
// The JCP rejects the executor's task, and the executor the session that made it ask.
void reject_task(World& world) {
  world.control();
  world.open();
  world.enrol();
  world.say(kJcp, kExecutor, TaskReject{{1, 0}}.draft(), 7);
  world.say(kExecutor, kInitiator, codes_draft(session_reject, {1, 0}), {}, kIdOfA);
}
// Opens a session of the job that the JCP controls.
void open_of_job(World& world, Who from, Who to, std::uint64_t ltid = kFirstLtid) {
  SessionOpen open{.required_vm = {50000, 1},
                   .required_profile = kProfile,
                   .sender_vm = {50000, 1},
                   .sender_profile = kOwn,
                   .gjid = identifier(kJcp, kFirstCtid),
                   .ltid = {ltid, 4}};
  world.say(from, to, open.draft(), 6);
}
// Two connections that both carry the session.
void open_two(World& world) {
  open_own(world);
  world.over(1);
  a_says(world, write_here(), 70);
  b_says(world, draft_of(rsp), 70);
  world.over(0);
}

// -------------------------------------------------------------------------------------------------- the conversations
struct Conversation {
  std::string_view name;
  void (*run)(World& world);
  std::vector<std::string> findings = {};
};

const Conversation kFaults[] = {
    {"a closing is answered twice",
     [](World& w) {
       open_own(w);
       a_says(w, close());
       b_says(w, agree(), 0);
       b_says(w, agree(), 0);
       a_says(w, draft_of(session_abend));
     },
     {"UMSP-4.1-9 violation"}},
    {"a closing that nobody began is answered",
     [](World& w) {
       open_own(w);
       b_says(w, agree(), 0);
     },
     {"UMSP-4.1-9 violation"}},
    {"the side that has not opened the session closes it, and is answered",
     [](World& w) {
       open_own(w);
       b_says(w, close());
       a_says(w, agree(), 0);
     },
     {"UMSP-5.4-1 violation"}},
    {"a closing that was given up is answered three times in two rounds",
     [](World& w) {
       open_own(w);
       a_says(w, close());
       a_says(w, draft_of(nop));
       a_says(w, close());
       b_says(w, agree(), 0);
       b_says(w, agree(), 0);
       b_says(w, agree(), 0);
       a_says(w, draft_of(session_abend));
     },
     {"UMSP-4.1-9 violation"}},
    {"a task ends twice",
     [](World& w) {
       w.run();
       w.terminate({0, 0});
       w.terminate({0, 0});
     },
     {"UMSP-5.5.1-10 violation"}},
    {"a job is completed twice",
     [](World& w) {
       w.control();
       w.say(kInitiator, kJcp, complete());
       w.say(kInitiator, kJcp, complete());
     },
     {"UMSP-5.6.1-12 violation"}},
    {"a job is completed by a node that has no part in it",
     [](World& w) {
       w.control();
       w.say(kOther, kJcp, ask_control(9), 3);
       w.say(kJcp, kOther, take_control(0x3009), 3);
       w.say(kOther, kJcp, complete());
     },
     {"UMSP-5.6.1-9 warning", "UMSP-5.6.1-1 violation"}},
    {"a task is confirmed with another name of its job than CONTROL_REQ had",
     [](World& w) {
       w.say(kInitiator, kJcp, named(ask_control(), "survey"), 1);
       w.say(kJcp, kInitiator, take_control(), 1);
       w.open();
       w.enrol();
       w.say(kJcp, kExecutor, named(TaskConfirm{{kCtid, 4}}.draft(), "census"), 7);
       w.accept();
     },
     {"UMSP-5.1.1-19 violation"}},
    {"two tasks are confirmed with two names of one job",
     [](World& w) {
       w.control();
       w.open();
       w.enrol();
       w.say(kJcp, kExecutor, named(TaskConfirm{{kCtid, 4}}.draft(), "survey"), 7);
       w.accept();
       enrol_other(w, named(TaskConfirm{{0x3003, 4}}.draft(), "census"));
     },
     {"UMSP-5.1.1-19 violation"}},
    {"a job gets the CTID of another node's task",
     [](World& w) {
       w.run();
       w.say(kOther, kJcp, ask_control(9), 3);
       w.say(kJcp, kOther, take_control(kCtid), 3);
     },
     {"UMSP-5-18 violation"}},
    {"a job gets the CTID of a task of its own node",
     [](World& w) {
       w.run();
       w.say(kExecutor, kJcp, ask_control(9), 3);
       w.say(kJcp, kExecutor, take_control(kCtid), 3);
     },
     {"UMSP-5-18 violation"}},
    {"a writes before it accepts",
     [](World& w) {
       w.say(kInitiator, kExecutor, own_open(), kIdOfA);
       w.say(kExecutor, kInitiator, its_open(), kIdOfB, kIdOfA);
       a_says(w, write_here());
       w.say(kInitiator, kExecutor, draft_of(session_accept), kIdOfA, kIdOfB);
     },
     {"UMSP-5.3-20 violation"}},
    {"b asks in a session that it has not accepted",
     [](World& w) {
       w.say(kInitiator, kExecutor, own_open(), kIdOfA);
       b_says(w, req_data(kHere, 4), 9);
       w.say(kExecutor, kInitiator, draft_of(session_accept), kIdOfB, kIdOfA);
       a_says(w, draft_of(data, OctetBuffer(4)), 9);
     },
     {"UMSP-5.3-20 violation"}},
    {"the opener gives the identifier of a session that is open",
     [](World& w) {
       open_own(w);
       w.say(kInitiator, kExecutor, own_open(0x1002), kIdOfA);
     },
     {"UMSP-3.1-51 warning"}},
    {"the other side accepts two sessions under one identifier",
     [](World& w) {
       open_own(w);
       open_own(w, kIdOfA + 1, kIdOfB, 0x1002);
     },
     {"UMSP-3.1-51 warning"}},
    {"VM_NOTIF names another VM than VM_REQ",
     [](World& w) {
       w.say(kInitiator, kExecutor, VmReq{{{50000, 1}}}.draft(), 4);
       w.say(kExecutor, kInitiator, VmNotif{0x0100, {{50001, 1}}}.draft(), 4);
     },
     {"UMSP-9.1-13 violation"}},
    {"VM_NOTIF names a group without one of the VMs in VM_REQ",
     [](World& w) {
       w.say(kInitiator, kExecutor, VmReq{{{50000, 1}, {50001, 1}}}.draft(), 4);
       w.say(kExecutor, kInitiator, VmNotif{0x0100, {{0, 3}, {50000, 1}, {50002, 1}}}.draft(), 4);
     },
     {"UMSP-9.1-14 violation"}},
    {"VM_NOTIF names one VM, and VM_REQ a group",
     [](World& w) {
       w.say(kInitiator, kExecutor, VmReq{{{50000, 1}, {50001, 1}}}.draft(), 4);
       w.say(kExecutor, kInitiator, VmNotif{0x0100, {{50000, 1}}}.draft(), 4);
     },
     {"UMSP-9.2-23 violation"}},
    {"two transactions that are open exceed the window",
     [](World& w) {
       open_own(w);
       for (const std::uint16_t number : kBoth)
         for (const std::uint16_t chain : kChains)
           b_says(w, long_link(chain, number, number == 0 ? std::vector{kTransaction} : std::vector<OwnedExtension>{}));
     },
     {"UMSP-7.4-10 warning"}},
    {"a displacement in a sequence without a base",
     [](World& w) {
       w.control();
       w.say(kJcp, kInitiator, own_open(), kIdOfA);
       w.say(kInitiator, kJcp, draft_of(session_accept), kIdOfB, kIdOfA);
       w.say(kInitiator, kJcp, link(2, 0, {kSequence, kEnd}, write_here(kShort)), {}, kIdOfA);
     },
     {"UMSP-7.6-2 violation"}},
    {"a displacement in a transaction without a base",
     [](World& w) {
       w.control();
       w.say(kJcp, kInitiator, own_open(), kIdOfA);
       w.say(kInitiator, kJcp, draft_of(session_accept), kIdOfB, kIdOfA);
       w.say(kInitiator, kJcp, link(2, 0, {kTransaction}, write_here(kShort)), {}, kIdOfA);
       w.say(kInitiator, kJcp, link(2, 1, {kEnd}), {}, kIdOfA);
     },
     {"UMSP-7.6-2 violation"}},
    {"two connections bring the same number of a chain",
     [](World& w) {
       open_two(w);
       a_says(w, link(2, 0, {kSequence}));
       a_says(w, link(2, 1));
       w.over(1);
       a_says(w, link(2, 1, {kEnd}));
     },
     {"UMSP-7-6 violation"}},
    {"two connections bring a chain with a hole",
     [](World& w) {
       open_two(w);
       a_says(w, link(2, 0, {kSequence}));
       w.over(1);
       a_says(w, link(2, 1));
       a_says(w, link(2, 3, {kEnd}));
     },
     {"UMSP-7-6 violation"}},
    {"a connection brings a number above that of _END_CHAIN",
     [](World& w) {
       open_two(w);
       a_says(w, link(2, 0, {kSequence}));
       a_says(w, link(2, 1, {kEnd}));
       w.over(1);
       a_says(w, link(2, 2));
     },
     {"UMSP-7-16 violation"}},
    {"_END_CHAIN has a number below that of another connection",
     [](World& w) {
       open_two(w);
       a_says(w, link(2, 0, {kSequence}));
       a_says(w, link(2, 1));
       a_says(w, link(2, 2));
       a_says(w, link(2, 3));
       w.over(1);
       a_says(w, link(2, 2, {kEnd}));
     },
     {"UMSP-7-6 violation", "UMSP-7-16 violation"}},
    {"two connections begin one chain number, and nothing ends it",
     [](World& w) {
       open_two(w);
       a_says(w, link(2, 0, {kSequence}));
       w.over(1);
       a_says(w, link(2, 0, {kSequence}));
     },
     {"UMSP-7-8 violation"}},
    {"two connections bring a chain without a beginning",
     [](World& w) {
       open_two(w);
       a_says(w, link(2, 1));
       w.over(1);
       a_says(w, link(2, 2, {kEnd}));
     },
     {"UMSP-7-6 violation"}},
    {"a chain is answered for each of its instructions",
     [](World& w) {
       open_own(w);
       a_says(w, link(2, 0, {kSequence}), 9);
       a_says(w, link(2, 1, {kEnd}));
       b_says(w, draft_of(rsp), 9);
       b_says(w, draft_of(rsp), 9);
     },
     {"UMSP-4.1-9 violation"}},
    {"a chain is answered by VM and protocol layer",
     [](World& w) {
       open_own(w);
       a_says(w, link(2, 0, {kSequence}), 9);
       a_says(w, link(2, 1, {kEnd}));
       b_says(w, draft_of(rsp), 9);
       b_says(w, draft_of(rsp_p), 9);
     },
     {"UMSP-4.1-9 violation"}},
    {"b answers a transaction before its end",
     [](World& w) {
       open_own(w);
       a_says(w, link(2, 0, {kTransaction}), 9);
       b_says(w, draft_of(rsp), 9);
       a_says(w, link(2, 1, {kEnd}));
     },
     {"UMSP-7.5-8 violation"}},
    {"the JCP confirms the check of a task that has ended",
     [](World& w) {
       w.run();
       w.terminate({0, 0});
       w.say(kExecutor, kJcp, World::registration().draft(true), 9);
       w.say(kJcp, kExecutor, TaskConfirm{{kCtid, 4}}.draft(), 9);
     },
     {"UMSP-5.2.4-14 violation"}},
    {"the JCP confirms a task of a job that is completed",
     [](World& w) {
       w.run();
       w.say(kInitiator, kJcp, complete());
       w.say(kJcp, kExecutor, job_notice());
       w.pause(20 * kSecond);
       enrol_other(w);
     },
     {"UMSP-5.2.1-18 violation"}},
    {"the end of a job is reported by a node that is not its JCP",
     [](World& w) {
       w.run();
       w.say(kInitiator, kExecutor, job_notice());
     },
     {"UMSP-5.6.2-1 warning"}},
    {"b answers when it has ended the session",
     [](World& w) {
       open_own(w);
       a_says(w, write_here(), 9);
       b_says(w, draft_of(session_abend));
       b_says(w, draft_of(rsp), 9);
     },
     {"UMSP-5.4-16 violation"}},
    {"a session is accepted when it was refused",
     [](World& w) {
       w.say(kInitiator, kExecutor, own_open(), kIdOfA);
       b_says(w, codes_draft(session_reject, {1, 0}));
       w.say(kExecutor, kInitiator, draft_of(session_accept), kIdOfB, kIdOfA);
     },
     {"UMSP-5.3.3-2 violation"}},
    {"a transaction is executed when it was cancelled",
     [](World& w) {
       open_own(w);
       a_says(w, ReqBuf{200}.draft(), 8);
       b_says(w, draft_of(rsp_p), 8);
       Draft only = link(2, 0, {{HeadCode::begin_tr, {0, 0}}, kEnd}, write_data(kHere, OctetBuffer(4)));
       a_says(w, only);
       Draft control = draft_of(cancel_tr);
       control.chain = ChainPlace{2, 0};
       a_says(w, control);
       control.opcode = static_cast<std::uint8_t>(exec_tr);
       a_says(w, control, 9);
     },
     {"UMSP-7.4-20 warning", "UMSP-7.2.2-1 violation"}},
    {"a session is accepted on two connections",
     [](World& w) {
       open_two(w);
       w.over(1);
       w.say(kExecutor, kInitiator, draft_of(session_accept), kIdOfB, kIdOfA);
     },
     {"UMSP-5.3.2-2 warning"}},
    {"a task is confirmed on two connections",
     [](World& w) {
       w.run();
       w.over(1);
       w.connect(kExecutor, kJcp);
       w.say(kExecutor, kJcp, draft_of(nop));
       w.confirm();
     },
     {"UMSP-5.2.2-1 warning"}},
    {"a job is begun again with its LTID, and its other node is not notified",
     [](World& w) {
       w.run();
       w.say(kInitiator, kJcp, ask_control(), 2);
       w.say(kJcp, kInitiator, take_control(0x3009), 2);
     },
     {"UMSP-5.1.1-22 violation"}},
    {"a node that is not the JCP reports the end of a task",
     [](World& w) {
       w.run();
       w.say(kInitiator, kExecutor, TaskTerminateInfo{{1, 0}, identifier(kOther, 9)}.draft());
     },
     {"UMSP-5.5.2-1 warning"}},
    {"a node that is not the JCP asks for the state of a task",
     [](World& w) {
       w.run();
       w.say(kInitiator, kExecutor, StateReq{{kLtid, 4}}.draft());
     },
     {"UMSP-5.7.2-1 warning"}},
    {"a JCP asks a node for its state that has no task",
     [](World& w) {
       w.control();
       w.open();
       w.enrol();
       w.say(kJcp, kExecutor, StateReq{{kLtid, 4}}.draft());
     },
     {"UMSP-5.7.2-1 warning"}},
    {"a node whose task was rejected opens a session of the job",
     [](World& w) {
       reject_task(w);
       open_of_job(w, kExecutor, kOther, kLtid);
     },
     {"UMSP-5.2-1 warning"}},
    {"a session is opened at the JCP over another connection long after the job has ended",
     [](World& w) {
       w.control();
       w.say(kInitiator, kJcp, complete());
       w.pause(20 * kSecond);
       w.over(1);
       open_of_job(w, kInitiator, kJcp);
     },
     {"UMSP-5.6.1-12 violation"}},
    {"a session is opened at the JCP over another connection soon after the job has ended",
     [](World& w) {
       w.control();
       w.say(kInitiator, kJcp, complete());
       w.over(1);
       open_of_job(w, kInitiator, kJcp);
     },
     {"UMSP-5.6.1-12 warning"}},
    {"the JCP confirms a second task with the LTID of an active one",
     [](World& w) {
       w.run();
       w.say(kExecutor, kJcp, TaskReg{{0x4001, 4}, identifier(kInitiator, kFirstLtid), {kLtid, 4}}.draft(), 9);
     },
     {"UMSP-5-14 violation", "UMSP-5.2.1-11 warning"}},
};

const Conversation kHonest[] = {
    {"a closing is given up and begun again, and both are answered late",
     [](World& w) {
       open_own(w);
       a_says(w, close());
       a_says(w, draft_of(nop));
       a_says(w, close());
       b_says(w, agree(), 0);
       b_says(w, agree(), 0);
       a_says(w, draft_of(session_abend));
     }},
    {"a closing is refused, and another one accepted",
     [](World& w) {
       open_own(w);
       a_says(w, close());
       b_says(w, codes_draft(rsp_p, {1, 0}), 0);
       a_says(w, write_here(), 9);
       a_says(w, close());
       b_says(w, draft_of(rsp), 9);
       b_says(w, agree(), 0);
       a_says(w, draft_of(session_abend));
     }},
    {"RSP_P with REQ_ID 0 answers a chain and a closing",
     [](World& w) {
       open_own(w);
       a_says(w, link(2, 0, {kTransaction, kEnd}), 0);
       a_says(w, close());
       b_says(w, agree(), 0);
       b_says(w, agree(), 0);
       a_says(w, draft_of(session_abend));
     }},
    {"b answers the first instruction of a sequence at once",
     [](World& w) {
       open_own(w);
       a_says(w, link(2, 0, {kSequence}), 9);
       b_says(w, draft_of(rsp), 9);
       a_says(w, link(2, 1, {kEnd}));
     }},
    {"a transaction is refused before its end",
     [](World& w) {
       open_own(w);
       a_says(w, link(2, 0, {kTransaction}), 9);
       b_says(w, codes_draft(rsp, {1, 0}), 9);
       a_says(w, link(2, 1, {kEnd}));
     }},
    {"a task is checked, ends, begins again and is checked again",
     [](World& w) {
       w.run();
       for (int i = 0; i < 2; ++i) {
         w.say(kExecutor, kJcp, World::registration().draft(true), 9);
         w.say(kJcp, kExecutor, TaskConfirm{{kCtid, 4}}.draft(), 9);
         if (i > 0) break;
         w.terminate({0, 0});
         w.enrol();
         w.confirm();
       }
     }},
    {"the JCP confirms a task while JOB_COMPLETED is on its way",
     [](World& w) {
       w.run();
       w.say(kInitiator, kJcp, complete());
       enrol_other(w);
       w.say(kJcp, kExecutor, job_notice());
       w.say(kJcp, kOther, job_notice());
     }},
    {"a task ends, begins again with its CTID, and ends again",
     [](World& w) {
       w.run();
       w.terminate({0, 0});
       w.enrol();
       w.confirm();
       w.terminate({0, 0});
     }},
    {"a job ends, begins again with its GJID, and ends again",
     [](World& w) {
       for (int i = 0; i < 2; ++i) {
         w.control();
         w.say(kInitiator, kJcp, complete());
       }
     }},
    {"a task ends while the end of its job is on its way",
     [](World& w) {
       w.run();
       w.say(kInitiator, kJcp, complete());
       w.say(kJcp, kExecutor, job_notice());
       w.terminate({0, 0});
     }},
    {"a job keeps its name, with an octet that fills it up",
     [](World& w) {
       w.say(kInitiator, kJcp, named(ask_control(), "surveys"), 1);
       w.say(kJcp, kInitiator, take_control(), 1);
       w.open();
       w.enrol();
       w.say(kJcp, kExecutor, named(TaskConfirm{{kCtid, 4}}.draft(), std::string_view("surveys\0", 8)), 7);
       w.accept();
     }},
    {"a session is accepted over another connection than it was opened on",
     [](World& w) {
       w.say(kInitiator, kExecutor, own_open(), kIdOfA);
       w.over(1);
       w.say(kExecutor, kInitiator, draft_of(session_accept), kIdOfB, kIdOfA);
       a_says(w, write_here());
       w.over(0);
       b_says(w, write_here());
     }},
    {"the JCP opens its session again over another connection, and is answered there",
     [](World& w) {
       open_two(w);
       w.over(1);
       open_own(w);
     }},
    {"a task is confirmed over another connection than it was registered on",
     [](World& w) {
       w.control();
       w.open();
       w.enrol();
       w.over(1);
       w.confirm();
       w.over(0);
       w.accept();
     }},
    {"a job is begun again with its LTID, and its other node is notified before",
     [](World& w) {
       w.run();
       w.say(kInitiator, kJcp, ask_control(), 2);
       w.say(kJcp, kExecutor, TaskTerminateInfo{{1, 0}, identifier(kInitiator, kFirstLtid)}.draft());
       w.say(kJcp, kInitiator, take_control(0x3009), 2);
     }},
    {"a job is begun again with its LTID, and the notice of the job is seen later",
     [](World& w) {
       w.run();
       w.say(kInitiator, kJcp, ask_control(), 2);
       w.say(kJcp, kInitiator, take_control(0x3009), 2);
       w.say(kJcp, kExecutor, job_notice());
     }},
    {"a job is begun again with its LTID when no other node has a task of it",
     [](World& w) {
       w.control();
       w.say(kInitiator, kJcp, ask_control(), 2);
       w.say(kJcp, kInitiator, take_control(0x3009), 2);
     }},
    {"the JCP reports the end of a task to the nodes of the job",
     [](World& w) {
       w.run();
       enrol_other(w);
       w.terminate();
       for (const Who one : {kInitiator, kOther})
         w.say(kJcp, one, TaskTerminateInfo{{1, 0}, identifier(kExecutor, kLtid)}.draft());
     }},
    {"the JCP asks for the state of a task",
     [](World& w) {
       w.run();
       w.pause(60 * kSecond);
       w.say(kJcp, kExecutor, StateReq{{kLtid, 4}}.draft());
       w.say(kExecutor, kJcp, TaskState{.state = 1, .ctid = {kCtid, 4}}.draft());
     }},
    {"a node whose task was rejected opens a session when it has been confirmed",
     [](World& w) {
       reject_task(w);
       w.open();
       w.enrol();
       w.confirm();
       w.accept();
       open_of_job(w, kExecutor, kOther, kLtid);
     }},
    {"a job begins again with its GJID, and a session of it is opened over another connection",
     [](World& w) {
       w.control();
       w.say(kInitiator, kJcp, complete());
       w.pause(20 * kSecond);
       w.control();
       w.over(1);
       open_of_job(w, kInitiator, kJcp);
     }},
    {"a CTID is free for a job when its task has ended",
     [](World& w) {
       w.run();
       w.terminate({0, 0});
       w.say(kOther, kJcp, ask_control(9), 3);
       w.say(kJcp, kOther, take_control(kCtid), 3);
     }},
    {"a node that was reloaded gets a CTID that it had",
     [](World& w) {
       w.run();
       Draft again = ask_control(9);
       again.extensions = {{HeadCode::inaction_time, {0, 60}}};
       w.say(kExecutor, kJcp, again, 3);
       w.say(kJcp, kInitiator, TaskTerminateInfo{{1, 0}, identifier(kExecutor, kLtid)}.draft());
       w.say(kJcp, kExecutor, take_control(kCtid), 3);
     }},
    {"both sides write as soon as SESSION_ACCEPT was sent",
     [](World& w) {
       w.say(kInitiator, kExecutor, own_open(), kIdOfA);
       w.say(kExecutor, kInitiator, its_open(), kIdOfB, kIdOfA);
       w.say(kInitiator, kExecutor, draft_of(session_accept), kIdOfA, kIdOfB);
       a_says(w, write_here());
       b_says(w, write_here());
     }},
    {"a session is given up before it is open",
     [](World& w) {
       w.say(kInitiator, kExecutor, own_open(), kIdOfA);
       b_says(w, draft_of(session_abend));
     }},
    {"an identifier names another session when the first is over",
     [](World& w) {
       open_own(w);
       a_says(w, draft_of(session_abend));
       open_own(w, kIdOfA, kIdOfB, 0x1002);
     }},
    {"the JCP opens its session again under the same identifiers",
     [](World& w) {
       open_own(w);
       open_own(w);
     }},
    {"VM_NOTIF answers with the VM, alone and in a group",
     [](World& w) {
       w.say(kInitiator, kExecutor, VmReq{{{50000, 1}}}.draft(), 4);
       w.say(kExecutor, kInitiator, VmNotif{0x0100, {{50000, 7}}}.draft(), 4);
       w.say(kExecutor, kInitiator, VmNotif{0x0101, {{0, 3}, {50000, 7}, {50002, 1}}}.draft(), 4);
       w.say(kInitiator, kExecutor, VmReq{}.draft(), 5);
       w.say(kExecutor, kInitiator, VmNotif{0x0100, {{50002, 1}}}.draft(), 5);
     }},
    {"two transactions follow one another through the window",
     [](World& w) {
       open_own(w);
       for (const std::uint16_t chain : kChains) {
         b_says(w, long_link(chain, 0, {kTransaction}));
         b_says(w, long_link(chain, 1, {kEnd}));
       }
     }},
    {"a transaction has its base in its last instruction",
     [](World& w) {
       w.control();
       w.say(kJcp, kInitiator, own_open(), kIdOfA);
       w.say(kInitiator, kJcp, draft_of(session_accept), kIdOfB, kIdOfA);
       w.say(kInitiator, kJcp, link(2, 0, {kTransaction}, write_here(kShort)), {}, kIdOfA);
       w.say(kInitiator, kJcp, link(2, 1, {kBase, kEnd}, write_here(kShort)), {}, kIdOfA);
     }},
    {"two connections bring a chain, each number once",
     [](World& w) {
       open_two(w);
       a_says(w, link(2, 0, {kSequence}));
       a_says(w, link(2, 3, {kEnd}));
       w.over(1);
       a_says(w, link(2, 1));
       a_says(w, link(2, 2));
     }},
    {"two connections bring two chains of one number",
     [](World& w) {
       open_two(w);
       a_says(w, link(2, 0, {kSequence}));
       a_says(w, link(2, 1, {kEnd}));
       w.over(1);
       a_says(w, link(2, 0, {kSequence}));
       a_says(w, link(2, 1));
       a_says(w, link(2, 2, {kEnd}));
     }},
    {"two connections bring a chain that is cancelled",
     [](World& w) {
       open_two(w);
       a_says(w, link(2, 0, {kTransaction}));
       w.over(1);
       a_says(w, link(2, 2));
       Draft cancel = codes_draft(snd_cancel, {1, 0});
       cancel.chain = ChainPlace{2, 0};
       a_says(w, cancel);
       a_says(w, link(2, 0, {kTransaction, kEnd}));
     }},
};

TEST(Conversations, ThatBreakARuleAreReported) {
  for (const Conversation& one : kFaults) {
    World world;
    one.run(world);
    world.pause(100 * kSecond);
    EXPECT_THAT(world.findings(), testing::UnorderedElementsAreArray(one.findings)) << one.name;
  }
}

// What is absent, or in another order, may be missing from a capture that is not complete.
TEST(Conversations, OfACaptureThatMayLackFramesAreWarnedOf) {
  for (const Conversation& one : kFaults) {
    World world(Completeness::unknown);
    one.run(world);
    world.pause(100 * kSecond);
    EXPECT_THAT(world.findings(), testing::Each(testing::EndsWith("warning"))) << one.name;
  }
}

TEST(Conversations, ThatAreHonestBlameNobody) {
  for (const Conversation& one : kHonest) {
    World world;
    one.run(world);
    world.pause(100 * kSecond);
    EXPECT_THAT(world.findings(), testing::IsEmpty()) << one.name;
  }
}

}  // namespace
}  // namespace wirelaw::umsp::conversations
