// SPDX-License-Identifier: Apache-2.0
// The checks of a receiver, and the error code of each violation (RFC 5044, 8; RFC 5041, 7.1 and 7.2;
// RFC 5040, 7.2 and figure 9; RFC 7306, 8.2).
#pragma once

#include <string>

#include "reference/rdmap/buffers.h"
#include "reference/rdmap/terminate.h"

namespace wirelaw::rdmap {

enum class Check : std::uint8_t {
  // --- MPA
  crc,
  marker,
  ulpdu_size,  // the ULPDU holds its DDP header
  // --- DDP
  ddp_version,
  queue_number,
  msn,
  receive_posted,
  mo,
  receive_size,
  // --- a tagged buffer: the sink of a segment, or the source of a read or an atomic operation
  stag,
  stag_of_stream,
  access,
  wrap,
  bounds,
  // --- RDMAP
  rdmap_version,
  opcode,
  queue_of_opcode,  // and the buffer model of the opcode
  request_size,
  response_expected,
  response_size,
  immediate_size,
  invalidation,
  atomic_alignment,
};

struct Violation {
  Check check = Check::crc;
  ErrorCode error;  // for the Terminate
  std::string text;
};

// The violation for a tagged segment (RFC 5041, 7.2; RDMAP/A-27 for the missing right), and for the source of a read or
// an atomic operation (RFC 5040, figure 9). The fault must not be none.
Violation violation_of_segment(BufferFault fault);
Violation violation_of_source(BufferFault fault);
// The violation for an untagged segment, from the result of UntaggedQueue::check().
Violation violation_of_order(const ErrorCode& error);

}  // namespace wirelaw::rdmap
