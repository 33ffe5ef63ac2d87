// SPDX-License-Identifier: Apache-2.0
// A file of waivers, of rules and cases that there are.
#pragma once

#include <chrono>
#include <string>
#include <tl/expected.hpp>

#include "reports/waivers.h"

namespace wirelaw {

// The error is one line that names the file. For an unknown rule or case it suggests a similar name: a waiver with a
// wrong name would never match.
tl::expected<Waivers, std::string> read_waivers(const std::string& path);
// Same, for text that was already read.
tl::expected<Waivers, std::string> waivers_in(const std::string& name, const std::string& toml);

std::chrono::sys_days today();  // UTC

}  // namespace wirelaw
