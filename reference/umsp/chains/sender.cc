// SPDX-License-Identifier: Apache-2.0
// Takes requests from the VM, and chooses the next instruction.
#include "reference/umsp/chains/sender.h"

#include <algorithm>
#include <array>

namespace wirelaw::umsp {

std::string_view explain(SendError error) {
  static constexpr std::array<std::string_view, 10> kTexts{"the chain is too long",
                                                           "too many chains are under way",
                                                           "too much waits to be sent",
                                                           "there is no such chain, or it is over",
                                                           "the chain has ended",
                                                           "only the first instruction of a chain has a REQ_ID",
                                                           "instructions of a transaction have no lifetime",
                                                           "the transaction has no instructions",
                                                           "without a session a chain has to be in one segment",
                                                           "the other side does not provide such chains"};
  return kTexts[static_cast<std::size_t>(error)];
}

ChainSender::ChainSender(const SenderOptions& options) : options_(options), next_req_id_(options.first_req_id) {
  constexpr std::size_t kLeastSegment = 64;
  options_.segment = std::max(options_.segment, kLeastSegment);
  options_.chains = std::min(options_.chains, kMostChains);
  options_.longest = std::min<std::uint64_t>(options_.longest, 0xffff'ffff);
}

std::uint64_t ChainSender::octets_of(const Draft& draft) const {
  Draft whole = draft;
  whole.session_id = kReservedSessionId;  // as long as any other SESSION_ID
  whole.style = options_.style;
  whole.style.inherits = false;
  return write(whole).size();
}

std::optional<SendError> ChainSender::check(std::uint64_t octets) const {
  if (octets > options_.queue - std::min(options_.queue, queued_)) return SendError::queue_full;
  return std::nullopt;
}

// ------------------------------------------------------------------------------------------------------------ the VM

ChainSender::Result ChainSender::send(Draft instruction, Instant now) {
  now_ = now;
  instruction.chain.reset();
  const std::uint64_t octets = octets_of(instruction);
  if (const auto error = check(octets)) return tl::unexpected(*error);
  if (!is_fragmented(octets)) {
    queued_ += octets;
    waiting_.push_back({kNoChain, std::move(instruction), octets, now});
    return kNoChain;
  }
  Parcel parcel;
  parcel.response = is_response(instruction.opcode);
  std::vector<Draft> source;
  source.push_back(std::move(instruction));
  return submit(std::move(parcel), std::move(source));
}

ChainSender::Result ChainSender::begin_sequence(Instant now) {
  now_ = now;
  if (!options_.sequences) return tl::unexpected(SendError::not_provided);
  if (chains() >= options_.chains) return tl::unexpected(SendError::too_many);
  const ChainId id = next_id_++;
  sequences_[id].number = take_number();
  return id;
}

tl::expected<void, SendError> ChainSender::add(ChainId id, Draft instruction, Instant now) {
  now_ = now;
  const auto found = sequences_.find(id);
  if (found == sequences_.end()) return tl::unexpected(SendError::unknown_chain);
  Sequence& sequence = found->second;
  if (sequence.ended) return tl::unexpected(SendError::ended);
  if (sequence.added >= kMostChainInstructions) return tl::unexpected(SendError::too_long);
  const bool response = is_response(instruction.opcode);
  if (sequence.added > 0 && instruction.req_id && !response) return tl::unexpected(SendError::has_req_id);
  const auto req_id = sequence.added == 0 && !response ? instruction.req_id : sequence.req_id;
  if (sequence.added == 0) describe_first(instruction, HeadCode::begin_sq, {});
  instruction.chain = ChainPlace{sequence.number, static_cast<std::uint16_t>(sequence.added)};
  // Room for _END_CHAIN, which it may get while it waits.
  constexpr std::uint64_t kEnd = 4;
  const std::uint64_t octets = octets_of(instruction);
  if (const auto error = check(octets)) return tl::unexpected(*error);
  if (is_fragmented(octets + kEnd)) {
    Parcel parcel;
    parcel.parent = id;
    parcel.place = sequence.added;
    parcel.response = response;
    std::vector<Draft> source;
    source.push_back(std::move(instruction));
    const auto sent = submit(std::move(parcel), std::move(source));
    if (!sent) return tl::unexpected(sent.error());
  } else {
    queued_ += octets;
    waiting_.push_back({id, std::move(instruction), octets, now});
  }
  sequence.req_id = req_id;
  ++sequence.added;
  return {};
}

tl::expected<void, SendError> ChainSender::end(ChainId id, Instant now) {
  now_ = now;
  const auto found = sequences_.find(id);
  if (found == sequences_.end()) return tl::unexpected(SendError::unknown_chain);
  Sequence& sequence = found->second;
  if (sequence.ended) return tl::unexpected(SendError::ended);
  const auto is_last = [&](const Waiting& one) {
    return one.sequence == id && one.instruction.chain->instr_number + 1u == sequence.added;
  };
  const auto last = std::find_if(waiting_.rbegin(), waiting_.rend(), is_last);
  if (last != waiting_.rend()) {
    mark_end(last->instruction);
  } else if (sequence.added > 0) {
    Draft nop = draft_of(Opcode::nop);
    mark_end(nop);
    if (const auto added = add(id, std::move(nop), now); !added) return added;
  }
  sequence.ended = true;
  settle(id);
  return {};
}

ChainSender::Result ChainSender::send_transaction(const TransactionTerms& terms, std::vector<Draft> whole,
                                                  Instant now) {
  now_ = now;
  if (!options_.transactions) return tl::unexpected(SendError::not_provided);
  if (whole.empty()) return tl::unexpected(SendError::empty);
  if (whole.size() > kMostChainInstructions) return tl::unexpected(SendError::too_long);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (i > 0 && whole[i].req_id && !is_response(whole[i].opcode)) return tl::unexpected(SendError::has_req_id);
    for (const OwnedExtension& one : whole[i].extensions)
      if (one.head_code == HeadCode::life_time) return tl::unexpected(SendError::has_life_time);
  }
  Parcel parcel;
  parcel.transaction = true;
  parcel.terms = terms;
  parcel.response = is_response(whole.front().opcode);
  return submit(std::move(parcel), std::move(whole));
}

tl::expected<void, SendError> ChainSender::execute(ChainId id, std::uint32_t req_id, Instant now) {
  now_ = now;
  return end_transaction(id, Opcode::exec_tr, req_id);
}

tl::expected<void, SendError> ChainSender::cancel(ChainId id, Instant now) {
  now_ = now;
  return end_transaction(id, Opcode::cancel_tr, std::nullopt);
}

tl::expected<void, SendError> ChainSender::end_transaction(ChainId id, Opcode opcode,
                                                           std::optional<std::uint32_t> req_id) {
  if (const auto kept = kept_.find(id); kept != kept_.end() && kept->second.later) {
    control(kept->second.number, opcode, req_id);
    if (req_id) remember_asked(*req_id);
    numbers_.remove(kept->second.number);
    kept_.erase(kept);
    return {};
  }
  const auto found = parcels_.find(id);
  const bool waits = found != parcels_.end() && found->second.transaction && !found->second.terms.after_sending &&
                     !found->second.abandoned;
  if (!waits) return tl::unexpected(SendError::unknown_chain);
  if (found->second.control) return tl::unexpected(SendError::ended);
  found->second.control = draft_of(opcode);
  found->second.control->req_id = req_id;
  return {};
}

tl::expected<void, SendError> ChainSender::cancel_sending(ChainId id, ReturnCodes reason) {
  const auto found = parcels_.find(id);
  if (found == parcels_.end() || found->second.abandoned) return tl::unexpected(SendError::unknown_chain);
  if (found->second.begun && found->second.way == Way::direct) return tl::unexpected(SendError::ended);
  abandon(id, reason);
  return {};
}

void ChainSender::control(Number number, Opcode opcode, std::optional<std::uint32_t> req_id, ReturnCodes codes) {
  Draft draft = draft_of(opcode);
  draft.chain = ChainPlace{number, 0};
  draft.req_id = req_id;
  if (opcode == Opcode::snd_cancel) Writer(draft.operands).big_endian(codes.basic).big_endian(codes.additional);
  urgent_.push_back(std::move(draft));
}

std::uint32_t ChainSender::take_req_id() {
  const auto is_used = [&](std::uint32_t id) {
    return std::ranges::any_of(parcels_,
                               [&](const auto& one) { return one.second.own == id || one.second.asking == id; }) ||
           std::ranges::any_of(kept_, [&](const auto& one) { return one.second.own == id; });
  };
  const auto take = [&] {
    const std::uint32_t id = next_req_id_++;
    if (next_req_id_ < options_.first_req_id) next_req_id_ = options_.first_req_id;
    return id;
  };
  std::uint32_t id = take();
  while (is_used(id)) id = take();
  return id;
}

// ------------------------------------------------------------------------------------- choice of the next instruction

bool ChainSender::next(Sendable& out, Instant now) {
  now_ = now;
  if (together_) return give(*together_, out);
  admit();
  if (next_urgent(out)) return true;
  turn_ = !turn_;
  const bool gave = turn_ ? next_of_parcels(out) || next_waiting(out) : next_waiting(out) || next_of_parcels(out);
  return gave || next_urgent(out);  // was cancelled in the meantime
}

bool ChainSender::has_requests() const {
  const auto waits = [](const Waiting& one) { return !is_response(one.instruction.opcode); };
  const auto is_request = [](const auto& one) { return !one.second.response; };
  return !urgent_.empty() || std::ranges::any_of(waiting_, waits) || std::ranges::any_of(parcels_, is_request);
}

bool ChainSender::next_urgent(Sendable& out) {
  if (urgent_.empty()) return false;
  put({std::move(urgent_.front()), false}, out);
  urgent_.pop_front();
  return true;
}

// The last step of sending, for all instructions.
void ChainSender::put(Sendable sendable, Sendable& out) {
  out = std::move(sendable);
  out.instruction.style = options_.style;
}

// True if all earlier instructions of its sequence were sent, and there is room for those that may overtake.
bool ChainSender::may_go(const Waiting& one) const {
  if (one.sequence == kNoChain) return true;
  const Sequence& sequence = sequences_.find(one.sequence)->second;
  if (one.instruction.chain->instr_number != sequence.sent) return false;
  return !options_.several_connections || window_used_ == 0 || has_room(one.octets);
}

bool ChainSender::next_waiting(Sendable& out) {
  for (auto one = waiting_.begin(); one != waiting_.end();) {
    if (!may_go(*one)) {
      ++one;
      continue;
    }
    const bool in_time = lower(one->instruction, one->since);
    if (!in_time && one->sequence != kNoChain) {
      on_sequence_over(one->sequence);
      return next_waiting(out);
    }
    Waiting taken = std::move(*one);
    one = waiting_.erase(one);
    queued_ -= taken.octets;
    if (!in_time) {
      fail(taken.instruction.req_id, is_response(taken.instruction.opcode), codes_of(ChainRefusal::time_over));
      continue;
    }
    note_sent(taken);
    put({std::move(taken.instruction), false}, out);
    return true;
  }
  return false;
}

void ChainSender::note_sent(const Waiting& one) {
  if (one.sequence == kNoChain) return;
  Sequence& sequence = sequences_.find(one.sequence)->second;
  if (options_.several_connections) {
    sequence.undelivered[static_cast<std::uint16_t>(sequence.sent)] = one.octets;
    window_used_ += one.octets;
  }
  ++sequence.sent;
  settle(one.sequence);
}

bool ChainSender::next_of_parcels(Sendable& out) {
  while (!going_.empty())
    if (give(going_.front(), out)) return true;
  return false;
}

// Returns the next instruction of a parcel; false if its time is over.
bool ChainSender::give(ChainId id, Sendable& out) {
  Parcel& parcel = parcels_.find(id)->second;
  const bool over = parcel.life_time && !parcel.abandoned && !life_left(*parcel.life_time, now_ - parcel.since);
  if (over) {
    on_parcel_over(id);
    return false;
  }
  Draft instruction = std::move(parcel.instructions.front());
  parcel.instructions.pop_front();
  queued_ -= std::min(queued_, octets_of(instruction));
  if (!parcel.begun && parcel.life_time) lower(instruction, parcel.since);
  parcel.begun = true;
  const bool together = parcel.way == Way::direct && !parcel.instructions.empty();
  together_ = together ? std::optional(id) : std::nullopt;
  put({std::move(instruction), together}, out);
  if (together) return true;
  std::erase(going_, id);
  going_.push_back(id);
  if (parcel.abandoned)
    abandon(id, {});
  else if (parcel.instructions.empty())
    on_parcel_sent(id);
  return true;
}

bool ChainSender::next_for_vm(Draft& out) {
  if (for_vm_.empty()) return false;
  out = std::move(for_vm_.front());
  for_vm_.pop_front();
  return true;
}

}  // namespace wirelaw::umsp
