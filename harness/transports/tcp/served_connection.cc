// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/tcp/served_connection.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <utility>

namespace wirelaw {

void ServedConnection::has_moved(std::size_t octets) {
  moved += octets;
  if (moved < kLeastMoved) return;
  moved = 0;
  idle_since = LiveClock::Steady::now();
}

std::size_t ServedConnection::send_some(bool aligns, asio::error_code& code) {
  constexpr std::size_t kBuffersAtOnce = 64;
  std::array<asio::const_buffer, kBuffersAtOnce> buffers;
  const std::size_t count = std::min(aligns ? std::size_t{1} : buffers.size(), unsent.size());
  for (std::size_t i = 0; i < count; ++i) buffers[i] = asio::buffer(unsent[i]);
  buffers[0] += sent_of_first;
  const std::size_t sent = socket.send(buffers, aligns ? MSG_EOR : 0, code);
  if (code) return 0;
  progress = LiveClock::Steady::now();
  has_moved(sent);
  unsent_octets -= sent;
  std::size_t of_pieces = sent + std::exchange(sent_of_first, 0);
  while (!unsent.empty() && of_pieces >= unsent.front().size()) {
    of_pieces -= unsent.front().size();
    unsent.pop_front();
  }
  sent_of_first = of_pieces;
  return sent;
}

std::optional<std::size_t> ServedConnection::mss() {
  int octets = 0;
  socklen_t size = sizeof octets;
  if (::getsockopt(socket.native_handle(), IPPROTO_TCP, TCP_MAXSEG, &octets, &size) != 0 || octets <= 0)
    return std::nullopt;
  return static_cast<std::size_t>(octets);
}

}  // namespace wirelaw
