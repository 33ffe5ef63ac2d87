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
};
// Into a folder that is not there yet, which can be gone on with; or of workers that ran side by side, into theirs, in
// the place of what they had come to before. The error is one line.
enum class MergeInto : std::uint8_t { new_folder, anew };
tl::expected<Merged, std::string> merge(const std::vector<std::string>& folders, const std::string& into,
                                        MergeInto how = MergeInto::new_folder);

}  // namespace wirelaw::campaign
