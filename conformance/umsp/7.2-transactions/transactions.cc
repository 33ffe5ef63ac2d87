// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 7.2: transactions.
#include "conformance/umsp/7.2-transactions/transactions.h"

#include "conformance/umsp/7.2-transactions/rules.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/chain_steps.h"

namespace wirelaw::umsp {
namespace {

constexpr std::uint64_t kTrt = 0x20, kReserve = 0x1f;  // flags of _BEGIN_TR (7.2.1)

void judge_begin_tr(Judge& judge, const SeenInstruction& seen, std::size_t index) {
  const std::uint64_t flags = transaction_flags(seen.instruction.extensions[index]);
  const OctetRange where{seen.extension_data(index).offset, 1};
  judge.require(rule<"UMSP-7.2.1-16">, (flags & kTrt) == 0, where, expected("TRT 0"), actual("TRT 1"));
  judge.require(rule<"UMSP-7.2.1-17">, (flags & kReserve) == 0, where, expected("five bits of 0"),
                actual([&] { return fmt::format("{:05b}", flags & kReserve); }));
  judge.require(rule<"UMSP-7.2.1-1">, can_be_chained(seen.header()), seen.field(HeaderField::chn), expected("CHN 1"),
                actual("CHN 0"));
}

constexpr ExtensionRules kExtensions[] = {{.head_code = HeadCode::begin_tr,
                                           .hob = &rule<"UMSP-7.2.1-4">,
                                           .head_length = &rule<"UMSP-7.2.1-3">,
                                           .judge = judge_begin_tr}};

void judge_control_number(Judge& judge, const SeenInstruction& seen, const Rule& rule) {
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
     .judge = [](Judge& judge,
                 const SeenInstruction& seen) { judge_control_number(judge, seen, rule<"UMSP-7.2.2-9">); }},
    {.first = Opcode::cancel_tr,
     .ask = &rule<"UMSP-7.2.3-2">,
     .chn = &rule<"UMSP-7.2.3-4">,
     .opr_length = &rule<"UMSP-7.2.3-8">,
     .judge = [](Judge& judge, const SeenInstruction& seen) {
       judge_control_number(judge, seen, rule<"UMSP-7.2.3-7">);
     }}};

const Rule* control_rule(Opcode opcode) {
  return opcode == Opcode::exec_tr ? &rule<"UMSP-7.2.2-1"> : &rule<"UMSP-7.2.3-1">;
}

constexpr ClaimRow row(Claim claim, std::string_view due, std::string_view got) {
  return {.claim = claim, .rule = nullptr, .due = due, .got = got, .rule_of = control_rule};
}
constexpr std::string_view kWaiting = "a transaction that waits for EXEC_TR";
constexpr ClaimRow kClaims[] = {
    row(Claim::names_sent_transaction, "a transaction that was sent", "{}"),
    row(Claim::names_no_sequence, "a transaction", "a sequence"),
    row(Claim::names_no_fragments, "a transaction", "a fragmented instruction"),
    row(Claim::names_whole_transaction, "a transaction that was sent whole", "one without its end"),
    row(Claim::names_uncancelled, kWaiting, "one that was cancelled"),
    row(Claim::names_unexecuted, kWaiting, "one that was executed before"),
    {Claim::answers_executed_transaction, &rule<"UMSP-7.2.1-14">, "EXEC_TR before the answer", "none",
     "the transaction has TRR 0"},
};

}  // namespace

SectionTables transaction_tables() {
  return {.instructions = kInstructions, .extensions = kExtensions, .claims = kClaims};
}

}  // namespace wirelaw::umsp
