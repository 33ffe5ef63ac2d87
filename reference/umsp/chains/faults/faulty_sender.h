// SPDX-License-Identifier: Apache-2.0
// A sender of chains that commits deviations: it overrides each step that a deviation changes.
#pragma once

#include "reference/umsp/chains/deviations.h"
#include "reference/umsp/chains/sender.h"

namespace wirelaw::umsp {

class FaultyChainSender final : public ChainSender {
 public:
  FaultyChainSender(const SenderOptions& options, const ChainDeviations& deviations)
      : ChainSender(options), deviations_(deviations) {}

 private:
  Number take_number() override;
  void mark_end(Draft& instruction) override;
  bool has_room(std::uint64_t octets) const override;
  void replace_req_id(Parcel& parcel) override;
  void on_parcel_sent(ChainId id) override;
  void put(Sendable sendable, Sendable& out) override;
  std::optional<std::uint32_t> life_left(std::uint32_t life_time, Instant waited) const override;
  void on_sequence_over(ChainId id) override;
  void on_parcel_over(ChainId id) override;
  void on_sequence_refused(ChainId id) override;
  void on_acknowledged(ChainId id, const Instruction& response) override;
  Draft restored(Draft response, std::optional<std::uint32_t> req_id) const override;

  bool deviates(ChainDeviation deviation) const { return deviations_.has(deviation); }

  ChainDeviations deviations_;
};

}  // namespace wirelaw::umsp
