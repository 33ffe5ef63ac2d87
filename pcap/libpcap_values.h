// SPDX-License-Identifier: Apache-2.0
// Converts libpcap's link types and times to those in files.
#pragma once

#include <pcap/pcap.h>

#include <cstdint>
#include <limits>

#include "pcap/pcapng_format.h"
#include "reference/octets/octets.h"

namespace wirelaw::pcap {

// libpcap returns a DLT_. It equals the file's LINKTYPE_, except for a few old ones that systems number differently.
inline int link_type_of(int dlt) {
  constexpr int kLinkTypeRaw = 101;
  return dlt == DLT_RAW ? kLinkTypeRaw : dlt;
}

inline int dlt_of(int link_type) {
  return link_type == link_type_of(DLT_RAW) ? DLT_RAW : link_type;
}

// For a capture opened with nanosecond timestamps: tv_usec holds nanoseconds. A hostile file can hold any number.
inline std::int64_t nanoseconds(const timeval& time) {
  std::int64_t sum = 0;
  if (__builtin_mul_overflow(std::int64_t{time.tv_sec}, std::int64_t{1'000'000'000}, &sum) ||
      __builtin_add_overflow(sum, std::int64_t{time.tv_usec}, &sum)) [[unlikely]]
    return time.tv_sec < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
  return sum;
}

// For any file opened with nanosecond timestamps; `head` holds at least its first four octets. Before 1.10.5, libpcap
// treats both numbers of a time in a pcap as signed, and the fraction before it is converted to nanoseconds.
inline std::int64_t nanoseconds(timeval time, Octets head) {
  constexpr std::uint32_t kOfNanoseconds = 0xa1b23c4d;
  constexpr std::int64_t kWrap = std::int64_t{1} << 32, kNanosecondsPerMicrosecond = 1'000;
  const auto magic = pcapng::load<std::uint32_t>(head.data(), false);
  if (magic == pcapng::kSectionHeader) return nanoseconds(time);
  const bool is_exact = magic == kOfNanoseconds || magic == reversed(kOfNanoseconds);
  if (time.tv_sec < 0) time.tv_sec += kWrap;
  if (time.tv_usec < 0) time.tv_usec += is_exact ? kWrap : kWrap * kNanosecondsPerMicrosecond;
  return nanoseconds(time);
}

}  // namespace wirelaw::pcap
