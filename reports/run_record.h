// SPDX-License-Identifier: Apache-2.0
// The result of a run, as its recording holds it: comments in the pcapng section that ends the file. The first is for
// people and begins with kRunMark. The others together are one JSON document, cut when an option is full, which
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

// Whether these comments hold a run, whatever state it is in.
bool holds_run(std::span<const std::string> comments);

// A rule by its id; nullptr if it is not known.
using FindRule = std::function<const Rule*(std::string_view id)>;

struct ReadRun {
  RecordedRun run;
  std::uint64_t unknown = 0;  // results of rules that are not known here, which are left out
};
// The error is one line. Any octets may come.
tl::expected<ReadRun, std::string> read_run(std::span<const std::string> comments, const FindRule& find);

}  // namespace wirelaw
