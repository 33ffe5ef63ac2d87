// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/fpdu_row.h"

#include <algorithm>
#include <array>
#include <optional>

#include "conformance/rdmap/tracker/first_octets.h"
#include "reference/mpa/fpdu.h"
#include "reference/octets/crc32c.h"
#include "reference/rdmap/message.h"

namespace wirelaw::rdmap {
namespace {

// The messages that the next FPDU can continue.
class Links {
 public:
  // Returns true if this segment continues one of them.
  bool take(const ddp::Segment& segment) { return segment.header.tagged ? tagged(segment) : untagged(segment); }

 private:
  struct Place {
    std::uint32_t msn = 0;
    std::uint64_t mo = 0;
  };

  bool tagged(const ddp::Segment& segment) {
    const bool is_linked = stag_ == segment.header.stag;
    stag_ = segment.header.stag;
    return is_linked;
  }
  bool untagged(const ddp::Segment& segment) {
    const ddp::Header& header = segment.header;
    std::optional<Place>& due = due_[header.qn];
    const bool is_linked = due && due->msn == header.msn && due->mo == header.mo;
    due = header.last ? Place{header.msn + 1, 0} : Place{header.msn, header.mo + std::uint64_t{segment.payload.size()}};
    return is_linked;
  }

  std::array<std::optional<Place>, kAtomicResponseQueue + 1> due_{};
  std::optional<std::uint32_t> stag_;
};

}  // namespace

bool may_begin_fpdu(Octets octets) {
  if (!looks_like_fpdu(octets)) return false;
  const OpcodeRow& row = *find_opcode(decode_control(octets[mpa::kLengthOctets + ddp::layout::kRsvdUlp]).opcode);
  const std::size_t header = row.tagged ? ddp::layout::kTagged : ddp::layout::kUntagged;
  if (load_big_endian<std::uint16_t>(octets.data()) < header) return false;
  constexpr std::size_t kQn = mpa::kLengthOctets + ddp::layout::kQn;
  return row.tagged || octets.size() < kQn + sizeof(row.queue) ||
         load_big_endian<std::uint32_t>(octets.data() + kQn) == row.queue;
}

namespace {

constexpr std::size_t kShown = 4;  // octets needed to decide if an FPDU may begin there

FpduRow read_plain_row(Octets octets, std::size_t by) {
  FpduRow row;
  Links links;
  while (octets.size() - row.end >= kShown) {
    const Octets rest = octets.subspan(row.end);
    row.broken = !may_begin_fpdu(rest);
    if (row.broken) break;
    const std::size_t ulpdu = load_big_endian<std::uint16_t>(rest.data());
    const std::size_t size = mpa::fpdu_octets(ulpdu);
    if (rest.size() < size) break;
    const auto segment = ddp::decode(rest.subspan(mpa::kLengthOctets, ulpdu));
    row.broken = !segment;
    if (row.broken) break;
    // A CRC is computed only if the next octets may be an FPDU too, so that other traffic costs little.
    const bool is_followed = rest.size() - size < kShown || may_begin_fpdu(rest.subspan(size));
    const std::size_t crc_at = size - mpa::kCrcOctets;
    const bool holds = (is_followed || row.with_crc > 0) &&
                       load_little_endian<std::uint32_t>(rest.data() + crc_at) == crc32c(rest.first(crc_at));
    ++row.fpdus;
    row.with_crc += holds;
    row.linked += links.take(*segment);
    if (row.end <= by) row.last = row.end;
    row.end += size;
  }
  return row;
}

// --- with markers

bool is_marker(Octets octets, std::size_t at, std::size_t back) {
  return at + mpa::kMarkerOctets <= octets.size() && load_big_endian<std::uint16_t>(octets.data() + at) == 0 &&
         load_big_endian<std::uint16_t>(octets.data() + at + 2) == back;
}

FpduRow read_marked_row(Octets octets, std::size_t marker_at, std::size_t by) {
  FpduRow row{.marker_at = marker_at};
  const std::uint64_t begin = mpa::kMarkerInterval - marker_at;
  mpa::Deframer deframer(/*markers=*/true, /*crc=*/true);
  deframer.begin_at(begin);
  deframer.feed(octets);
  Links links;
  std::size_t markers = 0;
  while (const auto fpdu = deframer.next()) {
    const auto segment = ddp::decode(fpdu->ulpdu());
    row.broken = !segment || !may_begin_fpdu(fpdu->octets) || !points_right(fpdu->markers);
    if (row.broken) return row;
    markers += fpdu->markers.size();
    ++row.fpdus;
    row.with_crc += fpdu->crc_holds();
    row.linked += links.take(*segment);
    if (row.end <= by) row.last = row.end;
    row.end = static_cast<std::size_t>(fpdu->end - begin);
  }
  std::array<Octet, kShown> next;
  const bool is_followed = deframer.copy_pending(next) < next.size() || may_begin_fpdu(next);
  row.broken = markers == 0 || !is_followed;  // zeros may be padding, as long as no whole FPDU follows them
  return row;
}

// Up to the first marker, FPDUs look as they do without markers. The marker is in an FPDU or right before one. Other
// octets may look like a marker, such as an MSN equal to the distance from the beginning; then more of the stream must
// decide.
std::optional<FpduRow> find_marked_row(Octets octets, std::size_t by) {
  std::optional<FpduRow> found;
  for (std::size_t begin = 0; begin < mpa::kMarkerInterval;) {
    const bool is_before = is_marker(octets, begin, 0);
    const Octets rest = octets.subspan(std::min(octets.size(), begin));
    if (!is_before && !may_begin_fpdu(rest)) break;
    const std::size_t size =
        is_before ? mpa::kMarkerOctets : mpa::fpdu_octets(load_big_endian<std::uint16_t>(rest.data()));
    const std::size_t end = std::min(begin + size, mpa::kMarkerInterval);
    for (std::size_t at = begin; at < end; at += mpa::kMarkerOctets) {
      if (!is_marker(octets, at, at - begin)) continue;
      const FpduRow row = read_marked_row(octets, at, by);
      if (row.broken) continue;
      if (found) return FpduRow{};
      found = row;
    }
    if (is_before) break;
    begin += size;
  }
  return found;
}

}  // namespace

bool points_right(std::span<const mpa::Marker> markers) {
  return std::ranges::all_of(markers, [](const mpa::Marker& one) {
    return one.reserved == 0 && mpa::same_pointer(one.pointer, one.expected);
  });
}

FpduRow read_fpdu_row(Octets octets, std::size_t by) {
  FpduRow row = read_plain_row(octets, by);
  if (row.broken) row = find_marked_row(octets, by).value_or(row);
  if (row.end <= by && row.end < octets.size()) row.last = row.end;  // an incomplete FPDU
  return row;
}

Plausible is_at_fpdu(const FpduRow& row, std::size_t octets) {
  const bool is_whole = row.end == octets;  // the segment ends with it
  if (row.with_crc > 0 || (!row.broken && (row.fpdus >= 2 || (row.fpdus == 1 && is_whole)))) return Plausible::yes;
  return row.broken ? Plausible::no : Plausible::undecided;
}

Plausible continues(const Middle& middle) {
  // Two CRCs are 64 bits of evidence. Without CRCs, the evidence is the control octets, queue numbers and lengths of
  // kFpdus FPDUs, and kLinks expected numbers of 32 bits each.
  constexpr unsigned kCrcs = 2, kFpdus = 4, kLinks = 3;
  FpduRow both{.broken = true};
  bool is_at_one = false;
  for (const Octets octets : middle.from_segment) {
    if (octets.empty()) continue;
    const FpduRow row = read_fpdu_row(octets);
    both.with_crc += row.with_crc;
    is_at_one |= is_at_fpdu(row, octets.size()) == Plausible::yes;
    if (row.broken) continue;
    both.broken = false;
    both.fpdus += row.fpdus;
    both.linked += row.linked;
  }
  if (both.with_crc >= kCrcs || (both.fpdus >= kFpdus && both.linked >= kLinks)) return Plausible::yes;
  if (middle.has_port && is_at_one) return Plausible::yes;
  return both.broken ? Plausible::no : Plausible::undecided;
}

}  // namespace wirelaw::rdmap
