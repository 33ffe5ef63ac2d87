// SPDX-License-Identifier: Apache-2.0
// A receiver of chains that commits deviations: it overrides each step that a deviation changes.
#include <algorithm>
#include <array>

#include "reference/umsp/chains/time.h"
#include "reference/umsp/instruction_edit.h"
#include "reference/umsp/make_parts.h"
#include "reference/umsp/operands.h"

namespace wirelaw::umsp {
namespace {

using enum ChainDeviation;

// A lifetime that is rejected if lifetimes count where they should not.
constexpr std::uint32_t kShortLife = 10;

constexpr std::uint16_t kLongSequence = 16;

class FaultyChainReceiver final : public ChainReceiver {
 public:
  FaultyChainReceiver(const ReceiverOptions& options, Executor& executor, const Circumstances& session,
                      const ChainDeviations& deviations)
      : ChainReceiver(options, executor, session), deviations_(deviations) {}

 private:
  void take_alone(const Instruction& instruction) override {
    if (!deviates(outside_held_back)) return ChainReceiver::take_alone(instruction);
    const OctetBuffer earlier = std::exchange(held_back_, encode(instruction));
    if (const auto one = decode(earlier, kUnlimited)) ChainReceiver::take_alone(*one);
  }

  void deliver(const Instruction& instruction, const Circumstances& at) override {
    const bool rejected = deviates(life_time_counted_whole) && at.life_time && *at.life_time < kShortLife;
    if (rejected) return refuse_request(instruction, ChainRefusal::time_over);
    Circumstances passed = at;
    if (deviates(life_time_not_passed)) passed.life_time.reset();
    ChainReceiver::deliver(instruction, passed);
  }

  bool obeys(const Instruction& control) const override {
    return !ignores(chain_edits(), deviations_, {control}) && ChainReceiver::obeys(control);
  }
  bool has_place() const override {
    return ChainReceiver::has_place() && !(deviates(one_chain_at_a_time) && !chains_.empty());
  }

  bool accepts(const Piece& first) const override {
    const bool sequence = first.link.begins == ChainKind::sequence;
    const bool lacks_grant = grants_.empty() && !first.link.parent;
    if (lacks_grant && deviates(sequence ? sequence_needs_grant : fitting_needs_grant)) return false;
    return ChainReceiver::accepts(first);
  }

  bool is_in_turn(const Chain& chain, const Piece& piece) const override {
    if (deviates(disorder_executed) && chain.kind == ChainKind::sequence) return true;
    return ChainReceiver::is_in_turn(chain, piece);
  }
  void on_sending_cancelled(Number number) override {
    if (!deviates(snd_cancel_ignored)) ChainReceiver::on_sending_cancelled(number);
  }
  void take(Number number, const Piece& piece) override {
    if (deviates(thread_blocks) && !finishing_.empty()) return;
    ChainReceiver::take(number, piece);
  }
  bool keep_early(Number number, Chain& chain, const Piece& piece) override {
    return !deviates(overtaking_dropped) && ChainReceiver::keep_early(number, chain, piece);
  }

  void on_buffer_request(const Instruction& request) override {
    const auto size = value_of(locate(request), Operand::buffer_size, request.operands);
    if (deviates(short_buffer_refused) && size && *size <= options_.window)
      return refuse_request(request, ChainRefusal::no_buffer);
    ChainReceiver::on_buffer_request(request);
  }

  Buffer first_buffer(const Piece& first) const override {
    return deviates(one_segment_buffered) ? Buffer::window : ChainReceiver::first_buffer(first);
  }
  ChainReceiver::Chain& account_of(Chain& chain) override {
    return deviates(own_buffer_for_subordinated) ? chain : ChainReceiver::account_of(chain);
  }
  bool takes_room(const Chain& chain, const Piece& piece) const override {
    return deviates(sequence_buffered) || ChainReceiver::takes_room(chain, piece);
  }

  void on_window_exceeded() override {
    // A limit remains, so that a peer cannot exhaust the memory.
    constexpr std::uint64_t kMost = 64u << 20;
    if (!deviates(window_not_enforced) || window_used_ > kMost) ChainReceiver::on_window_exceeded();
  }

  void release(Room& room) override {
    if (deviates(window_not_cleared) && room.buffer == Buffer::window)
      room = {};
    else
      ChainReceiver::release(room);
  }

  // --- sequences
  void run(Number number, Chain& chain, const Piece& piece) override {
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

  void adopt_base(Chain& chain, const ChainLink& link) override {
    ChainLink changed = link;
    if (deviates(base_in_first_octets) && options_.address_octets == 3 && changed.base) *changed.base >>= 8;
    if (deviates(first_base_stays) && chain.base) changed.base.reset();
    ChainReceiver::adopt_base(chain, changed);
    if (changed.base) last_base_ = changed.base;
    if (deviates(base_of_all_chains) && !chain.base) chain.base = last_base_;
  }

  Circumstances circumstances(const Chain& chain, const ChainLink& link) const override {
    Circumstances at = ChainReceiver::circumstances(chain, link);
    if (deviates(life_time_not_passed)) at.life_time.reset();
    return at;
  }

  bool execute(const Instruction& instruction, const Circumstances& at, Answer& answer) override {
    if (!deviates(each_answered) || !answer.is_asked()) return ChainReceiver::execute(instruction, at, answer);
    Answer own{.req_id = answer.req_id, .executed = answer.executed};
    const bool executed = ChainReceiver::execute(instruction, at, own);
    answer.given = true;
    ChainReceiver::give({}, own);
    return executed;
  }

  // --- transactions
  void collect(Number number, Chain& chain, const Piece& piece) override {
    const bool early = deviates(transaction_executed_early) && chain.terms.after_sending;
    if (early) return ChainReceiver::run(number, chain, piece);
    const bool in_part = deviates(collected_in_part) && chain.terms.after_sending &&
                         chain.room.buffer == Buffer::window && piece.link.ends && !chain.collected.empty();
    if (!in_part) return ChainReceiver::collect(number, chain, piece);
    execute_transaction(number);
  }

  bool may_set_base(const Chain& chain) const override {
    return deviates(base_twice_taken) || ChainReceiver::may_set_base(chain);
  }

  std::optional<Instant> time_of(const Chain& chain) const override {
    if (chain.terms.time == 0)
      return deviates(no_unlimited_time) ? std::optional(now_ + kTransactionUnit) : std::nullopt;
    if (deviates(time_in_seconds)) return now_ + chain.terms.time * std::chrono::seconds(1);
    if (deviates(time_from_beginning)) return chain.began + chain.terms.time * kTransactionUnit;
    return ChainReceiver::time_of(chain);
  }

  void on_transaction_complete(Number number, Chain& chain) override {
    if (deviates(waits_for_exec)) chain.terms.after_sending = false;
    if (deviates(executes_without_exec)) chain.terms.after_sending = true;
    ChainReceiver::on_transaction_complete(number, chain);
  }

  void on_exec(Number number, const Instruction& request) override {
    if (deviates(exec_ignored)) return refuse_request(request, ChainRefusal::unknown_chain);
    if (deviates(exec_without_execution)) return respond(make_response(Opcode::rsp, request.header.req_id));
    Instruction changed = request;
    if (deviates(exec_unanswered)) changed.header.ask = false;
    ChainReceiver::on_exec(number, changed);
  }

  void on_cancel(Number number) override {
    if (deviates(cancelled_comes_back)) return;
    if (deviates(executed_is_cancelled) && find(number) == nullptr && last_answered_)
      respond(make_response(Opcode::rsp, *last_answered_, codes_of(ChainRefusal::unknown_chain)));
    ChainReceiver::on_cancel(number);
  }

  void on_transaction_over(Number number) override {
    const bool obligatory = find(number)->terms.obligatory;
    if (deviates(tre_not_executed) && obligatory) return refuse(number, ChainRefusal::time_over);
    if (deviates(executed_over_time) && !obligatory) return execute_transaction(number);
    if (deviates(time_over_unanswered) && !obligatory) return drop(number);
    ChainReceiver::on_transaction_over(number);
  }

  void on_emergency_end(Number number) override {
    if (deviates(tre_forgotten_at_end)) return;
    if (deviates(all_executed_at_end)) return execute_transaction(number);
    ChainReceiver::on_emergency_end(number);
  }

  bool may_execute(const std::vector<Collected>& all, const Chain& chain) const override {
    return deviates(executes_what_it_can) || ChainReceiver::may_execute(all, chain);
  }

  // --- fragments
  void assemble(Number number, Chain& chain, const Piece& piece) override {
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

  void on_fragments_complete(Number number) override {
    Chain& chain = *find(number);
    if (deviates(fragments_damaged) && !chain.collected.empty()) chain.collected.back() ^= 0xff;
    ChainReceiver::on_fragments_complete(number);
  }

  std::optional<std::uint32_t> life_left(const Chain& chain) const override {
    if (deviates(assembly_not_counted)) return chain.life_time;
    const auto left = ChainReceiver::life_left(chain);
    return deviates(expired_executed) && !left ? std::optional(0u) : left;
  }

  void on_life_over(Number number) override {
    if (deviates(expired_executed) || deviates(assembly_not_counted)) return;
    if (deviates(expired_unanswered)) return drop_rest(number);
    const Chain* const chain = find(number);
    if (deviates(expired_always_answered) && !chain->answer.req_id)
      respond(make_response(Opcode::rsp, 0, codes_of(ChainRefusal::time_over)));
    ChainReceiver::on_life_over(number);
  }

  // --- answers
  Draft answer_of(const Room& room, Draft response) const override {
    return with_faults(chain_edits(), deviations_, {ChainReceiver::answer_of(room, std::move(response))}).draft;
  }
  void give(const Room& room, const Answer& answer) override {
    last_answered_ = answer.req_id;
    ChainReceiver::give(room, answer);
  }
  bool stops_at_refusal() const override { return !deviates(ChainDeviation::rest_executed); }
  bool deviates(ChainDeviation deviation) const { return deviations_.has(deviation); }
  ChainDeviations deviations_;
  OctetBuffer held_back_;
  std::optional<std::uint64_t> last_base_;
  std::optional<std::uint32_t> last_answered_;  // REQ_ID of the last answered chain
};

}  // namespace

std::unique_ptr<ChainReceiver> make_chain_receiver(const ReceiverOptions& options, Executor& executor,
                                                   const Circumstances& session, const ChainDeviations& deviations) {
  const ChainDeviations own = deviations.of(ChainEnd::receiver);
  if (own.empty()) return std::make_unique<ChainReceiver>(options, executor, session);
  return std::make_unique<FaultyChainReceiver>(options, executor, session, own);
}

}  // namespace wirelaw::umsp
