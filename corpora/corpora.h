// SPDX-License-Identifier: Apache-2.0
// The generated part of corpora/: every sample trace as a capture file with the verdict that is expected of it, and the
// seeds of the fuzz targets. The same program writes the same octets.
#pragma once

#include <filesystem>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "pcap/problem.h"

namespace wirelaw::corpora {

// The folders below the root that are generated, and nothing else may lie in them.
std::vector<std::string> generated_folders();

// One line a trace: file, rule ("-" if none is broken), severity ("-", "violation" or "warning").
inline constexpr const char* kManifest = "EXPECTED.tsv";

// Writes below `root`, which may hold an older version; files that are no longer written are left alone.
tl::expected<void, pcap::Problem> write_corpora(const std::filesystem::path& root);

}  // namespace wirelaw::corpora
