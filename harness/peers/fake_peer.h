// SPDX-License-Identifier: Apache-2.0
// For tests: a peer that sends back what it receives and, on request, one datagram a millisecond until it is stopped.
#pragma once

#include <deque>
#include <string>

#include "harness/peers/peer.h"

namespace wirelaw {

class FakePeer : public Peer {
 public:
  void receive(PeerId from, Octets datagram, Instant) override {
    ++received;
    out.push_back({from, OctetBuffer(datagram.begin(), datagram.end())});
  }
  void advance(Instant now) override {
    if (!next || now < *next) return;
    out.push_back({to, {says}});
    *next += period;
    if (left > 0 && --left == 0) next.reset();
  }
  std::optional<Instant> deadline() const override { return next; }
  bool next_datagram(Outgoing& datagram) override {
    if (out.empty()) return false;
    datagram = std::move(out.front());
    out.pop_front();
    return true;
  }
  bool trigger(PeerId whom, const TriggerRequest& request, Instant now) override {
    to = whom;
    left = request.count;
    next = now + period;
    return true;
  }
  bool idle() const override { return !next; }
  std::uint64_t failed() const override { return 0; }
  std::string state() const override { return "fake peer, received " + std::to_string(received) + "\n"; }

  std::deque<Outgoing> out;
  unsigned received = 0;
  PeerId to = 0;
  unsigned left = 0;
  std::optional<Instant> next;
  Instant period = std::chrono::milliseconds{1};
  Octet says = 0x7e;
};

}  // namespace wirelaw
