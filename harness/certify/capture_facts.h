// SPDX-License-Identifier: Apache-2.0
// Facts about a recording besides the meaning of its frames: enough to see that two recordings are the same, and that a
// recording belongs to its run. Wirelaw wrote it (pcap/writer.h): pcapng, little-endian, nanoseconds.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace wirelaw {

struct CaptureFacts {
  std::string run, certification;  // from its section comment: RunIdentity::run, mark_of()
  bool is_synthetic = false;       // a case begins with the frame that names it
  bool is_rendered = false;        // no network carried the frames; their addresses are made up
  std::uint64_t frames = 0;
  std::int64_t first_ns = 0, last_ns = 0;       // since 1970
  std::string octets;                           // SHA-256 of the frames, without their times
  std::string intervals;                        // SHA-256 of their times since the first one
  std::map<std::uint64_t, std::string> begins;  // by frame: the case that begins there; empty: a control
};
// Stops at the first block that Wirelaw would not have written.
CaptureFacts facts_of_capture(const std::string& path);

}  // namespace wirelaw
