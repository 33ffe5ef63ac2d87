// SPDX-License-Identifier: Apache-2.0
// The buffers for chains that wait for their execution (RFC 3018 7.4, 7.5).
#include "reference/umsp/chains/receiver.h"
#include "reference/umsp/operands.h"

namespace wirelaw::umsp {

void ChainReceiver::on_buffer_request(const Instruction& request) {
  if (!request.header.ask) return;
  const auto size = value_of(locate(request), Operand::buffer_size, request.operands);
  const std::uint32_t octets = static_cast<std::uint32_t>(size.value_or(0));
  const bool has_place = size && grants_.size() < options_.grants && octets <= options_.granted - granted_;
  if (!has_place || !executor_.grants_buffer(octets, session_)) return refuse_request(request, ChainRefusal::no_buffer);
  grants_.push_back(octets);
  granted_ += octets;
  respond(make_response(Opcode::rsp_p, request.header.req_id));
}

// A chain that arrives in one segment needs no buffer, unless it has to wait for EXEC_TR.
Buffer ChainReceiver::first_buffer(const Piece& first) const {
  return first.link.begins == ChainKind::transaction && !first.link.terms.after_sending ? Buffer::window
                                                                                        : Buffer::segment;
}

bool ChainReceiver::take_grant(Room& room) {
  if (grants_.empty()) return false;
  room.buffer = Buffer::granted;
  room.granted = grants_.front();
  grants_.pop_front();
  return true;
}

// Room that a subordinated chain uses, and instructions that arrived before the first one, count for this chain.
void ChainReceiver::choose_buffer(Number number, Chain& chain, const Piece& first) {
  if (chain.kind == ChainKind::sequence) return release(chain.room);
  if (chain.parent && &account_of(chain) != &chain) return;
  if (chain.room.buffer == Buffer::none && !take_grant(chain.room)) {
    chain.room.buffer = first_buffer(first);
    if (chain.room.buffer == Buffer::segment) fresh_.push_back(number);
  }
  for (auto& [place, early] : chain.early) {
    chain.room.octets += early.room.octets;
    const std::uint64_t octets = early.room.octets;
    release(early.room);
    if (chain.room.buffer == Buffer::window) window_used_ += octets;
  }
}

// A sequence has no buffer that its subordinated chains could use: they have their own.
ChainReceiver::Chain& ChainReceiver::account_of(Chain& chain) {
  Chain* const parent = chain.parent ? find(chain.parent->chain_number) : nullptr;
  const bool has_buffer = parent != nullptr && parent->kind != ChainKind::sequence;
  return has_buffer ? *parent : chain;
}

bool ChainReceiver::take_room(Number number, Chain& chain, const Piece& piece) {
  if (!takes_room(chain, piece)) return true;
  Chain& account = account_of(chain);
  Room& room = account.room;
  const std::uint64_t octets = piece.instruction.octets();
  switch (room.buffer) {
    case Buffer::none:
    case Buffer::window:
      return take_window(room, octets);
    case Buffer::segment:
      room.octets += octets;
      segment_octets_ += octets;
      return segment_octets_ <= options_.segment || move_to_window(room);
    case Buffer::granted:
      if (octets <= room.granted && room.octets <= room.granted - octets) {
        room.octets += octets;
        return true;
      }
      refuse(&account == &chain ? number : chain.parent->chain_number, ChainRefusal::above_grant);
      return false;
  }
  return false;
}

bool ChainReceiver::take_window(Room& room, std::uint64_t octets) {
  if (window_used_ + octets > options_.window) on_window_exceeded();
  if (over_) return false;
  room.buffer = Buffer::window;
  room.octets += octets;
  window_used_ += octets;
  return true;
}

// For a chain that continues in another segment.
bool ChainReceiver::move_to_window(Room& room) {
  if (room.buffer != Buffer::segment) return true;
  return take_window(room, std::exchange(room.octets, 0));
}

void ChainReceiver::leave_segment(const Arrival& arrival) {
  const bool same = arrival.connection == arrival_.connection && arrival.segment == arrival_.segment;
  arrival_ = arrival;
  if (same) return;
  segment_octets_ = 0;
  for (const Number number : std::exchange(fresh_, {}))
    if (Chain* const chain = find(number); chain != nullptr && !over_) move_to_window(chain->room);
}

void ChainReceiver::release(Room& room) {
  if (room.buffer == Buffer::window) window_used_ -= room.octets;
  if (room.buffer == Buffer::granted) granted_ -= room.granted;
  room = {};
}

}  // namespace wirelaw::umsp
