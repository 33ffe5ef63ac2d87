// SPDX-License-Identifier: Apache-2.0
// The account of untagged messages (RFC 5041, 4.1, 4.3, 5.2, 5.3): the message of its queue to which each segment
// belongs, and the completeness of each message. Queue and MSN identify a message. If one field contradicts all others,
// that field is the fault, and the segment is followed by the others.
#include <algorithm>

#include "conformance/rdmap/ddp/4.1-control-field/rules.h"
#include "conformance/rdmap/ddp/4.3-untagged-header/rules.h"
#include "conformance/rdmap/ddp/5.2-segmentation/rules.h"
#include "conformance/rdmap/ddp/5.3-ordering/rules.h"
#include "conformance/rdmap/ddp/checks.h"

namespace wirelaw::rdmap {
namespace {

void blame_offset(Seen& seen) {
  seen.blame(error::kDdpInvalidMo);
  seen.blame(error::kDdpTooLong);
}

// RDMAP has another queue, or the tagged model, for this opcode: its rules report that.
bool is_misplaced(const Seen& seen) {
  const OpcodeRow* const row = seen.row;
  if (!row || (row->extension && !seen.connection.extensions)) return false;
  return row->tagged || row->queue != seen.header.qn;
}

// Notes the MSN of a message that begins here, even if no account holds the message.
void note_number(const ddp::Header& header, Direction& from) {
  if (header.mo != 0 || header.qn >= kQueues) return;
  Queue& queue = from.queues[header.qn];
  queue.counts_back =
      queue.counts_back || (queue.latest_msn && static_cast<std::int32_t>(header.msn - *queue.latest_msn) <= 0);
  queue.latest_msn = header.msn;
}

// A segment that no account holds. Advances the queue that expects its MSN: the queue of its opcode or the one of its
// QN.
void pass_over_misplaced(Seen& seen) {
  const ddp::Header& header = seen.header;
  seen.first_segment = header.mo == 0;
  if (!is_misplaced(seen)) return;
  for (const std::uint32_t number : {seen.row->queue, header.qn}) {
    if (seen.row->tagged || number >= kQueues) continue;
    Queue& queue = seen.from.queues[number];
    if (queue.message.open || queue.next_msn != header.msn) continue;
    queue.next_msn += header.last ? 1 : 0;
    queue.used = true;
    return;
  }
  if (!seen.row->tagged) seen.from.queues[seen.row->queue].known = false;
}

// Finds a message of another queue that this segment would continue if its QN were right.
Queue* goes_on_elsewhere(Seen& seen) {
  const ddp::Header& header = seen.header;
  if (header.mo == 0) return nullptr;
  const auto fits = [&](const Queue& queue) {
    const OpenMessage& message = queue.message;
    return queue.known && message.open && message.msn == header.msn && message.next == header.mo &&
           message.rsvd_ulp == header.rsvd_ulp;
  };
  if (header.qn < kQueues && seen.from.queues[header.qn].message.open) return nullptr;
  const auto found = std::ranges::find_if(seen.from.queues, fits);
  return found == seen.from.queues.end() ? nullptr : &*found;
}

void place_at_mo(Judge& judge, Seen& seen, OpenMessage& message) {
  const std::uint64_t mo = seen.header.mo, end = mo + seen.payload.size();
  if (message.joined)
    ;
  else if (mo == message.next && !message.stray.there)
    judge.require(message.segments == 0 ? rule<"DDP-4.3-11"> : rule<"DDP-5.2-6">, true, field::kMo, expected(mo),
                  actual(mo));
  else
    blame_offset(seen);
  judge.require(rule<"DDP-5.2-3">, end <= 0xffffffff, field::kMo, expected("less than 2^32"), actual(end),
                "MO and payload together");
  place(judge, seen, message, mo);
}

// Its last segment is here.
void close(Judge& judge, const Seen& seen, OpenMessage& message) {
  message.open = false;
  if (message.octets == 0)
    judge.require(rule<"DDP-5.2-9">, message.segments == 1, field::kDdpControl, expected(1), actual(message.segments),
                  "segments without payload");
  if (message.joined) return;
  if (!message.stray.there) {
    judge.require(rule<"DDP-4.1-6">, true, field::kMo, expected(seen.header.mo), actual(seen.header.mo));
    judge.require(rule<"DDP-5.3-2">, true, field::kMo, expected(seen.header.mo), actual(seen.header.mo));
  } else if (message.lowest != 0 || !is_covered(message)) {
    message.unsettled = true;
  } else if (!judge.require(rule<"DDP-4.1-6">, seen.header.mo + seen.payload.size() == message.next, field::kMo,
                            expected("the highest MO of the message"), actual(seen.header.mo),
                            "segments before it have higher ones")) {
    return;
  } else {
    blame_stray(judge, rule<"DDP-5.3-2">, message, field::kMo, "the octets between them came later");
  }
}

void begin(Judge& judge, Seen& seen, Queue& queue) {
  if (queue.used) {
    judge.require(rule<"DDP-4.1-4">, true, field::kDdpControl, expected(true), actual(true));
    judge.require(rule<"DDP-4.1-5">, true, field::kDdpControl, expected(true), actual(true));
  }
  if (!queue.message.joined) judge_msn(judge, seen, queue);
  queue.next_msn = seen.header.msn + 1;
  queue.used = true;
  begin_message(judge, seen, queue.message, 0);
  place_at_mo(judge, seen, queue.message);
  if (seen.header.last) close(judge, seen, queue.message);
}

void go_on(Judge& judge, Seen& seen, Queue& queue) {
  const ddp::Header& header = seen.header;
  OpenMessage& message = queue.message;
  seen.first_segment = false;
  const auto number = static_cast<std::uint32_t>(&queue - seen.from.queues.data());
  if (!judge.require(rule<"DDP-4.3-5">, header.qn == number, field::kQn, expected(number), actual(header.qn),
                     "all else goes on with the message that is open on the other queue")) {
    seen.blame(error::kDdpInvalidQn);
    seen.blame(error::kUnexpectedOpcode);
  }
  if (!judge.require(rule<"DDP-4.3-10">, header.msn == message.msn, field::kMsn, expected(message.msn),
                     actual(header.msn), "the MO goes on with the message that is open")) {
    seen.blame(error::kDdpMsnRange);
    seen.blame(error::kDdpNoBuffer);
  }
  const bool control_is_same = header.rsvd_ulp == message.rsvd_ulp;
  const bool same = control_is_same && header.rsvd_ulp_rest == message.rsvd_ulp_rest;
  if (!judge.require(rule<"DDP-4.3-4">, same, control_is_same ? field::kInvalidateStag : field::kRdmapControl,
                     expected([&] { return fmt::format("{:02x} {:08x}", message.rsvd_ulp, message.rsvd_ulp_rest); }),
                     actual([&] { return fmt::format("{:02x} {:08x}", header.rsvd_ulp, header.rsvd_ulp_rest); }),
                     "differs from the message's first segment")) {
    seen.blame(error::kUnexpectedOpcode);
    if (seen.control.version != decode_control(message.rsvd_ulp).version) seen.blame(error::kInvalidVersion);
  }
  place_at_mo(judge, seen, message);
  if (header.last) close(judge, seen, message);
}

// The trace begins here or resumes after a gap, so the first segment seen shows the position in the queue. A message
// that began before is not judged further, and neither is the step to this MSN.
void join(Judge& judge, Seen& seen, Queue& queue) {
  queue.known = queue.used = true;
  OpenMessage& message = queue.message;
  message.open = false;
  queue.next_msn = seen.header.msn + 1;
  queue.interrupted = true;
  queue.interrupted_msn = seen.header.msn - 1;
  begin_message(judge, seen, message, 0);
  message.joined = seen.header.mo != 0;
  if (message.joined) {
    message.next = message.octets = seen.header.mo;
    message.segments = 1;
    seen.first_segment = false;
  }
  place_at_mo(judge, seen, message);
  if (seen.header.last) close(judge, seen, message);
}

// Handles a segment of a message whose last segment has been seen: a part that was missing, or octets after the end.
bool belongs_to_the_last(Judge& judge, Seen& seen, OpenMessage& message) {
  const ddp::Header& header = seen.header;
  if (message.segments == 0 || header.msn != message.msn) return false;
  const std::uint64_t end = header.mo + seen.payload.size();
  if (message.unsettled && end <= message.next && !seen.payload.empty()) {
    seen.first_segment = false;
    place(judge, seen, message, header.mo);
    if (message.lowest == 0 && is_covered(message)) {
      message.unsettled = false;
      judge.require(rule<"DDP-4.1-5">, false, field::kMo, expected("the next message"), actual(header.mo),
                    "octets of the message whose last segment came before");
    }
    return true;
  }
  if (message.unsettled || header.mo == 0 || header.mo != message.next) return false;
  seen.first_segment = false;
  seen.blame(error::kDdpMsnRange);
  seen.blame(error::kDdpInvalidMo);
  judge.require(rule<"DDP-4.1-4">, false, field::kMo, expected("the next message"), actual(header.mo),
                "the message goes on behind a segment that had L set");
  place(judge, seen, message, header.mo);
  message.open = !header.last;
  return true;
}

}  // namespace

void settle_untagged(Judge& judge, Queue& queue) {
  OpenMessage& message = queue.message;
  if (!queue.known || !message.unsettled) return;
  message.unsettled = false;
  // Octets before the first one that came are missing; or, in the middle, some are missing or came twice.
  const bool first = message.lowest != 0;
  blame_stray(
      judge, first ? rule<"DDP-4.3-11"> : rule<"DDP-5.2-6">, message, field::kMo,
      first ? "the message ended without its first octets" : "the message ended with octets missing or doubled");
}

void account_untagged(Judge& judge, Seen& seen) {
  const ddp::Header& header = seen.header;
  note_number(header, seen.from);
  if (Queue* const elsewhere = goes_on_elsewhere(seen)) return go_on(judge, seen, *elsewhere);
  if (header.qn >= kQueues || (is_misplaced(seen) && !seen.from.queues[header.qn].message.open)) {
    pass_over_misplaced(seen);
    return;
  }
  Queue& queue = seen.from.queues[header.qn];
  OpenMessage& message = queue.message;
  if (!queue.used && seen.connection.agreement.is_assumed()) queue.known = false;
  if (!queue.known) return join(judge, seen, queue);
  const bool is_rest = queue.interrupted && header.msn == queue.interrupted_msn && header.mo != 0;
  if (is_rest || (message.joined && !message.open && header.mo != 0)) {
    seen.first_segment = false;
    return;
  }
  if (message.open) {
    if (header.msn == message.msn || (header.mo != 0 && header.mo == message.next)) return go_on(judge, seen, queue);
    if (!message.joined)
      judge.require(rule<"DDP-4.1-3">, false, field::kMsn, expected(message.msn), actual(header.msn), [&] {
        return fmt::format(
            "another message begins on queue {}, and message {} of the flow began one that has not ended", header.qn,
            message.begun + 1);
      });
    queue.interrupted = true;
    queue.interrupted_msn = message.msn;
    message.stray.there = false;
    return begin(judge, seen, queue);
  }
  if (belongs_to_the_last(judge, seen, message)) return;
  settle_untagged(judge, queue);
  if (queue.used) judge.require(rule<"DDP-4.1-3">, true, field::kDdpControl, expected(true), actual(true));
  begin(judge, seen, queue);
}

}  // namespace wirelaw::rdmap
