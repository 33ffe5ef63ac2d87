// SPDX-License-Identifier: Apache-2.0
// Receives instructions, and keeps the state of chains.
#include "reference/umsp/chains/receiver.h"

#include <algorithm>

#include "reference/umsp/chains/time.h"

namespace wirelaw::umsp {
namespace {

constexpr bool is_reserved(std::uint16_t number) {
  return std::ranges::find(kReservedChainNumbers, number) != std::end(kReservedChainNumbers);
}

// Instructions that make no sense outside of chains and have HOB.
bool describes_chain(const ChainLink& link) {
  return link.begins != ChainKind::unknown || link.ends || link.bases > 0;
}

}  // namespace

ChainReceiver::ChainReceiver(const ReceiverOptions& options, Executor& executor, const Circumstances& session)
    : options_(options), executor_(executor), session_(session) {
  options_.chains = std::min(options_.chains, kMostChains);
}

bool ChainReceiver::takes(std::uint8_t opcode) {
  return class_of(opcode) == OpcodeClass::exchange || opcode == static_cast<std::uint8_t>(Opcode::snd_cancel) ||
         opcode == static_cast<std::uint8_t>(Opcode::req_buf);
}

void ChainReceiver::receive(const Instruction& instruction, const Membership& membership, const Arrival& arrival,
                            Instant now) {
  now_ = now;
  if (over_ || membership.flaw || !takes(instruction.opcode())) return;
  leave_segment(arrival);
  if (over_) return;
  const bool alone = !membership.chain || instruction.opcode() == static_cast<std::uint8_t>(Opcode::req_buf);
  if (alone) return take_alone(instruction);
  const auto [number, place] = *membership.chain;
  if (is_reserved(number) || place == kReservedInstrNumber) return refuse_request(instruction, ChainRefusal::malformed);
  if (controls_chain(instruction.opcode()))
    take_control(number, instruction);
  else
    take(number, {instruction, read_link(instruction, place, options_.address_octets), arrival});
}

void ChainReceiver::take_alone(const Instruction& instruction) {
  if (instruction.opcode() == static_cast<std::uint8_t>(Opcode::req_buf)) {
    if (obeys(instruction)) on_buffer_request(instruction);
    return;
  }
  if (controls_chain(instruction.opcode())) return refuse_request(instruction, ChainRefusal::malformed);
  const ChainLink link = read_link(instruction, 0, options_.address_octets);
  if (link.flaw || describes_chain(link)) return refuse_request(instruction, ChainRefusal::header);
  Circumstances at = session_;
  at.life_time = link.life_time;
  deliver(instruction, at);
}

void ChainReceiver::deliver(const Instruction& instruction, const Circumstances& at) {
  if (is_response(instruction.opcode())) return take_response(instruction, at);
  Execution execution = executor_.execute(instruction, at, now_);
  if (execution.response)
    respond(std::move(*execution.response));
  else if (execution.kind == Execution::Kind::refused)
    refuse_request(instruction, ChainRefusal::not_executed);
}

void ChainReceiver::take_control(Number number, const Instruction& control) {
  if (!obeys(control)) return;
  if (control.opcode() == static_cast<std::uint8_t>(Opcode::snd_cancel))
    on_sending_cancelled(number);
  else if (control.opcode() == static_cast<std::uint8_t>(Opcode::exec_tr))
    on_exec(number, control);
  else
    on_cancel(number);
}

void ChainReceiver::on_sending_cancelled(Number number) {
  Chain* const chain = find(number);
  if (chain == nullptr) return;
  if (chain->complete)
    drop(number);
  else
    drop_rest(number);
}

// ------------------------------------------------------------------------------------------------- into the chains

void ChainReceiver::take(Number number, const Piece& piece) {
  Chain* const chain = chain_for(number, piece);
  if (chain == nullptr) return;
  const bool twice = piece.link.number < chain->next || chain->complete || chain->early.contains(piece.link.number);
  if (twice || (!piece.counted && !take_room(number, *chain, piece))) return;
  if (!is_in_turn(*chain, piece)) {
    keep_early(number, *chain, piece);
    return;
  }
  process(number, *chain, piece);
  process_early(number);
  if (piece.link.ends && piece.arrival.alone && find(number) == nullptr) dropped_.remove(number);
}

ChainReceiver::Chain* ChainReceiver::find(Number number) {
  const auto found = chains_.find(number);
  return found == chains_.end() ? nullptr : &found->second;
}

// Returns nullptr if the instruction is ignored, or was refused.
ChainReceiver::Chain* ChainReceiver::chain_for(Number number, const Piece& piece) {
  if (piece.link.number == 0) return begin(number, piece);
  if (Chain* const chain = find(number)) {
    if (!piece.link.flaw || chain->kind != ChainKind::unknown) return chain;
    refuse(number, *piece.link.flaw);
    return nullptr;
  }
  if (dropped_.has(number)) {
    if (piece.link.ends) dropped_.remove(number);
    return nullptr;
  }
  const bool can_be_early = !piece.arrival.alone && has_place();
  if (!can_be_early) {
    refuse_request(piece.instruction, ChainRefusal::missing);
    return nullptr;
  }
  Chain& chain = chains_[number];
  chain.room.buffer = Buffer::window;
  return &chain;
}

bool ChainReceiver::accepts(const Piece& first) const {
  if (first.link.begins == ChainKind::unknown) return false;
  if (!first.link.parent) return true;
  const auto parent = chains_.find(first.link.parent->chain_number);
  const bool taken = parent != chains_.end() && first.link.parent->instr_number < parent->second.next;
  return !taken && (parent == chains_.end() || parent->second.kind != ChainKind::fragments) &&
         !is_reserved(first.link.parent->chain_number) && first.link.parent->instr_number != kReservedInstrNumber;
}

// Returns the reason why no chain can begin with the instruction.
std::optional<ChainRefusal> ChainReceiver::refusal_of(Number number, const Piece& first) {
  if (first.link.flaw) return first.link.flaw;
  const bool of_itself = first.link.parent && first.link.parent->chain_number == number;
  if (of_itself || !accepts(first)) return ChainRefusal::malformed;
  if (find(number) == nullptr && !has_place()) return ChainRefusal::too_many;
  return std::nullopt;
}

ChainReceiver::Chain* ChainReceiver::begin(Number number, const Piece& first) {
  const Chain* const before = find(number);
  if (before != nullptr && before->kind != ChainKind::unknown) refuse(number, ChainRefusal::replaced);
  dropped_.remove(number);
  if (const auto refusal = refusal_of(number, first)) {
    refuse_request(first.instruction, *refusal);
    drop(number);
    if (!first.link.ends) dropped_.add(number);
    return nullptr;
  }
  Chain& chain = chains_[number];
  chain.kind = first.link.begins;
  chain.terms = first.link.terms;
  chain.parent = first.link.parent;
  chain.life_time = first.link.life_time;
  chain.began = now_;
  chain.connection = first.arrival.connection;
  const Header& header = first.instruction.header;
  if (header.ask && !is_response(header.opcode)) chain.answer.req_id = header.req_id;
  if (chain.parent) begin_parent(*chain.parent);
  choose_buffer(number, chain, first);
  if (chain.kind == ChainKind::fragments && chain.life_time)
    set_due(number, chain, now_ + *chain.life_time * kLifeTimeUnit);
  return &chain;
}

// A subordinated chain may arrive before the other instructions of its parental one.
void ChainReceiver::begin_parent(const ChainPlace& place) {
  if (find(place.chain_number) != nullptr || dropped_.has(place.chain_number) || !has_place()) return;
  Chain& parent = chains_[place.chain_number];
  parent.connection = arrival_.connection;
  if (take_grant(parent.room)) return;
  parent.room.buffer = Buffer::segment;
  fresh_.push_back(place.chain_number);
}

bool ChainReceiver::keep_early(Number number, Chain& chain, const Piece& piece) {
  const bool can_come = !piece.arrival.alone || is_subordinate_open(number);
  if (!can_come) {
    refuse(number, ChainRefusal::missing);
    return false;
  }
  if (early_ >= options_.early) {
    break_off(BreakOff::early_exceeded);
    return false;
  }
  Room room;
  if (chain.kind == ChainKind::unknown || chain.kind == ChainKind::sequence) {
    const bool has_room = piece.room != nullptr && piece.room->octets > 0;
    if (has_room) room = std::exchange(*piece.room, {});
    const bool fits = has_room ? move_to_window(room) : take_window(room, piece.instruction.octets());
    if (!fits) return false;
  }
  OctetBuffer octets = encode(piece.instruction);
  held_ += octets.size();
  chain.early[piece.link.number] = {std::move(octets), room, piece.arrival};
  ++early_;
  return true;
}

bool ChainReceiver::is_subordinate_open(Number parent) const {
  return std::ranges::any_of(
      chains_, [&](const auto& one) { return one.second.parent && one.second.parent->chain_number == parent; });
}

void ChainReceiver::process(Number number, Chain& chain, const Piece& piece) {
  chain.next = piece.link.number + 1u;
  if (piece.link.flaw) return refuse(number, *piece.link.flaw);
  switch (chain.kind) {
    case ChainKind::sequence:
      return run(number, chain, piece);
    case ChainKind::transaction:
      return collect(number, chain, piece);
    case ChainKind::fragments:
      return assemble(number, chain, piece);
    case ChainKind::unknown:
      return;
  }
}

void ChainReceiver::process_early(Number number) {
  for (;;) {
    Chain* const chain = find(number);
    if (over_ || chain == nullptr || chain->kind == ChainKind::unknown || chain->complete || chain->early.empty())
      return;
    const auto first = chain->early.begin();
    if (first->first > chain->next) return;
    Early early = std::move(first->second);
    const std::uint16_t place = first->first;
    chain->early.erase(first);
    --early_;
    held_ -= early.instruction.size();
    release(early.room);
    const auto instruction = decode(early.instruction, kUnlimited);
    if (!instruction) continue;  // it was encoded from one
    process(number, *chain, {*instruction, read_link(*instruction, place, options_.address_octets), early.arrival});
  }
}

// -------------------------------------------------------------------------------------------------- out of the account

void ChainReceiver::set_due(Number number, Chain& chain, std::optional<Instant> due) {
  if (chain.due) due_.erase({*chain.due, number});
  chain.due = due;
  if (due) due_.insert({*due, number});
}

void ChainReceiver::drop(Number number) {
  const auto found = chains_.find(number);
  if (found == chains_.end()) return;
  Chain& chain = found->second;
  set_due(number, chain, std::nullopt);
  forget(chain.collected);
  for (auto& [place, early] : chain.early) {
    held_ -= early.instruction.size();
    release(early.room);
  }
  early_ -= chain.early.size();
  release(chain.room);
  chains_.erase(found);
  std::vector<Number> subordinated;
  for (const auto& [other, one] : chains_)
    if (one.parent && one.parent->chain_number == number) subordinated.push_back(other);
  for (const Number other : subordinated) drop_rest(other);
}

void ChainReceiver::drop_rest(Number number) {
  drop(number);
  dropped_.add(number);
}

void ChainReceiver::break_off(BreakOff reason) {
  over_ = true;
  actions_.push_back({Action::Kind::break_off, {}, reason});
}

void ChainReceiver::hold(OctetBuffer& into, Octets octets) {
  into.insert(into.end(), octets.begin(), octets.end());
  held_ += octets.size();
}

void ChainReceiver::forget(OctetBuffer& buffer) {
  held_ -= buffer.size();
  buffer = {};
}

// ---------------------------------------------------------------------------------------------------- time and the end

void ChainReceiver::advance(Instant now) {
  now_ = now;
  while (!over_ && !due_.empty() && due_.begin()->first <= now) {
    const Number number = due_.begin()->second;
    Chain& chain = chains_.find(number)->second;
    set_due(number, chain, std::nullopt);
    if (chain.kind == ChainKind::transaction)
      on_transaction_over(number);
    else
      on_life_over(number);
  }
}

std::optional<Instant> ChainReceiver::deadline() const {
  if (over_ || due_.empty()) return std::nullopt;
  return due_.begin()->first;
}

void ChainReceiver::session_ended(bool abnormally, Instant now) {
  now_ = now;
  if (ended_) return;
  over_ = ended_ = true;
  std::vector<Number> complete;
  for (const auto& [number, chain] : chains_)
    if (chain.complete) complete.push_back(number);
  if (abnormally)
    for (const Number number : complete) on_emergency_end(number);
  while (!chains_.empty()) drop(chains_.begin()->first);
  for (Finishing& one : finishing_) release(one.room);
  finishing_.clear();
  actions_.clear();
}

bool ChainReceiver::next(Action& out) {
  if (actions_.empty()) return false;
  out = std::move(actions_.front());
  actions_.pop_front();
  return true;
}

}  // namespace wirelaw::umsp
