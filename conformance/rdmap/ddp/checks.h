// SPDX-License-Identifier: Apache-2.0
// Shared by the files of DDP's sections: the message tracker, and the checks that it calls.
#pragma once

#include "conformance/rdmap/checks.h"

namespace wirelaw::rdmap {

// 4.1: reserved bits and version.
void judge_ddp_control(Judge& judge, Seen& seen);
// 4.3: the MSN of a message that begins. `queue` is still before it.
void judge_msn(Judge& judge, Seen& seen, const Queue& queue);

// The account of messages: untagged_messages.cc, tagged_messages.cc.
void account_untagged(Judge& judge, Seen& seen);
void account_tagged(Judge& judge, Seen& seen);
// Called when no more segments will come: decides about messages that were waiting for one.
void settle_untagged(Judge& judge, Queue& queue);

// --- what both accounts do: messages_account.cc
// Adds a segment's payload to its message, and notes a segment at an unexpected offset.
void place(Judge& judge, const Seen& seen, OpenMessage& message, std::uint64_t at);
// Returns true if the segments of a message together cover it from its lowest octet to its highest, each octet once.
inline bool is_covered(const OpenMessage& message) {
  return message.octets == message.next - message.lowest;
}
void begin_message(Judge& judge, Seen& seen, OpenMessage& message, std::uint64_t at);
// A finding about the segment that strayed.
void blame_stray(Judge& judge, const Rule& rule, const OpenMessage& message, OctetRange where, std::string_view why);

}  // namespace wirelaw::rdmap
