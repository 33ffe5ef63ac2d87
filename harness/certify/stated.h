// SPDX-License-Identifier: Apache-2.0
// Reads back what a statement contains about its evidence: enough to make the statement again.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/certify/evidence.h"
#include "harness/certify/statement.h"

namespace wirelaw {

struct Stated {
  StatementJson document;
  ProgramIdentity program;
  std::string role;      // the protocol's word
  EvidenceSet evidence;  // without the declaration, the waivers and the results, which are in the files
  bool has_waivers = false;
};
// The error is one line. The input may be any octets.
tl::expected<Stated, std::string> parse_statement(const std::string& name, const std::string& text);

}  // namespace wirelaw
