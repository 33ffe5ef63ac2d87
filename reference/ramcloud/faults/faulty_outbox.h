// SPDX-License-Identifier: Apache-2.0
// An outbox that commits the faults in the octets of a packet.
#pragma once

#include <memory>

#include "reference/ramcloud/deviations.h"
#include "reference/ramcloud/outbox.h"

namespace wirelaw::ramcloud {

class FaultyOutbox final : public Outbox {
 public:
  explicit FaultyOutbox(const Deviations& deviations) : deviations_(deviations) {}

 private:
  void put(PeerId to, Draft draft) override;
  void put_ack(PeerId to, const Header& header, const Ack& ack, std::uint16_t total) override;

  Deviations deviations_;
};

}  // namespace wirelaw::ramcloud
