// SPDX-License-Identifier: Apache-2.0
// Internet addresses and UDP or TCP endpoints, in binary form and as text.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "reference/octets/octets.h"

namespace wirelaw {

struct Address {
  std::array<Octet, 16> octets{};  // network order; IPv4 fills the first four, the rest stay zero
  bool v6 = false;

  // `at` points to 4 octets, or to 16.
  static Address ipv4(const Octet* at);
  static Address ipv6(const Octet* at);

  // The address as IPv6. An IPv4 address is mapped (RFC 4291 2.5.5.2).
  std::array<Octet, 16> as_ipv6() const;

  // Same as ipv4() and ipv6(), but in place, for the hot path.
  void set_ipv4(const Octet* at);
  void set_ipv6(const Octet* at);

  bool operator==(const Address&) const = default;
};

struct Endpoint {
  Address address;
  std::uint32_t port = 0;  // 16 bits for UDP or TCP; a queue pair number is longer

  bool operator==(const Endpoint&) const = default;
};

inline void Address::set_ipv4(const Octet* at) {
  std::memcpy(octets.data(), at, 4);
  std::memset(octets.data() + 4, 0, 12);
  v6 = false;
}

inline void Address::set_ipv6(const Octet* at) {
  std::memcpy(octets.data(), at, 16);
  v6 = true;
}

inline Address Address::ipv4(const Octet* at) {
  Address address;
  address.set_ipv4(at);
  return address;
}

inline Address Address::ipv6(const Octet* at) {
  Address address;
  address.set_ipv6(at);
  return address;
}

std::string to_string(const Address& address);    // 192.0.2.1, 2001:db8::1
std::string to_string(const Endpoint& endpoint);  // 192.0.2.1:5000, [2001:db8::1]:5000

// The inverse of to_string(); returns nothing for any other text (names are not looked up).
std::optional<Address> parse_address(std::string_view text);
std::optional<Endpoint> parse_endpoint(std::string_view text);

}  // namespace wirelaw

template <>
struct std::hash<wirelaw::Address> {
  std::size_t operator()(const wirelaw::Address& address) const noexcept;
};

template <>
struct std::hash<wirelaw::Endpoint> {
  std::size_t operator()(const wirelaw::Endpoint& endpoint) const noexcept;
};
