// SPDX-License-Identifier: Apache-2.0
// The peer's requests that have not been answered completely: reads and atomic operations, answered in the order in
// which they arrived (RFC 5040, 5.2.2; RFC 7306, 5.2.2).
#pragma once

#include <deque>

#include "reference/rdmap/terminate_builder.h"

namespace wirelaw::rdmap {

struct InboundRead {
  Offender offender;      // its segment; the request is advanced with the answer
  std::uint32_t msn = 0;  // MSN of its message, which identifies it on this stream
  ReadRequest request;    // as received
  bool atomic = false;
  AtomicRequest operation;  // only for an atomic operation

  // `octets` more have been answered: a Terminate would contain the rest of the request (RFC 5040, 4.8).
  void advance(std::uint32_t octets) {
    ReadRequest& left = *offender.read;
    left.sink_to += octets;
    left.source_to += octets;
    left.size -= octets;
  }
};

using InboundReads = std::deque<InboundRead>;  // at most IRD of them

}  // namespace wirelaw::rdmap
