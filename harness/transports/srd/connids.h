// SPDX-License-Identifier: Apache-2.0
// The connids of the senders to an SRD queue pair. The device does not report them, and sends no packet without one.
// They are in the packets (EFA RDM 1.4, 3.2, 4.4): this is why a first request contains its sender's address.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "pcap/address.h"
#include "reference/octets/octets.h"

namespace wirelaw {

class SrdConnids {
 public:
  // Takes a raw address if it is the sender's own. Takes a connid from a header only while no other is known.
  void learn(const pcap::Endpoint& from, Octets packet);
  std::optional<std::uint32_t> of(const pcap::Endpoint& peer) const;
  void clear() { known_.clear(); }

 private:
  static constexpr std::size_t kMost = 65'536;  // strangers can make it no longer

  std::unordered_map<pcap::Endpoint, std::uint32_t> known_;
};

}  // namespace wirelaw
