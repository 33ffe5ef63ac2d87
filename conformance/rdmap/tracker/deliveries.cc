// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/tracker/deliveries.h"

#include <algorithm>

namespace wirelaw::rdmap {
namespace {

using Event = Delivery::Event;

bool is_send(const Seen& seen) {
  return seen.is(Opcode::send) || seen.is(Opcode::send_invalidate) || seen.is(Opcode::send_se) ||
         seen.is(Opcode::send_se_invalidate);
}

}  // namespace

Delivery Deliveries::delivery(Event event, Side sender, const StreamPiece& at) const {
  return {.event = event,
          .sender = sender,
          .message = {.sender = sender, .index = messages_, .frame = at.frame, .time_ns = at.time_ns, .layer = 1}};
}

void Deliveries::established(const Connection& connection, const StreamPiece& at) {
  const Side initiator = connection.agreement.initiator;
  Delivery begin = delivery(Event::established, initiator, at);
  begin.initiator = initiator;
  for (const Side side : {Side::a, Side::b}) {
    const auto& start = connection.of(side).start;
    if (start) begin.private_data[side == Side::a ? 0 : 1] = start->decoded().ulp_data();
  }
  facts_.state(begin);
}

void Deliveries::segment(const Seen& seen, const StreamPiece& at) {
  if (seen.header.tagged) return tagged(seen, at);
  if (seen.header.qn == kSendQueue && is_send(seen)) return send(seen, at);
  if (seen.header.qn == kReadRequestQueue && seen.is(Opcode::read_request)) return read_request(seen, at);
}

// Finds the stream positions of the payload. Markers may lie between its octets.
void Deliveries::find_places(const Seen& seen, std::size_t offset, std::size_t length) {
  Way& from = way(seen.from.side);
  const std::size_t begin = mpa::kLengthOctets + seen.header.octets(), end = begin + length;
  std::uint64_t at = seen.fpdu.position;  // stream position of octet `plain` of the FPDU without markers
  std::size_t plain = 0;
  const auto part = [&](std::size_t octets) {
    const std::size_t first = std::max(plain, begin), last = std::min(plain + octets, end);
    if (first < last && from.where.size() < kMostPlaces) {
      const std::uint64_t stream = seen.from.full_at + at + (first - plain);
      from.places.find(stream, stream + (last - first), offset + (first - begin), from.where);
    }
    plain += octets;
    at += octets;
  };
  for (const mpa::Marker& marker : seen.fpdu.markers) {
    if (marker.position < at) continue;  // the one before the FPDU
    part(static_cast<std::size_t>(marker.position - at));
    at += mpa::kMarkerOctets;
  }
  part(seen.fpdu.octets.size() - plain);
}

// Appends the payload of this segment to the Send that has begun.
void Deliveries::gather(const Seen& seen, Way& from) {
  const ddp::Header& header = seen.header;
  if (!from.open) {
    from.open = from.whole = true;
    from.msn = header.msn;
    from.due = 0;
    from.octets.clear();
    from.where.clear();
  }
  from.whole &= header.mo == from.due;
  const std::size_t room = kMostOctets - from.octets.size();
  const Octets kept = seen.payload.first(std::min(room, seen.payload.size()));
  from.whole &= kept.size() == seen.payload.size();
  find_places(seen, from.octets.size(), kept.size());
  from.octets.insert(from.octets.end(), kept.begin(), kept.end());
  from.due = header.mo + std::uint64_t{seen.payload.size()};
}

void Deliveries::send(const Seen& seen, const StreamPiece& at) {
  Way& from = way(seen.from.side);
  const ddp::Header& header = seen.header;
  if (from.open && header.msn != from.msn) {
    lost(seen.from.side, at);  // the last segment of the one before was never sent
    from.open = false;
  }
  // One of one segment is there as it is.
  const bool is_single = !from.open && header.last && seen.payload.size() <= kMostOctets;
  if (is_single) {
    from.whole = header.mo == 0;
    from.due = header.mo + std::uint64_t{seen.payload.size()};
    from.where.clear();
    find_places(seen, 0, seen.payload.size());
  } else {
    gather(seen, from);
  }
  if (!header.last) return;
  from.open = false;
  Delivery message = delivery(Event::message, seen.from.side, at);
  message.message.octets = is_single ? seen.payload : Octets(from.octets);
  message.message.wire_length =
      static_cast<std::size_t>(std::max<std::uint64_t>(from.due, message.message.octets.size()));
  message.message.places = from.where;
  message.whole = from.whole;
  message.solicited = seen.is(Opcode::send_se) || seen.is(Opcode::send_se_invalidate);
  if (seen.row && seen.row->invalidate_stag) message.invalidated_stag = header.rsvd_ulp_rest;
  message.may_miss = way(other(seen.from.side)).received.may_miss();
  ++messages_;
  from.received.add(at.offset + at.octets.size());
  facts_.state(message);
}

void Deliveries::tagged(const Seen& seen, const StreamPiece& at) {
  Way& from = way(seen.from.side);
  const OpenMessage& message = seen.from.messages.tagged;
  const std::uint64_t before = from.tagged ? from.range.length : 0;
  from.range = {.stag = message.stag, .offset = message.lowest, .length = before + seen.payload.size()};
  from.tagged = !seen.header.last;
  if (!seen.header.last) return;
  if (seen.is(Opcode::write)) {
    Delivery written = delivery(Event::written, seen.from.side, at);
    written.remote = from.range;
    return facts_.state(written);
  }
  std::vector<RemoteRange>& reads = way(other(seen.from.side)).reads;
  if (!seen.is(Opcode::read_response) || reads.empty()) return;
  Delivery completed = delivery(Event::read_completed, seen.from.side, at);
  completed.remote = reads.front();
  reads.erase(reads.begin());
  facts_.state(completed);
}

void Deliveries::read_request(const Seen& seen, const StreamPiece& at) {
  Way& from = way(seen.from.side);
  const auto request = decode_read_request(seen.payload);
  if (!request) return lost(seen.from.side, at);
  Delivery asked = delivery(Event::read_requested, seen.from.side, at);
  asked.remote = {.stag = request->source_stag, .offset = request->source_to, .length = request->size};
  if (from.reads.size() == kMostReads) from.reads.erase(from.reads.begin());
  from.reads.push_back(asked.remote);
  facts_.state(asked);
}

void Deliveries::lost(Side sender, const StreamPiece& at) {
  Way& from = way(sender);
  from.open = from.tagged = false;
  facts_.state(delivery(Event::lost, sender, at));
}

void Deliveries::ended(const Direction& from, const StreamPiece& at) {
  Delivery end = delivery(Event::ended, from.side, at);
  end.abortive = from.end.reset || from.terminate;
  facts_.state(end);
}

std::size_t Deliveries::memory() const {
  std::size_t octets = 0;
  for (const Way& one : ways_)
    octets += one.places.memory() + one.octets.capacity() + one.where.capacity() * sizeof(Place) +
              one.reads.size() * sizeof(RemoteRange);
  return octets;
}

}  // namespace wirelaw::rdmap
