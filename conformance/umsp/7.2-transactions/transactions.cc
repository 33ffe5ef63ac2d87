// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 7.2: transactions.
#include "conformance/umsp/7.2-transactions/transactions.h"

#include "conformance/umsp/7-chains/chains.h"
#include "conformance/umsp/7.2-transactions/rules.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/transactions.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint64_t kTrt = 0x20, kReserve = 0x1f;  // flags of _BEGIN_TR (7.2.1)

void judge_begin_tr(Judge& judge, const Seen& seen, std::size_t index) {
  const std::uint64_t flags = transaction_flags(seen.instruction.extensions[index]);
  const OctetRange where{seen.extension_data(index).offset, 1};
  judge.require(rule<"UMSP-7.2.1-16">, (flags & kTrt) == 0, where, expected("TRT 0"), actual("TRT 1"));
  judge.require(rule<"UMSP-7.2.1-17">, (flags & kReserve) == 0, where, expected("five bits of 0"),
                actual([&] { return fmt::format("{:05b}", flags & kReserve); }));
  const Header& header = seen.header();
  judge.require(rule<"UMSP-7.2.1-1">, header.chn || header.pck == Pck::same_chain, seen.field(HeaderField::chn),
                expected("CHN 1"), actual("CHN 0"));
}

constexpr ExtensionRules kExtensions[] = {{.head_code = HeadCode::begin_tr,
                                           .hob = &rule<"UMSP-7.2.1-4">,
                                           .head_length = &rule<"UMSP-7.2.1-3">,
                                           .judge = judge_begin_tr}};

void judge_control_number(Judge& judge, const Seen& seen, const Rule& rule) {
  const Header& header = seen.header();
  if (header.has_chain_fields())
    judge.require(rule, header.instr_number == 0, seen.field(HeaderField::instr_number), expected(0),
                  actual(header.instr_number));
}

constexpr InstructionRules kInstructions[] = {
    {.first = Opcode::exec_tr,
     .ask = &rule<"UMSP-7.2.2-3">,
     .chn = &rule<"UMSP-7.2.2-6">,
     .opr_length = &rule<"UMSP-7.2.2-10">,
     .judge = [](Judge& judge, const Seen& seen) { judge_control_number(judge, seen, rule<"UMSP-7.2.2-9">); }},
    {.first = Opcode::cancel_tr,
     .ask = &rule<"UMSP-7.2.3-2">,
     .chn = &rule<"UMSP-7.2.3-4">,
     .opr_length = &rule<"UMSP-7.2.3-8">,
     .judge = [](Judge& judge, const Seen& seen) { judge_control_number(judge, seen, rule<"UMSP-7.2.3-7">); }}};

// Checks EXEC_TR or CANCEL_TR for a chain that this side has sent.
void check_named(Judge& judge, const Seen& seen, const Rule& rule, const ControlFact& fact) {
  const OctetRange where = seen.field(HeaderField::chain_number);
  const bool other_kind = fact.kind == ObservedChainKind::sequence || fact.kind == ObservedChainKind::fragments;
  const auto kind = actual(fact.kind == ObservedChainKind::sequence ? "a sequence" : "a fragmented instruction");
  // If that chain has ended, or a part of it is elsewhere, the number may be in use again on another connection.
  if (other_kind && (fact.has_ended || !fact.is_complete)) {
    judge.advise(rule, false, where, expected("a transaction"), kind);
    return;
  }
  if (!require_of_chain(judge, seen, rule, !other_kind, where, expected("a transaction"), kind)) return;
  if (fact.kind == ObservedChainKind::transaction)
    require_of_chain_here(judge, seen, rule, fact.has_ended || fact.in_fragments, where,
                          expected("a transaction that was sent whole"), actual("one without its end"));
}

// A transaction that CANCEL_TR has deleted can no longer be executed (7.2.3). Nothing forbids executing a transaction
// twice, or cancelling one after its execution, which has no effect (7.2): UMSP/B46.
void check_over(Judge& judge, const Seen& seen, const Rule& rule, const ControlFact& fact) {
  if (fact.kind != ObservedChainKind::transaction || !fact.is_complete || !fact.has_ended) return;
  const OctetRange where = seen.field(seen.header().has_chain_fields() ? HeaderField::chain_number : HeaderField::pck);
  const auto wanted = expected("a transaction that waits for EXEC_TR");
  if (seen.is(Opcode::exec_tr))
    require_of_chain(judge, seen, rule, !fact.is_revoked, where, wanted, actual("one that was cancelled"));
  if (seen.is(Opcode::cancel_tr) && fact.is_revoked)
    judge.advise(rule, false, where, wanted, actual("one that was cancelled"));
  if (fact.is_executed) judge.advise(rule, false, where, wanted, actual("one that was executed before"));
}

}  // namespace

void check_chain_control(Judge& judge, const Seen& seen, const ControlFact& fact) {
  const Rule& judged = seen.is(Opcode::exec_tr) ? rule<"UMSP-7.2.2-1"> : rule<"UMSP-7.2.3-1">;
  if (!fact.is_known) {
    require_of_chain_here(judge, seen, judged, false, seen.field(HeaderField::chain_number),
                          expected("a transaction that was sent"), actual(seen.membership.chain->chain_number));
    return;
  }
  check_named(judge, seen, judged, fact);
  check_over(judge, seen, judged, fact);
}

SectionTables transaction_tables() {
  return {.instructions = kInstructions, .extensions = kExtensions};
}

}  // namespace wirelaw::umsp
