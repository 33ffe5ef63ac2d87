// SPDX-License-Identifier: Apache-2.0
// Campaigns of several machines, or of several days, become one: inputs and findings that any of them has, each once.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace wirelaw::campaign {

struct Merged {
  std::size_t entries = 0, findings = 0;
};
// Into a folder that is not there yet, which can be gone on with. The error is one line.
tl::expected<Merged, std::string> merge(const std::vector<std::string>& folders, const std::string& into);

}  // namespace wirelaw::campaign
