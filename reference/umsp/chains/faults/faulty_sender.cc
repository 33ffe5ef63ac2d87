// SPDX-License-Identifier: Apache-2.0
// A sender of chains that commits deviations: it overrides each step that a deviation changes.
#include "reference/umsp/instruction_edit.h"
#include "reference/umsp/make_parts.h"

namespace wirelaw::umsp {
namespace {

using enum ChainDeviation;

class FaultyChainSender final : public ChainSender {
 public:
  FaultyChainSender(const SenderOptions& options, const ChainDeviations& deviations)
      : ChainSender(options), deviations_(deviations) {}

 private:
  ChainSender::Number take_number() override { return deviates(same_number) ? Number{1} : ChainSender::take_number(); }

  void mark_end(Draft& instruction) override {
    if (!deviates(end_not_marked)) ChainSender::mark_end(instruction);
  }
  bool has_room(std::uint64_t octets) const override {
    return deviates(sends_without_room) || ChainSender::has_room(octets);
  }

  void replace_req_id(Parcel& parcel) override {
    if (deviates(req_id_of_vm_kept) && parcel.req_id)
      parcel.own = parcel.req_id;
    else
      ChainSender::replace_req_id(parcel);
  }

  void on_parcel_sent(ChainId id) override {
    ChainSender::on_parcel_sent(id);
    const auto kept = kept_.find(id);
    if (deviates(room_free_when_sent) && kept != kept_.end()) window_used_ -= std::exchange(kept->second.occupied, 0);
  }

  void put(Sendable sendable, Sendable& out) override {
    sendable.instruction = with_faults(chain_edits(), deviations_, {std::move(sendable.instruction)}).draft;
    ChainSender::put(std::move(sendable), out);
  }
  std::optional<std::uint32_t> life_left(std::uint32_t life_time, Instant waited) const override {
    return deviates(queue_not_counted) ? life_time : ChainSender::life_left(life_time, waited);
  }

  void on_sequence_over(ChainId id) override {
    if (!deviates(over_sequence_goes_on)) return ChainSender::on_sequence_over(id);
    for (Waiting& one : waiting_)
      if (one.sequence == id)
        std::erase_if(one.instruction.extensions,
                      [](const auto& each) { return each.head_code == HeadCode::life_time; });
  }

  void on_parcel_over(ChainId id) override {
    if (deviates(over_fragments_go_on))
      parcels_.find(id)->second.life_time.reset();
    else
      ChainSender::on_parcel_over(id);
  }

  void on_sequence_refused(ChainId id) override {
    if (!deviates(rest_sent)) ChainSender::on_sequence_refused(id);
  }

  void on_acknowledged(ChainId id, const Instruction& response) override {
    const auto kept = kept_.find(id);
    if (deviates(room_never_free) && kept != kept_.end()) kept->second.occupied = 0;
    ChainSender::on_acknowledged(id, response);
  }

  Draft restored(Draft response, std::optional<std::uint32_t> req_id) const override {
    const auto layers = response.req_id;
    return ChainSender::restored(std::move(response), deviates(req_id_not_restored) ? layers : req_id);
  }
  bool deviates(ChainDeviation deviation) const { return deviations_.has(deviation); }
  ChainDeviations deviations_;
};

}  // namespace

std::unique_ptr<ChainSender> make_chain_sender(const SenderOptions& options, const ChainDeviations& deviations) {
  const ChainDeviations own = deviations.of(ChainEnd::sender);
  if (own.empty()) return std::make_unique<ChainSender>(options);
  return std::make_unique<FaultyChainSender>(options, own);
}

}  // namespace wirelaw::umsp
