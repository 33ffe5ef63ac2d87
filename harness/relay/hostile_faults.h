// SPDX-License-Identifier: Apache-2.0
// Faults that no network may have, done to chosen messages: the relay edits them, or leaves octets of a stream out.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/script/triggers.h"
#include "harness/relay/relay_counts.h"

namespace wirelaw {

struct HostileFaults {
  std::vector<script::Trigger> triggers = {};  // already checked; side a is the initiator, b the responder
  const script::Language* language = nullptr;  // the protocol's; not null if there are triggers
  bool is_over_udp = true;                     // the protocol travels over UDP, perhaps among others

  // The state of the triggers for one connection. It must not outlive this object. nullopt if there are no triggers.
  std::optional<script::TriggerRun> run(script::RelayKind relay = script::RelayKind::ends_connections) const {
    return triggers.empty() ? std::nullopt
                            : std::optional<script::TriggerRun>(std::in_place, triggers, *language, relay);
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

// Counts that none of this sender's lines is played on some connection from now on, or on some frames.
inline void say_not_played(const HostileFaults& faults, Side sender, std::string_view why, RelayCounts& counts) {
  for (const script::Trigger& one : faults.triggers)
    if (one.sender == script::letter(sender))
      counts.not_played[one.at.line] =
          fmt::format("line {} of the faults was not played on all that passed: {}", one.at.line, why);
}

}  // namespace wirelaw
