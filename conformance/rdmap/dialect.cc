// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/dialect.h"

#include <algorithm>

#include "reference/mpa/fpdu.h"
#include "reference/mpa/start_frame.h"
#include "reference/octets/crc32c.h"

namespace wirelaw::rdmap {
namespace {

// Returns true if these octets are one FPDU without markers.
bool is_fpdu(Octets octets) {
  if (octets.size() < mpa::kLengthOctets + mpa::kCrcOctets) return false;
  return mpa::fpdu_octets(load_big_endian<std::uint16_t>(octets.data())) == octets.size();
}

// ULPDU_Length, PAD and CRC (RFC 5044, 4), or PD_Length of a start frame (7.1).
void repair_iwarp(Octets before, OctetBuffer& message) {
  if (mpa::start_frame_in(before)) {
    using namespace mpa::layout;
    if (message.size() < kStartFrame) return;
    const auto octets = static_cast<std::uint16_t>(std::min<std::size_t>(message.size() - kStartFrame, 0xffff));
    return store_big_endian(message.data() + kPrivateDataLength, octets);
  }
  if (!is_fpdu(before) || message.size() < mpa::kLengthOctets + mpa::kCrcOctets) return;
  if (message.size() != before.size()) {
    const std::size_t ulpdu = std::min(message.size() - mpa::kLengthOctets - mpa::kCrcOctets, mpa::kMaxUlpdu);
    message.resize(mpa::kLengthOctets + ulpdu);
    message.resize(mpa::fpdu_octets(ulpdu));
    store_big_endian(message.data(), static_cast<std::uint16_t>(ulpdu));
  } else {
    std::copy_n(before.begin(), mpa::kLengthOctets, message.begin());
  }
  const std::size_t covered = message.size() - mpa::kCrcOctets;
  store_little_endian(message.data() + covered, crc32c(Octets(message).first(covered)));
}

// Twice the longest FPDU: after the one that a changed length announced, the octets begin another, whose CRC is wrong
// or whose header is reserved (RFC 5044 8; RFC 5041 7.1). Markers take little of it.
constexpr std::size_t kFillerOctets = 3 * 65536;

constexpr std::string_view kBound[] = {"iwarp_ddp.stag", "iwarp_ddp.msn"};

}  // namespace

constinit const edits::Dialect kDialect{
    .big_endian = true, .bound = kBound, .repair = repair_iwarp, .filler_octets = kFillerOctets, .proven = true};

}  // namespace wirelaw::rdmap
