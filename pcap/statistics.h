// SPDX-License-Identifier: Apache-2.0
// The statistics at the end of a pcapng file (Interface Statistics Blocks, draft-ietf-opsawg-pcapng,
// section 4.6), which libpcap does not report.
#pragma once

#include <cstdint>
#include <optional>

#include "reference/octets/octets.h"

namespace wirelaw::pcap {

// Sums over all interfaces. A count is empty if one of the interfaces does not state it.
struct Statistics {
  std::optional<std::uint64_t> received;  // isb_ifrecv: frames
  std::optional<std::uint64_t>
      delivered;                         // isb_usrdeliv: frames that were delivered to the program that wrote the file
  std::optional<std::uint64_t> dropped;  // isb_ifdrop and isb_osdrop together

  // The number of frames that the file should have; empty if it is not stated.
  const std::optional<std::uint64_t>& frames() const { return delivered ? delivered : received; }
  // True if no frame was dropped, and the stated number of frames, if any, is `frames_in_file`.
  bool is_complete(std::uint64_t frames_in_file) const {
    return dropped == 0u && frames().value_or(frames_in_file) == frames_in_file;
  }
};

// Number of octets at the end of a file in which blocks of statistics are searched: room for the blocks of some hundred
// interfaces, and for a closing section (section_header.h).
inline constexpr std::size_t kTailOctets = (std::size_t{1} << 20) + (std::size_t{1} << 17);

// Returns the statistics at the end of a pcapng file. `head` is its beginning, `tail` its last octets. Empty if the
// file is of another kind, does not end with such blocks, or ends early. A closing section may follow them.
std::optional<Statistics> statistics_at_end(Octets head, Octets tail);

}  // namespace wirelaw::pcap
