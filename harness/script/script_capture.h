// SPDX-License-Identifier: Apache-2.0
// A script as a capture: what its two sides say to each other, as Ethernet frames.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/script/conversation.h"
#include "harness/script/script_file.h"

namespace wirelaw {

// Writes the capture. Returns for each of Conversation::spoken the number of its frame, from 1; 0 if it is not in the
// capture. `check` needs no option to judge the file: its section comment names the protocol, and the IUT if the script
// names one. The error is one line.
tl::expected<std::vector<std::uint64_t>, std::string> write_capture(const script::Conversation& conversation,
                                                                    const ScriptPart& part, const std::string& path);

}  // namespace wirelaw
