// SPDX-License-Identifier: Apache-2.0
// Conversations in which nodes send, or fail to send, something after a session, a task or a job has ended. Each
// conversation that breaks a rule is reported by that rule only. The correct ones, which differ in one point, are not
// reported.
#include "conformance/umsp/tracker/conversations_test.h"
#include "reference/umsp/object_exchange.h"

namespace wirelaw::umsp::conversations::ends {
namespace {

constexpr std::uint32_t kOtherIdOfA = 6, kOtherIdOfB = 2;

// The JCP has notified the executor.
void complete_and_notify(World& world) {
  world.run();
  world.say(kInitiator, kJcp, complete());
  world.say(kJcp, kExecutor, job_notice());
}
// The executor reports the state of its task when its session is a minute old.
void report(World& world, std::uint8_t state) {
  world.run();
  world.pause(60 * kSecond);
  world.say(kJcp, kExecutor, StateReq{{kLtid, 4}}.draft());
  world.say(kExecutor, kJcp, TaskState{.state = state, .ctid = {kCtid, 4}}.draft());
  world.pause(20 * kSecond);
}
// Whatever `to` sends to `from` from now on was sent after this, as its acknowledgments prove.
void acknowledge(World& world, Who from, Who to) {
  world.say(from, to, draft_of(nop));
  world.pause(2 * kSecond);
}
Draft end_of_life() {
  return JobCompletedInfo{Codes{19, 0}, identifier(kJcp, kFirstCtid)}.draft();
}
void accept_other(World& world) {
  world.say(kExecutor, kInitiator, draft_of(session_accept), kOtherIdOfB, kOtherIdOfA);
}
// A session of A's job with the JCP itself.
void open_at_jcp(World& world) {
  world.control();
  open_of_job(world, kInitiator, kJcp);
  world.say(kJcp, kInitiator, draft_of(session_accept), kOtherIdOfB, kOtherIdOfA);
}
// B names an unknown session in a SESSION_OPEN, after A has opened one.
void answer_open_wrongly(World& world) {
  world.say(kInitiator, kExecutor, own_open(), kIdOfA);
  world.say(kExecutor, kInitiator, its_open(), kIdOfB, kIdOfA);
  world.say(kExecutor, kInitiator, its_open(), kIdOfB, kIdOfA + 3);
}

const Conversation kConversations[] = {
    {"a node that has completed its job still writes in a session of it",
     [](World& w) {
       complete_and_notify(w);
       w.pause(20 * kSecond);
       acknowledge(w, kExecutor, kInitiator);
       a_says(w, write_here());
     },
     {"UMSP-5.6.1-11 violation", "UMSP-5.6.1-11 warning"}},
    {"a node that has completed its job answers a request, and then writes in a session of it",
     [](World& w) {
       complete_and_notify(w);
       w.pause(20 * kSecond);
       w.acknowledge_late();
       w.say(kExecutor, kInitiator, VmReq{{{50000, 1}}}.draft(), 4);
       w.say(kInitiator, kExecutor, VmNotif{0x0100, {{50000, 1}}}.draft(), 4);
       a_says(w, write_here());
     },
     {"UMSP-5.6.1-11 violation", "UMSP-5.6.1-11 warning"}},
    {"a node writes long after it has completed its job, and nothing proves that it sent that later",
     [](World& w) {
       complete_and_notify(w);
       w.pause(20 * kSecond);
       a_says(w, write_here());
     },
     {"UMSP-5.6.1-11 warning", "UMSP-5.6.1-11 warning"}},
    {"a node writes when it had received octets from before the end of its job only",
     [](World& w) {
       w.run();
       acknowledge(w, kExecutor, kInitiator);
       w.say(kInitiator, kJcp, complete());
       w.say(kJcp, kExecutor, job_notice());
       w.pause(200 * kSecond);
       a_says(w, write_here());
     },
     {"UMSP-5.6.1-11 warning", "UMSP-5.6.1-11 violation"}},
    {"a node that has completed its job writes to the JCP over the same connection, at once",
     [](World& w) {
       open_at_jcp(w);
       w.say(kInitiator, kJcp, complete());
       w.say(kInitiator, kJcp, write_here(), {}, kOtherIdOfB);
     },
     {"UMSP-5.6.1-11 violation", "UMSP-5.6.1-11 warning"}},
    {"a node that has ended the first task of its job writes to the JCP over the same connection, at once",
     [](World& w) {
       open_at_jcp(w);
       w.say(kInitiator, kJcp, TaskTerminate{.codes = {1, 0}, .ctid = {kFirstCtid, 4}}.draft());
       w.say(kInitiator, kJcp, write_here(), {}, kOtherIdOfB);
     },
     {"UMSP-5.5.1-13 violation", "UMSP-5.5.1-12 warning"}},
    {"a node writes in a session that the other side has certainly ended for it",
     [](World& w) {
       open_own(w);
       a_says(w, draft_of(session_abend));
       w.pause(2 * kSecond);
       acknowledge(w, kInitiator, kExecutor);
       b_says(w, write_here());
     },
     {"UMSP-5.4.2-1 violation"}},
    {"a node writes long after the other side has ended the session, which nothing proves to have arrived",
     [](World& w) {
       open_own(w);
       a_says(w, draft_of(session_abend));
       w.pause(20 * kSecond);
       b_says(w, write_here());
     },
     {"UMSP-5.4.2-1 warning"}},
    {"a node writes before SESSION_ABEND arrives, which passed before a lost segment in front of it was sent again",
     [](World& w) {
       open_own(w);
       w.pause(5 * kSecond);
       a_says(w, write_here(), 70);
       w.pause(-4 * kSecond);
       a_says(w, draft_of(session_abend));
       w.pause(4 * kSecond);
       b_says(w, draft_of(rsp), 70);
       b_says(w, write_here());
     }},
    {"a node writes in a session that the other side has rejected",
     [](World& w) {
       w.say(kInitiator, kExecutor, own_open(), kIdOfA);
       w.say(kExecutor, kInitiator, its_open(), kIdOfB, kIdOfA);
       a_says(w, codes_draft(session_reject, {1, 0}));
       b_says(w, write_here());
     },
     {"UMSP-5.3-20 violation"}},
    {"a node accepts a session and writes while a late rejection is on its way",
     [](World& w) {
       w.say(kInitiator, kExecutor, own_open(), kIdOfA);
       w.say(kExecutor, kInitiator, its_open(), kIdOfB, kIdOfA);
       b_says(w, codes_draft(session_reject, {1, 0}));
       w.say(kInitiator, kExecutor, draft_of(session_accept), kIdOfA, kIdOfB);
       a_says(w, write_here());
     },
     {"UMSP-5.3.3-1 warning"}},
    {"a node agrees to a closing with a REQ_ID that nobody has used, and writes",
     [](World& w) {
       open_own(w);
       a_says(w, close());
       b_says(w, agree(), 77);
       b_says(w, write_here());
       a_says(w, draft_of(session_abend));
     },
     {"UMSP-5.4-12 violation"}},
    {"a node agrees to a closing with a REQ_ID that nobody has used, and nobody ends the session",
     [](World& w) {
       open_own(w);
       a_says(w, close());
       b_says(w, agree(), 77);
       w.pause(100 * kSecond);
       w.say(kExecutor, kInitiator, draft_of(nop));
     },
     {"UMSP-5.4-13 violation"}},
    {"a node that has ended its task still writes in a session of it",
     [](World& w) {
       w.run();
       w.terminate({0, 0});
       w.pause(20 * kSecond);
       acknowledge(w, kInitiator, kExecutor);
       b_says(w, write_here());
     },
     {"UMSP-5.5.1-13 violation", "UMSP-5.5.1-12 warning"}},
    {"a node writes long after it has ended its task, and nothing proves that it sent that later",
     [](World& w) {
       w.run();
       w.terminate({0, 0});
       w.pause(20 * kSecond);
       b_says(w, write_here());
     },
     {"UMSP-5.5.1-13 warning", "UMSP-5.5.1-12 warning"}},
    {"a node that was told the end of its job still writes in a session of it",
     [](World& w) {
       complete_and_notify(w);
       w.pause(20 * kSecond);
       acknowledge(w, kExecutor, kJcp);
       acknowledge(w, kInitiator, kExecutor);
       b_says(w, write_here());
     },
     {"UMSP-5.6.2-13 violation", "UMSP-5.6.1-11 warning"}},
    {"a node writes long after it was told the end of its job, which nothing proves to have arrived",
     [](World& w) {
       complete_and_notify(w);
       w.pause(20 * kSecond);
       acknowledge(w, kInitiator, kExecutor);
       b_says(w, write_here());
     },
     {"UMSP-5.6.2-13 warning", "UMSP-5.6.1-11 warning"}},
    {"a node writes long after it has received the end of its job, and nothing proves that it sent that later",
     [](World& w) {
       complete_and_notify(w);
       w.pause(20 * kSecond);
       w.say(kExecutor, kJcp, draft_of(nop));
       b_says(w, write_here());
     },
     {"UMSP-5.6.2-13 warning", "UMSP-5.6.1-11 warning"}},
    {"a node answers a request that came before the notice of the end of its job, and writes",
     [](World& w) {
       w.run();
       w.acknowledge_late();
       w.say(kJcp, kExecutor, VmReq{{{50000, 1}}}.draft(), 4);
       w.say(kInitiator, kJcp, complete());
       w.say(kJcp, kExecutor, job_notice());
       w.pause(20 * kSecond);
       w.say(kExecutor, kJcp, VmNotif{0x0100, {{50000, 1}}}.draft(), 4);
       w.say(kInitiator, kExecutor, VmReq{{{50000, 1}}}.draft(), 5);
       w.say(kExecutor, kInitiator, VmNotif{0x0100, {{50000, 1}}}.draft(), 5);
       b_says(w, write_here());
     },
     {"UMSP-5.6.2-13 warning", "UMSP-5.6.1-11 warning"}},
    {"a node says that its task has no session, and uses one",
     [](World& w) {
       report(w, 2);
       acknowledge(w, kInitiator, kExecutor);
       b_says(w, write_here());
     },
     {"UMSP-5.7.3-11 violation"}},
    {"a node says that its task has no session, and nothing proves that it uses one later",
     [](World& w) {
       report(w, 2);
       b_says(w, write_here());
     },
     {"UMSP-5.7.3-11 warning"}},
    {"a node says that its task has no session, and uses one that the other node may have accepted later",
     [](World& w) {
       w.run();
       w.pause(60 * kSecond);
       w.say(kJcp, kInitiator, StateReq{{kFirstLtid, 4}}.draft());
       w.say(kInitiator, kJcp, TaskState{.state = 2, .ctid = {kFirstCtid, 4}}.draft());
       w.pause(20 * kSecond);
       acknowledge(w, kExecutor, kInitiator);
       a_says(w, write_here());
     },
     {"UMSP-5.7.3-11 warning"}},
    {"a node says that its task has neither sessions nor resources, and uses one",
     [](World& w) {
       report(w, 3);
       acknowledge(w, kInitiator, kExecutor);
       b_says(w, write_here());
     },
     {"UMSP-5.7.3-11 violation"}},
    {"a node says that its task is completed, and uses a session of it",
     [](World& w) {
       report(w, 4);
       acknowledge(w, kInitiator, kExecutor);
       b_says(w, write_here());
     },
     {"UMSP-5.7.3-13 violation"}},
    {"one node of two is notified of the end of a job",
     [](World& w) {
       w.run();
       enrol_other(w);
       w.say(kInitiator, kJcp, complete());
       w.say(kJcp, kExecutor, job_notice());
       w.pause(60 * kSecond);
     },
     {"UMSP-5.6.1-14 violation", "UMSP-5.6.1-11 warning"}},
    {"a node that was told the end of its job opens a session of it",
     [](World& w) {
       complete_and_notify(w);
       w.pause(20 * kSecond);
       open_of_job(w, kExecutor, kOther, kLtid);
     },
     {"UMSP-5.2-1 warning", "UMSP-5.6.1-11 warning"}},
    {"the end of a job is not notified, and the connection ends a minute later",
     [](World& w) {
       w.run();
       w.say(kInitiator, kJcp, complete());
       a_says(w, draft_of(session_abend));
       w.pause(60 * kSecond);
       w.close(kExecutor, kJcp);
     },
     {"UMSP-5.6.1-13 violation"}},
    {"the end of a task is not notified, and the connection ends a minute later",
     [](World& w) {
       w.run();
       w.terminate();
       b_says(w, draft_of(session_abend));
       w.pause(60 * kSecond);
       w.close(kInitiator, kJcp);
     },
     {"UMSP-5.5.1-15 violation"}},
    {"nobody ends a session whose closing was agreed to, and the connection ends later",
     [](World& w) {
       open_own(w);
       a_says(w, close());
       b_says(w, agree(), 0);
       w.pause(100 * kSecond);
       w.close(kInitiator, kExecutor);
     },
     {"UMSP-5.4-13 violation"}},
    {"a second session of the job is accepted over another connection",
     [](World& w) {
       w.run();
       w.over(1);
       open_of_job(w, kInitiator, kExecutor);
       accept_other(w);
     },
     {"UMSP-5.3.1-37 warning"}},
    {"the JCP reports the end of a task that it has not confirmed",
     [](World& w) {
       w.run();
       w.say(kJcp, kInitiator, TaskTerminateInfo{{1, 0}, identifier(kExecutor, kLtid + 1)}.draft());
     },
     {"UMSP-5.5.2-3 warning"}},
    {"an object of a job is named without a session",
     [](World& w) {
       w.say(kInitiator, kExecutor, name_of_object(0x5000'0001), 9, 0);
       w.say(kExecutor, kInitiator, named(draft_of(object, {0x50, 0, 0, 1, 0, 1, 0, 1}), "thing"), 9, 0);
     },
     {"UMSP-6.6-13 violation"}},
    {"a transaction in two segments goes to a side without a window",
     [](World& w) {
       w.say(kInitiator, kExecutor, own_open(0x1001, 0), kIdOfA);
       w.say(kExecutor, kInitiator, draft_of(session_accept), kIdOfB, kIdOfA);
       b_says(w, long_link(2, 0, {kTransaction}));
       b_says(w, long_link(2, 1));
       b_says(w, long_link(2, 2, {kEnd}));
     },
     {"UMSP-5.3.1-20 warning"}},
    {"VM_REQ comes by UDP, and is answered by TCP",
     [](World& w) {
       open_own(w);
       w.say_by_udp(kInitiator, kExecutor, VmReq{{{50000, 1}}}.draft(), 4);
       w.say(kExecutor, kInitiator, VmNotif{0x0100, {{50000, 1}}}.draft(), 4);
     },
     {"UMSP-9-20 warning"}},
    // A fault of one side explains the behaviour of the other side.
    {"a SESSION_OPEN that names no session is refused, and the right one too",
     [](World& w) {
       answer_open_wrongly(w);
       a_says(w, codes_draft(session_reject, {1, 0}));
       a_says(w, codes_draft(session_reject, {1, 0}));
     },
     {"UMSP-5.3.1-11 warning"}},
    {"a SESSION_OPEN that names no session is refused, and the right one is accepted",
     [](World& w) {
       answer_open_wrongly(w);
       w.say(kInitiator, kExecutor, draft_of(session_accept), kIdOfA, kIdOfB);
       a_says(w, codes_draft(session_reject, {1, 0}));
       a_says(w, write_here());
     },
     {"UMSP-5.3.1-11 warning"}},
    {"a notice has a GJID of another format, which is no job's; then a task is registered",
     [](World& w) {
       w.open();
       constexpr Octet kJcpOctets[] = {192, 0, 2, 3};
       w.say(kJcp, kExecutor,
             JobCompletedInfo{Codes{1, 0}, *make_identifier(kIpv4Memory16, kJcpOctets, 0x3001)}.draft());
       w.enrol({.ctid = {0x0102'3001, 4}, .gtid = identifier(kInitiator, kFirstLtid), .ltid = {kLtid, 4}});
     },
     {"UMSP-5.2.1-11 warning"}},
    // ---------------------------------------------------------------------------------------------------------- honest
    {"sessions are ended twenty seconds after their job",
     [](World& w) {
       complete_and_notify(w);
       w.pause(20 * kSecond);
       a_says(w, draft_of(session_abend));
     }},
    {"a node still writes while the notice is on its way",
     [](World& w) {
       complete_and_notify(w);
       b_says(w, write_here());
       w.leave(kInitiator);
     }},
    {"a connection ends before the JCP has had time for its notice",
     [](World& w) {
       w.run();
       w.say(kInitiator, kJcp, complete());
       a_says(w, draft_of(session_abend));
       w.pause(10 * kSecond);
       w.close(kExecutor, kJcp);
     }},
    {"a job's life ends while JOB_COMPLETED is on its way",
     [](World& w) {
       w.control();
       w.say(kInitiator, kJcp, complete());
       w.say(kJcp, kInitiator, end_of_life());
     }},
    {"a job's life ends while JOB_COMPLETED is on its way, and all its nodes are notified",
     [](World& w) {
       w.run();
       w.say(kInitiator, kJcp, complete());
       w.say(kJcp, kInitiator, end_of_life());
       w.say(kJcp, kExecutor, end_of_life());
     }},
    {"a session is opened again after the JCP has ended the job",
     [](World& w) {
       w.run();
       w.say(kJcp, kInitiator, end_of_life());
       w.say(kJcp, kExecutor, end_of_life());
       open_of_job(w, kInitiator, kExecutor);
       w.enrol();
       w.confirm();
       accept_other(w);
       w.pause(20 * kSecond);
       w.say(kExecutor, kInitiator, write_here(), {}, kOtherIdOfA);
     }},
    {"a node is reloaded, registers again, and accepts a session over another connection",
     [](World& w) {
       w.run();
       w.over(1);
       open_of_job(w, kInitiator, kExecutor);
       Draft again = World::registration().draft();
       again.extensions = {{HeadCode::inaction_time, {0, 60}}};
       w.say(kExecutor, kJcp, again, 7);
       w.say(kJcp, kInitiator, TaskTerminateInfo{{1, 0}, identifier(kExecutor, kLtid)}.draft());
       w.confirm();
       accept_other(w);
     }},
    {"a node accepts a session soon after it has said to have none",
     [](World& w) {
       w.control();
       w.open();
       w.enrol();
       w.confirm();
       w.pause(60 * kSecond);
       w.say(kJcp, kExecutor, StateReq{{kLtid, 4}}.draft());
       w.say(kExecutor, kJcp, TaskState{.state = 2, .ctid = {kCtid, 4}}.draft());
       w.accept();
       w.pause(20 * kSecond);
       b_says(w, write_here());
     }},
    {"a task is confirmed while its job begins again with the same LTID",
     [](World& w) {
       w.control();
       w.say(kOther, kJcp, TaskReg{{kFirstCtid, 4}, identifier(kInitiator, kFirstLtid), {9, 4}}.draft(), 8);
       w.say(kInitiator, kJcp, ask_control(), 2);
       w.say(kJcp, kInitiator, take_control(0x3009), 2);
       w.say(kJcp, kOther, TaskConfirm{{0x3003, 4}}.draft(), 8);
       w.say(kJcp, kOther, job_notice());
     }},
    {"an object of a job is not found without a session",
     [](World& w) {
       w.say(kInitiator, kExecutor, name_of_object(0x5000'0001), 9, 0);
       w.say(kExecutor, kInitiator, codes_draft(rsp, {1, 0}), 9, 0);
     }},
    {"VM_REQ comes by UDP and by TCP, and each is answered as it came",
     [](World& w) {
       open_own(w);
       w.say_by_udp(kInitiator, kExecutor, VmReq{{{50000, 1}}}.draft(), 4);
       w.say_by_udp(kExecutor, kInitiator, VmNotif{0x0100, {{50000, 1}}}.draft(), 4);
       w.say(kInitiator, kExecutor, VmReq{{{50000, 1}}}.draft(), 5);
       w.say(kExecutor, kInitiator, VmNotif{0x0100, {{50000, 1}}}.draft(), 5);
     }},
    {"a node that has ended the first task of its job ends its session with the JCP",
     [](World& w) {
       open_at_jcp(w);
       w.say(kInitiator, kJcp, TaskTerminate{.codes = {1, 0}, .ctid = {kFirstCtid, 4}}.draft());
       w.say(kInitiator, kJcp, draft_of(session_abend), {}, kOtherIdOfB);
     }},
    {"a node writes before the other side's end of the session may have arrived",
     [](World& w) {
       open_own(w);
       a_says(w, draft_of(session_abend));
       w.pause(5 * kSecond);
       b_says(w, write_here());
     }},
    {"a node writes in a session that has the identifiers of one that the other side has ended",
     [](World& w) {
       open_own(w);
       a_says(w, draft_of(session_abend));
       w.pause(2 * kSecond);
       acknowledge(w, kInitiator, kExecutor);
       open_own(w);
       b_says(w, write_here());
     }},
    {"both sides end the session at once",
     [](World& w) {
       open_own(w);
       a_says(w, draft_of(session_abend));
       b_says(w, draft_of(session_abend));
     }},
    {"a request for a buffer is answered while the closing waits for its answer, and its sender writes",
     [](World& w) {
       open_own(w);
       a_says(w, ReqBuf{200}.draft(), 9);
       a_says(w, close());
       b_says(w, agree(), 9);
       b_says(w, write_here());
     }},
};

TEST(EndConversations, AreJudgedByTheRulesThatTheyBreak) {
  expect_findings(kConversations);
}

// REQ_BUF is the protocol layer's, even if it is in a chain: RSP_P answers it, and not the VM's request.
TEST(EndConversations, ARefusedBufferAnswersNoRequestOfTheVm) {
  const Conversation kRefused{.name = "", .run = [](World& w) {
                                open_own(w);
                                a_says(w, req_data(kHere, 4), 9);
                                a_says(w, link(2, 1, {}, ReqBuf{200}.draft()), 9);
                                b_says(w, codes_draft(rsp_p, {1, 0}), 9);
                                b_says(w, draft_of(data, OctetBuffer(4)), 9);
                              }};
  EXPECT_THAT(findings_of(kRefused, Completeness::complete), testing::ElementsAre("UMSP-7.4-16 violation"));
}

}  // namespace
}  // namespace wirelaw::umsp::conversations::ends
