// SPDX-License-Identifier: Apache-2.0
// Facts about exchange: each check is given one that keeps its rule, and one that breaks it.
#include "conformance/umsp/facts_test.h"

#include "conformance/umsp/6-exchange/exchange.h"

namespace wirelaw::umsp::facts {
namespace {

constexpr std::size_t kDataOctets = 8;

// --- instructions that the facts are about
Draft data() {
  return with_id(draft_of(Opcode::data, OctetBuffer(kDataOctets)));
}
Draft rsp() {
  return with_id(codes_draft(Opcode::rsp, {}));
}

// --- facts
Asked asked(Opcode opcode, std::optional<std::uint64_t> length = {}) {
  return {.opcode = static_cast<std::uint8_t>(opcode), .length = length};
}

const Row kRows[] = {
    // --- 6: exchange
    {"UMSP-6-11", kFails, data,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_exchange(judge, seen, {.is_awaited = holds, .is_certain = true});
     }},
    {"UMSP-6-11", kWarns, data,
     [](Judge& judge, const Seen& seen, bool holds) { check_exchange(judge, seen, {.is_awaited = holds}); }},
    {"UMSP-6.1.1-8", kFails, data,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_exchange(judge, seen, {.asked = asked(Opcode::req_data_2, holds ? kDataOctets : kDataOctets + 1)});
     }},
    {"UMSP-6.1.1-9", kFails, rsp,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_exchange(judge, seen, {.asked = asked(holds ? Opcode::write_2 : Opcode::req_data_2)});
     },
     kOnlyBreach},
    {"UMSP-6.1.3-11", kFails, data,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_exchange(judge, seen, {.asked = asked(holds ? Opcode::req_data_2 : Opcode::write_2, kDataOctets)});
     },
     kOnlyBreach},
};

class UmspFact : public ::testing::TestWithParam<Row> {};

TEST_P(UmspFact, ThatBreaksItsRuleIsReported) {
  expect_breach(GetParam());
}

TEST_P(UmspFact, ThatHoldsExercisesItsRuleAndBreaksNothing) {
  expect_kept(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Rows, UmspFact, ::testing::ValuesIn(kRows),
                         [](const auto& row) { return std::to_string(row.index); });

}  // namespace
}  // namespace wirelaw::umsp::facts
