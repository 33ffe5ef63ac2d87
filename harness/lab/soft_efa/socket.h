// SPDX-License-Identifier: Apache-2.0
// A UDP socket that never blocks: one datagram is one packet.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "harness/lab/soft_efa/gid.h"

namespace wirelaw::soft_efa {

struct Peer {
  Gid gid = {};
  std::uint16_t port = 0;
  friend bool operator==(const Peer&, const Peer&) = default;
  friend auto operator<=>(const Peer&, const Peer&) = default;
};

class Socket {
 public:
  // Port 0: any port. Empty, with errno set, if it cannot be bound.
  static std::optional<Socket> bind(const Gid& gid, std::uint16_t port);

  Socket(Socket&& from) noexcept : fd_(std::exchange(from.fd_, -1)), port_(from.port_) {}
  Socket& operator=(Socket&& from) noexcept {
    std::swap(fd_, from.fd_);
    std::swap(port_, from.port_);
    return *this;
  }
  ~Socket();

  int fd() const { return fd_; }
  std::uint16_t port() const { return port_; }

  // Returns 0 or an errno; EAGAIN: try again later.
  int send(const Peer& to, std::span<const iovec> octets) const;

  struct Received {
    std::size_t octets = 0;  // octets of the datagram; those that did not fit are lost
    Peer from;
  };
  // Empty if no datagram waits.
  std::optional<Received> receive(std::span<const iovec> room) const;

 private:
  Socket(int fd, std::uint16_t port) : fd_(fd), port_(port) {}

  int fd_;
  std::uint16_t port_;
};

// Two neighbouring ports: packets on the first, one-sided operations on the second (frame.h).
struct SocketPair {
  Socket packets;
  Socket frames;
};
std::optional<SocketPair> bind_pair(const Gid& gid, std::uint16_t port);

}  // namespace wirelaw::soft_efa
