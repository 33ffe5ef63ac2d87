// SPDX-License-Identifier: Apache-2.0
// A stream network in memory (TCP as its users see it). It joins one peer with any number of connections, which either
// side may make. Octets arrive in order, each once, cut and joined at boundaries that the seed chooses. It also has
// links of datagrams, which keep their order and their boundaries, and lose none.
#pragma once

#include <deque>

#include "harness/transports/memory/virtual_network.h"

namespace wirelaw {

class StreamNetwork final : public VirtualNetwork {
 public:
  static constexpr std::uint32_t kFirstDialledFrom = 49'152;  // RFC 6335 6: dynamic ports
  static constexpr std::uint32_t kDialledFrom = 65'536 - kFirstDialledFrom;

  using VirtualNetwork::VirtualNetwork;

  // Sets the address from which the peer dials. Its connections use the ports that `dials` counts; `dials` outlives the
  // network.
  void locate(const pcap::Endpoint& peer, std::uint32_t& dials);

  // The tester connects to the peer, which sees it when a delay has passed. What is sent meanwhile follows. The link is
  // as the peer sees it; one of datagrams is known to the peer once it has received any.
  PeerId connect(const Link& link = {});
  // The peer's next connection, made because it is triggered or wants another one, uses this link.
  void meet(const Link& link) { meeting_ = link; }
  // The peer is asked to begin: it connects to the tester. False if it plays the responder.
  bool trigger(const TriggerRequest& request);
  // Lets time pass until the peer has made a connection that is not accepted yet, or the deadline is reached.
  tl::expected<std::optional<PeerId>, TransportError> accept(Instant deadline);

  // A place of the tester that the peer may dial; asked for again, the same.
  using ListenerId = std::size_t;
  ListenerId listen(const pcap::Endpoint& at, bool datagrams);
  // Same, for what the peer has dialled at that listener. For datagrams: once any has arrived.
  tl::expected<std::optional<PeerId>, TransportError> accept(ListenerId at, Instant deadline);
  const Link& link(PeerId of) const { return connections_[of].link; }

  void send(PeerId at, Octets octets);
  void end(PeerId at, Ending ending);
  // Lets time pass until octets reach the tester, the peer has ended, or the deadline is reached. An error if the peer
  // keeps the network busy without time passing.
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(PeerId at, Instant deadline);
  // Returns how the peer ended its direction, once everything before the end has been received.
  Ending ending(PeerId at) const;

 private:
  struct Connection {
    Link link;
    std::optional<ListenerId> dialled = {};
    bool refused = false;           // nothing listens at the dialled address
    bool is_linked = false;         // the peer knows of it
    bool is_offered = false;        // for datagrams: can be accepted
    std::deque<OctetBuffer> inbox;  // the tester's
    Ending sent[2] = {};            // by direction, [1] to the peer; time of departure
    Ending arrived = Ending::none;  // at the tester
    Instant last_arrival[2] = {};   // by direction: octets keep their order
    bool goes_nowhere() const { return link.datagrams && refused; }
    bool gone() const { return sent[0] == Ending::reset || sent[1] == Ending::reset; }
  };

  struct Listening {
    pcap::Endpoint at;
    bool datagrams = false;
    std::deque<PeerId> made = {};  // and not accepted yet
  };

  PeerId open(bool by_peer, const Link& link);
  PeerId add(const Link& link);
  void make_link(PeerId id);
  void dial(const Dial& dial);
  void dial_datagrams(const Dial& dial, std::optional<ListenerId> listener);
  std::optional<ListenerId> find_listener(const pcap::Endpoint& at, bool datagrams) const;
  tl::expected<std::optional<PeerId>, TransportError> next_of(std::deque<PeerId>& made, Instant deadline);
  void carry_datagram(bool to_peer, PeerId line, Octets octets);
  void arrive_at_tester(InFlight& what);
  void carry(bool to_peer, PeerId connection, Octets octets);
  void carry_event(bool to_peer, PeerId connection, StreamEvent event);
  void finish(bool to_peer, PeerId connection, Ending ending);
  void leave(Outgoing& out) override;
  void arrive(InFlight& what) override;
  void arrive_at_peer(const InFlight& what);
  void join(InFlight& what);
  void serve_peer() override;

  std::vector<Connection> connections_;  // by PeerId
  std::deque<PeerId> made_by_peer_;      // because it was triggered, and not accepted yet
  std::vector<Listening> listening_;     // by ListenerId
  Link meeting_;
  pcap::Endpoint peer_at_;
  std::uint32_t own_dials_ = 0;
  std::uint32_t* dials_ = nullptr;  // set if the dials are counted elsewhere
};

}  // namespace wirelaw
