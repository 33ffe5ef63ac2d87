// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/tracker/crc_fault.h"

#include <algorithm>
#include <array>
#include <span>

#include "reference/octets/crc32c.h"

namespace wirelaw::rdmap {
namespace {

using mpa::Fpdu;
using mpa::kCrcOctets;
using mpa::kMarkerOctets;
using mpa::Marker;

std::array<Octet, kMarkerOctets> octets_of(const Marker& marker) {
  std::array<Octet, kMarkerOctets> octets;
  store_big_endian(octets.data(), marker.reserved);
  store_big_endian(octets.data() + 2, marker.pointer);
  return octets;
}

bool before_length(const Fpdu& fpdu, const Marker& marker) {
  return marker.position < fpdu.position;
}
bool behind_pad(const Fpdu& fpdu, const Marker& marker) {
  return marker.position + kMarkerOctets + kCrcOctets == fpdu.end;
}

// The FPDU from ULPDU_Length on, as it lay in the stream.
OctetBuffer with_markers(const Fpdu& fpdu) {
  OctetBuffer raw;
  std::size_t taken = 0;
  const auto take_until = [&](std::uint64_t position) {
    const std::size_t count = static_cast<std::size_t>(position - fpdu.position) - raw.size();
    const Octets part = fpdu.octets.subspan(taken, count);
    raw.insert(raw.end(), part.begin(), part.end());
    taken += count;
  };
  for (const Marker& marker : fpdu.markers) {
    if (before_length(fpdu, marker)) continue;
    take_until(marker.position);
    const auto octets = octets_of(marker);
    raw.insert(raw.end(), octets.begin(), octets.end());
  }
  take_until(fpdu.end);
  return raw;
}

bool holds(Octets covered, std::uint32_t field, std::uint32_t before = 0) {
  return crc32c(covered, before) == field;
}

CrcFault fault_of_markers(const Fpdu& fpdu) {
  const Marker& first = fpdu.markers.front();
  const Marker& last = fpdu.markers.back();
  const bool has_before = before_length(fpdu, first), has_behind = behind_pad(fpdu, last);
  const OctetBuffer raw = with_markers(fpdu);
  const Octets covered = Octets(raw).first(raw.size() - kCrcOctets);
  if (has_before && holds(covered, fpdu.crc)) return CrcFault::marker_before;
  const auto head = octets_of(first);
  const std::uint32_t before = has_before ? crc32c(head) : 0;
  if (has_behind && holds(covered.first(covered.size() - kMarkerOctets), fpdu.crc, before))
    return CrcFault::marker_behind;
  if (holds(fpdu.octets.first(fpdu.crc_offset()), fpdu.crc)) return CrcFault::all_markers;

  // Assumes that the sender stopped inserting markers at one of them.
  std::size_t markers_before = 0;
  for (const Marker& marker : fpdu.markers) {
    if (before_length(fpdu, marker)) continue;
    const std::size_t crc_at = fpdu.crc_offset() + kMarkerOctets * markers_before++;
    if (holds(Octets(raw).first(crc_at), load_little_endian<std::uint32_t>(raw.data() + crc_at), before))
      return CrcFault::missing_marker;
  }
  return CrcFault::wrong;
}

CrcFault fault_of_length(const Fpdu& fpdu) {
  const Octets octets = fpdu.octets;
  constexpr std::size_t kWord = 4;
  std::uint32_t crc = 0;
  for (std::size_t at = 0; at + kWord + kCrcOctets <= octets.size() - kCrcOctets; at += kWord) {
    crc = crc32c(octets.subspan(at, kWord), crc);
    if (crc == load_little_endian<std::uint32_t>(octets.data() + at + kWord)) return CrcFault::ulpdu_length;
  }
  return CrcFault::wrong;
}

// If the CRC begins later than it should, the FPDU holds only its first octets.
CrcFault fault_of_pad(const Fpdu& fpdu) {
  const Octets octets = fpdu.octets;
  const std::size_t unpadded = mpa::kLengthOctets + fpdu.ulpdu_length();
  for (std::size_t pad = 0; pad <= fpdu.pad().size() + 2; ++pad) {
    if (pad == fpdu.pad().size()) continue;
    const std::size_t crc_at = unpadded + pad;
    if (pad > 0 && octets[crc_at - 1] != 0) return CrcFault::wrong;
    std::array<Octet, kCrcOctets> field;
    store_little_endian(field.data(), crc32c(octets.first(crc_at)));
    const Octets there = octets.subspan(crc_at, std::min(kCrcOctets, octets.size() - crc_at));
    if (std::ranges::equal(there, std::span(field).first(there.size()))) return CrcFault::pad_count;
  }
  return CrcFault::wrong;
}

constexpr std::uint32_t reversed(std::uint32_t value) {
  return value << 24 | (value & 0xff00) << 8 | (value >> 8 & 0xff00) | value >> 24;
}

}  // namespace

CrcFault crc_fault(const Fpdu& fpdu) {
  if (fpdu.crc == 0) return CrcFault::absent;
  if (fpdu.crc == reversed(fpdu.computed)) return CrcFault::octet_order;
  if (!fpdu.markers.empty())
    if (const CrcFault fault = fault_of_markers(fpdu); fault != CrcFault::wrong) return fault;
  if (const CrcFault fault = fault_of_pad(fpdu); fault != CrcFault::wrong) return fault;
  return fpdu.markers.empty() ? fault_of_length(fpdu) : CrcFault::wrong;
}

}  // namespace wirelaw::rdmap
