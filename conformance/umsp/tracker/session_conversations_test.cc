// SPDX-License-Identifier: Apache-2.0
// Sessions are opened, used and closed, over one connection or several, and nodes search for VMs. Each conversation
// that breaks a rule is reported by that rule only. The correct ones, which differ in one point, are not reported.
#include "conformance/umsp/tracker/conversations_test.h"

namespace wirelaw::umsp::conversations::sessions {
namespace {

const Conversation kConversations[] = {
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
    {"the side that has not opened the session closes it, and is refused with another REQ_ID",
     [](World& w) {
       open_own(w);
       b_says(w, close());
       a_says(w, codes_draft(rsp_p, {1, 0}), 0x1000);
     },
     {"UMSP-5.4-1 violation"}},
    {"the first SESSION_OPEN names a session, and is accepted",
     [](World& w) {
       w.connect(kInitiator, kExecutor);
       w.say(kInitiator, kExecutor, own_open(), kIdOfA, 0x55);
       w.say(kExecutor, kInitiator, draft_of(session_accept), kIdOfB, kIdOfA);
       a_says(w, draft_of(nop));
       b_says(w, write_here());
     },
     {"UMSP-5.3.1-11 warning"}},
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
    {"a session is accepted on two connections",
     [](World& w) {
       open_two(w);
       w.over(1);
       w.say(kExecutor, kInitiator, draft_of(session_accept), kIdOfB, kIdOfA);
     },
     {"UMSP-5.3.2-2 warning"}},

    // ---------------------------------------------------------------------------------------------------------- honest
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
};

TEST(SessionConversations, AreJudgedByTheRulesThatTheyBreak) {
  expect_findings(kConversations);
}

}  // namespace
}  // namespace wirelaw::umsp::conversations::sessions
