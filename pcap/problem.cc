// SPDX-License-Identifier: Apache-2.0
#include "pcap/problem.h"

#include <fmt/format.h>

namespace wirelaw::pcap {

std::string to_string(const Problem& problem) {
  std::string line = problem.file;
  if (problem.frame != 0) {
    line += fmt::format(": frame {}, octet {}", problem.frame, problem.offset);
  } else if (problem.offset != 0) {
    line += fmt::format(": octet {}", problem.offset);
  }
  line += ": " + problem.message;
  if (!problem.hint.empty()) line += "; " + problem.hint;
  return line;
}

}  // namespace wirelaw::pcap
