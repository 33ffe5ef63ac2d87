// SPDX-License-Identifier: Apache-2.0
// What tagged and untagged messages have in common.
#include "conformance/rdmap/tracker/messages.h"

#include <algorithm>

namespace wirelaw::rdmap {
namespace {

void take_version(Seen& seen) {
  const ddp::Header& header = seen.header;
  const Agreed& agreed = seen.connection.agreement;
  seen.version = {.before = seen.from.messages.version, .is_agreed = !agreed.is_assumed() && agreed.revision > 0};
  if (!seen.from.messages.version) seen.from.messages.version = header.version;
  if (header.version != ddp::kVersion)
    seen.blame(header.tagged ? error::kDdpTaggedVersion : error::kDdpUntaggedVersion);
}

Carriage carriage_of(const ddp::Header& header, const OpcodeRow& row) {
  if (header.tagged != row.tagged) return Carriage::wrong_model;
  return row.tagged || header.qn == row.queue ? Carriage::right : Carriage::wrong_queue;
}

Stray stray_of(const Seen& seen, std::uint64_t at, std::uint64_t due) {
  Stray stray{.message = seen.message, .at = at, .due = due};
  const Octets head = seen.fpdu.octets.first(std::min(seen.fpdu.octets.size(), stray.octets.size()));
  std::ranges::copy(head, stray.octets.begin());
  return stray;
}

// RDMAP/A-38. A Terminate may come in the middle of anything.
void find_open(Seen& seen, const OpenMessage& begins) {
  if (!seen.header.tagged && seen.header.qn == kTerminateQueue) return;
  OpenMessage* open = nullptr;
  const auto look = [&](OpenMessage& message) {
    if (&message != &begins && message.is_open() && !message.mixed) open = &message;
  };
  for (Queue& queue : seen.from.messages.queues) look(queue.message);
  look(seen.from.messages.tagged);
  AmongFact& among = seen.among.emplace();
  if (open == nullptr) return;
  open->mixed = true;
  among.open = open->begun;
}

}  // namespace

void take_header(Seen& seen) {
  const Octets ulpdu = seen.fpdu.ulpdu();
  const auto segment = ddp::decode(ulpdu);
  if (!segment) [[unlikely]] {
    // Codes that a receiver may report: 2/0/03 (the lengths of MPA and DDP disagree), or any code, because no
    // specification defines one.
    for (const ErrorCode& error : {error::kMpaMarker, error::kDdpLocalCatastrophic, error::kOperationUnspecified})
      seen.blame(error);
    if (!ulpdu.empty())
      seen.header_room = HeaderFact{.tagged = segment.error().needed == ddp::layout::kTagged,
                                    .needed = segment.error().needed,
                                    .octets = ulpdu.size()};
    return;
  }
  seen.header = segment->header;
  seen.payload = segment->payload;
  seen.header_room = HeaderFact{.tagged = seen.header.tagged, .needed = seen.header.octets(), .octets = ulpdu.size()};
  seen.control = decode_control(seen.header.rsvd_ulp);
  seen.row = find_opcode(seen.control.opcode);
  if (seen.row) seen.carriage = carriage_of(seen.header, *seen.row);
  take_version(seen);
}

void take_segment(Seen& seen) {
  if (!seen.header.tagged) return take_untagged(seen);
  take_tagged(seen);
  // An untagged opcode in a tagged header: its queue and number cannot be read. RDMAP's rules report it.
  const OpcodeRow* const row = seen.row;
  if (seen.first_segment && row && !row->tagged && !row->extension) seen.from.messages.queues[row->queue].known = false;
}

void place(const Seen& seen, OpenMessage& message, std::uint64_t at) {
  const std::uint64_t length = seen.payload.size();
  if (at != message.next && !message.stray && !message.joined) [[unlikely]]
    message.stray = stray_of(seen, at, message.next);
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
  if (seen.header.tagged || at >= message.head.size()) return;
  const Octets part = seen.payload.first(std::min<std::size_t>(length, message.head.size() - at));
  std::ranges::copy(part, message.head.begin() + static_cast<std::ptrdiff_t>(at));
}

const OpenMessage* ended_message(const Seen& seen) {
  const OpenMessage& message = seen.from.messages.queues[seen.row->queue].message;
  const bool has_its_number = seen.header.msn == message.msn && !message.joined;
  const bool is_last =
      seen.header.last ? seen.after_last != AfterLast::more : seen.after_last == AfterLast::missing_part;
  const bool is_complete = !message.is_open() && !message.is_unsettled() && message.lowest == 0 && message.is_covered();
  return has_its_number && is_last && is_complete ? &message : nullptr;
}

void begin_message(Seen& seen, OpenMessage& message, std::uint64_t at) {
  find_open(seen, message);
  message.happen(OpenMessage::Event::segment);
  message.mixed = message.joined = false;
  message.stray.reset();
  message.rsvd_ulp = seen.header.rsvd_ulp;
  message.rsvd_ulp_rest = seen.header.rsvd_ulp_rest;
  message.stag = seen.header.stag;
  message.msn = seen.header.msn;
  message.segments = 0;
  message.octets = 0;
  message.next = message.lowest = at;
  message.begun = seen.message.index;
  message.whole.reset();
  seen.first_segment = true;
}

}  // namespace wirelaw::rdmap
