// SPDX-License-Identifier: Apache-2.0
// What deviations do to a segment, and to the FPDU around it, that is about to be sent.
#pragma once

#include "reference/mpa/framer.h"
#include "reference/rdmap/deviations.h"
#include "reference/rdmap/message.h"

namespace wirelaw::rdmap {

// A segment on its way out.
struct OutgoingSegment {
  ddp::Header header;
  Opcode opcode = Opcode::send;
  std::uint32_t index = 0;   // of the segment in its message
  std::uint32_t offset = 0;  // of its payload in the message
  std::uint32_t msn = 0;     // of the next untagged message on queue 0
};

void apply_faults(const Deviations& deviations, bool extensions, OutgoingSegment& segment);
mpa::FramingFaults framing_faults(const Deviations& deviations);

}  // namespace wirelaw::rdmap
