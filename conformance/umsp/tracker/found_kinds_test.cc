// SPDX-License-Identifier: Apache-2.0
// Variations of the captures in corpora/captures/found: other instructions, the other direction, a second connection,
// identifiers that are given again, and streams that have run for a while.
#include "conformance/umsp/tracker/conversations_test.h"
#include "reference/umsp/object_exchange.h"

namespace wirelaw::umsp::conversations::found {
namespace {

Draft control_of(Opcode opcode, std::uint16_t chain = 2) {
  Draft control = draft_of(opcode);
  control.chain = ChainPlace{chain, 0};
  return control;
}
// Node b sends a transaction with TRR 0, for which it has asked.
void send_later(World& world) {
  Draft only = link(2, 0, {{HeadCode::begin_tr, {0, 0}}, kEnd}, write_data(kHere, OctetBuffer(4)));
  only.session_id = 0;
  b_says(world, ReqBuf{static_cast<std::uint32_t>(write(only).size())}.draft(), 8);
  a_says(world, draft_of(rsp_p), 8);
  b_says(world, only);
}
constexpr std::uint32_t kObject = 0x5000'0001;  // range IV
Draft data_of(std::uint32_t octets) {
  Draft answer = draft_of(data);
  answer.operands = OctetBuffer(octets);
  return answer;
}
Draft object_of(std::uint32_t number) {
  Draft answer = draft_of(object);
  answer.operands = OctetBuffer(8);
  for (unsigned at = 0; at < 4; ++at) answer.operands[at] = static_cast<Octet>(number >> (24 - 8 * at));
  return answer;
}
// The initiator's second job at the JCP.
void control_again(World& world, std::uint64_t ctid, std::uint64_t ltid = 9) {
  world.say(kInitiator, kJcp, ask_control(ltid), 3);
  world.say(kJcp, kInitiator, take_control(ctid), 3);
}

const Conversation kConversations[] = {
    // ------------------------------------------------------------------------------------- identifiers that name
    // nothing
    {"b asks for a buffer in an unknown session, in a stream that has run for a while",
     [](World& w) {
       open_own(w);
       for (int i = 0; i < 20; ++i) a_says(w, write_here());
       w.say(kExecutor, kInitiator, ReqBuf{64}.draft(), 4, kIdOfA + 9);
     },
     {"UMSP-3.1-49 warning"}},
    {"a closes an unknown session over a second connection",
     [](World& w) {
       open_two(w);
       w.over(1);
       w.say(kInitiator, kExecutor, close(), {}, kIdOfB + 9);
     },
     {"UMSP-5.4.1-6 warning"}},
    {"b ends a session under the identifier of one that a has refused",
     [](World& w) {
       w.say(kInitiator, kExecutor, own_open(), kIdOfA);
       w.say(kExecutor, kInitiator, codes_draft(session_reject, {1, 0}), {}, kIdOfA);
       w.say(kExecutor, kInitiator, draft_of(session_abend), {}, kIdOfA);
     },
     {"UMSP-5.3.3-2 violation"}},
    {"a task ends with a CTID that belongs to no task of its node",
     [](World& w) {
       w.run();
       w.say(kExecutor, kJcp, TaskTerminate{.codes = {0, 0}, .ctid = {kCtid + 9, 4}}.draft());
     },
     {"UMSP-5.5.1-10 warning"}},
    {"a JCP reports the end of a task that it has never confirmed",
     [](World& w) {
       w.run();
       w.say(kJcp, kInitiator, TaskTerminateInfo{{1, 0}, identifier(kExecutor, kLtid + 9)}.draft());
     },
     {"UMSP-5.5.2-3 warning"}},
    {"a JCP reports the end of a job that nothing has named, over a second connection",
     [](World& w) {
       w.run();
       w.over(1);
       w.say(kJcp, kExecutor, JobCompletedInfo{Codes{1, 0}, identifier(kJcp, kFirstCtid + 9)}.draft());
     },
     {"UMSP-5.6.2-2 warning"}},

    // ------------------------------------------------------------------------------------- identifiers that are given
    // again
    {"a JCP gives the GJID of one job to another one of the same node, over a second connection",
     [](World& w) {
       w.control();
       w.over(1);
       control_again(w, kFirstCtid);
     },
     {"UMSP-2.2-10 violation"}},
    {"a JCP gives the GJID of one job to another node",
     [](World& w) {
       w.control();
       w.say(kOther, kJcp, ask_control(9), 3);
       w.say(kJcp, kOther, take_control(), 3);
     },
     {"UMSP-2.2-10 violation"}},
    {"a JCP gives a GJID again when its job is completed",
     [](World& w) {
       w.control();
       w.say(kInitiator, kJcp, complete());
       control_again(w, kFirstCtid);
     }},
    {"a node opens a session of its job at the JCP itself after it has completed the job",
     [](World& w) {
       w.control();
       w.say(kInitiator, kJcp, complete());
       open_of_job(w, kInitiator, kJcp);
     },
     {"UMSP-5.6.1-12 violation"}},
    {"a node opens a session of a job whose GJID it was given again",
     [](World& w) {
       w.control();
       w.say(kInitiator, kJcp, complete());
       control_again(w, kFirstCtid, kFirstLtid);
       open_of_job(w, kInitiator, kJcp);
     }},

    // ------------------------------------------------------------------------------------- sessions over two
    // connections
    {"the acceptor closes the session on its first connection",
     [](World& w) {
       open_two(w);
       b_says(w, close());
       a_says(w, agree(), 0);
     },
     {"UMSP-5.4-1 violation"}},
    {"b sends more of a chain than its end, on the second connection",
     [](World& w) {
       open_two(w);
       w.over(1);
       b_says(w, link(4, 0, {kSequence}));
       b_says(w, link(4, 1, {kEnd}));
       b_says(w, link(4, 2));
     },
     {"UMSP-7-16 violation"}},
    {"a uses the session on the connection on which it has ended it",
     [](World& w) {
       open_two(w);
       w.over(1);
       a_says(w, draft_of(session_abend));
       a_says(w, write_here());
     },
     {"UMSP-5.4-16 violation"}},
    {"a ends the session on one connection while its instruction is under way on the other",
     [](World& w) {
       open_two(w);
       w.over(1);
       a_says(w, draft_of(session_abend));
       w.over(0);
       a_says(w, write_here());
     }},

    // ------------------------------------------------------------------------------------- transactions
    {"b executes a transaction that it has cancelled",
     [](World& w) {
       open_own(w);
       send_later(w);
       b_says(w, control_of(cancel_tr));
       b_says(w, control_of(exec_tr), 9);
     },
     {"UMSP-7.2.2-1 violation"}},
    {"b cancels a transaction twice",
     [](World& w) {
       open_own(w);
       send_later(w);
       b_says(w, control_of(cancel_tr));
       b_says(w, control_of(cancel_tr));
     },
     {"UMSP-7.2.3-1 warning"}},
    {"b cancels a transaction that it has executed",
     [](World& w) {
       open_own(w);
       send_later(w);
       b_says(w, control_of(exec_tr), 9);
       a_says(w, draft_of(rsp), 9);
       b_says(w, control_of(cancel_tr));
     },
     {"UMSP-7.2.3-1 warning"}},
    {"b executes a transaction that was never sent",
     [](World& w) {
       open_own(w);
       b_says(w, control_of(exec_tr, 5), 9);
     },
     {"UMSP-7.2.2-1 violation"}},

    // ------------------------------------------------------------------------------------- chains without a beginning
    {"b continues a chain that it has not begun, long after the session was opened",
     [](World& w) {
       open_own(w);
       for (std::uint16_t chain = 2; chain < 12; ++chain) b_says(w, link(chain, 0, {kSequence, kEnd}));
       b_says(w, link(40, 1, {kEnd}));
     },
     {"UMSP-7-6 violation"}},
    {"a continues a chain that it has not begun, over a second connection only",
     [](World& w) {
       open_two(w);
       w.over(1);
       a_says(w, link(40, 2));
       w.close(kInitiator, kExecutor);
       w.over(0);
       w.close(kInitiator, kExecutor);
     },
     {"UMSP-7-6 violation"}},
    {"a begins the chain later over a connection that is opened later",
     [](World& w) {
       open_own(w);
       a_says(w, link(40, 1, {kEnd}));
       w.over(1);
       a_says(w, link(40, 0, {kSequence}));
     }},

    // ---------------------------------------------------------------------------------------- answers and objects
    {"a answers SYN of b with a positive RSP, over a second connection",
     [](World& w) {
       open_two(w);
       constexpr Octet kWord[] = {1, 2, 3, 4};
       b_says(w, synchronize(kHere, kWord, kWord), 30);
       w.over(1);
       a_says(w, draft_of(rsp), 30);
     },
     {"UMSP-6.5.1-12 violation"}},
    {"a answers OBJ_REQ_DATA of b with more than it asks for, over a second connection",
     [](World& w) {
       open_two(w);
       b_says(w, obj_req_data({kObject}, 0, 4), 30);
       w.over(1);
       a_says(w, data_of(8), 30);
     },
     {"UMSP-6.6.1.1-9 violation"}},
    {"b answers the second OBJ_REQ_DATA of one REQ_ID with more than it asks for",
     [](World& w) {
       open_own(w);
       a_says(w, obj_req_data({kObject}, 0, 8), 30);
       b_says(w, data_of(8), 30);
       a_says(w, obj_req_data({kObject}, 0, 4), 30);
       b_says(w, data_of(8), 30);
     },
     {"UMSP-6.6.1.1-9 violation"}},
    {"b answers each OBJ_REQ_DATA of one REQ_ID with what it asks for",
     [](World& w) {
       open_own(w);
       for (const std::uint32_t octets : {8u, 4u}) {
         a_says(w, obj_req_data({kObject}, 0, octets), 30);
         b_says(w, data_of(octets), 30);
       }
     }},
    {"a reads an object that a second session has deleted, which the VM may have made again",
     [](World& w) {
       open_own(w);
       open_own(w, kIdOfA + 1, kIdOfB + 1, 0x1002);
       a_says(w, new_object(create, {50000, 1}, {}, OctetBuffer(4)), 30);
       b_says(w, object_of(kObject), 30);
       w.say(kInitiator, kExecutor, delete_object(kObject), 31, kIdOfB + 1);
       w.say(kExecutor, kInitiator, draft_of(rsp), 31, kIdOfA + 1);
       a_says(w, obj_req_data({kObject}, 0, 4), 32);
       b_says(w, data_of(4), 32);
     }},

    // ------------------------------------------------------------------------------------- captures that end too early
    {"a second connection has nothing but half of an instruction, which may be the beginning of the chain",
     [](World& w) {
       open_own(w);
       a_says(w, link(40, 1, {kEnd}));
       w.over(1);
       w.say_half(kInitiator, kExecutor, link(40, 0, {kSequence}), kIdOfB);
     },
     {"UMSP-7-6 warning"}},
    {"a chain is not begun before half of an instruction on the same connection",
     [](World& w) {
       open_own(w);
       a_says(w, link(40, 1, {kEnd}));
       w.say_half(kInitiator, kExecutor, link(40, 0, {kSequence}), kIdOfB);
     },
     {"UMSP-7-6 violation"}},
    {"half of an instruction may be the answer that a SESSION_OPEN waits for",
     [](World& w) {
       w.say(kInitiator, kExecutor, own_open(), kIdOfA);
       w.say(kExecutor, kInitiator, draft_of(session_accept), kIdOfB, kIdOfA + 3);
       w.say_half(kExecutor, kInitiator, draft_of(session_reject), kIdOfA);
     },
     {"UMSP-5.3.2-9 warning"}},
};

TEST(FoundKinds, AreJudgedInTheirVariations) {
  expect_findings(kConversations);
}

// The octets alone show it, so it fails in any capture.
TEST(FoundKinds, AnInstructionWithNumberZeroBeginsAChainOnAnyConnection) {
  World world(Completeness::unknown);
  open_two(world);
  world.over(1);
  b_says(world, link(4, 0));
  EXPECT_THAT(world.findings(), testing::ElementsAre("UMSP-7-12 violation"));
}

// So does the name of an object that can have none, whichever side has it.
TEST(FoundKinds, AnObjectOfRangeTwoHasNoNameOnEitherSide) {
  World world(Completeness::unknown);
  open_two(world);
  world.over(1);
  b_says(world, name_of_object(0x2000'0000), 30);
  a_says(world, named(object_of(0x2000'0000), "clock "), 30);
  EXPECT_THAT(world.findings(), testing::ElementsAre("UMSP-6.6.4-8 violation"));
}

}  // namespace
}  // namespace wirelaw::umsp::conversations::found
