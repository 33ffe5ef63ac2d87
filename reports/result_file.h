// SPDX-License-Identifier: Apache-2.0
// A JSON result that was written before (wirelaw-2.schema.json), read back: what baselines, differences, and the
// pages of peers need of it.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/verdict.h"
#include "reports/run_identity.h"

namespace wirelaw {

struct ResultFile {
  struct Rule {
    std::string id, protocol, level, section, summary, verdict;
    std::uint64_t exercised = 0, failed = 0, warned = 0;
  };
  struct Finding {
    std::string rule, severity, expected, actual;
    std::string in_case;      // empty: of none
    std::uint64_t frame = 0;  // in the capture, from 1
    std::uint64_t offset = 0;
    std::string octets;    // hexadecimal
    std::string shown_by;  // "case", "trace"
  };
  struct Case {
    std::string id, protocol, verdict, reason;
    std::vector<std::string> rules;
    std::uint64_t first_frame = 0, last_frame = 0;  // 0: none
  };
  struct Run {  // from a recording that was judged
    std::string end;
    std::vector<Rule> rules;
    std::vector<Case> cases;
    std::vector<Finding> findings;
  };
  std::string version;           // wirelaw's version
  std::string end = "complete";  // how the run ended
  std::uint64_t exit_status = 0;
  std::uint64_t findings_dropped = 0;
  std::optional<RunIdentity> identity;  // of a run of `wirelaw certify`
  std::vector<std::string> inputs;      // captures, or the URI of the peer
  std::vector<Rule> rules;
  std::vector<Finding> findings;
  std::vector<Case> cases;
  std::vector<Run> runs;
};

// The protocols that a result is about: those of its cases, or of the rules that were exercised if it has no cases.
std::set<std::string> protocols_of(const ResultFile& result);
std::set<std::string> protocols_of(const Results& results);
// Returns true if both are known and have nothing in common: such results cannot be compared.
bool are_of_other_protocols(const std::set<std::string>& one, const std::set<std::string>& other);

// The error is one line that names the file and what to do; `hint` describes what the file should contain.
tl::expected<ResultFile, std::string> read_result_file(const std::string& path, std::string_view hint);
tl::expected<ResultFile, std::string> parse_result(const std::string& name, const std::string& json,
                                                   std::string_view hint);

// The octets of a file. The error is one line that names it.
tl::expected<std::string, std::string> read_file(const std::string& path);

}  // namespace wirelaw
