// SPDX-License-Identifier: Apache-2.0
// An implementation conformance statement (ICS): what is claimed about an implementation, in TOML
// (wirelaw-ics-1.schema.json). It selects rules, cases and expectations.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/protocol.h"
#include "harness/environment.h"

namespace wirelaw {

inline constexpr std::string_view kDeclarationSchema = "wirelaw-ics/1";

struct Declaration {
  std::string vendor, product, version, contact;
  const Protocol* protocol = nullptr;
  std::string revision;               // from Protocol::revisions; empty: as its traffic shows
  std::vector<Role> roles;            // roles that it plays
  std::string application = "none";   // from Protocol::applications
  std::vector<std::string> features;  // features that it has, in the order of Protocol::features
  IutParameters parameters;           // parameters, in the order of Protocol::parameters
  double answer_time = 2;             // seconds
  double silence_time = 0.5;

  bool plays(Role role) const;
  // Returns true if a feature, or a parameter, of this name is declared.
  bool declares(std::string_view feature) const;
};

// The error is one line that names the file and the line.
tl::expected<Declaration, std::string> parse_declaration(const std::string& name, std::string_view toml);

// Returns the protocol's word for the role: "server".
std::string_view word_of(const Protocol& protocol, Role role);
// Returns the names in Protocol::applications: "echo", "count", ….
std::vector<std::string> applications_of(const Protocol& protocol);

// A file that parse_declaration() reads, with a comment on each key. Empty values are left for the user to fill in.
std::string declaration_text(const Declaration& known);

}  // namespace wirelaw
