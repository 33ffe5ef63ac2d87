// SPDX-License-Identifier: Apache-2.0
// A campaign as a page for a browser, in one file: its numbers, how they went over its runs, and its findings.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "harness/campaign/statistics.h"

namespace wirelaw::campaign {

std::string page_of(std::string_view title, const Statistics& statistics, std::span<const std::string> signatures);

}  // namespace wirelaw::campaign
