// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/soft_efa/socket.h"

#include <unistd.h>

#include <cerrno>

namespace wirelaw::soft_efa {
namespace {

// A sender asks how full the receiver is (peer_room.h). The larger the buffer, the less a sender waits. The kernel
// allows no more than net.core.rmem_max.
constexpr int kReceiveBuffer = 4 << 20;
constexpr int kPairs = 256;  // ephemeral ports to try until their neighbour is free too

}  // namespace

std::optional<Socket> Socket::bind(const Gid& gid, std::uint16_t port) {
  SocketAddress address = to_socket(gid, port);
  const int fd = ::socket(address.storage.ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return std::nullopt;
  Socket socket(fd, 0);
  setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &kReceiveBuffer, sizeof kReceiveBuffer);
  setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &kReceiveBuffer, sizeof kReceiveBuffer);
  auto* name = reinterpret_cast<sockaddr*>(&address.storage);
  if (::bind(fd, name, address.length) != 0 || getsockname(fd, name, &address.length) != 0) return std::nullopt;
  socket.port_ = port_of(address.storage);
  return socket;
}

Socket::~Socket() {
  if (fd_ >= 0) ::close(fd_);
}

int Socket::send(const Peer& to, std::span<const iovec> octets) const {
  SocketAddress address = to_socket(to.gid, to.port);
  msghdr message = {};
  message.msg_name = &address.storage;
  message.msg_namelen = address.length;
  message.msg_iov = const_cast<iovec*>(octets.data());
  message.msg_iovlen = octets.size();
  while (::sendmsg(fd_, &message, MSG_NOSIGNAL) < 0) {
    if (errno == EINTR) continue;
    return errno == ENOBUFS ? EAGAIN : errno;
  }
  return 0;
}

std::optional<Socket::Received> Socket::receive(std::span<const iovec> room) const {
  sockaddr_storage from = {};
  msghdr message = {};
  message.msg_name = &from;
  message.msg_namelen = sizeof from;
  message.msg_iov = const_cast<iovec*>(room.data());
  message.msg_iovlen = room.size();
  while (true) {
    const ssize_t octets = ::recvmsg(fd_, &message, MSG_TRUNC);
    if (octets >= 0) return Received{static_cast<std::size_t>(octets), {gid_of(from), port_of(from)}};
    // A port's refusal of an earlier packet can be ignored here.
    if (errno != EINTR && errno != ECONNREFUSED) return std::nullopt;
  }
}

std::optional<SocketPair> bind_pair(const Gid& gid, std::uint16_t port) {
  for (int i = 0; i < (port == 0 ? kPairs : 1); ++i) {
    auto packets = Socket::bind(gid, port);
    if (!packets) return std::nullopt;
    if (packets->port() == UINT16_MAX) continue;
    auto frames = Socket::bind(gid, static_cast<std::uint16_t>(packets->port() + 1));
    if (frames) return SocketPair{std::move(*packets), std::move(*frames)};
  }
  return std::nullopt;
}

}  // namespace wirelaw::soft_efa
