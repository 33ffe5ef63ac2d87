// SPDX-License-Identifier: Apache-2.0
#include "harness/relay/datagram_socket.h"

#include <sys/socket.h>

#include <asio/error.hpp>
#include <asio/socket_base.hpp>
#include <cerrno>
#include <cstring>

namespace wirelaw {
namespace {

using asio::ip::udp;
using Code = asio::error_code;

constexpr int kReceiveBuffer = 1 << 20;

// Returns the number of datagrams that the system has discarded so far; `before` if the message does not contain it.
std::uint32_t dropped_of(msghdr& message, std::uint32_t before) {
  for (cmsghdr* one = CMSG_FIRSTHDR(&message); one != nullptr; one = CMSG_NXTHDR(&message, one)) {
    if (one->cmsg_level != SOL_SOCKET || one->cmsg_type != SO_RXQ_OVFL) continue;
    std::uint32_t count = 0;
    std::memcpy(&count, CMSG_DATA(one), sizeof count);
    return count;
  }
  return before;
}

}  // namespace

void make_ready(udp::socket& socket) {
  Code ignored;
  socket.non_blocking(true, ignored);
  socket.set_option(asio::socket_base::receive_buffer_size(kReceiveBuffer), ignored);
  const int on = 1;
  ::setsockopt(socket.native_handle(), SOL_SOCKET, SO_RXQ_OVFL, &on, sizeof on);
}

// Calls recvmsg(), since Asio has no call that returns the control message too.
ReceivedDatagram receive_datagram(udp::socket& socket, OctetBuffer& buffer, std::uint32_t dropped, Code& code) {
  ReceivedDatagram received;
  iovec place{.iov_base = buffer.data(), .iov_len = buffer.size()};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(std::uint32_t))];
  msghdr message{};
  message.msg_name = received.from.data();
  message.msg_namelen = static_cast<socklen_t>(received.from.capacity());
  message.msg_iov = &place;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof control;
  const ssize_t length = ::recvmsg(socket.native_handle(), &message, 0);
  code = length < 0 ? Code(errno, asio::error::get_system_category()) : Code();
  if (length < 0) return received;
  received.length = static_cast<std::size_t>(length);
  if (message.msg_namelen > 0) received.from.resize(message.msg_namelen);
  received.dropped = dropped_of(message, dropped);
  return received;
}

}  // namespace wirelaw
