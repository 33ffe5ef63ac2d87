// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/srd/address.h"

#include <fmt/format.h>

#include <charconv>

namespace wirelaw {
namespace {

tl::unexpected<std::string_view> wrong(std::string_view what) {
  return tl::unexpected(what);
}

constexpr std::uint32_t kMostQpn = 0xff'ffff;  // 24 bits

// Reads a number: decimal, or hexadecimal after 0x.
std::optional<std::uint32_t> number(std::string_view text) {
  const bool hex = text.starts_with("0x");
  if (hex) text.remove_prefix(2);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hex ? 16 : 10);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view take_word(std::string_view& path) {
  const std::string_view word = path.substr(0, path.find('/'));
  path.remove_prefix(std::min(path.size(), word.size() + 1));
  return word;
}

}  // namespace

std::string to_string(const SrdAddress& address) {
  return fmt::format("{}/{}/{:#x}", pcap::to_string(pcap::Address::ipv6(address.gid.data())), address.qpn,
                     address.connid);
}

std::string to_string(const SrdPlace& place) {
  std::string text;
  if (place.gid) text += pcap::to_string(pcap::Address::ipv6(place.gid->data()));
  if (place.qpn) text += fmt::format("/{}", *place.qpn);
  if (place.connid) text += fmt::format("/{:#x}", *place.connid);
  return text;
}

pcap::Endpoint endpoint_of(const SrdAddress& address) {
  return {.address = pcap::Address::ipv6(address.gid.data()), .port = address.qpn};
}

std::optional<SrdAddress> SrdPlace::whole() const {
  if (!gid || !qpn || !connid) return std::nullopt;
  return SrdAddress{*gid, *qpn, *connid};
}

tl::expected<SrdPlace, std::string_view> parse_srd(std::string_view path) {
  SrdPlace place;
  if (path.empty()) return place;
  std::string_view gid = take_word(path);
  if (gid.starts_with('[') && gid.ends_with(']')) gid = gid.substr(1, gid.size() - 2);
  const auto address = pcap::parse_address(gid);
  if (!address) return wrong("the GID is no IPv6 address");
  place.gid = address->as_ipv6();
  if (path.empty()) return place;
  place.qpn = number(take_word(path));
  if (!place.qpn || *place.qpn > kMostQpn) return wrong("the QPN is no number of 24 bits");
  if (path.empty()) return place;
  place.connid = number(take_word(path));
  if (!place.connid) return wrong("the CONNID is no number of 32 bits");
  if (!path.empty()) return wrong("nothing may follow the CONNID");
  return place;
}

}  // namespace wirelaw
