// SPDX-License-Identifier: Apache-2.0
#include "harness/uri.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace wirelaw {
namespace {

constexpr std::string_view kForms = "udp://HOST:PORT, tcp://HOST:PORT, srd://GID/QPN/CONNID or memory:";
constexpr std::string_view kMemoryForm =
    "memory:?loss=P&duplication=P&reordering=P&cut=OCTETS&delay=MILLISECONDS[-MILLISECONDS]&seed=N&verbs&pair, each P "
    "from "
    "0 to 1";

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

tl::unexpected<std::string> malformed(std::string_view text, std::string_view what, std::string_view form = kForms) {
  return tl::unexpected(fmt::format("'{}': {}; the form is {}", text, what, form));
}

std::vector<std::pair<std::string, std::string>> split_query(std::string_view query) {
  std::vector<std::pair<std::string, std::string>> pairs;
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    pairs.emplace_back(pair.substr(0, equals), pair.substr(std::min(pair.size(), equals + 1)));
  }
  return pairs;
}

// HOST, HOST:PORT, [IPV6], [IPV6]:PORT or :PORT; what is wrong with it otherwise.
std::string_view split_authority(std::string_view authority, Uri& uri) {
  std::string_view port;
  if (authority.starts_with('[')) {
    const std::size_t close = authority.find(']');
    if (close == std::string_view::npos) return "the bracket of the address is not closed";
    uri.host = authority.substr(1, close - 1);
    port = authority.substr(close + 1);
    if (!port.empty() && !port.starts_with(':')) return "only a port may follow the bracket";
  } else {
    const std::size_t colon = authority.find(':');
    if (colon != authority.rfind(':')) return "an IPv6 address stands in brackets";
    uri.host = authority.substr(0, colon);
    if (colon != std::string_view::npos) port = authority.substr(colon);
  }
  if (port.empty()) return {};
  uri.port = number<std::uint16_t>(port.substr(1));
  return uri.port ? std::string_view{} : "the port is no number from 0 to 65535";
}

// What stands behind srd://, and the name of our own device, which is no parameter of the peer.
std::string_view split_srd(std::string_view path, Uri& uri) {
  const auto place = parse_srd(path);
  if (!place) return place.error();
  uri.srd = *place;
  const auto device = std::ranges::find(uri.query, "device", &std::pair<std::string, std::string>::first);
  if (device != uri.query.end()) {
    uri.srd->device = device->second;
    uri.query.erase(device);
  }
  return {};
}

// "5" or "5-20", in milliseconds.
bool read_delay(std::string_view text, Impairments& impairments) {
  const std::size_t dash = text.find('-');
  const auto low = number<std::uint32_t>(text.substr(0, dash));
  const auto high = dash == std::string_view::npos ? low : number<std::uint32_t>(text.substr(dash + 1));
  if (!low || !high || *high < *low) return false;
  impairments.delay_min = std::chrono::milliseconds{*low};
  impairments.delay_max = std::chrono::milliseconds{*high};
  return true;
}

}  // namespace

tl::expected<Uri, std::string> parse_uri(std::string_view text) {
  Uri uri;
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) return malformed(text, "no scheme");
  uri.scheme = text.substr(0, colon);
  std::string_view rest = text.substr(colon + 1);
  const std::size_t question = rest.find('?');
  if (question != std::string_view::npos) uri.query = split_query(rest.substr(question + 1));
  rest = rest.substr(0, question);
  if (uri.scheme == "memory" && rest.empty()) return uri;
  if (!rest.starts_with("//")) return malformed(text, "no '//' after the scheme");
  rest.remove_prefix(2);
  if (rest.ends_with('/')) rest.remove_suffix(1);
  const std::string_view wrong = uri.scheme == "srd" ? split_srd(rest, uri) : split_authority(rest, uri);
  if (!wrong.empty()) return malformed(text, wrong);
  return uri;
}

namespace {

// The words of a blank-separated list.
bool lists(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    const std::string_view next = words.substr(0, words.find(' '));
    if (next == word) return true;
    words.remove_prefix(std::min(next.size() + 1, words.size()));
  }
  return false;
}

// What the scheme itself lets be said behind the port.
constexpr Feature kVerbsParameters[] = {{"device", "The RDMA device that has the address."},
                                        {"far", "The address of a device at the far end, which is driven as well."},
                                        {"far_device", "The RDMA device that has that address."}};
std::span<const Feature> parameters_of(std::string_view scheme) {
  return scheme == "verbs" ? std::span<const Feature>(kVerbsParameters) : std::span<const Feature>();
}

std::string form_of(std::string_view carriages, const Uri& uri) {
  if (uri.srd) return std::string(kSrdForm);
  return fmt::format("{0}://HOST:PORT, {0}://[IPV6]:PORT or memory:", first_carriage(carriages));
}

tl::expected<Uri, std::string> parse_socket_uri(std::string_view text, std::string_view carriages,
                                                std::span<const Feature> parameters) {
  auto uri = parse_uri(text);
  if (!uri) return uri;
  if (!lists(carriages, uri->scheme))
    return malformed(text, fmt::format("this protocol travels over {}", carriages), form_of(carriages, {}));
  std::vector<std::string_view> known;
  for (const auto all : {parameters, parameters_of(uri->scheme)})
    for (const Feature& one : all) known.push_back(one.name);
  if (known.empty() && !uri->query.empty())
    return malformed(text, "nothing may follow the port", form_of(carriages, *uri));
  for (const auto& [key, value] : uri->query)
    if (std::ranges::find(known, key) == known.end())
      return malformed(text, fmt::format("'{}' is no parameter", key),
                       fmt::format("{}{}{}=…", form_of(uri->scheme, *uri), uri->srd ? '&' : '?', known.front()));
  return uri;
}

}  // namespace

std::optional<Uri> uri_in(std::string_view line, std::string_view scheme) {
  const std::size_t begin = line.find(fmt::format("{}://", scheme));
  if (begin == std::string_view::npos) return std::nullopt;
  line.remove_prefix(begin);
  const auto found = parse_uri(line.substr(0, line.find_first_of(" \t\r\n")));
  return found ? std::optional(*found) : std::nullopt;
}

std::string_view first_carriage(std::string_view carriages) {
  return carriages.substr(0, carriages.find(' '));
}

tl::expected<Uri, std::string> parse_peer_uri(std::string_view text, std::string_view carriages,
                                              std::span<const Feature> parameters) {
  auto uri = parse_socket_uri(text, carriages, parameters);
  if (!uri) return uri;
  if (uri->srd)
    return uri->srd->whole() ? uri : malformed(text, "GID, QPN and CONNID are all needed", form_of(carriages, *uri));
  if (uri->host.empty()) return malformed(text, "the host is missing", form_of(carriages, *uri));
  if (!uri->port || *uri->port == 0) return malformed(text, "the port is missing", form_of(carriages, *uri));
  return uri;
}

tl::expected<Uri, std::string> parse_listen_uri(std::string_view text, std::string_view carriages,
                                                std::span<const Feature> parameters) {
  auto uri = parse_socket_uri(text, carriages, parameters);
  if (!uri || uri->srd) return uri;
  if (uri->host.empty()) uri->host = "127.0.0.1";
  if (!uri->port) uri->port = 0;
  return uri;
}

tl::expected<MemoryUri, std::string> parse_memory_uri(std::string_view text) {
  const auto uri = parse_uri(text);
  if (!uri) return tl::unexpected(uri.error());
  if (uri->scheme != "memory" || !uri->host.empty()) return malformed(text, "not a peer in memory", kMemoryForm);
  MemoryUri memory;
  const std::pair<std::string_view, double Impairments::*> probabilities[] = {
      {"loss", &Impairments::loss},
      {"duplication", &Impairments::duplication},
      {"reordering", &Impairments::reordering}};
  for (const auto& [key, value] : uri->query) {
    const auto named = std::ranges::find(probabilities, key, [](const auto& row) { return row.first; });
    bool good = false;
    if (named != std::end(probabilities)) {
      const auto probability = number<double>(value);
      good = probability && *probability >= 0 && *probability <= 1;
      if (good) memory.impairments.*named->second = *probability;
    } else if (key == "seed") {
      memory.seed = number<std::uint64_t>(value);
      good = memory.seed.has_value();
    } else if (key == "verbs") {
      memory.verbs = good = value.empty();
    } else if (key == "pair") {
      memory.verbs = memory.pair = good = value.empty();
    } else if (key == "cut") {
      memory.impairments.cut = number<std::size_t>(value).value_or(0);
      good = memory.impairments.cut > 0;
    } else if (key == "delay") {
      good = read_delay(value, memory.impairments);
    }
    if (!good) return malformed(text, fmt::format("'{}={}' is not understood", key, value), kMemoryForm);
  }
  return memory;
}

std::string host_and_port(std::string_view host, std::uint32_t port) {
  return host.find(':') == std::string_view::npos ? fmt::format("{}:{}", host, port)
                                                  : fmt::format("[{}]:{}", host, port);
}

}  // namespace wirelaw
