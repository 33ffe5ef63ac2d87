// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/chains/faults/faulty_sender.h"

#include "reference/umsp/chains/make_chains.h"

namespace wirelaw::umsp {

using enum ChainDeviation;

ChainSender::Number FaultyChainSender::take_number() {
  return deviates(same_number) ? Number{1} : ChainSender::take_number();
}

void FaultyChainSender::mark_end(Draft& instruction) {
  if (!deviates(end_not_marked)) ChainSender::mark_end(instruction);
}

bool FaultyChainSender::has_room(std::uint64_t octets) const {
  return deviates(sends_without_room) || ChainSender::has_room(octets);
}

void FaultyChainSender::replace_req_id(Parcel& parcel) {
  if (deviates(req_id_of_vm_kept) && parcel.req_id)
    parcel.own = parcel.req_id;
  else
    ChainSender::replace_req_id(parcel);
}

void FaultyChainSender::on_parcel_sent(ChainId id) {
  ChainSender::on_parcel_sent(id);
  const auto kept = kept_.find(id);
  if (deviates(room_free_when_sent) && kept != kept_.end()) window_used_ -= std::exchange(kept->second.occupied, 0);
}

void FaultyChainSender::put(Sendable sendable, Sendable& out) {
  auto& extensions = sendable.instruction.extensions;
  if (deviates(life_time_left_out))
    std::erase_if(extensions, [](const auto& one) { return one.head_code == HeadCode::life_time; });
  if (deviates(own_life_time) && extensions.empty()) extensions.push_back({HeadCode::life_time, {0, 9}});
  ChainSender::put(std::move(sendable), out);
}

std::optional<std::uint32_t> FaultyChainSender::life_left(std::uint32_t life_time, Instant waited) const {
  return deviates(queue_not_counted) ? life_time : ChainSender::life_left(life_time, waited);
}

void FaultyChainSender::on_sequence_over(ChainId id) {
  if (!deviates(over_sequence_goes_on)) return ChainSender::on_sequence_over(id);
  for (Waiting& one : waiting_)
    if (one.sequence == id)
      std::erase_if(one.instruction.extensions, [](const auto& each) { return each.head_code == HeadCode::life_time; });
}

void FaultyChainSender::on_parcel_over(ChainId id) {
  if (deviates(over_fragments_go_on))
    parcels_.find(id)->second.life_time.reset();
  else
    ChainSender::on_parcel_over(id);
}

void FaultyChainSender::on_sequence_refused(ChainId id) {
  if (!deviates(rest_sent)) ChainSender::on_sequence_refused(id);
}

void FaultyChainSender::on_acknowledged(ChainId id, const Instruction& response) {
  const auto kept = kept_.find(id);
  if (deviates(room_never_free) && kept != kept_.end()) kept->second.occupied = 0;
  ChainSender::on_acknowledged(id, response);
}

Draft FaultyChainSender::restored(Draft response, std::optional<std::uint32_t> req_id) const {
  const auto layers = response.req_id;
  return ChainSender::restored(std::move(response), deviates(req_id_not_restored) ? layers : req_id);
}

std::unique_ptr<ChainSender> make_chain_sender(const SenderOptions& options, const ChainDeviations& deviations) {
  const ChainDeviations own = deviations.of(ChainEnd::sender);
  if (own.empty()) return std::make_unique<ChainSender>(options);
  return std::make_unique<FaultyChainSender>(options, own);
}

}  // namespace wirelaw::umsp
