// SPDX-License-Identifier: Apache-2.0
// One frame of a capture, for any link type.
#pragma once

#include <algorithm>
#include <cstdint>

#include "reference/octets/octets.h"

namespace wirelaw::pcap {

inline constexpr std::uint32_t kUnknownInterface = 0xffffffff;

struct Frame {
  std::uint64_t number = 0;     // 1-based, as Wireshark counts
  std::int64_t time_ns = 0;     // since the epoch; times beyond what 64 bits hold are clamped
  std::uint32_t interface = 0;  // number in its pcapng section, or kUnknownInterface
  int link_type = 0;            // LINKTYPE_ value (not DLT_), see https://www.tcpdump.org/linktypes.html
  Octets octets{};              // captured; valid until the next frame is read
  // A neighbouring frame has the same time stamp; set only if frames are read in time order.
  bool order_unknown = false;
  std::uint32_t wire_length = 0;  // never less than octets.size(); greater if the snap length cut the frame
};

// The time of the packets in a frame. Senseless time stamps (before 1897, after 2116) are clamped, so that the
// difference of any two, and a deadline after any, fits 64 bits.
inline std::int64_t packet_time_ns(const Frame& frame) {
  return std::clamp(frame.time_ns, -(std::int64_t{1} << 61), std::int64_t{1} << 62);
}

}  // namespace wirelaw::pcap
