// SPDX-License-Identifier: Apache-2.0
// A datagram network in memory, with virtual time: it joins one peer with any number of conversations of the tester,
// and loses, repeats, delays and reorders datagrams as it is told. The same seed gives the same run, octet for octet.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <queue>
#include <random>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/carriage.h"
#include "harness/peer.h"

namespace wirelaw {

struct Impairments {
  double loss = 0;         // probability that a datagram is lost
  double duplication = 0;  // probability that it arrives twice
  double reordering = 0;   // probability that it is held back for `held_back`, so that later ones overtake it
  Instant delay_min = std::chrono::microseconds{10};  // one way; evenly spread between the two
  Instant delay_max = std::chrono::microseconds{10};
  Instant held_back = std::chrono::milliseconds{1};
};

class Network {
 public:
  Network(std::unique_ptr<Peer> peer, const Impairments& impairments, std::uint64_t seed);

  Instant now() const { return now_; }
  Peer& peer() { return *peer_; }
  const Peer& peer() const { return *peer_; }

  // A new address of the tester, as the peer knows it.
  PeerId open();
  void send(PeerId from, Octets datagram);
  // Lets time pass until a datagram reaches `at` or the deadline has come. An error where the peer keeps the network
  // busy without time passing.
  tl::expected<std::optional<OctetBuffer>, CarriageError> receive(PeerId at, Instant deadline);
  bool trigger(PeerId to, const TriggerRequest& request);

 private:
  struct InFlight {
    Instant arrival;
    std::uint64_t order;  // of sending; settles ties
    bool to_peer;
    PeerId tester;
    OctetBuffer octets;
  };
  struct Later {
    bool operator()(const InFlight& a, const InFlight& b) const {
      return a.arrival != b.arrival ? a.arrival > b.arrival : a.order > b.order;
    }
  };

  double draw();  // from [0, 1)
  void carry(bool to_peer, PeerId tester, Octets datagram);
  void put(bool to_peer, PeerId tester, Octets datagram, Instant delay, bool may_overtake);
  void drain_peer();
  // When something happens next; nothing where nothing ever will.
  std::optional<Instant> next_event() const;
  void happen();  // the next event, at now_

  std::unique_ptr<Peer> peer_;
  Impairments impairments_;
  std::mt19937_64 random_;
  Instant now_{0};
  std::uint64_t order_ = 0;
  Instant last_arrival_[2] = {};  // by direction, of those that keep their order
  std::priority_queue<InFlight, std::vector<InFlight>, Later> in_flight_;
  std::vector<std::deque<OctetBuffer>> inboxes_;  // by PeerId
};

}  // namespace wirelaw
