// SPDX-License-Identifier: Apache-2.0
// Chains are sent, executed and answered, over one connection or several. Each conversation that breaks a rule is
// reported by that rule only. The correct ones, which differ in one point, are not reported.
#include "conformance/umsp/tracker/conversations_test.h"

namespace wirelaw::umsp::conversations::chains {
namespace {

// A transaction with a buffer of its own and these flags, which is not executed at its end. TIME_TR is 2 seconds.
void begin_later(World& w, Octet flags) {
  Draft only = link(2, 0, {{HeadCode::begin_tr, {flags, 1}}, kEnd}, write_data(kHere, OctetBuffer(4)));
  only.req_id = 9;
  only.session_id = kIdOfB;
  a_says(w, ReqBuf{static_cast<std::uint32_t>(write(only).size())}.draft(), 8);
  b_says(w, draft_of(rsp_p), 8);
  a_says(w, only, 9);
}

const Conversation kConversations[] = {
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
    {"b answers a transaction that was cancelled before its end",
     [](World& w) {
       open_own(w);
       a_says(w, link(2, 0, {kTransaction}), 9);
       Draft cancel = codes_draft(snd_cancel, {1, 0});
       cancel.chain = ChainPlace{2, 0};
       a_says(w, cancel);
       b_says(w, draft_of(rsp), 9);
     },
     {"UMSP-7.5-8 violation"}},
    {"b answers a transaction with TRR 0 that is never executed",
     [](World& w) {
       open_own(w);
       begin_later(w, 0);
       b_says(w, draft_of(rsp), 9);
     },
     {"UMSP-7.2.1-14 warning"}},
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
     {"UMSP-7.4-20 violation", "UMSP-7.2.2-1 violation"}},

    // ---------------------------------------------------------------------------------------------------------- honest
    {"b answers a transaction with TRR 0 after EXEC_TR",
     [](World& w) {
       open_own(w);
       begin_later(w, 0);
       Draft control = draft_of(exec_tr);
       control.chain = ChainPlace{2, 0};
       a_says(w, control, 10);
       b_says(w, draft_of(rsp), 9);
       b_says(w, draft_of(rsp), 10);
     }},
    {"b answers a transaction with TRR 0 and TRE 1 at the end of its lifetime",
     [](World& w) {
       open_own(w);
       begin_later(w, 0x80);
       w.pause(3 * kSecond);
       b_says(w, draft_of(rsp), 9);
     }},
    {"b refuses a transaction that was cancelled before its end",
     [](World& w) {
       open_own(w);
       a_says(w, link(2, 0, {kTransaction}), 9);
       Draft cancel = codes_draft(snd_cancel, {1, 0});
       cancel.chain = ChainPlace{2, 0};
       a_says(w, cancel);
       b_says(w, codes_draft(rsp, {1, 0}), 9);
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

TEST(ChainConversations, AreJudgedByTheRulesThatTheyBreak) {
  expect_findings(kConversations);
}

}  // namespace
}  // namespace wirelaw::umsp::conversations::chains
