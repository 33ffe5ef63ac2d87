// SPDX-License-Identifier: Apache-2.0
// Exports a finding as a case of the tree, so that every later run looks for it:
//
//   <name>.cc                  its row among the protocol's cases (conformance/edited_case.h); of a broken rule
//   <name>.pcapng              its capture, which `wirelaw check` judges
//   <name>.wirelaw             what the tester said, as a script
//   fuzz_PROTOCOL_trace/<name> its longest conversation, a seed of that target
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/campaign/finding.h"

namespace wirelaw::campaign {

// Returns a name made from the rule, or the signature, and the input: "ramcloud_ack_5_1f3a".
std::string export_name(const KeptFinding& finding);
// Returns the source file with the row. The finding must break a rule.
std::string unit_of(const KeptFinding& finding);

// Writes the files into `folder`, creates it if needed, and returns their paths. `path` is the finding's folder. The
// error is one line.
tl::expected<std::vector<std::string>, std::string> export_finding(const std::string& path, const std::string& folder);

}  // namespace wirelaw::campaign
