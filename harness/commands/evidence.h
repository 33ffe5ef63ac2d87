// SPDX-License-Identifier: Apache-2.0
// What passed around findings and in cases, read once more from the captures when the verdicts are known: memory is
// taken for what is shown alone.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/check/check_files.h"
#include "reports/html/conversation.h"

namespace wirelaw {

// `files` are the inputs of the results, in their order, or the one recording of a live run. Of one that cannot be read
// once more nothing is shown.
ShownTraffic evidence_of(std::span<const std::string> files, const CheckOptions& options, const Results& results,
                         std::vector<std::size_t> input_of_finding);

// Whether every file gives the same when it is read once more.
bool can_be_read_twice(std::span<const std::string> files);

}  // namespace wirelaw
