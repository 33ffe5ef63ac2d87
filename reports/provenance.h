// SPDX-License-Identifier: Apache-2.0
// The origin of a report, for reports that are kept as records (--provenance). Other reports do not contain it, so that
// the same input gives the same octets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace wirelaw {

// A file that the run has read.
struct ReadFile {
  std::string name;
  std::uint64_t octets = 0;
  std::string sha256;  // empty if unknown
  std::string why;     // why it is unknown
};

struct RunProvenance {
  std::vector<std::string> command;  // words of the command
  std::string started, ended;        // "2026-01-31T12:00:00Z"
  std::string machine;               // "Linux 6.1.0-18-amd64 x86_64"
  std::vector<ReadFile> files;       // in the order of the command line
};

// Returns the command for a shell, with its words quoted as needed.
std::string in_shell(const std::vector<std::string>& words);

}  // namespace wirelaw
