// SPDX-License-Identifier: Apache-2.0
// Deviations in receiving and in buffers.
#include "reference/umsp/chains/faults/faulty_receiver.h"

#include <algorithm>
#include <array>

#include "reference/umsp/chains/make_chains.h"
#include "reference/umsp/operands.h"

namespace wirelaw::umsp {

using enum ChainDeviation;

namespace {

// A lifetime that is rejected if lifetimes count where they should not.
constexpr std::uint32_t kShortLife = 10;

}  // namespace

void FaultyChainReceiver::take_alone(const Instruction& instruction) {
  if (!deviates(outside_held_back)) return ChainReceiver::take_alone(instruction);
  const OctetBuffer earlier = std::exchange(held_back_, encode(instruction));
  if (const auto one = decode(earlier, kUnlimited)) ChainReceiver::take_alone(*one);
}

void FaultyChainReceiver::deliver(const Instruction& instruction, const Circumstances& at) {
  const bool rejected = deviates(life_time_counted_whole) && at.life_time && *at.life_time < kShortLife;
  if (rejected) return refuse_request(instruction, ChainRefusal::time_over);
  Circumstances passed = at;
  if (deviates(life_time_not_passed)) passed.life_time.reset();
  ChainReceiver::deliver(instruction, passed);
}

bool FaultyChainReceiver::obeys(const Instruction& control) const {
  struct Row {
    ChainDeviation deviation;
    Opcode opcode;
    bool message = false;
  };
  static constexpr std::array<Row, 5> kIgnored{{{snd_cancel_with_header_ignored, Opcode::snd_cancel},
                                                {snd_cancel_with_msg_ignored, Opcode::snd_cancel, true},
                                                {exec_with_header_ignored, Opcode::exec_tr},
                                                {cancel_with_header_ignored, Opcode::cancel_tr},
                                                {req_buf_with_header_ignored, Opcode::req_buf}}};
  const bool has_message = control.find_extension(static_cast<std::uint16_t>(HeadCode::msg)) != nullptr;
  for (const Row& row : kIgnored)
    if (deviates(row.deviation) && control.opcode() == static_cast<std::uint8_t>(row.opcode) &&
        (row.message ? has_message : !control.extensions.empty()))
      return false;
  return ChainReceiver::obeys(control);
}

bool FaultyChainReceiver::has_place() const {
  return ChainReceiver::has_place() && !(deviates(one_chain_at_a_time) && !chains_.empty());
}

bool FaultyChainReceiver::accepts(const Piece& first) const {
  const bool sequence = first.link.begins == ChainKind::sequence;
  const bool lacks_grant = grants_.empty() && !first.link.parent;
  if (lacks_grant && deviates(sequence ? sequence_needs_grant : fitting_needs_grant)) return false;
  return ChainReceiver::accepts(first);
}

bool FaultyChainReceiver::is_in_turn(const Chain& chain, const Piece& piece) const {
  if (deviates(disorder_executed) && chain.kind == ChainKind::sequence) return true;
  return ChainReceiver::is_in_turn(chain, piece);
}

void FaultyChainReceiver::on_sending_cancelled(Number number) {
  if (!deviates(snd_cancel_ignored)) ChainReceiver::on_sending_cancelled(number);
}

void FaultyChainReceiver::take(Number number, const Piece& piece) {
  if (deviates(thread_blocks) && !finishing_.empty()) return;
  ChainReceiver::take(number, piece);
}

bool FaultyChainReceiver::keep_early(Number number, Chain& chain, const Piece& piece) {
  return !deviates(overtaking_dropped) && ChainReceiver::keep_early(number, chain, piece);
}

void FaultyChainReceiver::on_buffer_request(const Instruction& request) {
  const auto size = value_of(locate(request), Operand::buffer_size, request.operands);
  if (deviates(short_buffer_refused) && size && *size <= options_.window)
    return refuse_request(request, ChainRefusal::no_buffer);
  ChainReceiver::on_buffer_request(request);
}

Buffer FaultyChainReceiver::first_buffer(const Piece& first) const {
  return deviates(one_segment_buffered) ? Buffer::window : ChainReceiver::first_buffer(first);
}

ChainReceiver::Chain& FaultyChainReceiver::account_of(Chain& chain) {
  return deviates(own_buffer_for_subordinated) ? chain : ChainReceiver::account_of(chain);
}

bool FaultyChainReceiver::takes_room(const Chain& chain, const Piece& piece) const {
  return deviates(sequence_buffered) || ChainReceiver::takes_room(chain, piece);
}

void FaultyChainReceiver::on_window_exceeded() {
  // A limit remains, so that a peer cannot exhaust the memory.
  constexpr std::uint64_t kMost = 64u << 20;
  if (!deviates(window_not_enforced) || window_used_ > kMost) ChainReceiver::on_window_exceeded();
}

void FaultyChainReceiver::release(Room& room) {
  if (deviates(window_not_cleared) && room.buffer == Buffer::window)
    room = {};
  else
    ChainReceiver::release(room);
}

std::unique_ptr<ChainReceiver> make_chain_receiver(const ReceiverOptions& options, Executor& executor,
                                                   const Circumstances& session, const ChainDeviations& deviations) {
  const ChainDeviations own = deviations.of(ChainEnd::receiver);
  if (own.empty()) return std::make_unique<ChainReceiver>(options, executor, session);
  return std::make_unique<FaultyChainReceiver>(options, executor, session, own);
}

}  // namespace wirelaw::umsp
