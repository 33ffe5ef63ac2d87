// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/judge.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

void judge_header(Judge& judge, const SeenInstruction& seen);
// Judges the OPCODE of an instruction, also of a fragmented one.
void judge_opcode(Judge& judge, std::uint8_t opcode, const OctetRange& where);
// Judges the end of a stream by FIN. `left` is the number of octets of its last, incomplete instruction.
void judge_stream_end(Judge& judge, const Message& message, std::size_t left);

}  // namespace wirelaw::umsp
