// SPDX-License-Identifier: Apache-2.0
// Facts about exchange and chains: each check is given one that keeps its rule, and one that breaks it.
#include "conformance/umsp/facts_test.h"

#include "conformance/umsp/6-exchange/exchange.h"
#include "conformance/umsp/7.2-transactions/transactions.h"
#include "conformance/umsp/7.3-fragments/fragments.h"
#include "conformance/umsp/7.4-buffering/buffering.h"
#include "conformance/umsp/7.6-base/base.h"

namespace wirelaw::umsp::facts {
namespace {

using Buffer = GrantFact::Buffer;
using Kind = ObservedChainKind;

constexpr std::size_t kDataOctets = 8;

// --- instructions that the facts are about
Draft data() {
  return with_id(draft_of(Opcode::data, OctetBuffer(kDataOctets)));
}
Draft rsp() {
  return with_id(codes_draft(Opcode::rsp, {}));
}
Draft chained(Draft draft, std::uint16_t number) {
  draft.session_id = 1;
  draft.chain = ChainPlace{5, number};
  return draft;
}
Draft exec_tr() {
  return chained(draft_of(Opcode::exec_tr), 0);
}
Draft cancel_tr() {
  return chained(draft_of(Opcode::cancel_tr), 0);
}
Draft fragment() {
  return chained(draft_of(Opcode::nop, OctetBuffer(kDataOctets)), 1);
}
Draft nop_with_base() {
  Draft draft = nop();
  draft.extensions.push_back({.head_code = HeadCode::set_mbase, .data = OctetBuffer(4)});
  return draft;
}

// --- facts
void check_whole(Judge& judge, const Seen& seen, const FragmentFact::Whole& fact) {
  check_fragment(judge, seen, {.is_judged = true, .whole = fact});
}
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
    // --- 7: chains
    {"UMSP-7.2.2-1", kWarns, exec_tr,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_chain_control(judge, seen, {.is_known = holds, .kind = Kind::transaction, .has_ended = true});
     }},
    {"UMSP-7.2.2-1", kFails, exec_tr,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_chain_control(judge, seen, {.kind = holds ? Kind::transaction : Kind::sequence, .has_ended = holds});
     }},
    {"UMSP-7.2.2-1", kFails, exec_tr,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_chain_control(judge, seen, {.kind = Kind::transaction, .has_ended = true, .is_revoked = !holds});
     }},
    {"UMSP-7.2.3-1", kWarns, cancel_tr,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_chain_control(judge, seen, {.kind = Kind::transaction, .has_ended = true, .is_executed = !holds});
     }},
    {"UMSP-7.2.3-1", kWarns, cancel_tr,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_chain_control(judge, seen, {.kind = Kind::transaction, .has_ended = holds});
     }},
    {"UMSP-7.3-10", kFails, fragment,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_whole(judge, seen, {.length = holds ? kDataOctets : 4, .octets = kDataOctets, .has_ids_left = !holds});
     }},
    {"UMSP-7.3-12", kFails, fragment,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_whole(judge, seen, {.length = holds ? kDataOctets : kDataOctets + 4, .octets = kDataOctets});
     }},
    {"UMSP-7.3-13", kFails, fragment,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_whole(judge, seen, {.length = holds ? kDataOctets : 4, .octets = kDataOctets});
     }},
    {"UMSP-7.4-10", kWarns, nop,
     [](Judge& judge, const Seen&, bool holds) {
       check_window(judge, {.window = 256, .octets_of_open = holds ? 256 : 257});
     }},
    {"UMSP-5.3.1-20", kWarns, nop,
     [](Judge& judge, const Seen&, bool holds) { check_window(judge, {.octets_of_open = holds ? 0 : 1}); }},
    {"UMSP-7.4-12", kFails, nop,
     [](Judge& judge, const Seen&, bool holds) {
       check_window(judge, {.window = 256, .octets = holds ? 256 : 257, .is_certain = true});
     }},
    {"UMSP-7.4-12", kWarns, nop,
     [](Judge& judge, const Seen&, bool holds) { check_window(judge, {.window = 256, .octets = holds ? 256 : 257}); }},
    {"UMSP-7.4-20", kFails, nop,
     [](Judge& judge, const Seen&, bool holds) {
       check_buffer_size(judge, {.granted = 8, .octets = holds ? 8u : 9u, .is_certain = true});
     }},
    {"UMSP-7.4-20", kWarns, nop,
     [](Judge& judge, const Seen&, bool holds) {
       check_buffer_size(judge, {.granted = 8, .octets = holds ? 8u : 9u});
     }},
    {"UMSP-7.4-31", kFails, nop,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_grant(judge, seen, {holds ? Buffer::granted : Buffer::none, true});
     }},
    {"UMSP-7.4-31", kWarns, nop,
     [](Judge& judge, const Seen& seen, bool holds) {
       check_grant(judge, seen, {holds ? Buffer::granted : Buffer::taken});
     }},
    {"UMSP-7.6-2", kFails, nop,
     [](Judge& judge, const Seen& seen, bool holds) { check_base(judge, seen, {.has_base = holds}); }},
    {"UMSP-7.6-11", kFails, nop_with_base,
     [](Judge& judge, const Seen& seen, bool holds) { check_base(judge, seen, {.had_base = !holds}); }},
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
