// SPDX-License-Identifier: Apache-2.0
// Options that describe the content of captures, shared by `check` and `decode`.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/check/check.h"

namespace wirelaw {

struct CaptureOptions {
  std::vector<std::string> files;
  std::vector<std::string> decode_as;
  std::vector<std::string> rules, sections;
  std::vector<std::string> features;
  std::string iut;
  std::string protocol;
  std::string revision;
  bool complete = false;
};

// FILE…, --decode-as, --iut, --rule, --section, --protocol, --feature, --revision, --complete.
void add_capture_options(CLI::App& command, CaptureOptions& options);

// The error is one line that names the option.
tl::expected<CheckOptions, std::string> understand(const CaptureOptions& options);

void add_feature_option(CLI::App& command, std::vector<std::string>& features);
// No error if this protocol, or any protocol if it is nullptr, has each of these features. The error suggests the
// nearest name.
std::optional<std::string> unknown_feature(const std::vector<std::string>& features, const Protocol* protocol);

inline constexpr const char* kRevisionIsShown =
    "Revision of the specification that the peer follows (default: as its traffic shows)";
void add_revision_option(CLI::App& command, std::string& revision, std::string description = kRevisionIsShown);
// No error if this protocol, or any protocol if it is nullptr, has a document of this revision, or if no revision is
// given.
std::optional<std::string> unknown_revision(const std::string& revision, const Protocol* protocol);

// The protocol of this name; an empty name is any (null). The error lists those that are known.
// The error begins with the option; a positional argument has none.
tl::expected<const Protocol*, std::string> protocol_named(const std::string& name,
                                                          std::string_view option = "--protocol");
// The error if a glob matches no case or no rule of the protocol, in any role.
std::optional<std::string> unmatched_selection(const Protocol& protocol, const std::vector<std::string>& cases,
                                               const std::vector<std::string>& rules);

}  // namespace wirelaw
