// SPDX-License-Identifier: Apache-2.0
// A campaign as a self-contained HTML page: numbers, findings with links to their folders, plots over time, and what
// was reached by state and by section.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/campaign/finding.h"
#include "harness/campaign/reach.h"
#include "harness/campaign/statistics.h"

namespace wirelaw::campaign {

struct Page {
  std::string title, subtitle;
  const Statistics& statistics;
  const std::vector<FindingLine>& findings;
  const Reach& reach;
  std::span<const Rule* const> rules;  // the rules for the IUT's role
};

std::string page_of(const Page& page);

}  // namespace wirelaw::campaign
