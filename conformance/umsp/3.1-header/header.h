// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

void judge_header(Judge& judge, const Seen& seen);
// The stream has ended by FIN; of its latest instruction so many octets were there.
void judge_stream_end(Judge& judge, const Message& message, std::size_t left);

}  // namespace wirelaw::umsp
