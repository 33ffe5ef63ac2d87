// SPDX-License-Identifier: Apache-2.0
// Functions shared by the accounts of tagged and untagged messages.
#include <algorithm>

#include "conformance/rdmap/ddp/5.3-ordering/rules.h"
#include "conformance/rdmap/ddp/checks.h"

namespace wirelaw::rdmap {
namespace {

Stray stray_of(const Judge& judge, const Seen& seen, std::uint64_t at, std::uint64_t due) {
  Stray stray{.there = true, .message = judge.message(), .at = at, .due = due};
  const Octets head = seen.fpdu.octets.first(std::min(seen.fpdu.octets.size(), stray.octets.size()));
  std::ranges::copy(head, stray.octets.begin());
  return stray;
}

// RDMAP/A-38. A Terminate may come in the middle of anything.
void judge_nothing_else_is_open(Judge& judge, Seen& seen, const OpenMessage& begins) {
  if (!seen.header.tagged && seen.header.qn == kTerminateQueue) return;
  OpenMessage* open = nullptr;
  const auto look = [&](OpenMessage& message) {
    if (&message != &begins && message.open && !message.mixed) open = &message;
  };
  for (Queue& queue : seen.from.queues) look(queue.message);
  look(seen.from.tagged);
  if (open) open->mixed = true;
  judge.advise(rule<"DDP-5.3-1">, open == nullptr, field::kDdpControl,
               expected("the rest of the message that has begun"), actual("a segment of another message"), [&] {
                 return fmt::format("message {} of the flow began it, and its last segment has not come",
                                    open->begun + 1);
               });
}

}  // namespace

void place(Judge& judge, const Seen& seen, OpenMessage& message, std::uint64_t at) {
  const std::uint64_t length = seen.payload.size();
  if (at != message.next && !message.stray.there && !message.joined) [[unlikely]]
    message.stray = stray_of(judge, seen, at, message.next);
  if (message.segments == 0) {
    message.lowest = at;
    message.next = at + length;
  } else {
    message.lowest = std::min(message.lowest, at);
    // Segments in order may run past a Tagged Offset of 2^64 - 1. The bounds of the sink's buffer decide if that is
    // valid.
    message.next = at == message.next ? at + length : std::max(message.next, at + length);
  }
  message.octets += length;
  ++message.segments;
}

void begin_message(Judge& judge, Seen& seen, OpenMessage& message, std::uint64_t at) {
  judge_nothing_else_is_open(judge, seen, message);
  message.open = true;
  message.unsettled = message.mixed = message.joined = message.stray.there = false;
  message.rsvd_ulp = seen.header.rsvd_ulp;
  message.rsvd_ulp_rest = seen.header.rsvd_ulp_rest;
  message.stag = seen.header.stag;
  message.msn = seen.header.msn;
  message.segments = 0;
  message.octets = 0;
  message.next = message.lowest = at;
  message.begun = seen.index;
  message.whole.reset();
  seen.first_segment = true;
}

void blame_stray(Judge& judge, const Rule& rule, const OpenMessage& message, OctetRange where, std::string_view why) {
  const Stray& stray = message.stray;
  const Message now = judge.message();
  Message then = stray.message;
  then.octets = stray.octets;
  judge.at(then);
  judge.require(rule, false, where, expected(stray.due), actual(stray.at), why);
  judge.at(now);
}

}  // namespace wirelaw::rdmap
