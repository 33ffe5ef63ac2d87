// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/tracker/tracker.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/rdmap/tracker/ends.h"
#include "conformance/rdmap/tracker/first_octets.h"
#include "conformance/rdmap/tracker/silence.h"
#include "conformance/rdmap/tracker/startup.h"
#include "conformance/rdmap/tracker/startup_facts.h"

namespace wirelaw::rdmap {

Message Tracker::place(const Direction& from, Octets octets) const {
  return {.octets = octets,
          .wire_length = octets.size(),
          .sender = from.side,
          .index = connection_.messages,
          .frame = piece_.frame,
          .time_ns = piece_.time_ns};
}

Message Tracker::message(const Direction& from, Octets octets) {
  const Message found = place(from, octets);
  ++connection_.messages;
  return found;
}

void Tracker::follow(const StreamPiece& piece) {
  piece_ = piece;
  if (deliveries_) deliveries_->take(piece);
  Direction& from = connection_.of(piece.sender);
  if (!from.seen) from.unbroken = piece.from_start;
  from.seen = true;
  from.received_is_known = piece.received_is_known;
  from.last_ns = piece.time_ns;
  switch (piece.event) {
    case StreamEvent::opened:
      connection_.of(other(piece.sender)).mss = piece.mss;
      break;
    case StreamEvent::octets:
      if (piece.octets.empty()) break;
      if (from.end.closed) {
        facts_.at(place(from, piece.octets));
        facts_.state(AfterEndFact{.octets = piece.octets.size()});
      }
      take(from, piece.octets);
      break;
    case StreamEvent::gap:
      skip(from, piece);
      break;
    case StreamEvent::closed:
      if (!from.end.is_there()) from.end.time_ns = piece.time_ns;
      from.end.closed = true;
      end(from);
      break;
    case StreamEvent::reset:
      if (!from.end.is_there()) from.end.time_ns = piece.time_ns;
      from.end.reset = true;
      end(from);
      break;
  }
}

void Tracker::take(Direction& from, Octets octets) {
  switch (from.reading.stage()) {
    case Reading::startup:
      hold(from, octets);
      take_start(from);
      break;
    case Reading::waiting:
      hold(from, octets);
      from.preamble.held_unanswered |= piece_.received_is_known;
      if (connection_.of(other(from.side)).preamble.wrong_key) take_after_wrong_key(from);
      break;
    case Reading::full:
    case Reading::lost:
      if (from.deframer) take_fpdus(from, octets);
      break;
    case Reading::rejected:
      take_rejected(from, octets);
      break;
    case Reading::over:
    case Reading::count_:
      break;
  }
}

void Tracker::skip(Direction& from, const StreamPiece& gap) {
  note(fmt::format("{} octets are missing from the capture", gap.missing));
  from.unbroken = false;
  from.search.row = {};
  if (deliveries_) deliveries_->lost(from.side, gap);
  switch (from.reading.stage()) {
    case Reading::startup: {
      from.held = {};
      assume(from, "octets of the start are missing");
      break;
    }
    case Reading::waiting:
    case Reading::full:
    case Reading::lost:
      from.held = {};
      from.reading.happen(Reading::Event::gap);
      from.framing.resync_due = true;
      forget(from);
      break;
    case Reading::rejected:
      from.deframer.reset();
      break;
    case Reading::over:
    case Reading::count_:
      break;
  }
}

bool Tracker::conclude(Direction& from) {
  const Beginning beginning = beginning_of(from.held);
  const bool no_key = from.preamble.ulp_spoke ? beginning != Beginning::key : beginning == Beginning::other;
  if (from.reading.is(Reading::startup) && from.unbroken && no_key) {
    no_start_frame(from, /*certain=*/connection_.of(other(from.side)).start.has_value());
    return false;
  }
  const Message at{.sender = from.side, .index = kNoMessage, .frame = piece_.frame, .time_ns = piece_.time_ns};
  facts_.at(at);
  facts_.state(take_end(connection_, from, at));
  from.reading.happen(Reading::Event::ended);
  return true;
}

void Tracker::end(Direction& from) {
  if (conclude(from) && deliveries_) deliveries_->ended(from, piece_);
}

void Tracker::finish(const SourceEnd& end_of_source) {
  for (Direction& direction : connection_.directions) {
    // Only one side was captured, so the Reply, or the Request, will not come.
    if (direction.reading.is(Reading::waiting) && !connection_.of(other(direction.side)).seen) {
      note("only one direction was captured: how MPA was started is not known");
      assume_full(direction);
    }
  }
  if (const auto order = take_unanswered_early_octets(connection_)) facts_.state(*order);
  if (const auto reply = find_lone_reply(connection_)) facts_.state(*reply);
  if (const auto held = find_unanswered_octets(connection_, end_of_source.frame)) facts_.state(*held);
  for (const SilenceFact& fact : find_silence(connection_, end_of_source)) facts_.state(fact);
  for (Direction& direction : connection_.directions)
    if (!direction.reading.is(Reading::over)) conclude(direction);  // it has not ended: no delivery
  for (const Direction& from : connection_.directions)
    if (const auto fact = find_whole_fpdus(connection_, from)) facts_.state(*fact);
  for (const Direction& from : connection_.directions) {
    const auto fact = find_unfinished_fpdu(connection_, from);
    if (!fact) continue;
    if (fact->mulpdu.mss != 0 && from.framing.fpdus > 0) facts_.state(*fact);
    if (!looks_like_fpdu(fact->octets))
      note("octets that are no FPDU were taken for the beginning of one: what follows them was not read");
  }
}

std::size_t Tracker::memory() const {
  std::size_t octets = sizeof *this + (deliveries_ ? sizeof *deliveries_ + deliveries_->memory() : 0);
  for (const Direction& direction : connection_.directions) {
    octets += direction.held.capacity() + direction.search.row.capacity() +
              direction.reads.waiting.size() * sizeof(OutstandingRead) +
              direction.recent.size() * sizeof(RecentSegment);
    if (direction.deframer) octets += direction.deframer->memory();
    if (direction.start) octets += direction.start->octets.capacity();
    if (direction.preamble.early) octets += direction.preamble.early->octets.capacity();
  }
  return octets;
}

}  // namespace wirelaw::rdmap
