// SPDX-License-Identifier: Apache-2.0
// RFC 3018, section 7.2: transactions.
#include "conformance/umsp/7.2-transactions/transactions.h"

#include "conformance/umsp/7-chains/chains.h"
#include "conformance/umsp/7-chains/shared_chains.h"
#include "conformance/umsp/7.2-transactions/rules.h"
#include "conformance/umsp/section_tables.h"
#include "conformance/umsp/tracker/pair.h"

namespace wirelaw::umsp {
namespace {

// Flags in the first octet of _BEGIN_TR's DATA (7.2.1).
constexpr std::uint64_t kTrr = 0x40, kTrt = 0x20, kReserve = 0x1f;

std::uint64_t flags_of(const ExtensionHeader& header) {
  return value_of(locate(header), Operand::transaction_flags, header.data).value_or(kTrr);
}

void judge_begin_tr(Judge& judge, const Seen& seen, std::size_t index) {
  const std::uint64_t flags = flags_of(seen.instruction.extensions[index]);
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

// Judges EXEC_TR or CANCEL_TR for a chain that this side has sent.
void judge_named(Judge& judge, const Seen& seen, const Rule& rule, const ObservedChain& chain) {
  const OctetRange where = seen.field(HeaderField::chain_number);
  const bool other_kind = chain.kind == ObservedChainKind::sequence || chain.kind == ObservedChainKind::fragments;
  const auto kind = actual(chain.kind == ObservedChainKind::sequence ? "a sequence" : "a fragmented instruction");
  // If that chain has ended, or a part of it is elsewhere, the number may be in use again on another connection.
  if (other_kind && (chain.ended || !chain.complete)) {
    judge.advise(rule, false, where, expected("a transaction"), kind);
    return;
  }
  if (!require_of_chain(judge, seen, rule, !other_kind, where, expected("a transaction"), kind)) return;
  if (chain.kind == ObservedChainKind::transaction)
    require_of_chain_here(judge, seen, rule, chain.ended || chain.in_fragments, where,
                          expected("a transaction that was sent whole"), actual("one without its end"));
}

// A transaction that CANCEL_TR has deleted can no longer be executed (7.2.3). Nothing forbids executing a transaction
// twice, or cancelling one after its execution, which has no effect (7.2): UMSP/B46.
void judge_over(Judge& judge, const Seen& seen, const Rule& rule, const ObservedChain& chain) {
  if (chain.kind != ObservedChainKind::transaction || !chain.complete || !chain.ended) return;
  const OctetRange where = seen.field(seen.header().has_chain_fields() ? HeaderField::chain_number : HeaderField::pck);
  const auto wanted = expected("a transaction that waits for EXEC_TR");
  if (seen.is(Opcode::exec_tr))
    require_of_chain(judge, seen, rule, !chain.revoked, where, wanted, actual("one that was cancelled"));
  if (seen.is(Opcode::cancel_tr) && chain.revoked)
    judge.advise(rule, false, where, wanted, actual("one that was cancelled"));
  const bool is_executed = chain.executed || !chain.execute_later;  // with TRR 1 it is executed at its end
  if (is_executed) judge.advise(rule, false, where, wanted, actual("one that was executed before"));
}

}  // namespace

void judge_chain_control(Judge& judge, const Seen& seen, SessionHalf& half, std::uint16_t number) {
  const auto found = half.chains.find(number);
  const bool known = found != half.chains.end();
  if (seen.is(Opcode::snd_cancel)) forget_carried(seen, half, number);
  if (seen.is(Opcode::snd_cancel) && !known) {
    // Another connection may have the chain, or carry it later: its part of the chain is not judged alone.
    ObservedChain* const chain = add_chain(seen, half, number);
    if (chain != nullptr) *chain = {.complete = false, .cancelled = true, .in_fragments = true};
    return;
  }
  // TCP does not order the parts of one chain on two connections.
  if (has_chain_elsewhere(seen.connection, *seen.session, seen.message.sender, number)) return;
  if (seen.is(Opcode::snd_cancel)) {
    if (found->second.ended || found->second.cancelled) return;
    found->second.cancelled = true;
    return end_controlled_chain(seen, half, number);
  }
  const Rule& judged = seen.is(Opcode::exec_tr) ? rule<"UMSP-7.2.2-1"> : rule<"UMSP-7.2.3-1">;
  if (!known) {
    if (seen.connection.is_all_seen() && !half.chains_forgotten)
      require_of_chain_here(judge, seen, judged, false, seen.field(HeaderField::chain_number),
                            expected("a transaction that was sent"), actual(number));
    return;
  }
  ObservedChain& chain = found->second;
  judge_named(judge, seen, judged, chain);
  judge_over(judge, seen, judged, chain);
  if (!chain.ended || !chain.execute_later || chain.executed || chain.revoked) return;
  (seen.is(Opcode::exec_tr) ? chain.executed : chain.revoked) = true;
  end_controlled_chain(seen, half, number);
}

void note_transaction(const Seen& seen, ObservedChain& chain) {
  if (chain.kind != ObservedChainKind::transaction) return;
  const ExtensionHeader* const header = seen.instruction.find_extension(static_cast<std::uint16_t>(HeadCode::begin_tr));
  chain.execute_later = header != nullptr && (flags_of(*header) & kTrr) == 0;
}

SectionTables transaction_tables() {
  return {.instructions = kInstructions, .extensions = kExtensions};
}

}  // namespace wirelaw::umsp
