// SPDX-License-Identifier: Apache-2.0
// The differences between a statement and its evidence.
#pragma once

#include <string>
#include <vector>

#include "harness/certify/statement.h"

namespace wirelaw {

// One line for each value that differs, with its path in the document: "rules RAMCLOUD-ack-5 verdict". At most `most`
// lines; returns the number of all differences.
std::size_t differences(const StatementJson& stated, const StatementJson& again, std::size_t most,
                        std::vector<std::string>& lines);

}  // namespace wirelaw
