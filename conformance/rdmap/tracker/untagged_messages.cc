// SPDX-License-Identifier: Apache-2.0
// Untagged messages (RFC 5041, 4.1, 4.3, 5.2, 5.3). Queue and MSN identify a message. If one field contradicts all
// others, that field is the fault, and the segment is followed by the others.
#include <algorithm>

#include "conformance/rdmap/tracker/messages.h"

namespace wirelaw::rdmap {
namespace {

void blame_offset(Seen& seen) {
  seen.blame(error::kDdpInvalidMo);
  seen.blame(error::kDdpTooLong);
}

// RDMAP has another queue, or the tagged model, for this opcode: its rules report that.
bool is_misplaced(const Seen& seen) {
  if (seen.row && seen.row->extension && !seen.connection.extensions) return false;
  return seen.carriage == Carriage::wrong_model || seen.carriage == Carriage::wrong_queue;
}

// Notes the MSN of a message that begins here, even if no account holds the message.
void note_number(const ddp::Header& header, Direction& from) {
  if (header.mo != 0 || header.qn >= kQueues) return;
  Queue& queue = from.messages.queues[header.qn];
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
    Queue& queue = seen.from.messages.queues[number];
    if (queue.message.is_open() || queue.next_msn != header.msn) continue;
    queue.next_msn += header.last ? 1 : 0;
    queue.used = true;
    return;
  }
  if (!seen.row->tagged) seen.from.messages.queues[seen.row->queue].known = false;
}

// Finds a message of another queue that this segment would continue if its QN were right.
Queue* goes_on_elsewhere(Seen& seen) {
  const ddp::Header& header = seen.header;
  if (header.mo == 0) return nullptr;
  const auto fits = [&](const Queue& queue) {
    const OpenMessage& message = queue.message;
    return queue.known && message.is_open() && message.msn == header.msn && message.next == header.mo &&
           message.rsvd_ulp == header.rsvd_ulp;
  };
  if (header.qn < kQueues && seen.from.messages.queues[header.qn].message.is_open()) return nullptr;
  const auto found = std::ranges::find_if(seen.from.messages.queues, fits);
  return found == seen.from.messages.queues.end() ? nullptr : &*found;
}

void place_at_mo(Seen& seen, OpenMessage& message) {
  const std::uint64_t mo = seen.header.mo;
  if (!message.joined) {
    if (mo != message.next || message.stray)
      blame_offset(seen);
    else
      seen.offset = message.segments == 0 ? Offset::start : Offset::next;
  }
  seen.length = mo + seen.payload.size();
  place(seen, message, mo);
}

// Its last segment is here.
void end(Seen& seen, OpenMessage& message) {
  using enum OpenMessage::Event;
  const bool is_unsettled = !message.joined && message.stray && (message.lowest != 0 || !message.is_covered());
  message.happen(is_unsettled ? last_segment_too_early : last_segment);
  if (message.octets == 0) seen.segments = message.segments;
  if (message.joined || is_unsettled) return;
  MessageOrderFact& fact = seen.order.emplace();
  fact.last_mo = seen.header.mo;
  if (!message.stray) return;
  const bool is_highest = seen.header.mo + seen.payload.size() == message.next;
  fact.order = is_highest ? MessageOrder::late : MessageOrder::last_not_highest;
  fact.stray = message.stray;
}

// A message had a wrong MSN. This one goes on with the numbers before it, whether or not it counts that message.
bool goes_back(Queue& queue, std::uint32_t msn) {
  if (!queue.left_at || (msn != *queue.left_at && msn != *queue.left_at + 1)) return false;
  queue.left_at.reset();
  return true;
}

void begin(Seen& seen, Queue& queue) {
  const std::uint32_t msn = seen.header.msn;
  if (queue.used) seen.after_last = AfterLast::next_message;
  if (!queue.message.joined) {
    seen.msn =
        MsnFact{.msn = {.due = goes_back(queue, msn) ? msn : queue.next_msn, .seen = msn}, .is_first = !queue.used};
    if (!seen.msn->msn.holds()) {
      queue.left_at = queue.next_msn;
      seen.blame(error::kDdpMsnRange);
      seen.blame(error::kDdpNoBuffer);
    }
  }
  queue.next_msn = msn + 1;
  queue.used = true;
  begin_message(seen, queue.message, 0);
  place_at_mo(seen, queue.message);
  if (seen.header.last) end(seen, queue.message);
}

void go_on(Seen& seen, Queue& queue) {
  const ddp::Header& header = seen.header;
  OpenMessage& message = queue.message;
  seen.first_segment = false;
  const auto number = static_cast<std::uint32_t>(&queue - seen.from.messages.queues.data());
  const SharedFact& shared =
      seen.shared.emplace(SharedFact{.rsvd_ulp = {.due = message.rsvd_ulp, .seen = header.rsvd_ulp},
                                     .rsvd_ulp_rest = {.due = message.rsvd_ulp_rest, .seen = header.rsvd_ulp_rest},
                                     .qn = {.due = number, .seen = header.qn},
                                     .msn = {.due = message.msn, .seen = header.msn}});
  if (!shared.qn.holds()) {
    seen.blame(error::kDdpInvalidQn);
    seen.blame(error::kUnexpectedOpcode);
  }
  if (!shared.msn.holds()) {
    seen.blame(error::kDdpMsnRange);
    seen.blame(error::kDdpNoBuffer);
  }
  if (!shared.rsvd_ulp.holds() || !shared.rsvd_ulp_rest.holds()) {
    seen.blame(error::kUnexpectedOpcode);
    if (seen.control.version != decode_control(message.rsvd_ulp).version) seen.blame(error::kInvalidVersion);
  }
  place_at_mo(seen, message);
  if (header.last) end(seen, message);
}

// The trace begins here or resumes after a gap, so the first segment seen shows the position in the queue. A message
// that began before is not judged further, and neither is the step to this MSN.
void join(Seen& seen, Queue& queue) {
  queue.known = queue.used = true;
  queue.left_at.reset();
  OpenMessage& message = queue.message;
  queue.next_msn = seen.header.msn + 1;
  queue.interrupted = true;
  queue.interrupted_msn = seen.header.msn - 1;
  begin_message(seen, message, 0);
  message.joined = seen.header.mo != 0;
  if (message.joined) {
    message.next = message.octets = seen.header.mo;
    message.segments = 1;
    seen.first_segment = false;
  }
  place_at_mo(seen, message);
  if (seen.header.last) end(seen, message);
}

// Handles a segment of a message whose last segment has been seen: a part that was missing, or octets after the end.
bool belongs_to_the_last(Seen& seen, OpenMessage& message) {
  const ddp::Header& header = seen.header;
  if (message.segments == 0 || header.msn != message.msn) return false;
  const std::uint64_t end = header.mo + seen.payload.size();
  if (message.is_unsettled() && end <= message.next && !seen.payload.empty()) {
    seen.first_segment = false;
    place(seen, message, header.mo);
    if (message.lowest == 0 && message.is_covered()) {
      message.happen(OpenMessage::Event::settled);
      seen.after_last = AfterLast::missing_part;
    }
    return true;
  }
  if (message.is_unsettled() || header.mo == 0 || header.mo != message.next) return false;
  seen.first_segment = false;
  seen.blame(error::kDdpMsnRange);
  seen.blame(error::kDdpInvalidMo);
  seen.after_last = AfterLast::more;
  place(seen, message, header.mo);
  if (!header.last) message.happen(OpenMessage::Event::segment);
  return true;
}

}  // namespace

std::optional<MessageOrderFact> give_up(Queue& queue) {
  OpenMessage& message = queue.message;
  if (!queue.known || !message.is_unsettled()) return std::nullopt;
  message.happen(OpenMessage::Event::settled);
  return MessageOrderFact{.order = message.lowest != 0 ? MessageOrder::headless : MessageOrder::gap,
                          .stray = message.stray};
}

void take_untagged(Seen& seen) {
  const ddp::Header& header = seen.header;
  note_number(header, seen.from);
  if (Queue* const elsewhere = goes_on_elsewhere(seen)) return go_on(seen, *elsewhere);
  if (header.qn >= kQueues || (is_misplaced(seen) && !seen.from.messages.queues[header.qn].message.is_open())) {
    pass_over_misplaced(seen);
    return;
  }
  Queue& queue = seen.from.messages.queues[header.qn];
  OpenMessage& message = queue.message;
  if (!queue.used && seen.connection.agreement.is_assumed()) queue.known = false;
  if (!queue.known) return join(seen, queue);
  const bool is_rest = queue.interrupted && header.msn == queue.interrupted_msn && header.mo != 0;
  if (is_rest || (message.joined && !message.is_open() && header.mo != 0)) {
    seen.first_segment = false;
    return;
  }
  if (message.is_open()) {
    if (header.msn == message.msn || (header.mo != 0 && header.mo == message.next)) return go_on(seen, queue);
    if (!message.joined) seen.previous = PreviousFact{.is_ended = false, .begun = message.begun, .msn = message.msn};
    queue.interrupted = true;
    queue.interrupted_msn = message.msn;
    return begin(seen, queue);
  }
  if (belongs_to_the_last(seen, message)) return;
  seen.given_up = give_up(queue);
  if (queue.used) seen.previous = PreviousFact{};
  begin(seen, queue);
}

}  // namespace wirelaw::rdmap
