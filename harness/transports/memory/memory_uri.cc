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

struct Parameter {
  std::string_view name;
  bool (*read)(std::string_view value, MemoryUri& uri);
};
constexpr Parameter kParameters[] = {
    {"seed", [](auto value, auto& uri) { return (uri.seed = number<std::uint64_t>(value)).has_value(); }},
    {"over", [](auto value, auto& uri) { return !(uri.over = value).empty(); }},
    {"verbs", [](auto value, auto& uri) { return uri.verbs = value.empty(); }},
    {"pair", [](auto value, auto& uri) { return uri.verbs = uri.pair = value.empty(); }},
    {"setting", [](auto value, auto& uri) { return !uri.settings.emplace_back(value).empty(); }},
};

}  // namespace

tl::expected<MemoryUri, std::string> parse_memory_uri(const Uri& uri) {
  if (uri.scheme != "memory" || uri.has_place) return tl::make_unexpected("not a peer in memory");
  MemoryUri memory;
  for (const auto& [name, value] : uri.query) {
    const auto row = std::ranges::find(kParameters, name, &Parameter::name);
    const bool understood = row == std::end(kParameters)
                                ? read_network_fault(name, value, memory.network_faults) == NetworkFaultWord::understood
                                : row->read(value, memory);
    if (!understood) return tl::unexpected(fmt::format("'{}={}' is not understood", name, value));
  }
  return memory;
}

}  // namespace wirelaw
