// SPDX-License-Identifier: Apache-2.0
// Verifies a statement: hashes its files again, judges its captures again, and makes the statement again from them.
#pragma once

#include <map>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/certify/evidence.h"

namespace wirelaw {

struct Verification {
  std::vector<std::string> faults;                // why it does not hold; none: it does
  std::vector<std::string> notes;                 // what speaks neither for it nor against it
  std::size_t files = 0;                          // that have the SHA-256 in the statement
  std::size_t captures = 0, same = 0;             // judged again; verdicts that were the same again
  std::size_t without_capture = 0;                // runs
  std::map<std::string, std::string> not_judged;  // by rule: why it cannot be judged again offline
  std::string summary;                            // the statement in a few lines of text
  std::size_t faults_left_out = 0;
};

// The error, one line, is for a file that is no statement.
tl::expected<Verification, std::string> verify(const std::string& statement_path, const std::string& version,
                                               const std::string& commit);

}  // namespace wirelaw
