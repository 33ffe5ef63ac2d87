// SPDX-License-Identifier: Apache-2.0
// The generated parts of the Wireshark dissectors of EFA RDM and UMSP (pcap/wireshark/efa_rdm.lua, umsp.lua): the
// tables of packets and of instructions, in Lua.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "pcap/problem.h"

namespace wirelaw::corpora {

// Paths of the dissectors, relative to the source root.
inline constexpr const char* kEfaDissector = "pcap/wireshark/efa_rdm.lua";
inline constexpr const char* kUmspDissector = "pcap/wireshark/umsp.lua";

// The generated text between the marks.
std::string efa_dissector_tables();
std::string umsp_dissector_tables();

// Returns the script with these tables between its marks; nothing unless it has exactly one pair of marks.
std::optional<std::string> with_tables(std::string_view script, std::string_view tables);

// Updates the dissectors in `root`.
tl::expected<void, pcap::Problem> write_dissectors(const std::filesystem::path& root);

}  // namespace wirelaw::corpora
