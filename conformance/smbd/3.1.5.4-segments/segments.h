// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/tracker/facts.h"

namespace wirelaw::smbd {

void check_empty(Judge& judge, const Facts& facts, const TransferFact& transfer);
// Judges DataLength of a message that ends with its header and so has no payload. Returns false if it declares one.
bool check_length_of_none(Judge& judge, const DataTransfer& data, std::size_t length);
// Sizes, alignment and padding of a segment.
void check_segment(Judge& judge, const DataTransfer& data, const SegmentFact& segment);
// The segment as part of the upper-layer message that has begun.
void check_fragments(Judge& judge, const DataTransfer& data, const SegmentFact& segment);

}  // namespace wirelaw::smbd
