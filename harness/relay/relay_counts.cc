// SPDX-License-Identifier: Apache-2.0
#include "harness/relay/relay_counts.h"

#include <fmt/format.h>

namespace wirelaw {

std::string RelayCounts::deeds() const {
  std::string text;
  const auto add = [&](const std::string& one) { text += (text.empty() ? "" : "; ") + one; };
  const auto packets = [&](std::uint64_t count) {
    return fmt::format("{} {}{}", count, packet, count == 1 ? "" : "s");
  };
  if (lost > 0) add(fmt::format("lost {}", packets(lost)));
  if (doubled > 0) add(fmt::format("sent {} twice", packets(doubled)));
  if (held_back > 0) add(fmt::format("held {} back", packets(held_back)));
  if (faulted > 0) add(fmt::format("ended {} connection{}", faulted, faulted == 1 ? "" : "s"));
  for (const auto& [line, times] : played)
    add(fmt::format("played line {} of the faults {} time{}", line, times, times == 1 ? "" : "s"));
  return text;
}

}  // namespace wirelaw
