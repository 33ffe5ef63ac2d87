// SPDX-License-Identifier: Apache-2.0
// Applies deviations to what is sent: start frames, segments and their FPDUs, and Terminates.
#pragma once

#include <span>

#include "reference/mpa/framer.h"
#include "reference/mpa/start_frame.h"
#include "reference/rdmap/deviations.h"
#include "reference/rdmap/message.h"
#include "reference/rdmap/terminate_builder.h"

namespace wirelaw::rdmap {

// A segment to be sent.
struct OutgoingSegment {
  ddp::Header header;
  Opcode opcode = Opcode::send;
  std::uint32_t index = 0;   // position of the segment in its message, from 0
  std::uint32_t offset = 0;  // offset of its payload in the message, in octets
  std::uint32_t msn = 0;     // MSN of the next untagged message on queue 0
  bool extensions = false;   // RFC 7306 is in use
};

// A Terminate to be sent.
struct OutgoingTerminate : Terminate {
  const Offender* offender = nullptr;  // set if there is a DDP header
  OctetBuffer altered = {};            // a copy of the DDP header
};

// What a deviation changes in an outgoing message. One function is set, or none.
struct MessageEdit {
  bool (*where)(const OutgoingSegment&) = nullptr;  // the segments that `segment` or `control` changes
  void (*segment)(OutgoingSegment&) = nullptr;
  void (*control)(Control&) = nullptr;  // RDMAP's control field
  void (*framing)(mpa::FramingFaults&) = nullptr;
  void (*enhanced)(mpa::EnhancedData&) = nullptr;
  void (*start)(mpa::StartFrame&, OctetBuffer& private_data) = nullptr;
  void (*terminate)(OutgoingTerminate&) = nullptr;
  void (*octets)(OctetBuffer&) = nullptr;  // the octets of a Terminate
};
// The edits of all deviations, in the order of the enumeration.
std::span<const MessageEdit> message_edits();

void apply_faults(const Deviations& deviations, OutgoingSegment& segment);
mpa::FramingFaults framing_faults(const Deviations& deviations);
void apply_faults(const Deviations& deviations, mpa::EnhancedData& data);
// Changes the private data to be sent, and its frame.
void apply_faults(const Deviations& deviations, mpa::StartFrame& frame, OctetBuffer& private_data);
// Same as build_terminate(), with deviations.
OctetBuffer build_faulty_terminate(const Deviations& deviations, const ErrorCode& error, const Offender* offender);

}  // namespace wirelaw::rdmap
