// SPDX-License-Identifier: Apache-2.0
// Each claim decides its rule: one that holds exercises it, one that does not breaks it, or warns if it is not certain.
#include <gmock/gmock.h>

#include <set>

#include "conformance/umsp/claim_rows.h"
#include "conformance/umsp/umsp.h"

namespace wirelaw::umsp::claims {
namespace {

using enum Claim;

struct ClaimCase {
  Claim claim;
  std::string_view rule;
  Opcode opcode = Opcode::nop;
};
void PrintTo(const ClaimCase& one, std::ostream* out) {
  *out << one.rule;
}

constexpr ClaimCase kCases[] = {
    {assigns_new_id, "UMSP-3.1-51"},
    {has_new_req_id, "UMSP-3.1-57"},
    {names_requesters_session, "UMSP-4.1-8"},
    {answers_request, "UMSP-4.1-9"},
    {answers_without_session, "UMSP-4.1-4"},
    {answers_whole_chain, "UMSP-7.5-8"},
    {seems_to_answer_whole_chain, "UMSP-7.5-8"},
    {cancels_chain_being_sent, "UMSP-4.2-7"},
    {cancels_no_sequence, "UMSP-4.2-11"},
    {cancels_unfinished_chain, "UMSP-4.2-12"},
    {is_of_uncancelled_chain, "UMSP-4.2-14"},
    {names_session, "UMSP-3.1-49"},
    {names_session, "UMSP-4.1-8", Opcode::rsp},
    {names_session, "UMSP-5.3.1-11", Opcode::session_open},
    {names_session, "UMSP-5.4.1-6", Opcode::session_close},
    {names_session, "UMSP-5.4.2-9", Opcode::session_abend},
    {answers_open, "UMSP-5.3.1-11", Opcode::session_open},
    {answers_open, "UMSP-5.3.2-9", Opcode::session_accept},
    {answers_open, "UMSP-5.3.3-8", Opcode::session_reject},
    {continues_handshake, "UMSP-5.3.1-4"},
    {opens_in_turn, "UMSP-5.3.1-2"},
    {opens_before_acceptance, "UMSP-5.3.1-2"},
    {is_no_eighth_open, "UMSP-5.3.1-28"},
    {keeps_id, "UMSP-5.3.1-13", Opcode::session_open},
    {keeps_id, "UMSP-5.3.2-11", Opcode::session_accept},
    {keeps_window, "UMSP-5.3.1-19"},
    {keeps_ltid, "UMSP-5.3.1-24"},
    {accepts_only_session, "UMSP-5.3.1-37"},
    {accepts_open, "UMSP-5.3.2-2"},
    {accepts_once, "UMSP-5.3.2-2"},
    {rejects_open, "UMSP-5.3.3-1"},
    {rejects_no_own_open, "UMSP-5.3.3-1"},
    {names_latest_session, "UMSP-5.3-5"},
    {follows_acceptance, "UMSP-5.3-20"},
    {follows_no_refusal, "UMSP-5.3-20"},
    {is_before_own_refusal, "UMSP-5.3.3-2"},
    {closes_own_session, "UMSP-5.4-1"},
    {respects_closing, "UMSP-5.4-12"},
    {is_before_own_abend, "UMSP-5.4-16"},
    {is_before_abend, "UMSP-5.4.2-1"},
    {seems_to_be_before_abend, "UMSP-5.4.2-1"},
    {ends_closed_session, "UMSP-5.4-13"},
    {begins_free_number, "UMSP-7-8"},
    {has_next_number, "UMSP-7-6"},
    {has_new_number, "UMSP-7-6"},
    {is_before_end, "UMSP-7-16"},
    {follows_all_numbers, "UMSP-7-6"},
    {is_last_before_end, "UMSP-7-16"},
    {ends_sequences, "UMSP-7-15"},
    {has_number_once, "UMSP-7-6"},
    {completes_chain, "UMSP-7-6"},
    {begins_after_end, "UMSP-7-8"},
    {is_up_to_end, "UMSP-7-16"},
    {begins_in_datagram, "UMSP-7-21"},
    {ends_in_datagram, "UMSP-7-21"},
    {names_sent_transaction, "UMSP-7.2.2-1", Opcode::exec_tr},
    {names_sent_transaction, "UMSP-7.2.3-1", Opcode::cancel_tr},
    {names_no_sequence, "UMSP-7.2.2-1", Opcode::exec_tr},
    {names_no_fragments, "UMSP-7.2.2-1", Opcode::exec_tr},
    {names_whole_transaction, "UMSP-7.2.2-1", Opcode::exec_tr},
    {names_uncancelled, "UMSP-7.2.2-1", Opcode::exec_tr},
    {names_unexecuted, "UMSP-7.2.3-1", Opcode::cancel_tr},
    {answers_executed_transaction, "UMSP-7.2.1-14"},
    {asks_for_fragmented, "UMSP-7.3-7"},
    {does_not_ask_for_fragmented, "UMSP-7.3-8"},
    {fragments_are_nops, "UMSP-7.3-4"},
    {fragments_have_no_ids, "UMSP-7.3-10"},
    {fragments_are_whole, "UMSP-7.3-12"},
    {fragments_have_no_more, "UMSP-7.3-13"},
    {last_fragment_ends, "UMSP-7.3-21"},
    {parent_is_no_fragments, "UMSP-7.3-19"},
    {parent_is_sent, "UMSP-7.3-19"},
    {parent_has_not_ended, "UMSP-7.3-19"},
    {parent_has_new_number, "UMSP-7.3-20"},
    {has_buffer, "UMSP-7.4-31"},
    {has_untaken_buffer, "UMSP-7.4-31"},
    {has_buffer_of_all, "UMSP-7.4-31"},
    {fits_window, "UMSP-7.4-12"},
    {open_chains_fit_window, "UMSP-7.4-10"},
    {open_chains_need_no_window, "UMSP-5.3.1-20"},
    {fills_buffer, "UMSP-7.4-20"},
    {sets_first_base, "UMSP-7.6-11"},
    {has_base, "UMSP-7.6-2"},
};

class UmspClaim : public ::testing::TestWithParam<ClaimCase> {
 protected:
  void check(bool holds, bool is_certain) {
    const Octet octets[] = {static_cast<Octet>(GetParam().opcode), 0};
    judge_.at(message_of(octets, Side::a, 0));
    check_claim(judge_, {.claim = GetParam().claim, .holds = holds, .where = {0, 1}, .is_certain = is_certain});
  }
  std::vector<std::pair<std::string_view, Severity>> findings() const {
    std::vector<std::pair<std::string_view, Severity>> all;
    for (const Finding& one : judge_.findings()) all.emplace_back(one.rule->id, one.severity);
    return all;
  }
  Judge judge_{kProtocol.catalogue()};
};

TEST_P(UmspClaim, ThatHoldsExercisesItsRuleAndBreaksNothing) {
  check(true, true);
  EXPECT_THAT(findings(), testing::IsEmpty());
  EXPECT_EQ(judge_.exercised(*kProtocol.catalogue().find(GetParam().rule)), 1u);
}

TEST_P(UmspClaim, ThatDoesNotHoldBreaksItsRuleIfItIsCertain) {
  check(false, true);
  EXPECT_THAT(findings(), testing::ElementsAre(std::pair(GetParam().rule, Severity::violation)));
}

TEST_P(UmspClaim, ThatDoesNotHoldIsAWarningIfItIsUncertain) {
  check(false, false);
  EXPECT_THAT(findings(), testing::ElementsAre(std::pair(GetParam().rule, Severity::warning)));
}

INSTANTIATE_TEST_SUITE_P(Rows, UmspClaim, ::testing::ValuesIn(kCases),
                         [](const auto& row) { return std::to_string(row.index); });

TEST(UmspClaims, AreAllTested) {
  std::set<Claim> tested;
  for (const ClaimCase& one : kCases) tested.insert(one.claim);
  EXPECT_EQ(tested.size(), static_cast<std::size_t>(Claim::count_));
}

}  // namespace
}  // namespace wirelaw::umsp::claims
