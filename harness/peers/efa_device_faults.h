// SPDX-License-Identifier: Apache-2.0
// The faults of harness/peers/efa_application_faults.h that lie in what a peer's endpoint and its device exchange: the
// length of packets, and the ranges of RDMA reads.
#pragma once

#include <cstdint>
#include <set>

#include "harness/peers/efa_application_faults.h"
#include "harness/rdma.h"
#include "reference/octets/octets.h"

namespace wirelaw::efa {

class DeviceFaults {
 public:
  explicit DeviceFaults(const ApplicationFaults& faults) : faults_(faults) {}

  // The most octets in a packet, if the device takes so many.
  std::size_t mtu(std::size_t of_device) const;
  // On its way to the device; and what has been read, on its way back.
  void alter(RdmaRequest& request);
  Octets restore(std::uint64_t request, Octets octets);
  // True if a peer's read of memory finds it registered. `offered`: the key of the region that this peer offers.
  bool exposes(std::uint64_t key, std::uint64_t offered) const;

 private:
  ApplicationFaults faults_;
  std::set<std::uint64_t> widened_;  // reads-more-than-needed: requests
};

}  // namespace wirelaw::efa
