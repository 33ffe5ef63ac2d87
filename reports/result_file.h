// SPDX-License-Identifier: Apache-2.0
// Reads a JSON result (wirelaw-2.schema.json), as far as baselines, differences, and the pages about peers need it.
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
    std::string in_case;      // empty: no case
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
  struct Run {  // a run from a judged recording
    std::string end;
    std::vector<Rule> rules;
    std::vector<Case> cases;
    std::vector<Finding> findings;
  };
  std::string version;           // version of wirelaw
  std::string end = "complete";  // how the run ended
  std::uint64_t exit_status = 0;
  std::uint64_t findings_dropped = 0;
  std::optional<RunIdentity> identity;  // for a run of `wirelaw certify`
  std::vector<std::string> inputs;      // captures, or the URI of the peer
  std::vector<Rule> rules;
  std::vector<Finding> findings;
  std::vector<Case> cases;
  std::vector<Run> runs;
};

// The protocols of a result: those of its cases or, if it has none, of the rules that were exercised.
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
