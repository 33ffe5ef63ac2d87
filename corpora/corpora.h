// SPDX-License-Identifier: Apache-2.0
// The generated part of corpora/: every sample trace as a capture file with its expected findings, and the seeds of the
// fuzz targets. The output is deterministic.
#pragma once

#include <filesystem>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "pcap/problem.h"

namespace wirelaw::corpora {

// The generated folders, relative to the root; they contain generated files only.
std::vector<std::string> generated_folders();

// One line per trace: file, rule ("-" if none is broken), severity ("-", "violation" or "warning").
inline constexpr const char* kManifest = "EXPECTED.tsv";

// Writes into `root`, which may contain an older version. Obsolete files are not removed.
tl::expected<void, pcap::Problem> write_corpora(const std::filesystem::path& root);

}  // namespace wirelaw::corpora
