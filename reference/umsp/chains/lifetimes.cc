// SPDX-License-Identifier: Apache-2.0
// Lifetimes of instructions that wait to be sent (RFC 3018 8.5).
#include <algorithm>

#include "reference/umsp/chains/sender.h"
#include "reference/umsp/chains/time.h"

namespace wirelaw::umsp {

std::optional<std::uint32_t> ChainSender::life_left(std::uint32_t life_time, Instant waited) const {
  return life_behind(life_time, waited);
}

// Subtracts the time that it has waited; returns false if nothing is left.
bool ChainSender::lower(Draft& instruction, Instant since) const {
  for (OwnedExtension& one : instruction.extensions) {
    if (one.head_code != HeadCode::life_time) continue;
    std::uint32_t life_time = 0;
    for (const Octet octet : one.data) life_time = life_time << 8 | octet;
    const auto left = life_left(life_time, now_ - since);
    if (!left) return false;
    std::uint32_t value = *left;
    for (std::size_t i = one.data.size(); i-- > 0; value >>= 8) one.data[i] = static_cast<Octet>(value);
  }
  return true;
}

// The rest of the sequence is not sent; the sent part is ended.
void ChainSender::on_sequence_over(ChainId id) {
  Sequence& sequence = sequences_.find(id)->second;
  remove_waiting(id);
  sequence.ended = true;
  sequence.added = sequence.sent;
  fail(sequence.req_id, false, codes_of(ChainRefusal::time_over));
  if (sequence.sent > 0 && sequence.sent < kMostChainInstructions) {
    if (sequence.req_id) swallowed_.push_back(*sequence.req_id);
    if (swallowed_.size() > options_.asked) swallowed_.pop_front();
    Draft nop = draft_of(Opcode::nop);
    mark_end(nop);
    nop.chain = ChainPlace{sequence.number, static_cast<std::uint16_t>(sequence.sent)};
    ++sequence.added;
    const std::uint64_t octets = octets_of(nop);
    queued_ += octets;
    waiting_.push_front({id, std::move(nop), octets, now_});
  }
  sequence.req_id.reset();
  settle(id);
}

void ChainSender::on_parcel_over(ChainId id) {
  Parcel& parcel = parcels_.find(id)->second;
  const ChainId parent = parcel.parent;
  if (parent == kNoChain) fail(parcel.req_id, parcel.response, codes_of(ChainRefusal::time_over));
  abandon(id, codes_of(ChainRefusal::time_over));
  if (sequences_.contains(parent)) on_sequence_over(parent);
}

// The VM gets the response that the peer would have sent.
void ChainSender::fail(const std::optional<std::uint32_t>& req_id, bool response, ReturnCodes codes) {
  if (req_id && !response) for_vm_.push_back(make_response(Opcode::rsp, *req_id, codes));
}

void ChainSender::remove_waiting(ChainId sequence) {
  for (auto one = waiting_.begin(); one != waiting_.end();) {
    if (one->sequence == sequence) {
      queued_ -= one->octets;
      one = waiting_.erase(one);
    } else {
      ++one;
    }
  }
  std::vector<ChainId> subordinated;
  for (const auto& [id, parcel] : parcels_)
    if (parcel.parent == sequence && !parcel.abandoned) subordinated.push_back(id);
  for (const ChainId id : subordinated) abandon(id, {});
}

}  // namespace wirelaw::umsp
