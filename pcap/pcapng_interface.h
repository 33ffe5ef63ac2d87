// SPDX-License-Identifier: Apache-2.0
// An Interface Description Block (draft-ietf-opsawg-pcapng, section 4.2), and the unit of its time stamps.
#pragma once

#include <cstdint>
#include <optional>

#include "reference/octets/octets.h"

namespace wirelaw::pcap {

class PcapngInterface {
 public:
  // Reads a complete block. Empty if any part of it is invalid. `swapped`: not in this machine's byte order.
  static std::optional<PcapngInterface> read(Octets block, bool swapped);

  std::uint16_t link_type() const { return link_type_; }
  std::uint32_t snap_length() const { return snap_length_; }
  // Nanoseconds since the epoch; clamped if 64 bits do not hold them.
  std::int64_t time_ns(std::uint64_t stamp) const {
    if (stamp < plain_below_) [[likely]]
      return static_cast<std::int64_t>(stamp * unit_ns_) + offset_ns_;
    return time_of_any(stamp);
  }

 private:
  bool read_options(Octets options, bool swapped);
  bool take_option(std::uint16_t code, Octets value, bool swapped);
  void find_plain();
  std::int64_t time_of_any(std::uint64_t stamp) const;

  std::uint16_t link_type_ = 0;
  std::uint32_t snap_length_ = 0;
  std::uint64_t per_second_ = 1'000'000;
  std::int64_t offset_s_ = 0;
  // Time stamps below this convert to nanoseconds without overflow, if their unit is a multiple of a nanosecond.
  std::uint64_t plain_below_ = 0;
  std::uint64_t unit_ns_ = 1;
  std::int64_t offset_ns_ = 0;
};

}  // namespace wirelaw::pcap
