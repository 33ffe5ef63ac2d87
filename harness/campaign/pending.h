// SPDX-License-Identifier: Apache-2.0
// What a campaign has seen and not examined to the end: it is still to be confirmed, or to be minimised. state.json has
// it before either begins, so that neither a signal nor the end of the time loses it.
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>

#include "harness/campaign/input_json.h"

namespace wirelaw::campaign {

struct Pending {
  Breach breach;              // as it was seen
  Input found_as;             // the input that showed it
  Input smallest;             // so far
  std::uint64_t run = 0;      // of the campaign
  std::uint64_t trials = 0;   // that were made to minimise it
  bool is_confirmed = false;  // then it is a finding, which is still to be minimised
};

Json to_json(const Pending& pending);
// The rule is found by its id among these.
tl::expected<Pending, std::string> pending_of(const Json& json, std::span<const Rule* const> rules);

}  // namespace wirelaw::campaign
