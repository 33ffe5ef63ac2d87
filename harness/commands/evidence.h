// SPDX-License-Identifier: Apache-2.0
// Reads the captures again once the verdicts are known, and keeps the messages around findings and in cases. Memory is
// used only for what is shown.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/check/check_files.h"
#include "reports/html/conversation.h"

namespace wirelaw {

// `files` are the inputs of the results, in order, or the only recording of a live run. A file that cannot be read
// again is left out.
ShownTraffic evidence_of(std::span<const std::string> files, const CheckOptions& options, const Results& results,
                         std::vector<std::size_t> input_of_finding);

// True if every file can be read again with the same content.
bool can_be_read_twice(std::span<const std::string> files);

}  // namespace wirelaw
