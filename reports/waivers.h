// SPDX-License-Identifier: Apache-2.0
// Waivers: known failures, accepted until a date (wirelaw-waivers-2.schema.json). A waived failure does not fail a
// gate; it is never a pass.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace wirelaw {

inline constexpr std::string_view kWaiversSchema = "wirelaw-waivers/2";

struct Waiver {
  bool is_of_case = false;  // false: of a rule
  std::string id;
  std::string reason, owner;
  std::chrono::sys_days until;  // the last day on which it holds
  std::string link = {};
  std::size_t line = 0;  // line in the file, from 1

  bool holds(std::chrono::sys_days today) const { return today <= until; }
};

struct Waivers {
  std::string file;
  std::vector<Waiver> entries;  // at most one for each rule or case
};

// The error is one line that names the file and the line.
tl::expected<Waivers, std::string> parse_waivers(const std::string& name, std::string_view toml);

// The failures of a run, as far as waivers need them.
struct FailedFacts {
  struct Case {
    std::string id;
    std::vector<std::string> rules;
  };
  struct Violation {
    std::string rule, in_case;  // the case may be empty
  };
  std::vector<std::string> rules;
  std::vector<Case> cases;
  std::vector<Violation> violations;  // violations that were kept
  bool is_full = false;               // some may have been left out
};

// Decides which failures are waived, and by what. A waiver for a rule also covers the cases that fail by no other rule.
// A waiver for a case also covers the rules whose violations are all in waived cases.
struct WaiverAccount {
  std::map<std::string, const Waiver*, std::less<>> rules, cases;
  std::vector<const Waiver*> expired;  // expired waivers, even if they would cover a failure
  std::vector<const Waiver*> unused;   // waivers in force whose rule or case has not failed
};
WaiverAccount account_of(const Waivers& waivers, std::chrono::sys_days today, const FailedFacts& failed);

std::string to_string(std::chrono::sys_days day);  // "2027-01-31"

}  // namespace wirelaw
