// SPDX-License-Identifier: Apache-2.0
// One FPDU with all its layers, as the checks see it. The message that findings point into is the FPDU without its
// markers: ULPDU_Length, DDP header, RDMAP header, payload, PAD, CRC.
#pragma once

#include "conformance/judge.h"
#include "conformance/rdmap/tracker/connection.h"

namespace wirelaw::rdmap {

struct Seen {
  Connection& connection;
  Direction& from;  // of the sender
  Direction& to;    // the other way
  const mpa::Fpdu& fpdu;
  std::uint64_t index = 0;  // of the message in the flow
  std::uint64_t frame = 0;

  // Set once the DDP header has been found whole.
  ddp::Header header{};
  Octets payload;  // of the DDP segment: RDMAP header, if any, and ULP payload
  Control control{};
  const OpcodeRow* row = nullptr;  // nullptr: a reserved opcode
  bool first_segment = true;       // of its message
  // What is wrong with it, for the Terminate that may answer it.
  RecentSegment record{};

  bool is(Opcode opcode) const { return control.is(opcode); }
  void blame(const ErrorCode& error) {
    if (record.fault_count < record.faults.size()) record.faults[record.fault_count++] = error;
  }
};

// Where fields are in the FPDU.
namespace field {
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
// A field of the RDMAP header, from behind the DDP header.
constexpr OctetRange rdmap(const Seen& seen, std::size_t offset, std::size_t length) {
  return ulpdu(seen.header.octets() + offset, length);
}
inline OctetRange pad(const mpa::Fpdu& fpdu) {
  return octets(mpa::kLengthOctets + fpdu.ulpdu_length(), fpdu.pad().size());
}
inline OctetRange crc(const mpa::Fpdu& fpdu) {
  return octets(fpdu.crc_offset(), mpa::kCrcOctets);
}
}  // namespace field

}  // namespace wirelaw::rdmap
