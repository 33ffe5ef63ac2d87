// SPDX-License-Identifier: Apache-2.0
#include "pcap/pcap_records.h"

namespace wirelaw::pcap {
namespace {

// draft-ietf-opsawg-pcap, section 4.
constexpr std::uint32_t kMicroseconds = 0xa1b2c3d4, kNanoseconds = 0xa1b23c4d;
constexpr std::size_t kMagic = 0, kMajor = 4, kMinor = 6, kFileHeader = 24;

constexpr std::size_t kBuffer = std::size_t{1} << 17;
constexpr std::uint32_t kMost = 1u << 18;  // what libpcap takes for sane

}  // namespace

bool has_plain_records(Octets head) {
  if (head.size() < kFileHeader) return false;
  const auto magic = load_native<std::uint32_t>(head.data() + kMagic);
  return (magic == kMicroseconds || magic == kNanoseconds) && load_native<std::uint16_t>(head.data() + kMajor) == 2 &&
         load_native<std::uint16_t>(head.data() + kMinor) == 4;
}

PcapRecords::PcapRecords(Input& input, Octets head, std::uint32_t snap_length)
    : input_(&input),
      most_(std::min(snap_length, kMost)),
      unit_ns_(load_native<std::uint32_t>(head.data() + kMagic) == kNanoseconds ? 1 : 1000),
      buffer_(kBuffer) {}

// False where more would not help, or there is no more.
bool PcapRecords::read_more() {
  const Octets left = rest();
  std::size_t needed = kHeader;
  if (left.size() >= kHeader) {
    const auto captured = load_native<std::uint32_t>(left.data() + kCaptured);
    if (captured > most_) return false;
    needed += captured;
  }
  std::copy(left.begin(), left.end(), buffer_.begin());
  begin_ = 0;
  end_ = left.size();
  if (buffer_.size() < needed) buffer_.resize(needed);
  const std::size_t got = input_->read(std::span(buffer_).subspan(end_));
  end_ += got;
  return got > 0;
}

}  // namespace wirelaw::pcap
