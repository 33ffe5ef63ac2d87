// SPDX-License-Identifier: Apache-2.0
// A datagram network in memory: it joins one peer with any number of conversations of the tester, and loses, repeats,
// delays and reorders datagrams as it is told.
#pragma once

#include <deque>

#include "harness/virtual_network.h"

namespace wirelaw {

class Network final : public VirtualNetwork {
 public:
  using VirtualNetwork::VirtualNetwork;

  // A new address of the tester, as the peer knows it.
  PeerId open();
  void send(PeerId from, Octets datagram);
  // Lets time pass until a datagram reaches `at` or the deadline has come. An error where the peer keeps the network
  // busy without time passing.
  tl::expected<std::optional<OctetBuffer>, CarriageError> receive(PeerId at, Instant deadline);
  bool trigger(PeerId to, const TriggerRequest& request);

 private:
  void carry(bool to_peer, PeerId tester, Octets datagram);
  void put(bool to_peer, PeerId tester, Octets datagram, Instant delay, bool may_overtake);
  void leave(Outgoing& out) override;
  void arrive(InFlight& datagram) override;

  Instant last_arrival_[2] = {};                  // by direction, of those that keep their order
  std::vector<std::deque<OctetBuffer>> inboxes_;  // by PeerId
};

}  // namespace wirelaw
