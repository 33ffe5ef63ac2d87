// SPDX-License-Identifier: Apache-2.0
// A node's connections, which wrongly split octets into instructions.
#pragma once

#include "reference/umsp/node/faults/node_deviations.h"
#include "reference/umsp/node/links.h"

namespace wirelaw::umsp {

class FaultyLinks final : public Links {
 public:
  FaultyLinks(const LinkLimits& limits, const NodeDeviations& deviations) : Links(limits), deviations_(deviations) {}

 private:
  bool measure(Octets octets, std::size_t& taken) const override;
  void keep(LinkId id, OctetBuffer held, std::size_t from, bool sound) override;

  NodeDeviations deviations_;
};

}  // namespace wirelaw::umsp
