// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/network_faults.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace wirelaw {
namespace {

template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

bool read_probability(std::string_view text, double& probability) {
  const auto value = number_in<double>(text);
  const bool good = value && *value >= 0 && *value <= 1;
  if (good) probability = *value;
  return good;
}

// Reads "5" or "5-20", in milliseconds.
bool read_delay(std::string_view text, NetworkFaults& network_faults) {
  const std::size_t dash = text.find('-');
  const auto low = number_in<std::uint32_t>(text.substr(0, dash));
  const auto high = dash == std::string_view::npos ? low : number_in<std::uint32_t>(text.substr(dash + 1));
  if (!low || !high || *high < *low) return false;
  network_faults.delay_min = std::chrono::milliseconds{*low};
  network_faults.delay_max = std::chrono::milliseconds{*high};
  return true;
}

struct Row {
  std::string_view name;
  bool (*read)(std::string_view value, NetworkFaults& to);
};
constexpr Row kRows[] = {
    {"loss", [](auto value, auto& to) { return read_probability(value, to.loss); }},
    {"duplication", [](auto value, auto& to) { return read_probability(value, to.duplication); }},
    {"reordering", [](auto value, auto& to) { return read_probability(value, to.reordering); }},
    {"cut", [](auto value, auto& to) { return (to.cut = number_in<std::size_t>(value).value_or(0)) > 0; }},
    {"delay", read_delay},
};

}  // namespace

NetworkFaultWord read_network_fault(std::string_view name, std::string_view value, NetworkFaults& network_faults) {
  const auto row = std::ranges::find(kRows, name, &Row::name);
  if (row == std::end(kRows)) return NetworkFaultWord::unknown;
  return row->read(value, network_faults) ? NetworkFaultWord::understood : NetworkFaultWord::bad_value;
}

}  // namespace wirelaw
