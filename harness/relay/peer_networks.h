// SPDX-License-Identifier: Apache-2.0
// Two network namespaces for the peers of a transparent relay. Each has a loopback interface and a TAP, whose frames
// the relay reads and writes. Needs no privilege where the system allows user namespaces.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <tl/expected.hpp>

#include "harness/transports/peer_addresses.h"
#include "harness/transports/refusal.h"
#include "pcap/descriptor.h"

namespace wirelaw {

class PeerNetwork {
 public:
  // Descriptor of the TAP: one read() or write() is one Ethernet frame. It does not block.
  int tap() const { return tap_.get(); }
  // Moves this process into the namespace, for the programs that it starts.
  tl::expected<void, std::string> enter() const;
  // The number of frames that the system has dropped: because the relay did not read them in time, or after it had
  // written them.
  std::uint64_t dropped() const;

 private:
  friend tl::expected<std::array<PeerNetwork, 2>, TransportError> make_peer_networks();
  pcap::Descriptor namespace_, tap_;
  pcap::Descriptor counters_;  // /proc/net/dev of the namespace
};

// Moves this process, which must have one thread, into new namespaces, and returns the networks of the initiator and of
// the responder.
tl::expected<std::array<PeerNetwork, 2>, TransportError> make_peer_networks();

}  // namespace wirelaw
