// SPDX-License-Identifier: Apache-2.0
// The checks of the sections of RFC 5044 and RFC 6581.
#pragma once

#include "conformance/rdmap/fields.h"
#include "conformance/rdmap/tracker/facts.h"
#include "conformance/rdmap/tracker/fpdu_facts.h"

namespace wirelaw::rdmap {

// The places of fields in a start frame.
namespace field {
inline constexpr OctetRange kKey = octets(mpa::layout::kKey, 16);
inline constexpr OctetRange kFlags = octets(mpa::layout::kFlags, 1);
inline constexpr OctetRange kRevision = octets(mpa::layout::kRevision, 1);
inline constexpr OctetRange kPrivateDataLength = octets(mpa::layout::kPrivateDataLength, 2);
inline constexpr OctetRange kEnhanced = octets(mpa::layout::kStartFrame, mpa::layout::kEnhanced);
inline constexpr OctetRange kIrd = octets(mpa::layout::kStartFrame, 2);
inline constexpr OctetRange kOrd = octets(mpa::layout::kStartFrame + 2, 2);
}  // namespace field

// Returns true if S is set with the meaning of RFC 6581, with or without the enhanced data.
inline bool claims_enhanced(const mpa::StartFrame& frame) {
  return frame.enhanced && frame.revision >= mpa::kRevision2;
}

// --- start frames
void check_key(Judge& judge, mpa::FrameKind kind);
void check_start_fields(Judge& judge, const mpa::StartFrame& frame);
void check_cut_start_frame(Judge& judge, const CutStartFrameFact& fact);
void check_roles(Judge& judge, const StartFrameFact& fact);
void check_reply_order(Judge& judge, const StartFrameFact& fact);
void check_enhanced_format(Judge& judge, const mpa::StartFrame& frame);
void check_flags_without_peer_to_peer(Judge& judge, const mpa::StartFrame& frame);

// --- both start frames; the current message is the Reply
void check_answered_request(Judge& judge);
void check_long_request_accepted(Judge& judge, const StartFrames& frames);
void check_enhanced_answer(Judge& judge, const StartFrames& frames);
void check_depths(Judge& judge, const mpa::EnhancedData& request, const mpa::EnhancedData& reply);
void check_peer_to_peer(Judge& judge, const mpa::EnhancedData& request, const mpa::EnhancedData& reply);

// --- FPDUs
void check_missing_marker(Judge& judge, const FirstOctetsFact& fact);  // the peer has set M
void check_unasked_marker(Judge& judge, const FirstOctetsFact& fact);  // the peer has not
void check_ulpdu_length(Judge& judge, std::size_t length);
void check_crc(Judge& judge, const mpa::Fpdu& fpdu, const CrcFact& fact);
void check_markers(Judge& judge, std::span<const mpa::Marker> markers);
void check_pad(Judge& judge, const mpa::Fpdu& fpdu);
void check_mulpdu(Judge& judge, std::size_t length, const MulpduFact& fact);
void check_ready_to_receive(Judge& judge, Octets ulpdu, const mpa::EnhancedData& reply);

// --- ends
void check_alignment(Judge& judge, const AlignmentFact& fact);

}  // namespace wirelaw::rdmap
