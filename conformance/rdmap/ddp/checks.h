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
// No more segments come: what was waiting for one is decided.
void settle_untagged(Judge& judge, Queue& queue);

// --- what both accounts do: messages_account.cc
// Counts a segment's payload in its message; one that is not where it is due is remembered.
void place(Judge& judge, const Seen& seen, OpenMessage& message, std::uint64_t at);
// The segments of a message, taken together, cover it from its lowest octet to its highest, each octet once.
inline bool is_covered(const OpenMessage& message) {
  return message.octets == message.next - message.lowest;
}
void begin_message(Judge& judge, Seen& seen, OpenMessage& message, std::uint64_t at);
// A finding about the segment that strayed.
void blame_stray(Judge& judge, const Rule& rule, const OpenMessage& message, OctetRange where, std::string_view why);

}  // namespace wirelaw::rdmap
