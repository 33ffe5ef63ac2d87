// SPDX-License-Identifier: Apache-2.0
// Conversations in which something is repeated: an identifier, a REQ_ID, an opening, the end of a job. Only the sender
// of an answer knows to which of the two it belongs, and it may have sent the answer before it received the second. An
// answer that can belong to neither is reported.
#include <gmock/gmock.h>

#include "conformance/umsp/tracker/world_test.h"
#include "reference/umsp/exchange.h"

namespace wirelaw::umsp::conversations_again {
namespace {

using namespace world;
using enum Opcode;

constexpr std::uint32_t kIdOfA = 5, kIdOfB = 1;
constexpr std::uint16_t kCodes[] = {1, 2, 1};
constexpr std::uint64_t kJobs[] = {0x1001, 0x1002};
constexpr std::uint32_t kTwoReqIds[] = {9, 10};
constexpr MemoryAddress kHere{.value = 0x1000, .octets = 4};

Draft open_of(std::uint64_t job, Who owner = kInitiator) {
  return SessionOpen{.required_vm = {50000, 1},
                     .required_profile = 0xfbff'17fe,
                     .sender_vm = {50000, 1},
                     .sender_profile = 0xfbff'07fe,
                     .window = 16,
                     .gjid = identifier(owner, job),
                     .ltid = {kFirstLtid, 4}}
      .draft();
}
void ask_open(World& world, std::uint32_t id = kIdOfA, std::uint64_t job = 0x1001) {
  world.say(kInitiator, kExecutor, open_of(job), id);
}
void accept(World& world, std::uint32_t other = kIdOfB, std::uint32_t id = kIdOfA) {
  world.say(kExecutor, kInitiator, draft_of(session_accept), other, id);
}
void open(World& world, std::uint32_t id = kIdOfA, std::uint32_t other = kIdOfB, std::uint64_t job = 0x1001) {
  ask_open(world, id, job);
  accept(world, other, id);
}
void a_says(World& world, Draft draft, std::optional<std::uint32_t> req_id = {}, std::uint32_t id = kIdOfB) {
  world.say(kInitiator, kExecutor, std::move(draft), req_id, id);
}
void b_says(World& world, Draft draft, std::optional<std::uint32_t> req_id = {}, std::uint32_t id = kIdOfA) {
  world.say(kExecutor, kInitiator, std::move(draft), req_id, id);
}
Draft read_here() {
  return req_data(kHere, 4);
}
Draft write_here() {
  return write_data(kHere, OctetBuffer(4));
}
Draft data_of(std::size_t octets = 4) {
  Draft draft = draft_of(data);
  draft.operands.resize(octets);
  return draft;
}
Draft refusal() {
  return codes_draft(session_reject, {1, 0});
}
Draft abend() {
  return draft_of(session_abend);
}
// A has opened a session, and B has answered with a SESSION_OPEN. It is A's turn.
void negotiate(World& world) {
  ask_open(world);
  world.say(kExecutor, kInitiator, open_of(0x1001), kIdOfB, kIdOfA);
}
// B has opened a session. A has answered with a SESSION_OPEN, and ends the session at once.
void give_up_opening(World& world) {
  world.say(kExecutor, kInitiator, open_of(0x1003, kExecutor), 3);
  world.say(kInitiator, kExecutor, open_of(0x1003, kExecutor), kIdOfA, 3);
  a_says(world, abend(), {}, 3);
}
// Two sessions that A calls alike, one on each connection.
void open_two_alike(World& world) {
  open(world, kIdOfA, kIdOfB, 0x1001);
  world.over(1);
  world.say(kExecutor, kInitiator, open_of(0x1002, kExecutor), 2);
  world.say(kInitiator, kExecutor, draft_of(session_accept), kIdOfA, 2);
}
// A transaction with deferred execution by EXEC_TR, which needs a granted REQ_BUF.
void later(World& world, std::uint16_t chain = 2) {
  Draft first = write_here();
  first.chain = ChainPlace{chain, 0};
  first.extensions = {{HeadCode::begin_tr, {0, 0x3c}}};
  a_says(world, first);
  Draft last = write_here();
  last.chain = ChainPlace{chain, 1};
  last.extensions = {OwnedExtension{HeadCode::end_chain}};
  a_says(world, last);
}
Draft completion(Codes codes) {
  return JobCompleted{.codes = codes, .ctid = {kFirstCtid, 4}}.draft();
}
Draft job_notice(Codes codes) {
  return JobCompletedInfo{codes, identifier(kJcp, kFirstCtid)}.draft();
}

struct Conversation {
  std::string_view name;
  void (*run)(World& world);
  std::vector<std::string> findings = {};
};

const Conversation kConversations[] = {
    // ------------------------------------------------------------------- a session that is opened under an old name
    {"b answers with RSP what was asked in the session before, which it did not know to be over",
     [](World& w) {
       open(w);
       a_says(w, write_here(), 9);
       a_says(w, abend());
       ask_open(w, kIdOfA, 0x1002);
       b_says(w, draft_of(rsp), 9);
       accept(w, 2);
     }},
    {"b answers with DATA what was asked in the session before",
     [](World& w) {
       open(w);
       a_says(w, read_here(), 9);
       a_says(w, abend());
       ask_open(w, kIdOfA, 0x1002);
       b_says(w, data_of(), 9);
       accept(w, 2);
     }},
    {"b answers two requests of the session before",
     [](World& w) {
       open(w);
       a_says(w, read_here(), 9);
       a_says(w, write_here(), 10);
       a_says(w, abend());
       ask_open(w, kIdOfA, 0x1002);
       b_says(w, draft_of(rsp), 10);
       b_says(w, data_of(), 9);
       accept(w, 2);
     }},
    {"b answers over another connection what was asked in the session before",
     [](World& w) {
       open(w);
       a_says(w, read_here(), 9);
       a_says(w, write_here(), 10);
       a_says(w, abend());
       ask_open(w, kIdOfA, 0x1002);
       w.over(1);
       b_says(w, data_of(), 9);
       b_says(w, draft_of(rsp), 10);
       w.over(0);
       accept(w, 2);
     }},
    {"b answers what was asked in the session before, which a opens again over another connection",
     [](World& w) {
       open(w);
       a_says(w, write_here(), 9);
       a_says(w, abend());
       w.over(1);
       ask_open(w, kIdOfA, 0x1002);
       w.over(0);
       b_says(w, draft_of(rsp), 9);
       w.over(1);
       accept(w, 2);
     }},
    {"a answers what b asked in the session before, when b has accepted another under its old name",
     [](World& w) {
       open(w);
       b_says(w, read_here(), 9);
       b_says(w, abend());
       ask_open(w, 6, 0x1002);
       accept(w, kIdOfB, 6);
       a_says(w, data_of(), 9);
     }},
    {"b answers a REQ_ID that the session before did not have",
     [](World& w) {
       open(w);
       a_says(w, write_here(), 9);
       a_says(w, abend());
       ask_open(w, kIdOfA, 0x1002);
       b_says(w, draft_of(rsp), 10);
       accept(w, 2);
     },
     {"UMSP-4.1-9 violation"}},
    {"b answers with RSP what was asked in the session before, when it has accepted the next one",
     [](World& w) {
       open(w);
       a_says(w, write_here(), 9);
       a_says(w, abend());
       open(w, kIdOfA, 2, 0x1002);
       b_says(w, draft_of(rsp), 9);
     },
     {"UMSP-4.1-9 violation"}},
    {"b answers with DATA what was asked in the session before, when it has accepted the next one",
     [](World& w) {
       open(w);
       a_says(w, read_here(), 9);
       a_says(w, abend());
       open(w, kIdOfA, 2, 0x1002);
       b_says(w, data_of(), 9);
     },
     {"UMSP-6-11 violation"}},
    {"b answers what was asked in the session that it has ended itself",
     [](World& w) {
       open(w);
       a_says(w, write_here(), 9);
       b_says(w, abend());
       ask_open(w, kIdOfA, 0x1002);
       b_says(w, draft_of(rsp), 9);
       accept(w, 2);
     },
     {"UMSP-4.1-9 violation"}},

    // ----------------------------------------------------------------- two sessions of one name on two connections
    {"a request names a session of another connection, and its requester calls that as one that is over here",
     [](World& w) {
       open_two_alike(w);
       a_says(w, abend(), {}, 2);
       a_says(w, write_here(), 9);
       b_says(w, draft_of(rsp), 9);
     }},
    {"the same session is read over this connection",
     [](World& w) {
       open_two_alike(w);
       a_says(w, abend(), {}, 2);
       a_says(w, read_here(), 9);
       b_says(w, data_of(), 9);
     }},
    {"the session of this name that is over here was ended by b",
     [](World& w) {
       open_two_alike(w);
       b_says(w, abend());
       a_says(w, write_here(), 9);
       b_says(w, draft_of(rsp), 9);
     }},
    {"b asks in the session of another connection, which a calls as one that b has ended here",
     [](World& w) {
       open_two_alike(w);
       b_says(w, abend());
       b_says(w, write_here(), 9);
       a_says(w, draft_of(rsp), 9);
     }},
    {"b answers a REQ_ID that neither of the two sessions of that name had",
     [](World& w) {
       open_two_alike(w);
       a_says(w, abend(), {}, 2);
       a_says(w, write_here(), 9);
       b_says(w, draft_of(rsp), 9);
       b_says(w, draft_of(rsp), 10);
     },
     {"UMSP-4.1-9 violation"}},

    // --------------------------------------------------------------------------------- openings that come again
    {"b refuses each of two SESSION_OPEN that a sends in a row",
     [](World& w) {
       negotiate(w);
       for (int i = 0; i < 2; ++i) a_says(w, open_of(0x1001), kIdOfA);
       for (int i = 0; i < 2; ++i) b_says(w, refusal());
     },
     {"UMSP-5.3.1-2 violation"}},
    {"b refuses a SESSION_OPEN, and the one that comes after the refusal",
     [](World& w) {
       negotiate(w);
       for (int i = 0; i < 2; ++i) {
         a_says(w, open_of(0x1001), kIdOfA);
         b_says(w, refusal());
       }
     }},
    {"b refuses a SESSION_OPEN of a session that it has given up",
     [](World& w) {
       negotiate(w);
       b_says(w, abend());
       a_says(w, open_of(0x1001), kIdOfA);
       b_says(w, refusal());
     }},
    {"b refuses the opening of another job under the same identifier, too",
     [](World& w) {
       for (const std::uint64_t job : kJobs) {
         ask_open(w, kIdOfA, job);
         b_says(w, refusal());
       }
     }},
    {"b refuses one SESSION_OPEN twice",
     [](World& w) {
       negotiate(w);
       a_says(w, open_of(0x1001), kIdOfA);
       for (int i = 0; i < 2; ++i) b_says(w, refusal());
     },
     {"UMSP-5.3.3-2 violation"}},
    {"b refuses three times, and a has sent two SESSION_OPEN",
     [](World& w) {
       negotiate(w);
       for (int i = 0; i < 2; ++i) a_says(w, open_of(0x1001), kIdOfA);
       for (int i = 0; i < 3; ++i) b_says(w, refusal());
     },
     {"UMSP-5.3.1-2 violation", "UMSP-5.3.3-2 violation"}},
    {"b accepts a SESSION_OPEN that comes after its refusal",
     [](World& w) {
       negotiate(w);
       a_says(w, open_of(0x1001), kIdOfA);
       b_says(w, refusal());
       a_says(w, open_of(0x1001), kIdOfA);
       accept(w);
     },
     {"UMSP-5.3.3-2 violation"}},

    {"b accepts a session that a has given up, and refuses the next one under the same identifier",
     [](World& w) {
       give_up_opening(w);
       ask_open(w, kIdOfA, 0x1002);
       b_says(w, draft_of(session_accept), 3);
       b_says(w, refusal());
     }},
    {"b refuses both sessions",
     [](World& w) {
       give_up_opening(w);
       ask_open(w, kIdOfA, 0x1002);
       for (int i = 0; i < 2; ++i) b_says(w, refusal());
     }},
    {"b accepts both sessions",
     [](World& w) {
       give_up_opening(w);
       ask_open(w, kIdOfA, 0x1002);
       accept(w, 3);
       accept(w, 2);
     }},
    {"b accepts a session that a has given up, and refuses the next one, which has another identifier",
     [](World& w) {
       give_up_opening(w);
       ask_open(w, 6, 0x1002);
       accept(w, 3);
       b_says(w, refusal(), {}, 6);
     }},
    {"b has refused the session before, and accepts and refuses the next one",
     [](World& w) {
       ask_open(w);
       b_says(w, refusal());
       open(w, kIdOfA, 2, 0x1002);
       b_says(w, refusal());
     },
     {"UMSP-5.3.3-1 violation"}},

    // -------------------------------------------------------------------------- a further step of the same session
    {"b answers a request when a has opened its session once more under the same identifiers",
     [](World& w) {
       open(w);
       a_says(w, read_here(), 9);
       a_says(w, open_of(0x1001), kIdOfA);
       b_says(w, data_of(), 9);
     },
     {"UMSP-5.3.1-2 violation"}},
    {"b has not taken the end of the session, and answers",
     [](World& w) {
       open(w);
       a_says(w, read_here(), 9);
       a_says(w, abend());
       a_says(w, open_of(0x1001), kIdOfA);
       b_says(w, data_of(), 9);
     },
     {"UMSP-5.4-16 violation"}},
    {"b has not taken the end of the session, and answers after its acceptance",
     [](World& w) {
       open(w);
       a_says(w, read_here(), 9);
       a_says(w, abend());
       a_says(w, open_of(0x1001), kIdOfA);
       accept(w);
       b_says(w, data_of(), 9);
     },
     {"UMSP-5.4-16 violation"}},
    {"b answers twice when a has opened its session once more",
     [](World& w) {
       open(w);
       a_says(w, read_here(), 9);
       a_says(w, open_of(0x1001), kIdOfA);
       b_says(w, data_of(), 9);
       b_says(w, data_of(), 9);
     },
     {"UMSP-5.3.1-2 violation", "UMSP-6-11 violation"}},

    // ------------------------------------------------------- a REQ_ID of the VM's that the protocol layer has, too
    {"RSP_P refuses what the protocol layer got, and DATA answers the VM's request",
     [](World& w) {
       open(w);
       a_says(w, read_here(), 9);
       a_says(w, ReqBuf{200}.draft(), 9);
       b_says(w, draft_of(rsp_p), 9);
       b_says(w, data_of(), 9);
     }},
    {"DATA goes before RSP_P",
     [](World& w) {
       open(w);
       a_says(w, read_here(), 9);
       a_says(w, ReqBuf{200}.draft(), 9);
       b_says(w, data_of(), 9);
       b_says(w, draft_of(rsp_p), 9);
     }},
    {"RSP_P agrees to the closing, and DATA answers the request with REQ_ID 0",
     [](World& w) {
       open(w);
       a_says(w, read_here(), 0);
       a_says(w, draft_of(session_close));
       b_says(w, draft_of(rsp_p), 0);
       b_says(w, data_of(), 0);
       a_says(w, abend());
     }},
    {"DATA answers the VM's request twice, beside RSP_P",
     [](World& w) {
       open(w);
       a_says(w, read_here(), 9);
       a_says(w, ReqBuf{200}.draft(), 9);
       b_says(w, draft_of(rsp_p), 9);
       b_says(w, data_of(), 9);
       b_says(w, data_of(), 9);
     },
     {"UMSP-6-11 violation"}},

    // ------------------------------------------------------------------ a buffer that is granted before it is asked
    // for
    {"REQ_BUF and its grant cross",
     [](World& w) {
       open(w);
       b_says(w, draft_of(rsp_p), 9);
       a_says(w, ReqBuf{200}.draft(), 9);
       later(w);
     },
     {"UMSP-4.1-9 violation"}},
    {"two REQ_BUF and their grants cross",
     [](World& w) {
       open(w);
       for (const std::uint32_t req_id : kTwoReqIds) b_says(w, draft_of(rsp_p), req_id);
       for (const std::uint32_t req_id : kTwoReqIds) a_says(w, ReqBuf{200}.draft(), req_id);
       later(w);
     },
     {"UMSP-4.1-9 violation", "UMSP-4.1-9 violation"}},
    {"a REQ_BUF and its grant cross, and a second REQ_BUF is granted",
     [](World& w) {
       open(w);
       b_says(w, draft_of(rsp_p), 9);
       a_says(w, ReqBuf{200}.draft(), 9);
       a_says(w, ReqBuf{200}.draft(), 10);
       b_says(w, draft_of(rsp_p), 10);
       later(w, 2);
       later(w, 3);
     },
     {"UMSP-4.1-9 violation"}},
    {"what came before REQ_BUF has another REQ_ID",
     [](World& w) {
       open(w);
       b_says(w, draft_of(rsp_p), 9);
       a_says(w, ReqBuf{200}.draft(), 10);
       later(w);
     },
     {"UMSP-4.1-9 violation", "UMSP-7.4-31 violation"}},

    // ------------------------------------------------------------------------------------------- the end of a job
    {"a job is completed twice with different codes, and the JCP repeats the first ones",
     [](World& w) {
       w.run();
       w.say(kInitiator, kJcp, completion({1, 0}));
       w.say(kInitiator, kJcp, completion({2, 0}));
       w.say(kJcp, kExecutor, job_notice({1, 0}));
     },
     {"UMSP-5.6.1-12 violation", "UMSP-5.6.1-11 warning"}},
    {"the JCP repeats the second ones",
     [](World& w) {
       w.run();
       w.say(kInitiator, kJcp, completion({1, 0}));
       w.say(kInitiator, kJcp, completion({2, 0}));
       w.say(kJcp, kExecutor, job_notice({2, 0}));
     },
     {"UMSP-5.6.1-12 violation", "UMSP-5.6.1-11 warning"}},
    {"a job is completed three times, and the last one repeats the first",
     [](World& w) {
       w.run();
       for (const std::uint16_t code : kCodes) w.say(kInitiator, kJcp, completion({code, 0}));
       w.say(kJcp, kExecutor, job_notice({2, 0}));
     },
     {"UMSP-5.6.1-12 violation", "UMSP-5.6.1-12 violation", "UMSP-5.6.1-11 warning"}},
    {"a job is completed twice with the same codes, and the JCP reports others",
     [](World& w) {
       w.run();
       for (int i = 0; i < 2; ++i) w.say(kInitiator, kJcp, completion({1, 0}));
       w.say(kJcp, kExecutor, job_notice({2, 0}));
     },
     {"UMSP-5.6.1-12 violation", "UMSP-5.6.2-12 violation", "UMSP-5.6.1-11 warning"}},
};

std::vector<std::string> findings_of(const Conversation& one, Completeness completeness) {
  World world(completeness);
  one.run(world);
  world.pause(100 * kSecond);
  return world.findings();
}

TEST(ConversationsAgain, AreReportedIfTheyBreakARule) {
  for (const Conversation& one : kConversations)
    EXPECT_THAT(findings_of(one, Completeness::complete), testing::UnorderedElementsAreArray(one.findings)) << one.name;
}

// In an incomplete capture, an absent or reordered instruction may be missing from the capture only.
TEST(ConversationsAgain, AreWarnedOfInACaptureThatMayLackFrames) {
  for (const Conversation& one : kConversations)
    EXPECT_THAT(findings_of(one, Completeness::unknown), testing::Each(testing::EndsWith("warning"))) << one.name;
}

}  // namespace
}  // namespace wirelaw::umsp::conversations_again
