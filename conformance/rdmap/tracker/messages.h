// SPDX-License-Identifier: Apache-2.0
// Follows the DDP messages of a side: which message each segment belongs to, and how complete each message is. It
// judges nothing.
#pragma once

#include "conformance/rdmap/tracker/seen.h"

namespace wirelaw::rdmap {

// Reads the DDP header of an FPDU whose contents can be trusted.
void take_header(Seen& seen);
// Follows a segment whose header has been read.
void take_segment(Seen& seen);
// The message of the queue of `seen`'s opcode, if `seen` brings the last octets that it lacked: all of it has come,
// each octet once. Otherwise nullptr.
const OpenMessage* ended_message(const Seen& seen);
// Called when no more segments of `from` will come: gives up a message of the queue that waits for octets.
std::optional<MessageOrderFact> give_up(Queue& queue);

// --- for the files of tagged and untagged messages
void take_untagged(Seen& seen);
void take_tagged(Seen& seen);
// Adds the segment's payload to its message, and notes the first segment at an unexpected offset.
void place(const Seen& seen, OpenMessage& message, std::uint64_t at);
void begin_message(Seen& seen, OpenMessage& message, std::uint64_t at);

}  // namespace wirelaw::rdmap
