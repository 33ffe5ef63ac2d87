// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

void judge_header(Judge& judge, const Seen& seen);
// Of an instruction, or of one in fragments.
void judge_opcode(Judge& judge, std::uint8_t opcode, const OctetRange& where);
// The stream has ended by FIN; of its latest instruction so many octets were there.
void judge_stream_end(Judge& judge, const Message& message, std::size_t left);

}  // namespace wirelaw::umsp
