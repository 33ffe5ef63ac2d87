// SPDX-License-Identifier: Apache-2.0
// Transactions and fragmented instructions: their construction (RFC 3018 7.2, 7.3), and when they may be sent (7.4,
// 7.5).
#include <algorithm>

#include "reference/umsp/chains/sender.h"

namespace wirelaw::umsp {
namespace {

// Header, _BEGIN_FRG, _LIFE_TIME and _END_CHAIN, in their longest forms.
constexpr std::size_t kMostNop = kMostHeader + 8 + 8 + 4;
constexpr std::size_t kMostOperands = std::size_t{65535} * 4;

// An instruction inside its fragments: without SESSION_ID and REQ_ID, otherwise unchanged (UMSP/A17).
OctetBuffer inner_octets(Draft instruction, const Style& style) {
  instruction.session_id = kReservedSessionId;
  instruction.style = style;
  instruction.style.inherits = false;
  const OctetBuffer whole = write(instruction);
  auto inner = decode(whole, kUnlimited);
  if (!inner) return {};  // it was written from one
  inner->header.form = Form::fragmented;
  return encode(*inner);
}

std::optional<std::uint32_t> life_time_of(const OwnedExtension& one) {
  if (one.head_code != HeadCode::life_time) return std::nullopt;
  std::uint32_t value = 0;
  for (const Octet octet : one.data) value = value << 8 | octet;
  return value;
}

}  // namespace

ChainSender::Number ChainSender::take_number() {
  do last_number_ = static_cast<Number>(last_number_ % (kReservedChainNumbers[1] - 1) + 1);
  while (numbers_.has(last_number_));
  numbers_.add(last_number_);
  return last_number_;
}

void ChainSender::describe_first(Draft& instruction, HeadCode code, OctetBuffer data) {
  instruction.extensions.insert(instruction.extensions.begin(), {code, std::move(data)});
}

void ChainSender::mark_end(Draft& instruction) {
  instruction.extensions.push_back({HeadCode::end_chain, {}});
}

bool ChainSender::is_fragmented(std::uint64_t octets) const {
  return octets > options_.segment;
}

// ------------------------------------------------------------------------------------------------------ how it is made

// Appends the NOPs of one instruction.
std::optional<SendError> ChainSender::fragment(Parcel& parcel, Draft instruction, Number number,
                                               std::optional<ChainPlace> parent) {
  if (!options_.fragments) return SendError::not_provided;
  std::optional<OwnedExtension> life_time;
  for (const OwnedExtension& one : instruction.extensions)
    if (one.head_code == HeadCode::life_time) life_time = one;
  std::erase_if(instruction.extensions, [](const auto& one) { return one.head_code == HeadCode::life_time; });
  if (life_time) parcel.life_time = life_time_of(*life_time);
  const OctetBuffer inner = inner_octets(instruction, options_.style);
  const std::size_t room = std::min(kMostOperands, (options_.segment - kMostNop) / 4 * 4);
  const std::size_t count = (inner.size() + room - 1) / room;
  if (count > kMostChainInstructions) return SendError::too_long;
  for (std::size_t i = 0; i < count; ++i) {
    const Octets piece = Octets(inner).subspan(i * room, std::min(room, inner.size() - i * room));
    Draft nop = draft_of(Opcode::nop, OctetBuffer(piece.begin(), piece.end()));
    nop.chain = ChainPlace{number, static_cast<std::uint16_t>(i)};
    if (i == 0) {
      nop.req_id = instruction.req_id;
      OctetBuffer data;
      if (parent) Writer(data).big_endian(parent->chain_number).big_endian(parent->instr_number);
      describe_first(nop, HeadCode::begin_frg, std::move(data));
      if (life_time) nop.extensions.push_back(*life_time);
    }
    if (i + 1 == count) mark_end(nop);
    parcel.instructions.push_back(std::move(nop));
  }
  return std::nullopt;
}

std::optional<SendError> ChainSender::build(Parcel& parcel, std::vector<Draft> source) {
  parcel.instructions.clear();
  std::size_t subordinated = 0;
  const auto number_of_child = [&] {
    if (subordinated == parcel.subordinated.size()) parcel.subordinated.push_back(take_number());
    return parcel.subordinated[subordinated++];
  };
  if (!parcel.transaction) {
    const auto parent = source.front().chain;
    if (const auto error = fragment(parcel, std::move(source.front()), parcel.number, parent)) return error;
  } else {
    describe_first(source.front(), HeadCode::begin_tr, encode(parcel.terms));
    mark_end(source.back());
    for (std::size_t i = 0; i < source.size(); ++i) {
      source[i].chain = ChainPlace{parcel.number, static_cast<std::uint16_t>(i)};
      if (octets_of(source[i]) <= options_.segment) {
        parcel.instructions.push_back(std::move(source[i]));
        continue;
      }
      if (chains() + subordinated >= options_.chains) return SendError::too_many;
      const ChainPlace place = *source[i].chain;
      if (const auto error = fragment(parcel, std::move(source[i]), number_of_child(), place)) return error;
    }
  }
  parcel.octets = 0;
  for (const Draft& one : parcel.instructions) parcel.octets += octets_of(one);
  return parcel.octets > options_.longest ? std::optional(SendError::too_long) : std::nullopt;
}

// In the window every chain has a REQ_ID: otherwise the sender would not learn when its room is free.
ChainSender::Result ChainSender::submit(Parcel parcel, std::vector<Draft> source) {
  if (chains() >= options_.chains) return tl::unexpected(SendError::too_many);
  parcel.number = take_number();
  parcel.since = now_;
  if (!parcel.response) parcel.req_id = source.front().req_id;
  const bool asked = source.front().req_id.has_value();
  auto error = build(parcel, source);
  parcel.way = way_of(parcel);
  if (!error && parcel.way == Way::window && !asked) {
    std::vector<Draft> answered = source;
    answered.front().req_id = 0;
    error = build(parcel, std::move(answered));
    if (parcel.octets > options_.window) {
      error = build(parcel, std::move(source));
      parcel.way = Way::granted;
    }
  }
  if (!error && options_.zero_session && parcel.way != Way::direct) error = SendError::not_in_one_segment;
  if (!error) error = check(parcel.octets);
  if (error) {
    numbers_.remove(parcel.number);
    for (const Number number : parcel.subordinated) numbers_.remove(number);
    return tl::unexpected(*error);
  }
  const ChainId id = next_id_++;
  queued_ += parcel.octets;
  parcels_[id] = std::move(parcel);
  pending_.push_back(id);
  return id;
}

// ----------------------------------------------------------------------------------------------------- when it may go

ChainSender::Way ChainSender::way_of(const Parcel& parcel) const {
  if (parcel.transaction && !parcel.terms.after_sending) return Way::granted;
  if (parcel.octets <= options_.segment) return Way::direct;
  const bool unanswered = parcel.response || parcel.parent != kNoChain;  // nothing tells when the room is free again
  return unanswered || parcel.octets > options_.window ? Way::granted : Way::window;
}

void ChainSender::occupy(Parcel& parcel) {
  parcel.occupied = parcel.octets;
  window_used_ += parcel.octets;
  replace_req_id(parcel);
}

void ChainSender::replace_req_id(Parcel& parcel) {
  parcel.own = take_req_id();
  parcel.instructions.front().req_id = parcel.own;
}

void ChainSender::ask_buffer(Parcel& parcel) {
  parcel.asking = take_req_id();
  Draft request = draft_of(Opcode::req_buf);
  request.req_id = parcel.asking;
  Writer(request.operands).big_endian(static_cast<std::uint32_t>(parcel.octets));
  urgent_.push_back(std::move(request));
}

bool ChainSender::may_begin(const Parcel& parcel) const {
  if (parcel.parent == kNoChain || parcel.abandoned) return true;
  const auto sequence = sequences_.find(parcel.parent);
  return sequence == sequences_.end() || sequence->second.sent == parcel.place;
}

// Parcels begin in order: a grant is for the next chain that begins (UMSP/B22), so that no other chain may precede it.
void ChainSender::admit() {
  while (!pending_.empty()) {
    const ChainId id = pending_.front();
    Parcel& parcel = parcels_.find(id)->second;
    if (!may_begin(parcel)) return;
    const bool over = parcel.life_time && !parcel.abandoned && !life_left(*parcel.life_time, now_ - parcel.since);
    if (over) {
      on_parcel_over(id);
      if (parcels_.contains(id) && !parcel.granted) return;
      continue;
    }
    if (parcel.way == Way::window) {
      const bool room = has_room(parcel.octets);
      if (!room && !options_.asks_when_full) return;
      if (room)
        occupy(parcel);
      else
        parcel.way = Way::granted;
    }
    if (parcel.way == Way::granted && !parcel.granted) {
      const bool all_begun = std::ranges::all_of(going_, [&](ChainId one) { return parcels_.find(one)->second.begun; });
      if (!parcel.asking && all_begun) ask_buffer(parcel);
      return;
    }
    pending_.pop_front();
    going_.push_back(id);
  }
}

void ChainSender::on_parcel_sent(ChainId id) {
  const auto found = parcels_.find(id);
  Parcel parcel = std::move(found->second);
  parcels_.erase(found);
  std::erase(going_, id);
  for (const Number number : parcel.subordinated) numbers_.remove(number);
  if (parcel.parent != kNoChain) {
    numbers_.remove(parcel.number);
    if (const auto sequence = sequences_.find(parcel.parent); sequence != sequences_.end()) ++sequence->second.sent;
    return settle(parcel.parent);
  }
  const bool later = parcel.transaction && !parcel.terms.after_sending;
  if (!parcel.own && parcel.req_id) remember_asked(*parcel.req_id);
  if (!parcel.own && !later) return numbers_.remove(parcel.number);
  kept_[id] = {parcel.number, parcel.occupied, parcel.own, parcel.req_id, later};
  if (!parcel.control) return;
  const Opcode opcode = static_cast<Opcode>(parcel.control->opcode);
  (void)end_transaction(id, opcode, parcel.control->req_id);  // it is kept
}

// ------------------------------------------------------------------------------------------------ before it was sent

void ChainSender::remove(ChainId id) {
  const auto found = parcels_.find(id);
  if (found == parcels_.end()) return;
  Parcel& parcel = found->second;
  for (const Draft& one : parcel.instructions) queued_ -= std::min(queued_, octets_of(one));
  window_used_ -= parcel.occupied;
  numbers_.remove(parcel.number);
  for (const Number number : parcel.subordinated) numbers_.remove(number);
  std::erase(pending_, id);
  std::erase(going_, id);
  if (together_ == id) together_.reset();
  parcels_.erase(found);
}

// The peer cancels what has begun (4.2). A requested grant is used up: otherwise the next chain would get it.
void ChainSender::abandon(ChainId id, ReturnCodes codes) {
  Parcel& parcel = parcels_.find(id)->second;
  if (!parcel.begun && (parcel.asking || parcel.granted)) {
    parcel.abandoned = true;
    return;
  }
  if (parcel.begun) {
    const bool whole = parcel.instructions.empty();
    control(parcel.number, whole && parcel.transaction ? Opcode::cancel_tr : Opcode::snd_cancel, std::nullopt, codes);
  }
  remove(id);
}

}  // namespace wirelaw::umsp
