// SPDX-License-Identifier: Apache-2.0
#include "harness/uri.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace wirelaw {
namespace {

Uri::Query split_query(std::string_view query) {
  Uri::Query pairs;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    pairs.emplace_back(pair.substr(0, equals), pair.substr(std::min(pair.size(), equals + 1)));
  }
  return pairs;
}

std::optional<std::uint16_t> port_of(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return port;
}

}  // namespace

std::string Uri::option(std::string_view name) const {
  const auto found = std::ranges::find(options, name, &Query::value_type::first);
  return found == options.end() ? std::string() : found->second;
}

tl::expected<Uri, std::string_view> parse_uri(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return tl::make_unexpected("no scheme");
  Uri uri{.scheme = std::string(text.substr(0, colon))};
  std::string_view rest = text.substr(colon + 1);
  const std::size_t question = rest.find('?');
  if (question != std::string_view::npos) uri.query = split_query(rest.substr(question + 1));
  rest = rest.substr(0, question);
  uri.has_place = !rest.empty();
  if (!uri.has_place) return uri;
  if (!rest.starts_with("//")) return tl::make_unexpected("no '//' after the scheme");
  rest.remove_prefix(2);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  uri.place = rest;
  return uri;
}

std::optional<Uri> uri_in(std::string_view line, std::string_view scheme) {
  const std::size_t begin = line.find(fmt::format("{}://", scheme));
  if (begin == std::string_view::npos) return std::nullopt;
  line.remove_prefix(begin);
  const auto found = parse_uri(line.substr(0, line.find_first_of(" \t\r\n")));
  return found ? std::optional(*found) : std::nullopt;
}

tl::expected<HostPort, std::string_view> parse_host_and_port(std::string_view place) {
  HostPort at;
  std::string_view port;
  if (place.starts_with('[')) {
    const std::size_t close = place.find(']');
    if (close == std::string_view::npos) return tl::make_unexpected("the bracket of the address is not closed");
    at.host = place.substr(1, close - 1);
    port = place.substr(close + 1);
    if (!port.empty() && !port.starts_with(':')) return tl::make_unexpected("only a port may follow the bracket");
  } else {
    const std::size_t colon = place.find(':');
    if (colon != place.rfind(':')) return tl::make_unexpected("an IPv6 address is written in brackets");
    at.host = place.substr(0, colon);
    if (colon != std::string_view::npos) port = place.substr(colon);
  }
  if (port.empty()) return at;
  at.port = port_of(port.substr(1));
  if (!at.port) return tl::make_unexpected("the port is no number from 0 to 65535");
  return at;
}

std::string host_and_port(std::string_view host, std::uint32_t port) {
  return host.find(':') == std::string_view::npos ? fmt::format("{}:{}", host, port)
                                                  : fmt::format("[{}]:{}", host, port);
}

std::string place_here(std::string_view host, std::uint32_t port) {
  return host_and_port(host == "0.0.0.0" ? "127.0.0.1" : host == "::" ? "::1" : host, port);
}

}  // namespace wirelaw
