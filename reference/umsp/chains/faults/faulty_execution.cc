// SPDX-License-Identifier: Apache-2.0
// Deviations in execution and in answers.
#include "reference/umsp/chains/faults/faulty_receiver.h"
#include "reference/umsp/chains/time.h"

namespace wirelaw::umsp {

using enum ChainDeviation;

namespace {

constexpr std::uint32_t kShortLife = 10;
constexpr std::uint16_t kLongSequence = 16;

}  // namespace

// --------------------------------------------------------------------------------------------------------- sequences

void FaultyChainReceiver::run(Number number, Chain& chain, const Piece& piece) {
  if (deviates(long_sequence_refused) && piece.link.number >= kLongSequence)
    return refuse(number, ChainRefusal::too_many);
  if (deviates(short_life_refused) && piece.link.life_time && *piece.link.life_time < kShortLife)
    return refuse(number, ChainRefusal::time_over);
  const bool nop = piece.instruction.opcode() == static_cast<std::uint8_t>(Opcode::nop);
  Piece changed = piece;
  if (deviates(nop_does_not_end) && nop) changed.link.ends = false;
  if (!deviates(sequence_executed_at_end)) return ChainReceiver::run(number, chain, changed);
  hold(chain.collected, encode(piece.instruction));
  if (!piece.link.ends) return;
  OctetBuffer octets = std::move(chain.collected);
  std::uint16_t place = 0;
  for (Octets rest = octets; !rest.empty() && find(number) != nullptr; ++place) {
    const auto one = decode(rest, kUnlimited);
    if (!one) break;
    rest = rest.subspan(static_cast<std::size_t>(one->octets()));
    ChainReceiver::run(number, chain, {*one, read_link(*one, place, options_.address_octets), piece.arrival});
  }
  forget(octets);
}

void FaultyChainReceiver::adopt_base(Chain& chain, const ChainLink& link) {
  ChainLink changed = link;
  if (deviates(base_in_first_octets) && options_.address_octets == 3 && changed.base) *changed.base >>= 8;
  if (deviates(first_base_stays) && chain.base) changed.base.reset();
  ChainReceiver::adopt_base(chain, changed);
  if (changed.base) last_base_ = changed.base;
  if (deviates(base_of_all_chains) && !chain.base) chain.base = last_base_;
}

Circumstances FaultyChainReceiver::circumstances(const Chain& chain, const ChainLink& link) const {
  Circumstances at = ChainReceiver::circumstances(chain, link);
  if (deviates(life_time_not_passed)) at.life_time.reset();
  return at;
}

bool FaultyChainReceiver::execute(const Instruction& instruction, const Circumstances& at, Answer& answer) {
  if (!deviates(each_answered) || !answer.is_asked()) return ChainReceiver::execute(instruction, at, answer);
  Answer own{.req_id = answer.req_id, .executed = answer.executed};
  const bool executed = ChainReceiver::execute(instruction, at, own);
  answer.given = true;
  ChainReceiver::give({}, own);
  return executed;
}

// ------------------------------------------------------------------------------------------------------ transactions

void FaultyChainReceiver::collect(Number number, Chain& chain, const Piece& piece) {
  const bool early = deviates(transaction_executed_early) && chain.terms.after_sending;
  if (early) return ChainReceiver::run(number, chain, piece);
  const bool in_part = deviates(collected_in_part) && chain.terms.after_sending &&
                       chain.room.buffer == Buffer::window && piece.link.ends && !chain.collected.empty();
  if (!in_part) return ChainReceiver::collect(number, chain, piece);
  execute_transaction(number);
}

bool FaultyChainReceiver::may_set_base(const Chain& chain) const {
  return deviates(base_twice_taken) || ChainReceiver::may_set_base(chain);
}

std::optional<Instant> FaultyChainReceiver::time_of(const Chain& chain) const {
  if (chain.terms.time == 0) return deviates(no_unlimited_time) ? std::optional(now_ + kTransactionUnit) : std::nullopt;
  if (deviates(time_in_seconds)) return now_ + chain.terms.time * std::chrono::seconds(1);
  if (deviates(time_from_beginning)) return chain.began + chain.terms.time * kTransactionUnit;
  return ChainReceiver::time_of(chain);
}

void FaultyChainReceiver::on_transaction_complete(Number number, Chain& chain) {
  if (deviates(waits_for_exec)) chain.terms.after_sending = false;
  if (deviates(executes_without_exec)) chain.terms.after_sending = true;
  ChainReceiver::on_transaction_complete(number, chain);
}

void FaultyChainReceiver::on_exec(Number number, const Instruction& request) {
  if (deviates(exec_ignored)) return refuse_request(request, ChainRefusal::unknown_chain);
  if (deviates(exec_without_execution)) return respond(make_response(Opcode::rsp, request.header.req_id));
  Instruction changed = request;
  if (deviates(exec_unanswered)) changed.header.ask = false;
  ChainReceiver::on_exec(number, changed);
}

void FaultyChainReceiver::on_cancel(Number number) {
  if (deviates(cancelled_comes_back)) return;
  if (deviates(executed_is_cancelled) && find(number) == nullptr && last_answered_)
    respond(make_response(Opcode::rsp, *last_answered_, codes_of(ChainRefusal::unknown_chain)));
  ChainReceiver::on_cancel(number);
}

void FaultyChainReceiver::on_transaction_over(Number number) {
  const bool obligatory = find(number)->terms.obligatory;
  if (deviates(tre_not_executed) && obligatory) return refuse(number, ChainRefusal::time_over);
  if (deviates(executed_over_time) && !obligatory) return execute_transaction(number);
  if (deviates(time_over_unanswered) && !obligatory) return drop(number);
  ChainReceiver::on_transaction_over(number);
}

void FaultyChainReceiver::on_emergency_end(Number number) {
  if (deviates(tre_forgotten_at_end)) return;
  if (deviates(all_executed_at_end)) return execute_transaction(number);
  ChainReceiver::on_emergency_end(number);
}

bool FaultyChainReceiver::may_execute(const std::vector<Collected>& all, const Chain& chain) const {
  return deviates(executes_what_it_can) || ChainReceiver::may_execute(all, chain);
}

// --------------------------------------------------------------------------------------------------------- fragments

void FaultyChainReceiver::assemble(Number number, Chain& chain, const Piece& piece) {
  constexpr std::uint64_t kMost = 1u << 16;
  const bool first = piece.link.number == 0 && !piece.link.ends;
  const auto extent = instruction_octets(piece.instruction.operands, kUnlimited, Form::fragmented);
  const bool early =
      deviates(fragments_executed_early) && first && extent && extent->complete && extent->octets < kMost;
  if (!early) return ChainReceiver::assemble(number, chain, piece);
  hold(chain.collected, piece.instruction.operands);
  hold(chain.collected, OctetBuffer(static_cast<std::size_t>(extent->octets) - chain.collected.size()));
  ChainReceiver::on_fragments_complete(number);
  dropped_.add(number);
}

void FaultyChainReceiver::on_fragments_complete(Number number) {
  Chain& chain = *find(number);
  if (deviates(fragments_damaged) && !chain.collected.empty()) chain.collected.back() ^= 0xff;
  ChainReceiver::on_fragments_complete(number);
}

std::optional<std::uint32_t> FaultyChainReceiver::life_left(const Chain& chain) const {
  if (deviates(assembly_not_counted)) return chain.life_time;
  const auto left = ChainReceiver::life_left(chain);
  return deviates(expired_executed) && !left ? std::optional(0u) : left;
}

void FaultyChainReceiver::on_life_over(Number number) {
  if (deviates(expired_executed) || deviates(assembly_not_counted)) return;
  if (deviates(expired_unanswered)) return drop_rest(number);
  const Chain* const chain = find(number);
  if (deviates(expired_always_answered) && !chain->answer.req_id)
    respond(make_response(Opcode::rsp, 0, codes_of(ChainRefusal::time_over)));
  ChainReceiver::on_life_over(number);
}

// ----------------------------------------------------------------------------------------------------------- answers

Draft FaultyChainReceiver::answer_of(const Room& room, Draft response) const {
  if (deviates(acknowledged_by_rsp)) return response;
  Draft answer = ChainReceiver::answer_of(room, std::move(response));
  if (deviates(answered_by_rsp_p) && answer.is(Opcode::rsp)) answer.opcode = static_cast<std::uint8_t>(Opcode::rsp_p);
  return answer;
}

void FaultyChainReceiver::give(const Room& room, const Answer& answer) {
  last_answered_ = answer.req_id;
  ChainReceiver::give(room, answer);
}

}  // namespace wirelaw::umsp
