// SPDX-License-Identifier: Apache-2.0
// Applies deviations to a segment, and to its FPDU, before it is sent.
#pragma once

#include "reference/mpa/framer.h"
#include "reference/rdmap/deviations.h"
#include "reference/rdmap/message.h"

namespace wirelaw::rdmap {

// A segment to be sent.
struct OutgoingSegment {
  ddp::Header header;
  Opcode opcode = Opcode::send;
  std::uint32_t index = 0;   // position of the segment in its message, from 0
  std::uint32_t offset = 0;  // offset of its payload in the message, in octets
  std::uint32_t msn = 0;     // MSN of the next untagged message on queue 0
};

void apply_faults(const Deviations& deviations, bool extensions, OutgoingSegment& segment);
mpa::FramingFaults framing_faults(const Deviations& deviations);

}  // namespace wirelaw::rdmap
