// SPDX-License-Identifier: Apache-2.0
#include "harness/relay/relay_counts.h"

#include <fmt/format.h>

namespace wirelaw {

std::string RelayCounts::deeds() const {
  std::string text;
  const auto add = [&](const std::string& one) { text += (text.empty() ? "" : "; ") + one; };
  if (lost > 0) add(fmt::format("lost {} datagram{}", lost, lost == 1 ? "" : "s"));
  if (doubled > 0) add(fmt::format("sent {} datagram{} twice", doubled, doubled == 1 ? "" : "s"));
  if (held_back > 0) add(fmt::format("held {} datagram{} back", held_back, held_back == 1 ? "" : "s"));
  if (faulted > 0) add(fmt::format("ended {} connection{}", faulted, faulted == 1 ? "" : "s"));
  for (const auto& [line, times] : played)
    add(fmt::format("played line {} of the faults {} time{}", line, times, times == 1 ? "" : "s"));
  return text;
}

}  // namespace wirelaw
