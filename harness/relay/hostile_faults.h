// SPDX-License-Identifier: Apache-2.0
// What a relay does to chosen messages that no network may do: it edits them, or leaves octets of a stream out.
#pragma once

#include <optional>
#include <vector>

#include "conformance/script/triggers.h"
#include "harness/relay/relay_counts.h"

namespace wirelaw {

struct HostileFaults {
  std::vector<script::Trigger> triggers = {};  // for the initiator (a) and the responder (b); checked
  const script::Language* language = nullptr;  // of the protocol, if there are triggers

  // For one connection. It must not outlive this.
  std::optional<script::TriggerRun> run() const {
    return triggers.empty() ? std::nullopt : std::optional<script::TriggerRun>(std::in_place, triggers, *language);
  }
};

// Counts what was done, and gives it as comments of a frame.
inline std::vector<std::string> take_played(script::Passing& passing, RelayCounts& counts) {
  std::vector<std::string> comments;
  for (script::Played& one : passing.played) {
    if (one.is_done)
      ++counts.played[one.line];
    else
      counts.not_played[one.line] = one.text;
    comments.push_back(std::move(one.text));
  }
  return comments;
}

}  // namespace wirelaw
