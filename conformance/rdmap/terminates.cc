// SPDX-License-Identifier: Apache-2.0
// The checks of Terminates and of the end of a stream, in the order in which an observer asks for them.
#include "conformance/rdmap/rules.h"

namespace wirelaw::rdmap {

void judge_after_terminate(Judge&, Seen&) {}
void judge_terminate(Judge&, Seen&) {}
void judge_extensions(Judge&, Seen&) {}
void judge_end(Judge&, Connection&, Direction&) {}

}  // namespace wirelaw::rdmap
