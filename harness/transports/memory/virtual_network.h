// SPDX-License-Identifier: Apache-2.0
// The common part of the networks in memory: one peer, virtual time, what is in flight, and seeded dice. The same seed
// gives the same run, octet for octet.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/trace.h"
#include "conformance/transport.h"
#include "harness/peers/peer.h"
#include "harness/transports/network_faults.h"
#include "harness/virtual_time.h"

namespace wirelaw {

class VirtualNetwork : public VirtualTime {
 public:
  VirtualNetwork(std::unique_ptr<Peer> peer, const NetworkFaults& network_faults, std::uint64_t seed);

  Instant now() const final { return now_; }
  Peer& peer() { return *peer_; }
  const Peer& peer() const { return *peer_; }

  tl::expected<bool, TransportError> wait(Instant deadline, const std::function<bool()>& done) override {
    return run_until(deadline, done);
  }

 protected:
  struct InFlight {
    Instant arrival;
    std::uint64_t order;  // order of sending; settles ties
    bool to_peer;
    PeerId tester;
    OctetBuffer octets = {};
    StreamEvent event = StreamEvent::octets;
    std::uint64_t rdma = 0;  // its number, from 1; 0: a datagram, or of a stream
  };

  double draw() { return dice_.draw(); }
  Instant draw_delay() { return dice_.draw_delay(faults_); }
  void put(InFlight what);
  // Returns the next arrival, at any time; nullptr if nothing is in flight.
  const InFlight* next() const { return in_flight_.empty() ? nullptr : &in_flight_.front(); }
  InFlight take_next();
  std::uint64_t next_order() { return order_++; }

  // The peer has sent this.
  virtual void leave(Outgoing& out) = 0;
  // `what` has reached its destination.
  virtual void arrive(InFlight& what) = 0;
  // Does what the peer wants by itself, after the peer has moved.
  virtual void serve_peer() {}

  void drain_peer();
  // Lets time pass until `done` or the deadline, and returns true if it is done. Fails if the peer keeps the network
  // busy without time passing, or fills it without end.
  template <class Done>
  tl::expected<bool, TransportError> run_until(Instant deadline, const Done& done) {
    drain_peer();
    for (unsigned wakes_here = 0; !done();) {
      const auto stepped = step(deadline, wakes_here);
      if (!stepped) return tl::unexpected(stepped.error());
      if (!*stepped) return false;
    }
    return true;
  }

  const NetworkFaults& faults() const { return faults_; }

 private:
  struct Later {
    bool operator()(const InFlight& a, const InFlight& b) const {
      return a.arrival != b.arrival ? a.arrival > b.arrival : a.order > b.order;
    }
  };

  // The time of the next event. Empty if there will be none.
  std::optional<Instant> next_event() const;
  bool happen();  // the next event, at now_; whether it was an arrival
  tl::expected<bool, TransportError> step(Instant deadline, unsigned& wakes_here);

  std::unique_ptr<Peer> peer_;
  NetworkFaults faults_;
  Dice dice_;
  Instant now_{0};
  std::uint64_t order_ = 0;
  std::vector<InFlight> in_flight_;   // a heap: the next arrival is first
  std::size_t octets_in_flight_ = 0;  // octets of these
};

}  // namespace wirelaw
