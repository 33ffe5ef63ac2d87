// SPDX-License-Identifier: Apache-2.0
// Faults that no network may have, done to chosen messages: the relay edits them, or leaves octets of a stream out.
#pragma once

#include <optional>
#include <vector>

#include "conformance/script/triggers.h"
#include "harness/relay/relay_counts.h"

namespace wirelaw {

struct HostileFaults {
  std::vector<script::Trigger> triggers = {};  // already checked; side a is the initiator, b the responder
  const script::Language* language = nullptr;  // the protocol's; not null if there are triggers

  // The state of the triggers for one connection. It must not outlive this object. nullopt if there are no triggers.
  std::optional<script::TriggerRun> run() const {
    return triggers.empty() ? std::nullopt : std::optional<script::TriggerRun>(std::in_place, triggers, *language);
  }
};

// Counts what the triggers did, and returns it as comments for a frame.
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
