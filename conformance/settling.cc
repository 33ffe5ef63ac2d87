// SPDX-License-Identifier: Apache-2.0
#include "conformance/settling.h"

#include <algorithm>
#include <charconv>

namespace wirelaw {

std::chrono::milliseconds settling_time(const CaseRun& run) {
  constexpr std::uint32_t kMost = 10'000;
  const std::string_view text = run.parameter(kSettle.name);
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_said = error == std::errc{} && end == text.data() + text.size();
  return std::chrono::milliseconds(is_said ? std::min(value, kMost) : 0);
}

}  // namespace wirelaw
