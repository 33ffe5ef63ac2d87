// SPDX-License-Identifier: Apache-2.0
// A datagram network in memory. It joins one peer with any number of conversations of the tester, and loses, repeats,
// delays and reorders datagrams as its faults set. It has RDMA as well, which is delayed each way like a datagram,
// and as reliable as on a device.
#pragma once

#include <deque>
#include <map>

#include "harness/transports/memory/virtual_network.h"

namespace wirelaw {

class Network final : public VirtualNetwork {
 public:
  using VirtualNetwork::VirtualNetwork;

  // Sets the peer's address.
  void locate(const pcap::Endpoint& peer) { peer_at_ = peer; }
  // A new address of the tester, as the peer knows it. The peer is linked to each address from which it has received
  // anything, or that it dials.
  PeerId open(const Link& link = {});
  void send(PeerId from, Octets datagram);
  // Lets time pass until a datagram reaches `at` or the deadline is reached. An error if the peer keeps the network
  // busy without time passing.
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(PeerId at, Instant deadline);
  bool trigger(PeerId to, const TriggerRequest& request);

  // Sets the memory that the peer's RDMA requests to `at` access; nullptr: none.
  void answer_rdma(PeerId at, RdmaMemory* memory) { memories_[at] = memory; }
  // Lets time pass until the peer has answered or the deadline is reached. Returns what was read, or no octets for a
  // write; nothing if the request was refused or is still unanswered. The network sets the request's `id` and `peer`.
  tl::expected<std::optional<OctetBuffer>, TransportError> do_rdma(PeerId from, RdmaRequest request, Instant deadline);

 private:
  struct RdmaUnderWay {
    RdmaRequest request;
    bool from_peer = false;
    bool answered = false;
    bool ok = false;
    bool over = false;     // the answer has arrived
    bool awaited = false;  // by do_rdma()
    OctetBuffer octets = {};
  };

  void carry(bool to_peer, PeerId tester, Octets datagram);
  void put(bool to_peer, PeerId tester, Octets datagram, Instant delay, bool may_overtake);
  void leave(Outgoing& out) override;
  void arrive(InFlight& datagram) override;
  void serve_peer() override;
  void dial(const Dial& dial);
  void make_link(PeerId tester);
  std::uint64_t start_rdma(RdmaRequest request, PeerId tester, bool from_peer);
  void arrive_rdma(const InFlight& arrived);

  Instant last_arrival_[2] = {};                  // by direction; for datagrams that keep their order
  std::vector<std::deque<OctetBuffer>> inboxes_;  // by PeerId
  std::vector<Link> links_;                       // by PeerId, as the peer sees them
  std::vector<bool> is_linked_;                   // by PeerId
  std::vector<RdmaMemory*> memories_;             // by PeerId
  std::map<std::uint64_t, RdmaUnderWay> rdma_;    // by the number of InFlight
  std::uint64_t rdmas_ = 0;
  pcap::Endpoint peer_at_;
  std::size_t dials_ = 0;  // calls by the peer that were answered
};

}  // namespace wirelaw
