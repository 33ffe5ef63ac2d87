// SPDX-License-Identifier: Apache-2.0
// One FPDU with all its layers.
#pragma once

#include "conformance/rdmap/tracker/connection.h"

namespace wirelaw::rdmap {

struct Seen {
  Connection& connection;
  Direction& from;  // the sender's direction
  Direction& to;    // the receiver's direction
  const mpa::Fpdu& fpdu;
  std::uint64_t index = 0;  // index of the message in the flow
  std::uint64_t frame = 0;

  // Set if the DDP header is complete.
  ddp::Header header{};
  Octets payload;  // payload of the DDP segment: RDMAP header, if any, and ULP payload
  Control control{};
  const OpcodeRow* row = nullptr;  // nullptr: a reserved opcode
  bool first_segment = true;       // first segment of its message
  // Errors of this segment, for comparison with a Terminate that may report them.
  RecentSegment record{};

  bool is(Opcode opcode) const { return control.is(opcode); }
  void blame(const ErrorCode& error) {
    if (record.fault_count < record.faults.size()) record.faults[record.fault_count++] = error;
  }
};

}  // namespace wirelaw::rdmap
