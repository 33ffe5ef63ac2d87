// SPDX-License-Identifier: Apache-2.0
// The failures of a previous JSON result.
#pragma once

#include <set>
#include <string>
#include <tl/expected.hpp>

#include "conformance/verdict.h"

namespace wirelaw {

struct Baseline {
  std::set<std::string> failed_rules;
  std::set<std::string> failed_cases;
  std::set<std::string> protocols = {};  // protocols in that result; empty: it names none
};

// The error is one line that names the file and what to do.
tl::expected<Baseline, std::string> read_baseline(const std::string& path);
tl::expected<Baseline, std::string> parse_baseline(const std::string& name, const std::string& json);

// The failures in these results, as a baseline.
Baseline baseline_of(const Results& results);

}  // namespace wirelaw
