// SPDX-License-Identifier: Apache-2.0
// Responses to chains that were sent (RFC 3018 7.4, 7.5).
#include <algorithm>

#include "reference/umsp/chains/sender.h"

namespace wirelaw::umsp {
namespace {

bool is(const Instruction& response, Opcode opcode) {
  return response.opcode() == static_cast<std::uint8_t>(opcode);
}

bool take_out(std::deque<std::uint32_t>& list, std::uint32_t req_id) {
  const auto found = std::ranges::find(list, req_id);
  if (found == list.end()) return false;
  list.erase(found);
  return true;
}

}  // namespace

void ChainSender::remember_asked(std::uint32_t req_id) {
  asked_.push_back(req_id);
  if (asked_.size() > options_.asked) asked_.pop_front();
}

bool ChainSender::answered(const Instruction& response, Instant now) {
  now_ = now;
  if (!response.header.ask) return false;
  const std::uint32_t req_id = response.header.req_id;
  for (auto& [id, parcel] : parcels_) {
    if (parcel.asking == req_id && is(response, Opcode::rsp_p)) {
      on_buffer_answer(id, parcel, codes_of(response));
      return true;
    }
    if (parcel.own != req_id) continue;
    on_acknowledged(id, response);
    return true;
  }
  for (auto& [id, kept] : kept_) {
    if (kept.own != req_id) continue;
    on_acknowledged(id, response);
    return true;
  }
  if (take_out(swallowed_, req_id)) return true;
  bool asked = take_out(asked_, req_id);
  for (auto& [id, sequence] : sequences_) {
    if (sequence.req_id != req_id) continue;
    asked = true;
    sequence.req_id.reset();
    if (!codes_of(response).positive()) on_sequence_refused(id);
    break;
  }
  if (!asked || !is(response, Opcode::rsp_p)) return false;
  for_vm_.push_back(restored(draft_of(response, {}), req_id));
  return true;
}

// The unsent part is not sent.
void ChainSender::on_sequence_refused(ChainId id) {
  Sequence& sequence = sequences_.find(id)->second;
  remove_waiting(id);
  sequence.ended = true;
  sequence.added = sequence.sent;
  settle(id);
}

void ChainSender::on_buffer_answer(ChainId id, Parcel& parcel, ReturnCodes codes) {
  parcel.asking.reset();
  if (codes.positive()) {
    parcel.granted = true;
    return;
  }
  const bool can_wait = !parcel.abandoned && way_of(parcel) == Way::window;
  if (can_wait) {
    parcel.way = Way::window;
    options_.asks_when_full = false;  // it has been refused once: the rest waits for room
    return;
  }
  if (parcel.abandoned) return remove(id);
  const ChainId parent = parcel.parent;
  const auto sequence = sequences_.find(parent);
  if (parent == kNoChain) fail(parcel.req_id, parcel.response, codes);
  remove(id);
  if (sequence == sequences_.end()) return;
  fail(sequence->second.req_id, false, codes);
  on_sequence_refused(parent);
}

// The room of the chain is free, and the VM gets its REQ_ID back.
void ChainSender::on_acknowledged(ChainId id, const Instruction& response) {
  std::optional<std::uint32_t> req_id;
  if (const auto kept = kept_.find(id); kept != kept_.end()) {
    req_id = kept->second.req_id;
    window_used_ -= kept->second.occupied;
    numbers_.remove(kept->second.number);
    kept_.erase(kept);
  } else {
    req_id = parcels_.find(id)->second.req_id;
    abandon(id, codes_of(response));  // the peer does not want the rest
  }
  if (req_id) for_vm_.push_back(restored(draft_of(response, {}), req_id));
}

Draft ChainSender::restored(Draft response, std::optional<std::uint32_t> req_id) const {
  if (response.is(Opcode::rsp_p)) response.opcode = static_cast<std::uint8_t>(Opcode::rsp);
  response.req_id = req_id;
  return response;
}

// A sequence is finished when all of it was sent, and delivered if that matters.
void ChainSender::settle(ChainId id) {
  const auto found = sequences_.find(id);
  if (found == sequences_.end()) return;
  const Sequence& sequence = found->second;
  if (!sequence.ended || sequence.sent != sequence.added || !sequence.undelivered.empty()) return;
  if (sequence.req_id && sequence.sent > 0) remember_asked(*sequence.req_id);
  numbers_.remove(sequence.number);
  sequences_.erase(found);
}

void ChainSender::delivered(const ChainPlace& place) {
  for (auto& [id, sequence] : sequences_) {
    if (sequence.number != place.chain_number) continue;
    const auto found = sequence.undelivered.find(place.instr_number);
    if (found == sequence.undelivered.end()) return;
    window_used_ -= found->second;
    sequence.undelivered.erase(found);
    return settle(id);
  }
}

}  // namespace wirelaw::umsp
