// SPDX-License-Identifier: Apache-2.0
// Faults that a campaign has seen and still has to confirm or to minimise. state.json lists them before either begins,
// so that neither a signal nor the end of the time loses them.
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>

#include "harness/campaign/input_json.h"

namespace wirelaw::campaign {

struct Pending {
  Breach breach;              // the breach as first seen
  Input found_as;             // the input that showed it
  Input smallest;             // smallest input so far
  std::uint64_t run = 0;      // run of the campaign
  std::uint64_t trials = 0;   // number of trials to minimise it
  bool is_confirmed = false;  // then it is a finding, which is still to be minimised
};

Json to_json(const Pending& pending);
// The rule is found by its id among these.
tl::expected<Pending, std::string> pending_of(const Json& json, std::span<const Rule* const> rules);

}  // namespace wirelaw::campaign
