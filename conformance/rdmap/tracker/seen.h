// SPDX-License-Identifier: Apache-2.0
// One FPDU that the tracker follows, with the facts that it has found about it.
#pragma once

#include <concepts>

#include "conformance/rdmap/tracker/segment_facts.h"

namespace wirelaw::rdmap {

struct Seen : SegmentFacts {
  Seen(Connection& all, Direction& sender, const mpa::Fpdu& its_fpdu, const Message& found)
      : connection(all),
        from(sender),
        to(all.of(other(sender.side))),
        fpdu(its_fpdu),
        message(found),
        record{.index = found.index,
               .frame = found.frame,
               .ulpdu_length = static_cast<std::uint16_t>(its_fpdu.ulpdu_length())} {}

  // A receiver may report these errors of the segment.
  void blame(std::same_as<ErrorCode> auto... errors) {
    for (const ErrorCode& error : {errors...})
      if (record.fault_count < record.faults.size()) record.faults[record.fault_count++] = error;
  }

  Connection& connection;
  Direction& from;  // the sender's direction
  Direction& to;    // the receiver's direction
  const mpa::Fpdu& fpdu;
  const Message& message;
  // Errors of this segment, for comparison with a Terminate that may report them.
  RecentSegment record;
};

}  // namespace wirelaw::rdmap
