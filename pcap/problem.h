// SPDX-License-Identifier: Apache-2.0
// A message for the user: why a capture, or a frame in it, cannot be used as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace wirelaw::pcap {

struct Problem {
  std::string file;         // as the user named it; "-" for a standard stream
  std::uint64_t frame = 0;  // 1-based, as Wireshark counts; 0: the file itself
  std::size_t offset = 0;   // octet in the frame, or in the uncompressed file if `frame` is 0
  std::string message;      // what is wrong
  std::string hint;         // what to do about it; may be empty

  bool operator==(const Problem&) const = default;
};

// One line: "trace.pcap: frame 7, octet 38: UDP length 4 is …; hint".
std::string to_string(const Problem& problem);

}  // namespace wirelaw::pcap
