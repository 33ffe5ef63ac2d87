// SPDX-License-Identifier: Apache-2.0
// The records of a pcap file in this machine's byte order, used in the buffer without a copy: several times as fast as
// libpcap, which copies each record. If a record is odd, too long or cut off, libpcap reads it and all records after
// it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "pcap/frame.h"
#include "pcap/record_buffer.h"
#include "reference/octets/octets.h"

namespace wirelaw::pcap {

// True if a file that begins with `head` is of this kind: magic number in this machine's byte order, version 2.4.
bool has_plain_records(Octets head);

class PcapRecords {
 public:
  // `head` is the file's header. No frame has more than `snap_length` octets.
  PcapRecords(Octets head, std::uint32_t snap_length);

  // Sets the frame's octets, wire length and time. False if the next record is not complete in the buffer, or not in
  // order.
  bool take(RecordBuffer& from, Frame& frame) const {
    const std::size_t there = from.size();
    if (there < kHeader) [[unlikely]]
      return false;
    const Octet* const at = from.begin();
    const auto captured = load_native<std::uint32_t>(at + kCaptured);
    if (captured > most_ || captured > there - kHeader) [[unlikely]]
      return false;
    frame.time_ns = number(at + kSeconds) * 1'000'000'000 + number(at + kFraction) * unit_ns_;
    frame.octets = {at + kHeader, captured};
    frame.wire_length = std::max(load_native<std::uint32_t>(at + kOnWire), captured);
    from.take(kHeader + captured);
    return true;
  }
  // If take() returned false: the number of octets that it needs; 0 if more would not help.
  std::size_t needed(Octets rest) const;
  // Octets that libpcap must read before the rest: none (compare PcapngRecords::untold()).
  static Octets untold() { return {}; }

 private:
  // draft-ietf-opsawg-pcap, section 5: octets of a record's header.
  static constexpr std::size_t kSeconds = 0, kFraction = 4, kCaptured = 8, kOnWire = 12, kHeader = 16;

  // Both parts of the time are unsigned. libpcap treats them as signed before 1.10.5.
  static std::int64_t number(const Octet* at) { return load_native<std::uint32_t>(at); }

  std::uint32_t most_;    // most octets of a frame
  std::int32_t unit_ns_;  // unit of the fraction of a second
};

}  // namespace wirelaw::pcap
