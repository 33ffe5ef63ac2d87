// SPDX-License-Identifier: Apache-2.0
// The output of a target's program: while libFuzzer runs it, and about an input that breaks it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace wirelaw::campaign {

// "#2048	NEW    cov: 311 ft: 702 corp: 29/3102b lim: 8192 exec/s: 1024 rss: 60Mb L: 63/512 MS: 1 Custom-"
struct TargetStatus {
  std::uint64_t runs = 0, coverage = 0, features = 0, corpus = 0, rate = 0;
  bool is_new = false;  // this input reached something new
};
// Empty if it is another line.
std::optional<TargetStatus> status_of(std::string_view line);

// "Done 4096 runs in 3 second(s)": how many.
std::optional<std::uint64_t> runs_done(std::string_view line);

// Why an input ended its program.
struct TargetFault {
  std::string signature;  // "broken encode(decode(x)) == x", "rule RAMCLOUD-ack-5", "sanitizer …", "timeout", "memory"
  std::string report;     // its lines
};
// Empty if the output contains no fault.
std::optional<TargetFault> fault_of(const std::string& output);

// The file that libFuzzer has kept the input in; empty if it names none.
std::string artifact_of(const std::string& output);

}  // namespace wirelaw::campaign
