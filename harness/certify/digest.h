// SPDX-License-Identifier: Apache-2.0
// SHA-256 of the evidence, and of the tables by which the program judges.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "conformance/protocol.h"

namespace wirelaw {

std::string sha256_of(std::string_view octets);  // 64 hexadecimal digits

struct FileDigest {
  std::uint64_t octets = 0;
  std::string sha256;
};
// The error is one line that names the file.
tl::expected<FileDigest, std::string> digest_of_file(const std::string& path);

// The digest of the rules by which a program judges a protocol and those below it.
struct JudgedBy {
  std::string rules;    // each with its level, role, section, text, note and evidence
  std::string cases;    // each with its rules, role, purpose and need
  std::string rulings;  // the pages INTERPRETATIONS.md that the program was built with
};
JudgedBy judged_by(const Protocol& protocol);

}  // namespace wirelaw
