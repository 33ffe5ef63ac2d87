// SPDX-License-Identifier: Apache-2.0
// Offsets of fields in the message that findings point into: the FPDU without its markers, that is ULPDU_Length, DDP
// header, RDMAP header, payload, PAD, CRC.
#pragma once

#include "conformance/judge.h"
#include "conformance/rdmap/tracker/segment_facts.h"

namespace wirelaw::rdmap::field {

constexpr OctetRange ulpdu(std::size_t offset, std::size_t length) {
  return octets(mpa::kLengthOctets + offset, length);
}
inline constexpr OctetRange kUlpduLength = octets(0, mpa::kLengthOctets);
inline constexpr OctetRange kDdpControl = ulpdu(ddp::layout::kControl, 1);
inline constexpr OctetRange kRdmapControl = ulpdu(ddp::layout::kRsvdUlp, 1);
inline constexpr OctetRange kStag = ulpdu(ddp::layout::kStag, 4);
inline constexpr OctetRange kTo = ulpdu(ddp::layout::kTo, 8);
inline constexpr OctetRange kInvalidateStag = ulpdu(ddp::layout::kRsvdUlpRest, 4);
inline constexpr OctetRange kQn = ulpdu(ddp::layout::kQn, 4);
inline constexpr OctetRange kMsn = ulpdu(ddp::layout::kMsn, 4);
inline constexpr OctetRange kMo = ulpdu(ddp::layout::kMo, 4);
// A field of the RDMAP header; `offset` counts from the end of the DDP header.
constexpr OctetRange rdmap(const ddp::Header& header, std::size_t offset, std::size_t length) {
  return ulpdu(header.octets() + offset, length);
}
inline OctetRange pad(const mpa::Fpdu& fpdu) {
  return octets(mpa::kLengthOctets + fpdu.ulpdu_length(), fpdu.pad().size());
}
inline OctetRange crc(const mpa::Fpdu& fpdu) {
  return octets(fpdu.crc_offset(), mpa::kCrcOctets);
}

}  // namespace wirelaw::rdmap::field
