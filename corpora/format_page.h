// SPDX-License-Identifier: Apache-2.0
// The page of a protocol's format for implementers, from the same table as its codec and its dissector.
#pragma once

#include <filesystem>
#include <string>
#include <tl/expected.hpp>

#include "pcap/problem.h"

namespace wirelaw::corpora {

// Where it lies, from the root of the sources.
inline constexpr const char* kUmspFormatPage = "conformance/umsp/FORMAT.md";

std::string umsp_format_page();

// Renews it below `root`.
tl::expected<void, pcap::Problem> write_format_pages(const std::filesystem::path& root);

}  // namespace wirelaw::corpora
