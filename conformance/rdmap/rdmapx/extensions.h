// SPDX-License-Identifier: Apache-2.0
// The checks of RFC 7306. They apply on connections whose peers declare it.
#pragma once

#include "conformance/rdmap/checks.h"

namespace wirelaw::rdmap {

void check_extensions(Judge& judge, const SegmentFacts& segment);

// A field of a header that may have come in several segments; `offset` counts from the beginning of the message. If the
// last segment does not hold it, all that the last segment brought.
inline OctetRange field_of_message(const SegmentFacts& segment, std::size_t offset, std::size_t length) {
  const std::size_t before = segment.header.mo, have = segment.payload.size();
  const bool is_here = offset >= before && offset + length <= before + have;
  return is_here ? field::rdmap(segment.header, offset - before, length) : field::rdmap(segment.header, 0, have);
}

// header_extensions.cc
void check_extension_fields(Judge& judge, const SegmentFacts& segment, std::optional<std::uint64_t> length);
// operations.cc
void check_atomic_target(Judge& judge, const SegmentFacts& segment, const AtomicRequest& request);
// atomic_messages.cc
void check_atomic_request(Judge& judge, const SegmentFacts& segment, const AtomicRequest& request);
void check_atomic_response(Judge& judge, const SegmentFacts& segment, const AtomicAnswerFact& fact);
// extension_ordering.cc
void check_atomic_after_reads(Judge& judge, const SegmentFacts& segment, const AtomicAnswerFact& fact);
void check_read_after_atomics(Judge& judge, const SegmentFacts& segment, const ReadAfterAtomicsFact& fact);

}  // namespace wirelaw::rdmap
