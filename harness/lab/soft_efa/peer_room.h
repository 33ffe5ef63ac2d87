// SPDX-License-Identifier: Apache-2.0
// SRD loses nothing, UDP drops what the receiver's socket has no room for. On loopback the kernel reports how full that
// socket is (sock_diag(7)), so that a sender can wait instead.
#pragma once

#include <linux/inet_diag.h>

#include <cstdint>
#include <map>

#include "harness/lab/soft_efa/socket.h"

namespace wirelaw::soft_efa {

enum class Room { there, full, nobody };  // no socket is bound there

class PeerRoom {
 public:
  explicit PeerRoom(Peer self);
  PeerRoom(const PeerRoom&) = delete;
  PeerRoom& operator=(const PeerRoom&) = delete;
  ~PeerRoom();

  // True if a datagram of this size can be sent now. Also true if the kernel does not report it, and beyond loopback.
  Room ask(const Peer& peer, std::size_t octets);

 private:
  struct Answer {
    Room room;
    std::uint64_t free;  // octets of the receiver's memory
  };
  Answer query(const Peer& peer) const;

  Peer self_;
  int netlink_;
  // Half of what a peer had free when it was last asked, less what has been sent since. The other half is for other
  // senders.
  std::map<Peer, std::uint64_t> allowance_;
};

}  // namespace wirelaw::soft_efa
