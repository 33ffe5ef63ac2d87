// SPDX-License-Identifier: Apache-2.0
// Tagged messages (RFC 5041, 4.1, 4.2, 5.2, 5.3) have no identifier. A segment continues the open message if at most
// one of RsvdULP, STag and TO contradicts that; otherwise the open message lacks its end.
#include <iterator>

#include "conformance/rdmap/tracker/messages.h"

namespace wirelaw::rdmap {
namespace {

// The open message has all its octets, and these are the first of the answer to the next Read.
bool answers_the_next_read(const Seen& seen) {
  const auto& reads = seen.to.reads.waiting;
  if (reads.size() < 2) return false;
  const ReadRequest& next = std::next(reads.begin())->request;
  return next.sink_stag == seen.header.stag && next.sink_to == seen.header.to;
}

bool is_complete(const OpenMessage& message) {
  return message.whole && message.octets >= *message.whole;
}

// STag and TO of a segment without payload mean nothing. So if the first segments have none, the first one that has
// some shows where the message goes.
bool has_place(const Seen& seen, const OpenMessage& message) {
  return !seen.payload.empty() && (message.octets > 0 || is_complete(message));
}

bool is_in_place(const Seen& seen, const OpenMessage& message) {
  return !has_place(seen, message) || seen.header.to == message.next;
}

// The fields that all its segments share.
SharedFact shared_with(const Seen& seen, const OpenMessage& message) {
  return {.rsvd_ulp = {.due = message.rsvd_ulp, .seen = seen.header.rsvd_ulp},
          .stag = {.due = message.stag, .seen = has_place(seen, message) ? seen.header.stag : message.stag}};
}

// No payload has come so far. A segment that has some and other fields may belong to it, but not if a message came
// in between: then the empty message lacks its end.
bool continues_empty(const Seen& seen, const OpenMessage& message, const SharedFact& shared) {
  const bool is_there = seen.header.stag == message.stag && seen.header.to == message.next;
  return is_there || (shared.rsvd_ulp.holds() && !message.mixed);
}

bool continues(const Seen& seen, const OpenMessage& message, const SharedFact& shared) {
  if (!seen.payload.empty() && !has_place(seen, message)) return continues_empty(seen, message, shared);
  const int contradictions = !shared.rsvd_ulp.holds() + !shared.stag.holds() + !is_in_place(seen, message);
  return contradictions <= 1 && !(seen.payload.empty() && !shared.rsvd_ulp.holds()) &&
         !(is_complete(message) && (contradictions > 0 || answers_the_next_read(seen)));
}

void end(Seen& seen, OpenMessage& message) {
  message.happen(OpenMessage::Event::last_segment);
  if (message.joined) return;
  if (message.octets == 0) seen.segments = message.segments;
  MessageOrderFact& fact = seen.order.emplace();
  fact.tagged = true;
  if (!message.stray) return;
  fact.order = message.is_covered() ? MessageOrder::late : MessageOrder::gap;
  fact.stray = message.stray;
}

void begin(Seen& seen) {
  OpenMessage& message = seen.from.messages.tagged;
  // If octets are missing from the trace, the first segment seen may be any segment of its message.
  const bool joined = message.segments == 0 && !all_is_known(seen.connection);
  begin_message(seen, message, seen.header.to);
  message.joined = joined;
  seen.first_segment = !joined;
  place(seen, message, seen.header.to);
  if (seen.header.last) end(seen, message);
}

void go_on(Seen& seen, OpenMessage& message, const SharedFact& shared) {
  seen.first_segment = false;
  seen.shared = shared;
  if (!shared.rsvd_ulp.holds()) {
    seen.blame(error::kUnexpectedOpcode);
    if (seen.control.version != decode_control(message.rsvd_ulp).version) seen.blame(error::kInvalidVersion);
  }
  if (!shared.stag.holds())
    for (const ErrorCode& error : {error::kDdpInvalidStag, error::kDdpStagNotAssociated, error::kDdpBaseOrBounds})
      seen.blame(error);
  const bool in_place = is_in_place(seen, message);
  if (in_place && !message.stray && !message.joined) seen.offset = Offset::next;
  if (!in_place) seen.blame(error::kDdpBaseOrBounds);
  if (message.octets == 0 && !seen.payload.empty()) {
    message.stag = seen.header.stag;
    message.next = message.lowest = seen.header.to;
  }
  place(seen, message, seen.payload.empty() ? message.next : seen.header.to);
  seen.length = message.octets;
  if (seen.header.last) end(seen, message);
}

}  // namespace

void take_tagged(Seen& seen) {
  OpenMessage& message = seen.from.messages.tagged;
  if (message.is_open()) {
    const SharedFact shared = shared_with(seen, message);
    if (continues(seen, message, shared)) return go_on(seen, message, shared);
  }
  if (!message.is_open() || !message.joined)
    seen.previous = PreviousFact{.is_ended = !message.is_open(), .begun = message.begun};
  begin(seen);
}

}  // namespace wirelaw::rdmap
