// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/smbd/connection.h"

namespace wirelaw::smbd {

void judge_empty(Judge& judge, const Seen& seen);
// A message that ends with its header has no payload, whatever it says. False where it says that it has.
bool judge_length_of_none(Judge& judge, const Seen& seen);
// Sizes, alignment and padding of a segment whose payload is there.
void judge_segment(Judge& judge, const Seen& seen);
// What the segment is of the upper-layer message that has begun, or begins with it; keeps count.
void judge_fragments(Judge& judge, const Seen& seen);

}  // namespace wirelaw::smbd
