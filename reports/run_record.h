// SPDX-License-Identifier: Apache-2.0
// The result of a run inside its recording: comments in the last pcapng section. The first comment is for the reader
// and begins with kRunMark. The others together are one JSON document, split where an option is full, which
// wirelaw-2.schema.json describes as "run".
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/verdict.h"
#include "reports/gate.h"

namespace wirelaw {

inline constexpr std::string_view kRunMark = "wirelaw run: ";

std::vector<std::string> comments_of_run(const Results& results, const Gate& gate, std::string_view version);

// True if these comments hold a run, complete or not.
bool holds_run(std::span<const std::string> comments);

// Finds a rule by its id. Returns nullptr if it is unknown.
using FindRule = std::function<const Rule*(std::string_view id)>;

struct ReadRun {
  RecordedRun run;
  std::uint64_t unknown = 0;  // number of results that were left out because their rule is unknown here
};
// The error is one line. Any input is allowed.
tl::expected<ReadRun, std::string> read_run(std::span<const std::string> comments, const FindRule& find);

}  // namespace wirelaw
