// SPDX-License-Identifier: Apache-2.0
// The names of what a campaign has reached: the IUT's answers, which stand for its states, and the exercised rules.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "harness/campaign/input_json.h"
#include "harness/campaign/trial.h"

namespace wirelaw::campaign {

struct Reached {
  std::uint64_t inputs = 0;
  std::uint64_t first = 0;  // run of the campaign
  std::uint64_t kept = 0;   // inputs in the corpus
};

struct Reach {
  using Names = std::map<std::string, Reached, std::less<>>;
  Names states = {};  // kinds of the IUT's messages
  Names rules = {};   // ids

  // `is_kept`: the input is in the corpus.
  void take(const Trial& trial, std::uint64_t run, bool is_kept);
  void add(const Reach& other);  // adds another campaign's
};

// The number of these rules that were exercised.
std::size_t rules_reached(const Reach& reach, std::span<const Rule* const> rules);

Json to_json(const Reach& reach);
Reach reach_of(const Json& json);

}  // namespace wirelaw::campaign
