// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/memory/memory_uri.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace wirelaw {
namespace {

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

bool read_probability(std::string_view text, double& probability) {
  const auto value = number<double>(text);
  const bool good = value && *value >= 0 && *value <= 1;
  if (good) probability = *value;
  return good;
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

struct Parameter {
  std::string_view name;
  bool (*read)(std::string_view value, MemoryUri& uri);
};
constexpr Parameter kParameters[] = {
    {"loss", [](auto value, auto& uri) { return read_probability(value, uri.impairments.loss); }},
    {"duplication", [](auto value, auto& uri) { return read_probability(value, uri.impairments.duplication); }},
    {"reordering", [](auto value, auto& uri) { return read_probability(value, uri.impairments.reordering); }},
    {"seed", [](auto value, auto& uri) { return (uri.seed = number<std::uint64_t>(value)).has_value(); }},
    {"over", [](auto value, auto& uri) { return !(uri.over = value).empty(); }},
    {"verbs", [](auto value, auto& uri) { return uri.verbs = value.empty(); }},
    {"pair", [](auto value, auto& uri) { return uri.verbs = uri.pair = value.empty(); }},
    {"setting", [](auto value, auto& uri) { return !uri.settings.emplace_back(value).empty(); }},
    {"cut", [](auto value, auto& uri) { return (uri.impairments.cut = number<std::size_t>(value).value_or(0)) > 0; }},
    {"delay", [](auto value, auto& uri) { return read_delay(value, uri.impairments); }},
};

}  // namespace

tl::expected<MemoryUri, std::string> parse_memory_uri(const Uri& uri) {
  if (uri.scheme != "memory" || uri.has_place) return tl::make_unexpected("not a peer in memory");
  MemoryUri memory;
  for (const auto& [name, value] : uri.query) {
    const auto row = std::ranges::find(kParameters, name, &Parameter::name);
    if (row == std::end(kParameters) || !row->read(value, memory))
      return tl::unexpected(fmt::format("'{}={}' is not understood", name, value));
  }
  return memory;
}

}  // namespace wirelaw
