// SPDX-License-Identifier: Apache-2.0
// The requests of the peer that have no full answer yet: reads and atomic operations, answered in the order in which
// they came (RFC 5040, 5.2.2; RFC 7306, 5.2.2).
#pragma once

#include <deque>

#include "reference/rdmap/terminate_builder.h"

namespace wirelaw::rdmap {

struct InboundRead {
  Offender offender;      // its segment, with the request as far as it has been answered
  std::uint32_t msn = 0;  // its message's MSN, which identifies it on this stream
  ReadRequest request;    // as it came
  bool atomic = false;
  AtomicRequest operation;  // only for an atomic operation

  // So many octets have been answered: a Terminate would show what is left (RFC 5040, 4.8).
  void advance(std::uint32_t octets) {
    ReadRequest& left = *offender.read;
    left.sink_to += octets;
    left.source_to += octets;
    left.size -= octets;
  }
};

using InboundReads = std::deque<InboundRead>;  // at most IRD

}  // namespace wirelaw::rdmap
