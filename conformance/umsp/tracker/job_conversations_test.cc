// SPDX-License-Identifier: Apache-2.0
// Jobs and tasks begin and end at a JCP to which three or more nodes are connected. Each conversation that breaks a
// rule is reported by that rule only. The correct ones, which differ in one point, are not reported.
#include "conformance/umsp/tracker/conversations_test.h"

namespace wirelaw::umsp::conversations::jobs {
namespace {

const Conversation kConversations[] = {
    {"a task ends twice",
     [](World& w) {
       w.run();
       w.terminate({0, 0});
       w.terminate({0, 0});
     },
     {"UMSP-5.5.1-10 violation", "UMSP-5.5.1-12 warning"}},
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
    {"the JCP confirms the check of a task that has ended",
     [](World& w) {
       w.run();
       w.terminate({0, 0});
       check_task(w, World::registration());
     },
     {"UMSP-5.2.4-14 violation", "UMSP-5.5.1-12 warning"}},
    {"the JCP confirms the check of a task that the node has never registered",
     [](World& w) {
       w.run();
       check_task(w, {.ctid = {kFirstCtid, 4}, .gtid = identifier(kInitiator, kFirstLtid), .ltid = {kLtid + 1, 4}});
     },
     {"UMSP-5.2.4-14 violation"}},
    {"the JCP confirms the check of an opener that has never registered",
     [](World& w) {
       w.run();
       check_task(w, {.ctid = {kFirstCtid, 4}, .gtid = identifier(kOther, kFirstLtid), .ltid = {kLtid, 4}});
     },
     {"UMSP-5.2.4-14 violation"}},
    {"the node of a job checks a task that it has never registered, and is confirmed",
     [](World& w) {
       w.control();
       w.say(kInitiator, kJcp,
             TaskReg{{kFirstCtid, 4}, identifier(kInitiator, kFirstLtid), {kFirstLtid + 1, 4}}.draft(true), 9);
       w.say(kJcp, kInitiator, TaskConfirm{{kFirstCtid, 4}}.draft(), 9);
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
     {"UMSP-5.2.1-18 violation", "UMSP-5.6.1-11 warning"}},
    {"the JCP confirms a task of a job whose end nothing proves to have arrived",
     [](World& w) {
       w.run();
       w.say(kInitiator, kJcp, complete());
       w.pause(20 * kSecond);
       enrol_other(w);
       w.say(kJcp, kExecutor, job_notice());
       w.say(kJcp, kOther, job_notice());
     },
     {"UMSP-5.2.1-18 warning", "UMSP-5.6.1-11 warning"}},
    {"the JCP confirms a task of a job when it has acknowledged the end",
     [](World& w) {
       w.run();
       w.say(kInitiator, kJcp, complete());
       w.pause(20 * kSecond);
       w.say(kJcp, kInitiator, draft_of(nop));
       w.pause(2 * kSecond);
       enrol_other(w);
       w.say(kJcp, kExecutor, job_notice());
       w.say(kJcp, kOther, job_notice());
     },
     {"UMSP-5.2.1-18 violation", "UMSP-5.6.1-11 warning"}},
    {"the end of a job is reported by a node that is not its JCP",
     [](World& w) {
       w.run();
       w.say(kInitiator, kExecutor, job_notice());
     },
     {"UMSP-5.6.2-1 warning"}},
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
       w.connect(kInitiator, kJcp);
       open_of_job(w, kInitiator, kJcp);
     },
     {"UMSP-5.6.1-12 violation"}},
    {"a session is opened at the JCP over an older connection long after the job has ended",
     [](World& w) {
       w.over(1);
       w.connect(kInitiator, kJcp);
       w.over(0);
       w.control();
       w.say(kInitiator, kJcp, complete());
       w.pause(20 * kSecond);
       w.over(1);
       open_of_job(w, kInitiator, kJcp);
     },
     {"UMSP-5.6.1-12 warning"}},
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

    // ---------------------------------------------------------------------------------------------------------- honest
    {"an opener is checked that has a task of the job",
     [](World& w) {
       w.run();
       enrol_other(w);
       check_task(w, {.ctid = {kFirstCtid, 4}, .gtid = identifier(kOther, 9), .ltid = {kLtid, 4}});
     }},
    {"a task of a job is checked whose beginning nobody saw",
     [](World& w) {
       check_task(w, {.ctid = {kFirstCtid, 4}, .gtid = identifier(kOther, kFirstLtid), .ltid = {kLtid, 4}});
     }},
    {"a task is checked, ends, begins again and is checked again",
     [](World& w) {
       w.run();
       for (int i = 0; i < 2; ++i) {
         check_task(w, World::registration());
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
       w.leave(kInitiator);
       enrol_other(w);
       w.say(kJcp, kExecutor, job_notice());
       w.say(kJcp, kOther, job_notice());
     }},
    {"a task ends, begins again with its CTID, and ends again",
     [](World& w) {
       w.run();
       w.terminate({0, 0});
       w.leave(kExecutor);
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
       w.leave(kInitiator);
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
       w.leave(kExecutor);
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
       w.leave(kExecutor);
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
};

TEST(JobConversations, AreJudgedByTheRulesThatTheyBreak) {
  expect_findings(kConversations);
}

}  // namespace
}  // namespace wirelaw::umsp::conversations::jobs
