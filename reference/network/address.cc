// SPDX-License-Identifier: Apache-2.0
#include "reference/network/address.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>

namespace wirelaw {
namespace {

std::uint64_t mix(std::uint64_t value) {  // the finaliser of splitmix64
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

std::optional<std::uint32_t> parse_port(std::string_view text) {
  std::uint32_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return port;
}

}  // namespace

std::string to_string(const Address& address) {
  if (!address.v6) {  // faster than inet_ntop(), which uses printf(): a capture has many addresses
    char text[INET_ADDRSTRLEN];
    char* end = text;
    for (std::size_t i = 0; i < 4; ++i) {
      if (i > 0) *end++ = '.';
      end = std::to_chars(end, std::end(text), address.octets[i]).ptr;
    }
    return {text, end};
  }
  char text[INET6_ADDRSTRLEN] = {};
  inet_ntop(AF_INET6, address.octets.data(), text, sizeof text);
  return text;
}

std::string to_string(const Endpoint& endpoint) {
  std::string text = to_string(endpoint.address);
  if (endpoint.address.v6) text = '[' + text + ']';
  char port[std::numeric_limits<std::uint32_t>::digits10 + 2] = {':'};
  return text.append(port, std::to_chars(port + 1, std::end(port), endpoint.port).ptr);
}

std::optional<Address> parse_address(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return std::nullopt;
  const std::string terminated(text);
  Address address;
  address.v6 = text.find(':') != std::string_view::npos;
  if (inet_pton(address.v6 ? AF_INET6 : AF_INET, terminated.c_str(), address.octets.data()) != 1) return std::nullopt;
  return address;
}

std::array<Octet, 16> Address::as_ipv6() const {
  if (v6) return octets;
  std::array<Octet, 16> mapped{};
  mapped[10] = mapped[11] = 0xff;
  std::copy_n(octets.begin(), 4, mapped.begin() + 12);
  return mapped;
}

std::optional<Endpoint> parse_endpoint(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  std::string_view host = text.substr(0, colon);
  const bool bracketed = host.size() >= 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) host = host.substr(1, host.size() - 2);
  const auto address = parse_address(host);
  const auto port = parse_port(text.substr(colon + 1));
  if (!address || !port || address->v6 != bracketed) return std::nullopt;
  return Endpoint{*address, *port};
}

}  // namespace wirelaw

std::size_t std::hash<wirelaw::Address>::operator()(const wirelaw::Address& address) const noexcept {
  const auto high = wirelaw::load_big_endian<std::uint64_t>(address.octets.data());
  const auto low = wirelaw::load_big_endian<std::uint64_t>(address.octets.data() + 8);
  return wirelaw::mix(high + wirelaw::mix(low + (address.v6 ? 1 : 0)));
}

std::size_t std::hash<wirelaw::Endpoint>::operator()(const wirelaw::Endpoint& endpoint) const noexcept {
  return wirelaw::mix(std::hash<wirelaw::Address>{}(endpoint.address) + endpoint.port);
}
