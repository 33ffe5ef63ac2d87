// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/soft_efa/gid.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <cstring>

namespace wirelaw::soft_efa {
namespace {

constexpr std::array<std::uint8_t, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr Gid kLoopback6{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

Gid mapped(const in_addr& address) {
  Gid gid = {};
  std::ranges::copy(kMapped, gid.begin());
  std::memcpy(gid.data() + kMapped.size(), &address, sizeof address);
  return gid;
}

}  // namespace

std::optional<Gid> parse_gid(const std::string& text) {
  in_addr four = {};
  if (inet_pton(AF_INET, text.c_str(), &four) == 1) return mapped(four);
  Gid six = {};
  if (inet_pton(AF_INET6, text.c_str(), six.data()) == 1) return six;
  return std::nullopt;
}

bool is_ipv4(const Gid& gid) {
  return std::equal(kMapped.begin(), kMapped.end(), gid.begin());
}

bool is_loopback(const Gid& gid) {
  return is_ipv4(gid) ? gid[kMapped.size()] == 127 : gid == kLoopback6;
}

SocketAddress to_socket(const Gid& gid, std::uint16_t port) {
  SocketAddress address;
  if (is_ipv4(gid)) {
    sockaddr_in four = {};
    four.sin_family = AF_INET;
    four.sin_port = htons(port);
    std::memcpy(&four.sin_addr, gid.data() + kMapped.size(), sizeof four.sin_addr);
    std::memcpy(&address.storage, &four, address.length = sizeof four);
  } else {
    sockaddr_in6 six = {};
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(port);
    std::memcpy(&six.sin6_addr, gid.data(), gid.size());
    std::memcpy(&address.storage, &six, address.length = sizeof six);
  }
  return address;
}

Gid gid_of(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    sockaddr_in four = {};
    std::memcpy(&four, &address, sizeof four);
    return mapped(four.sin_addr);
  }
  sockaddr_in6 six = {};
  std::memcpy(&six, &address, sizeof six);
  Gid gid = {};
  std::memcpy(gid.data(), &six.sin6_addr, gid.size());
  return gid;
}

std::uint16_t port_of(const sockaddr_storage& address) {
  // The port is in the same place in both families.
  sockaddr_in either = {};
  std::memcpy(&either, &address, sizeof either);
  return ntohs(either.sin_port);
}

}  // namespace wirelaw::soft_efa
