// SPDX-License-Identifier: Apache-2.0
// Fragmented instructions (RFC 3018 7.3), and their lifetimes (8.5).
#include <algorithm>

#include "reference/umsp/chains/receiver.h"
#include "reference/umsp/chains/time.h"

namespace wirelaw::umsp {
namespace {

// The last fragment has up to three zeros after the instruction (UMSP/A17).
bool is_padding(Octets octets) {
  return octets.size() < 4 && std::ranges::all_of(octets, [](Octet octet) { return octet == 0; });
}

}  // namespace

void ChainReceiver::assemble(Number number, Chain& chain, const Piece& piece) {
  if (piece.instruction.opcode() != static_cast<std::uint8_t>(Opcode::nop))
    return refuse(number, ChainRefusal::fragments);
  adopt_base(chain, piece.link);
  hold(chain.collected, piece.instruction.operands);
  if (piece.link.ends) on_fragments_complete(number);
}

// Returns the chain that contains it, according to _BEGIN_FRG or to its own header (UMSP/A17).
std::optional<ChainPlace> ChainReceiver::place_of(const Chain& chain, const Instruction& inner) const {
  if (chain.parent || !inner.header.has_chain_fields()) return chain.parent;
  return ChainPlace{inner.header.chain_number, inner.header.instr_number};
}

bool ChainReceiver::can_be_fragmented(const Chain& chain, const Instruction& inner) const {
  const Header& header = inner.header;
  if (class_of(header.opcode) != OpcodeClass::exchange || controls_chain(header.opcode)) return false;
  const auto place = place_of(chain, inner);
  const bool reserved =
      place && (std::ranges::find(kReservedChainNumbers, place->chain_number) != std::end(kReservedChainNumbers) ||
                place->instr_number == kReservedInstrNumber);
  const bool agrees =
      !place || !header.has_chain_fields() || *place == ChainPlace{header.chain_number, header.instr_number};
  const ChainLink link = read_link(inner, place ? place->instr_number : std::uint16_t{0}, options_.address_octets);
  return !reserved && agrees && link.begins != ChainKind::fragments;
}

void ChainReceiver::on_fragments_complete(Number number) {
  Chain& chain = *find(number);
  std::optional<std::uint32_t> life_time;
  if (chain.life_time) {
    life_time = life_left(chain);
    if (!life_time) return on_life_over(number);
  }
  OctetBuffer octets = std::move(chain.collected);
  held_ -= octets.size();
  auto inner = decode(octets, kUnlimited, Form::fragmented);
  const bool whole = inner && is_padding(Octets(octets).subspan(static_cast<std::size_t>(inner->octets())));
  if (!whole || !can_be_fragmented(chain, *inner)) return refuse(number, ChainRefusal::fragments);
  const auto place = place_of(chain, *inner);
  ChainLink link = read_link(*inner, place ? place->instr_number : std::uint16_t{0}, options_.address_octets);
  if (life_time) link.life_time = life_time;
  Header& header = inner->header;
  header.form = Form::whole;
  header.pck = Pck::own_session;
  header.session_id = session_.session;
  header.ask = chain.answer.req_id.has_value();
  header.req_id = chain.answer.req_id.value_or(0);
  if (place) return put_into_parent(number, *place, {*inner, link, arrival_});
  if (link.flaw) return refuse(number, *link.flaw);
  if (is_response(header.opcode)) chain.answer = {};
  Circumstances at = circumstances(chain, link);
  at.chained = chain.base.has_value();
  execute(*inner, at, chain.answer);
  conclude(number, true);
}

void ChainReceiver::put_into_parent(Number number, const ChainPlace& place, Piece piece) {
  Room room = std::exchange(find(number)->room, {});
  piece.counted = room.octets == 0;
  piece.room = &room;
  drop(number);
  const Chain* const parent = find(place.chain_number);
  const bool has_buffer =
      piece.link.begins == ChainKind::transaction || (parent != nullptr && parent->kind == ChainKind::transaction);
  if (has_buffer) release(room);  // it is put into that one
  take(place.chain_number, piece);
  release(room);
}

std::optional<std::uint32_t> ChainReceiver::life_left(const Chain& chain) const {
  return life_behind(*chain.life_time, now_ - chain.began);
}

}  // namespace wirelaw::umsp
