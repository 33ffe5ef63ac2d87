// SPDX-License-Identifier: Apache-2.0
// A finding for the tree, so that what a campaign has found once is looked for from then on:
//
//   <name>.cc                  its row among the protocol's cases (conformance/edited_case.h); of a broken rule
//   <name>.pcapng              its capture, which `wirelaw check` judges
//   fuzz_PROTOCOL_trace/<name> its longest conversation, a seed of that target
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/campaign/finding.h"

namespace wirelaw::campaign {

// "ramcloud_ack_5_1f3a": of the rule, or of the signature, and of the input.
std::string export_name(const KeptFinding& finding);
// The source file with the row. The finding has to break a rule.
std::string unit_of(const KeptFinding& finding);

// Writes them into `folder`, which is made, and gives their paths. `path` is the finding's folder. The error is one
// line.
tl::expected<std::vector<std::string>, std::string> export_finding(const std::string& path, const std::string& folder);

}  // namespace wirelaw::campaign
