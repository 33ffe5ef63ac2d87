// SPDX-License-Identifier: Apache-2.0
// The checks of RFC 7306. They apply on connections whose peers declare it.
#pragma once

#include "conformance/rdmap/checks.h"

namespace wirelaw::rdmap {

void check_extensions(Judge& judge, const SegmentFacts& segment);

// header_extensions.cc
void check_extension_fields(Judge& judge, const SegmentFacts& segment, bool is_part);
// operations.cc
void check_atomic_target(Judge& judge, const SegmentFacts& segment, const AtomicRequest& request);
// atomic_messages.cc
void check_atomic_request(Judge& judge, const SegmentFacts& segment, const AtomicRequest& request);
void check_atomic_response(Judge& judge, const SegmentFacts& segment, const AtomicAnswerFact& fact);
// extension_ordering.cc
void check_atomic_after_reads(Judge& judge, const SegmentFacts& segment, const AtomicAnswerFact& fact);
void check_read_after_atomics(Judge& judge, const SegmentFacts& segment, const ReadAfterAtomicsFact& fact);

}  // namespace wirelaw::rdmap
