// SPDX-License-Identifier: Apache-2.0
// Framed PDUs (RFC 5044, 4.1 to 4.4): ULPDU_Length, ULPDU, PAD to a multiple of four, CRC; and the optional markers at
// every 512th octet of the stream. Integers are big-endian on the wire, except the CRC, whose least significant octet
// is sent first.
#pragma once

#include <cstdint>

#include "reference/octets/octets.h"

namespace wirelaw::mpa {

inline constexpr std::size_t kLengthOctets = 2;  // ULPDU_Length
inline constexpr std::size_t kCrcOctets = 4;
inline constexpr std::size_t kMarkerOctets = 4;      // 16 bits reserved, 16 bits FPDUPTR
inline constexpr std::size_t kMarkerInterval = 512;  // between the first octets of two markers
inline constexpr std::size_t kMaxUlpdu = 0xffff;
inline constexpr std::size_t kMinMulpdu = 128;  // 4.5

constexpr std::size_t pad_octets(std::size_t ulpdu_length) {
  return (0 - (kLengthOctets + ulpdu_length)) & 3;
}
// Length of an FPDU in octets, without markers.
constexpr std::size_t fpdu_octets(std::size_t ulpdu_length) {
  return kLengthOctets + ulpdu_length + pad_octets(ulpdu_length) + kCrcOctets;
}
inline constexpr std::size_t kMaxFpdu = fpdu_octets(kMaxUlpdu);
// Maximum number of markers in an FPDU of this length (without markers), including the one before it.
constexpr std::size_t most_markers(std::size_t fpdu) {
  return fpdu / (kMarkerInterval - kMarkerOctets) + 1;
}

constexpr bool marker_at(std::uint64_t position) {
  return position % kMarkerInterval == 0;
}
// Number of markers inside an FPDU of `fpdu` octets (without markers) whose ULPDU_Length is at `position`. Does not
// count the one right before it, nor the one right after it, which belongs to the next FPDU.
constexpr std::size_t markers_inside(std::uint64_t position, std::size_t fpdu) {
  const std::size_t room = kMarkerInterval - static_cast<std::size_t>(position % kMarkerInterval);
  return fpdu <= room ? 0 : 1 + (fpdu - room - 1) / (kMarkerInterval - kMarkerOctets);
}
// FPDUPTR has 16 bits, whose low two count as zero (4.2). It wraps for a longer FPDU.
constexpr std::uint16_t pointer_between(std::uint64_t ulpdu_length_at, std::uint64_t marker_at) {
  return ulpdu_length_at > marker_at ? std::uint16_t{0} : static_cast<std::uint16_t>(marker_at - ulpdu_length_at);
}
constexpr bool same_pointer(std::uint16_t one, std::uint16_t other) {
  return (one & ~3u) == (other & ~3u);
}

// MULPDU for a segment size, rounded as 4.5 requires, and at least kMinMulpdu.
std::size_t mulpdu(std::size_t emss, bool markers);

}  // namespace wirelaw::mpa
