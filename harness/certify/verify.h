// SPDX-License-Identifier: Apache-2.0
// Verifies a statement: hashes its files again, judges its captures again, makes the statement again from them, and
// checks that they belong together and who signed it.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "harness/certify/evidence.h"
#include "harness/certify/signature.h"

namespace wirelaw {

struct Verification {
  std::vector<std::string> faults;                // why it does not hold; none: it does
  std::vector<std::string> notes;                 // remarks that neither confirm nor contradict it
  std::size_t files = 0;                          // files that have the SHA-256 in the statement
  std::size_t captures = 0, same = 0;             // judged again; verdicts that were the same again
  std::size_t without_capture = 0;                // runs
  std::map<std::string, std::string> not_judged;  // by rule: the reason why it cannot be judged again offline
  Signature signature;
  bool is_granted = false;  // the certificate, perhaps with waivers
  std::string summary;      // the statement in a few lines of text
  std::size_t faults_left_out = 0;
};

struct VerifyOptions {
  std::string version, commit;  // version of this program
  std::string signers;          // signature_of()
  std::chrono::sys_seconds now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
};

// The error, one line, is for a file that is no statement.
tl::expected<Verification, std::string> verify(const std::string& statement_path, const VerifyOptions& options);

}  // namespace wirelaw
