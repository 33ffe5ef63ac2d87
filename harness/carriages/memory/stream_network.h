// SPDX-License-Identifier: Apache-2.0
// A stream network in memory (TCP as its users see it): it joins one peer with any number of connections, which either
// side may make. Octets arrive in order, each once, cut and joined at boundaries that the seed chooses.
#pragma once

#include <deque>

#include "harness/carriages/memory/virtual_network.h"

namespace wirelaw {

class StreamNetwork final : public VirtualNetwork {
 public:
  using VirtualNetwork::VirtualNetwork;

  // The tester connects to the peer, which sees it when a delay has passed. What is sent meanwhile follows.
  PeerId connect();
  // The peer is asked to begin: it connects to the tester. False where it plays the responder.
  bool trigger(const TriggerRequest& request);
  // Lets time pass until the peer has made a connection that nobody has accepted, or the deadline has come.
  tl::expected<std::optional<PeerId>, CarriageError> accept(Instant deadline);

  void send(PeerId at, Octets octets);
  void end(PeerId at, Ending ending);
  // Lets time pass until octets reach the tester, the peer has ended, or the deadline has come. An error where the peer
  // keeps the network busy without time passing.
  tl::expected<std::optional<OctetBuffer>, CarriageError> receive(PeerId at, Instant deadline);
  // How the peer has ended, once everything before it has been received.
  Ending ending(PeerId at) const;

 private:
  struct Connection {
    std::deque<OctetBuffer> inbox;  // of the tester
    Ending sent[2] = {};            // by direction, [1] to the peer; when it left
    Ending arrived = Ending::none;  // at the tester
    Instant last_arrival[2] = {};   // by direction: octets keep their order
    bool gone() const { return sent[0] == Ending::reset || sent[1] == Ending::reset; }
  };

  PeerId open(bool by_peer);
  void carry(bool to_peer, PeerId connection, Octets octets);
  void carry_event(bool to_peer, PeerId connection, StreamEvent event);
  void finish(bool to_peer, PeerId connection, Ending ending);
  void leave(Outgoing& out) override;
  void arrive(InFlight& what) override;
  void arrive_at_peer(const InFlight& what);
  void join(InFlight& what);
  void serve_peer() override;

  std::vector<Connection> connections_;  // by PeerId
  std::deque<PeerId> made_by_peer_;      // and not accepted yet
};

}  // namespace wirelaw
