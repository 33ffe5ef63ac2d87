// SPDX-License-Identifier: Apache-2.0
// --section RFC5040:4.8: the rules of a section of a specification.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/catalogue.h"

namespace wirelaw {

void add_section_option(CLI::App& command, std::vector<std::string>& sections, std::string description);

// Adds the ids of their rules to `rules`, which selects by globs. The error is one line: a section that has no rule is
// a mistake, not an empty success.
tl::expected<void, std::string> add_rules_of(std::span<const std::string> sections, const Catalogue& catalogue,
                                             std::vector<std::string>& rules);

}  // namespace wirelaw
