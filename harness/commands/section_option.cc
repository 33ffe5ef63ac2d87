// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/section_option.h"

#include <fmt/format.h>

#include "harness/commands/options.h"
#include "reports/printable.h"
#include "reports/section_pattern.h"

namespace wirelaw {

void add_section_option(CLI::App& command, std::vector<std::string>& sections, std::string description) {
  add_option(command, "--section", sections, std::move(description))
      ->type_name("DOCUMENT[:SECTION]")
      ->allow_extra_args(false);
}

tl::expected<void, std::string> add_rules_of(std::span<const std::string> sections, const Catalogue& catalogue,
                                             std::vector<std::string>& rules) {
  for (const std::string& section : sections) {
    const std::size_t before = rules.size();
    for (const Rule* rule : catalogue.rules())
      if (is_in_section(section, rule->section)) rules.emplace_back(rule->id);
    if (rules.size() == before)
      return tl::make_unexpected(
          fmt::format("--section: no rule has the section '{}'; use a form like RFC5040:4.8, MS-SMBD:3.1.5, EFA:3.2 or "
                      "RAMCloud:rpcId; `wirelaw rules` "
                      "names the sections",
                      printable(section)));
  }
  return {};
}

}  // namespace wirelaw
