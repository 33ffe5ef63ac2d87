// SPDX-License-Identifier: Apache-2.0
// Incoming messages sorted by sender, for one address to which many peers send. Each peer is a separate conversation.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "conformance/transport.h"
#include "pcap/address.h"
#include "reference/octets/octets.h"

namespace wirelaw {

class Inboxes {
 public:
  // Strangers may send to a listener too: no more than this is remembered of them.
  static constexpr std::size_t kRemotes = 256;
  // The limit for all waiting messages together: their octets, and what it costs to keep each. More is dropped, as by a
  // socket whose buffer is full.
  static constexpr std::size_t kOctets = 16u << 20;
  static constexpr std::size_t kMessageOctets = 64;

  struct Remote {
    pcap::Endpoint endpoint;
    bool claimed = false;
    std::deque<OctetBuffer> inbox = {};
    std::uint64_t dropped = 0;  // messages for which there was no room: it floods, or others do
  };

  Remote* claim();  // the first peer without a conversation; nullptr if there is none
  void sort(const pcap::Endpoint& from, OctetBuffer octets);
  // The oldest of what waits; there is some.
  OctetBuffer take(Remote& remote);
  void clear();

  std::size_t octets_held() const { return octets_; }
  // For a peer whose messages were dropped.
  static TransportError flooded(const Remote& remote);

 private:
  std::vector<std::unique_ptr<Remote>> remotes_;
  std::size_t octets_ = 0;  // as kOctets counts
};

}  // namespace wirelaw
