// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/tracker/fpdu_facts.h"

#include <algorithm>
#include <array>

#include "conformance/rdmap/fpdu_row.h"
#include "conformance/rdmap/tracker/first_octets.h"

namespace wirelaw::rdmap {
namespace {

// Finding the reason costs more than a CRC, and a sender whose CRC is always wrong has one reason.
constexpr std::uint32_t kReasonsSought = 3;

// Returns true if the next octets may begin an FPDU, as far as they are there. They cannot if this FPDU held a marker.
bool is_followed(const Direction& from) {
  std::array<Octet, mpa::kLengthOctets + ddp::layout::kQn + sizeof(ddp::Header::qn)> next;
  const std::size_t octets = from.deframer->copy_pending(next);
  return octets < mpa::kMarkerOctets || may_begin_fpdu(Octets(next).first(octets));
}

// Decides if these octets are an FPDU at all.
Framed framed(const Agreed& agreed, const Direction& from, const mpa::Fpdu& fpdu, bool is_crc_due) {
  const FramingSoFar& framing = from.framing;
  // It is unknown whether CRCs or markers are in use. If a CRC was right before, or this is no FPDU, the position is
  // wrong. A marker, for example, would be read as a ULPDU_Length of 0.
  if (!is_crc_due && agreed.is_assumed() && !fpdu.crc_holds() &&
      (framing.crc_seen_to_hold || !may_begin_fpdu(fpdu.octets) || !is_followed(from)))
    return Framed::misframed;
  // The marker positions were derived from one marker and may be wrong.
  if (framing.mid_stream && agreed.is_assumed() && !points_right(fpdu.markers)) return Framed::misframed;
  // If the real markers are elsewhere than the decoder assumes, the decoded octets shift and are no FPDU.
  if (framing.markers_doubted && !is_crc_due && !looks_like_fpdu(fpdu.octets)) return Framed::unframed;
  return Framed::whole;
}

CrcFact crc_fact(FramingSoFar& framing, const mpa::Fpdu& fpdu) {
  if (fpdu.crc_holds()) return {};
  return {.fault = framing.crc_failures++ < kReasonsSought ? crc_fault(fpdu) : CrcFault::wrong};
}

// A sender of one marker that nobody asked for may leave it out of its CRC: that is the same fault.
bool is_of_unasked_markers(const FramingSoFar& framing, const CrcFact& fact) {
  return framing.markers_unasked && (fact.fault == CrcFault::marker_before || fact.fault == CrcFault::all_markers);
}

void take_markers(FramingSoFar& framing, FpduFact& fact) {
  const std::span<const mpa::Marker> markers = fact.fpdu.markers;
  bool is_first_inside = true;
  std::size_t count = 0;
  while (count < markers.size()) {
    const mpa::Marker& marker = markers[count++];
    if (!is_marker(marker)) {
      fact.framed = Framed::unframed;
      break;
    }
    const bool is_right = points_right(marker);
    framing.markers_doubted |= !is_right;
    if (marker.expected == 0) continue;
    if (is_first_inside && !is_right) break;  // one fault: the rest points wrong with it
    is_first_inside = false;
  }
  fact.markers = markers.first(count);
}

// Counts an FPDU that fits into one segment, and notes if it spans several.
void note_alignment(Direction& from, const mpa::Fpdu& fpdu) {
  const std::uint64_t begin =
      fpdu.markers.empty() ? fpdu.position : std::min(fpdu.position, fpdu.markers.front().position);
  if (fpdu.end - begin > from.mss) return;
  ++from.alignment.fitting;
  if (begin < from.alignment.piece_at) ++from.alignment.split;
}

bool is_indication_due(const Agreed& agreed, const Direction& from) {
  return agreed.enhanced() && from.framing.fpdus == 0 && from.side == agreed.initiator && from.unbroken &&
         agreed.request->peer_to_peer && agreed.reply->peer_to_peer;
}

}  // namespace

FpduFact take_fpdu(const Connection& connection, Direction& from, const mpa::Fpdu& fpdu) {
  const Agreed& agreed = connection.agreement;
  const bool is_crc_due = agreed.crc && !from.framing.mid_stream;
  FpduFact fact{.fpdu = fpdu, .framed = framed(agreed, from, fpdu, is_crc_due)};
  fact.is_read = fact.framed == Framed::whole;
  if (!fact.is_trusted()) return fact;
  if (is_crc_due) {
    fact.crc = crc_fact(from.framing, fpdu);
    if (is_of_unasked_markers(from.framing, *fact.crc))
      fact.crc.reset();
    else if (fact.crc->fault)
      fact.framed = Framed::misframed;
  }
  if (!fact.is_trusted()) return fact;
  from.framing.crc_seen_to_hold |= fpdu.crc_holds();
  take_markers(from.framing, fact);
  if (!fact.is_trusted()) return fact;
  if (from.mss != 0)
    fact.mulpdu = MulpduFact{.mss = from.mss, .markers = agreed.markers[static_cast<std::size_t>(from.side)]};
  note_alignment(from, fpdu);
  if (is_indication_due(agreed, from)) fact.offered = agreed.reply;
  return fact;
}

}  // namespace wirelaw::rdmap
