// SPDX-License-Identifier: Apache-2.0
#include "pcap/pcapng_interface.h"

#include <limits>
#include <utility>

#include "pcap/libpcap_values.h"
#include "pcap/pcapng_format.h"

namespace wirelaw::pcap {
namespace {

// Offsets in the block, in octets (section 4.2).
constexpr std::size_t kLinkType = 8, kSnapLength = 12, kOptions = 16, kOptionHead = 4;

constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;
constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 2;  // twice this value still fits

// Decodes if_tsresol, a power of two or of ten. Returns 0 if libpcap would reject it.
std::uint64_t units_per_second(Octet resolution) {
  constexpr Octet kPowerOfTwo = 0x80, kMostBinary = 63, kMostDecimal = 19;
  const Octet exponent = resolution & ~kPowerOfTwo;
  if ((resolution & kPowerOfTwo) != 0) return exponent > kMostBinary ? 0 : std::uint64_t{1} << exponent;
  if (exponent > kMostDecimal) return 0;
  std::uint64_t units = 1;
  for (Octet i = 0; i < exponent; ++i) units *= 10;
  return units;
}

bool is_power_of_ten(std::uint64_t value) {
  while (value % 10 == 0) value /= 10;
  return value == 1;
}

}  // namespace

std::optional<PcapngInterface> PcapngInterface::read(Octets block, bool swapped) {
  if (block.size() < kOptions + pcapng::kBlockEnd) return std::nullopt;
  PcapngInterface one;
  one.link_type_ = pcapng::load<std::uint16_t>(block.data() + kLinkType, swapped);
  one.snap_length_ = pcapng::load<std::uint32_t>(block.data() + kSnapLength, swapped);
  if (!one.read_options(block.first(block.size() - pcapng::kBlockEnd).subspan(kOptions), swapped)) return std::nullopt;
  one.find_plain();
  return one;
}

bool PcapngInterface::read_options(Octets options, bool swapped) {
  bool has_resolution = false, has_offset = false;
  while (!options.empty()) {
    if (options.size() < kOptionHead) return false;
    const auto code = pcapng::load<std::uint16_t>(options.data(), swapped);
    const auto length = pcapng::load<std::uint16_t>(options.data() + sizeof code, swapped);
    if (code == pcapng::kOptionEnd) return length == 0;
    if (pcapng::padded(length) > options.size() - kOptionHead) return false;
    if (code == pcapng::kInterfaceTimeResolution && std::exchange(has_resolution, true)) return false;
    if (code == pcapng::kInterfaceTimeOffset && std::exchange(has_offset, true)) return false;
    if (!take_option(code, options.subspan(kOptionHead, length), swapped)) return false;
    options = options.subspan(kOptionHead + pcapng::padded(length));
  }
  return true;
}

bool PcapngInterface::take_option(std::uint16_t code, Octets value, bool swapped) {
  if (code == pcapng::kInterfaceTimeResolution) {
    per_second_ = value.size() == sizeof(Octet) ? units_per_second(value[0]) : 0;
    return per_second_ != 0;
  }
  if (code == pcapng::kInterfaceTimeOffset) {
    if (value.size() != sizeof offset_s_) return false;
    offset_s_ = static_cast<std::int64_t>(pcapng::load<std::uint64_t>(value.data(), swapped));
  }
  return true;
}

void PcapngInterface::find_plain() {
  const bool whole = is_power_of_ten(per_second_) && per_second_ <= kNanosecondsPerSecond;
  if (!whole || __builtin_mul_overflow(offset_s_, std::int64_t{kNanosecondsPerSecond}, &offset_ns_) ||
      offset_ns_ > kFar || offset_ns_ < -kFar)
    return;
  unit_ns_ = kNanosecondsPerSecond / per_second_;
  plain_below_ = static_cast<std::uint64_t>(kFar) / unit_ns_;
}

// Computes as libpcap does: seconds and the remainder separately, each in 64 bits.
std::int64_t PcapngInterface::time_of_any(std::uint64_t stamp) const {
  const std::uint64_t seconds = stamp / per_second_ + static_cast<std::uint64_t>(offset_s_);
  const std::uint64_t left = stamp % per_second_;
  std::uint64_t fraction = 0;
  if (!is_power_of_ten(per_second_))
    fraction = left * kNanosecondsPerSecond / per_second_;
  else if (per_second_ > kNanosecondsPerSecond)
    fraction = left / (per_second_ / kNanosecondsPerSecond);
  else
    fraction = left * (kNanosecondsPerSecond / per_second_);
  return nanoseconds({static_cast<time_t>(seconds), static_cast<suseconds_t>(fraction)});
}

}  // namespace wirelaw::pcap
