// SPDX-License-Identifier: Apache-2.0
// The page that describes a protocol's format to implementers, generated from the table of its codec and dissector.
#pragma once

#include <filesystem>
#include <string>
#include <tl/expected.hpp>

#include "pcap/problem.h"

namespace wirelaw::corpora {

// Path of the page, relative to the source root.
inline constexpr const char* kUmspFormatPage = "conformance/umsp/FORMAT.md";

std::string umsp_format_page();

// Updates the page in `root`.
tl::expected<void, pcap::Problem> write_format_pages(const std::filesystem::path& root);

}  // namespace wirelaw::corpora
