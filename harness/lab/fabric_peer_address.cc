// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/fabric_peer_address.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <sstream>
#include <string_view>

#include "harness/lab/soft_efa/gid.h"
#include "reference/efa/raw_address.h"

namespace wirelaw::lab {
namespace {

using Words = std::map<std::string, std::string, std::less<>>;

Words words_of(const std::string& line) {
  Words words;
  std::istringstream in(line);
  for (std::string word; in >> word;)
    if (const std::size_t sign = word.find('='); sign != std::string::npos)
      words[word.substr(0, sign)] = word.substr(sign + 1);
  return words;
}

// Returns the words of a URI's query, after the '?'.
Words query_of(const std::string& uri) {
  const std::size_t question = uri.find('?');
  if (question == std::string::npos) return {};
  std::string query = uri.substr(question + 1);
  std::ranges::replace(query, '&', ' ');
  return words_of(query);
}

// Reads a number: decimal, or hexadecimal after 0x.
bool read_number(std::string_view text, std::uint64_t& value) {
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc{} && end == text.data() + text.size() && !text.empty();
}

Result<RawAddress> read_hex(std::string_view text) {
  RawAddress raw;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    std::uint64_t octet = 0;
    if (!read_number("0x" + std::string(text.substr(i, 2)), octet))
      return tl::unexpected(std::string("address= is no hexadecimal"));
    raw.push_back(static_cast<std::uint8_t>(octet));
  }
  if (text.size() % 2 != 0 || raw.size() < efa::layout::kRawAddress)
    return tl::unexpected(std::string("address= is shorter than 32 octets"));
  return raw;
}

Result<RawAddress> raw_address_of(std::string_view uri, std::string_view connid) {
  const auto place = read_uri(uri);
  if (!place) return tl::unexpected(place.error());
  std::uint64_t id = 0;
  if (place->port == 0) return tl::unexpected(std::string("peer= has no port"));
  if (!read_number(connid, id) || id > UINT32_MAX)
    return tl::unexpected(std::string("connid= is no number of 32 bits"));
  efa::RawAddress address{.qpn = place->port, .connid = static_cast<std::uint32_t>(id)};
  address.gid = *soft_efa::parse_gid(place->host);
  OctetBuffer raw;
  encode(address, raw);
  return RawAddress(raw.begin(), raw.end());
}

}  // namespace

Result<UdpPlace> read_uri(std::string_view uri) {
  constexpr std::string_view kScheme = "udp://";
  const auto wrong = tl::unexpected(fmt::format("{} is no udp://ADDRESS:PORT", uri));
  if (!uri.starts_with(kScheme)) return wrong;
  uri = uri.substr(0, uri.find('?'));
  uri.remove_prefix(kScheme.size());
  const std::size_t colon = uri.rfind(':');
  if (colon == std::string_view::npos) return wrong;
  UdpPlace place{.host = std::string(uri.substr(0, colon))};
  if (place.host.starts_with('[') && place.host.ends_with(']'))
    place.host = place.host.substr(1, place.host.size() - 2);
  std::uint64_t port = 0;
  if (!soft_efa::parse_gid(place.host) || !read_number(uri.substr(colon + 1), port) || port > UINT16_MAX) return wrong;
  place.port = static_cast<std::uint16_t>(port);
  return place;
}

std::string ready_line(const PeerAddress& self, const std::string& version) {
  std::string hex;
  for (const std::uint8_t octet : self.raw) hex += fmt::format("{:02x}", octet);
  const auto raw = efa::decode_raw_address(Octets(self.raw.data(), self.raw.size()));
  const auto& g = raw->gid;
  const std::string host = soft_efa::is_ipv4(g) ? fmt::format("{}.{}.{}.{}", g[12], g[13], g[14], g[15]) : [&] {
    std::string six = "[";
    for (std::size_t i = 0; i < g.size(); i += 2)
      six += fmt::format("{}{:x}", i == 0 ? "" : ":", (unsigned{g[i]} << 8) | g[i + 1]);
    return six + "]";
  }();
  const std::string query = fmt::format("addr={:#x}&key={:#x}&length={}", self.memory, self.key, self.length);
  const std::string bare = host.starts_with('[') ? host.substr(1, host.size() - 2) : host;
  return fmt::format(
      "fabric_peer ready peer=udp://{0}:{1}?{2} connid={3:#010x} address={4} version={5} "
      "queue_pair=srd://{6}/{1}/{3:#x}?{2}",
      host, raw->qpn, query, raw->connid, hex, version, bare);
}

// srd://GID/QPN/CONNID combines peer=udp://GID:QPN and connid=.
void split_srd(Words& words) {
  constexpr std::string_view kScheme = "srd://";
  std::string& peer = words["peer"];
  if (!peer.starts_with(kScheme)) return;
  const std::size_t question = std::min(peer.find('?'), peer.size());
  const std::string place = peer.substr(kScheme.size(), question - kScheme.size());
  const std::size_t qpn = place.find('/'), connid = place.rfind('/');
  if (qpn == connid) return;
  words["connid"] = place.substr(connid + 1);
  peer = fmt::format("udp://[{}]:{}{}", place.substr(0, qpn), place.substr(qpn + 1, connid - qpn - 1),
                     peer.substr(question));
}

Result<PeerAddress> read_ready_line(const std::string& line) {
  Words words = words_of(line);
  if (words.contains("peer")) split_srd(words);
  PeerAddress peer;
  auto raw = words.contains("address") ? read_hex(words["address"])
             : words.contains("peer")
                 ? raw_address_of(words["peer"], words.contains("connid") ? words["connid"] : "0")
                 : Result<RawAddress>(tl::unexpected(std::string("neither address= nor peer= is there")));
  if (!raw) return tl::unexpected(raw.error());
  peer.raw = std::move(*raw);
  Words said = query_of(words["peer"]);
  for (auto [name, value] : {std::pair{"addr", &peer.memory}, {"length", &peer.length}, {"key", &peer.key}})
    if (said.contains(name) && !read_number(said[name], *value))
      return tl::unexpected(fmt::format("{}= is no number", name));
  return peer;
}

}  // namespace wirelaw::lab
