// SPDX-License-Identifier: Apache-2.0
// Campaigns of several machines, or of several days, become one: inputs and findings that any of them has, each once.
#pragma once

#include <cstdint>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/campaign/statistics.h"

namespace wirelaw::campaign {

struct Merged {
  std::size_t entries = 0, findings = 0;
  Statistics statistics = {};
  std::vector<std::string> signatures = {};
  std::vector<std::string> to_minimise = {}, to_confirm = {};  // as in Outcome
};
// new_folder: into a folder that does not exist yet, which a campaign can resume. anew: the workers ran side by side,
// and their merged result replaces the previous one. The error is one line.
enum class MergeInto : std::uint8_t { new_folder, anew };
tl::expected<Merged, std::string> merge(const std::vector<std::string>& folders, const std::string& into,
                                        MergeInto how = MergeInto::new_folder);

}  // namespace wirelaw::campaign
