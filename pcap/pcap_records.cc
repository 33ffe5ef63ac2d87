// SPDX-License-Identifier: Apache-2.0
#include "pcap/pcap_records.h"

namespace wirelaw::pcap {
namespace {

// draft-ietf-opsawg-pcap, section 4.
constexpr std::uint32_t kMicroseconds = 0xa1b2c3d4, kNanoseconds = 0xa1b23c4d;
constexpr std::size_t kMagic = 0, kMajor = 4, kMinor = 6, kFileHeader = 24;

constexpr std::uint32_t kMost = 1u << 18;  // the longest record that libpcap accepts

}  // namespace

bool has_plain_records(Octets head) {
  if (head.size() < kFileHeader) return false;
  const auto magic = load_native<std::uint32_t>(head.data() + kMagic);
  return (magic == kMicroseconds || magic == kNanoseconds) && load_native<std::uint16_t>(head.data() + kMajor) == 2 &&
         load_native<std::uint16_t>(head.data() + kMinor) == 4;
}

PcapRecords::PcapRecords(Octets head, std::uint32_t snap_length)
    : most_(std::min(snap_length, kMost)),
      unit_ns_(load_native<std::uint32_t>(head.data() + kMagic) == kNanoseconds ? 1 : 1000) {}

std::size_t PcapRecords::needed(Octets rest) const {
  if (rest.size() < kHeader) return kHeader;
  const auto captured = load_native<std::uint32_t>(rest.data() + kCaptured);
  return captured > most_ ? 0 : kHeader + captured;
}

}  // namespace wirelaw::pcap
