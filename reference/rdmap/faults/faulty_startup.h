// SPDX-License-Identifier: Apache-2.0
// A start-up that commits deviations.
#pragma once

#include "reference/rdmap/deviations.h"
#include "reference/rdmap/startup.h"

namespace wirelaw::rdmap {

class FaultyStartup final : public Startup {
 public:
  FaultyStartup(Role role, const Options& options, const Deviations& deviations)
      : Startup(role, options), deviations_(deviations) {}

 private:
  bool accepts_key(Octets octets) const override;
  bool accepts_revision(std::uint8_t revision) const override;
  bool accepts_flags(std::uint8_t flags) const override;
  bool accepts_private_data(std::size_t octets) const override;
  Conclusion conclude(const mpa::EnhancedData& reply) const override;

  Reply reply(bool rejected) override;
  OctetBuffer encode(const mpa::StartFrame& frame, const std::optional<mpa::EnhancedData>& enhanced,
                     Octets private_data) const override;
  OctetBuffer encode(mpa::StartFrame frame, OctetBuffer private_data) const override;

  bool deviates(Deviation deviation) const { return deviations_.has(deviation); }
  void answer_wrongly(mpa::EnhancedData& answer);

  Deviations deviations_;
};

}  // namespace wirelaw::rdmap
