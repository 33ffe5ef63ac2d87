// SPDX-License-Identifier: Apache-2.0
// How the tracker reaches Full Operation: from the two start frames or, if they were not seen, by searching for FPDUs.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "conformance/rdmap/fpdu_row.h"
#include "conformance/rdmap/tracker/first_octets.h"
#include "conformance/rdmap/tracker/startup.h"
#include "conformance/rdmap/tracker/startup_facts.h"
#include "conformance/rdmap/tracker/tracker.h"

namespace wirelaw::rdmap {
namespace {

// Limit on octets held until their framing is known: a start frame, and octets that an initiator sends too early.
constexpr std::size_t kMaxHeld = 128u << 10;
// Octets of the ULP that are searched for an MPA Request.
constexpr std::uint64_t kMaxPassedOver = 1u << 20;
// Octets searched for an FPDU at each of the four possible alignments modulo four: as much as Resync needs for the
// longest FPDU.
constexpr std::uint64_t kLookedThroughAtOnce = 256u << 10;
constexpr std::uint64_t kPlaces = 4;
// Segments searched for consecutive FPDUs: more than two of the longest FPDUs need.
constexpr unsigned kMostRowPieces = 128;

}  // namespace

void Tracker::hold(Direction& from, Octets octets) {
  const std::size_t room = kMaxHeld - std::min(kMaxHeld, from.held.size());
  const Octets kept = octets.first(std::min(room, octets.size()));
  if (from.held.empty()) from.preamble.held_frame = piece_.frame;
  if (from.preamble.first.empty()) from.preamble.first_frame = piece_.frame;
  from.held.insert(from.held.end(), kept.begin(), kept.end());
  const Octets shown =
      octets.first(std::min(octets.size(), kSeenOctets - std::min(kSeenOctets, from.preamble.first.size())));
  from.preamble.first.insert(from.preamble.first.end(), shown.begin(), shown.end());
  if (kept.size() == octets.size()) return;
  note("more was sent before MPA had been started than is held");
  from.reading.happen(Reading::Event::gap);
  from.framing.resync_due = true;
}

void Tracker::take_start(Direction& from) {
  Direction& to = connection_.of(other(from.side));
  const Beginning beginning = beginning_of(from.held);
  if (beginning == Beginning::partial || (is_undecided(from) && !has_spoken(to))) return;
  if (from.preamble.ulps_last > 0 && beginning != Beginning::key && beginning != Beginning::near)
    return end_preamble(from);
  // Where a key is due, one with wrong fields is a start frame, too.
  if (beginning == Beginning::key || (beginning == Beginning::text && to.start)) {
    if (const auto frame = mpa::decode_start_frame(from.held))
      start_frame_whole(from, mpa::layout::kStartFrame + frame->private_data_length);
    return;
  }
  if (!from.unbroken) return assume(from, "the capture begins in the middle of the connection");
  // The beginning of a side is known once it has as many octets as a key, in any number of pieces.
  if (!from.preamble.ulp_spoke) {
    if (from.held.size() < mpa::kRequestKey.size()) return;
    const bool key_is_due = to.start.has_value() || beginning == Beginning::near;
    if (key_is_due) return no_start_frame(from, /*certain=*/true);
    from.preamble.ulp_spoke = true;
    if (is_undecided(to)) take_start(to);
  }
  pass_over(from, find_key(from.held));
  if (from.preamble.passed_over > kMaxPassedOver) return no_start_frame(from, /*certain=*/false);
  if (beginning_of(from.held) == Beginning::key) take_start(from);
}

// Skips octets that the ULP exchanges before it switches to MPA.
void Tracker::pass_over(Direction& from, std::size_t octets) {
  from.preamble.passed_over += octets;
  from.held.erase(from.held.begin(), from.held.begin() + static_cast<std::ptrdiff_t>(octets));
  if (from.held.size() <= piece_.octets.size()) from.preamble.held_frame = piece_.frame;
}

// What the ULP sent before the other side's start frame looked like the beginning of a key, and was none.
void Tracker::end_preamble(Direction& from) {
  pass_over(from, std::exchange(from.preamble.ulps_last, 0));
  expect_key(from);
  if (!from.held.empty()) take_start(from);
}

// From the held octets on, a key is due.
void Tracker::expect_key(Direction& from) {
  from.preamble.ulp_spoke = false;
  from.preamble.passed_over = 0;
  const Octets shown = Octets(from.held).first(std::min(from.held.size(), kSeenOctets));
  from.preamble.first.assign(shown.begin(), shown.end());
  from.preamble.first_frame = from.preamble.held_frame;
}

void Tracker::no_start_frame(Direction& from, bool certain) {
  Message beginning = message(from, from.preamble.first);
  beginning.frame = from.preamble.first_frame;
  facts_.found(beginning);
  const NoStartFrameFact fact = no_start_frame_fact(connection_, from, certain);
  facts_.state(fact);
  from.preamble.wrong_key = fact.is_near && connection_.of(other(from.side)).held.empty();
  from.reading.happen(Reading::Event::ended);
  from.preamble.passed_over += from.held.size();
  from.held = {};
  note("MPA is not started: no start frame was found where one was due");
}

void Tracker::start_frame_whole(Direction& from, std::size_t length) {
  SeenStartFrame seen{.octets = OctetBuffer(from.held.begin(), from.held.begin() + static_cast<std::ptrdiff_t>(length)),
                      .index = connection_.messages,
                      .frame = piece_.frame,
                      .time_ns = piece_.time_ns,
                      .received_is_known = piece_.received_is_known};
  from.held.erase(from.held.begin(), from.held.begin() + static_cast<std::ptrdiff_t>(length));
  Direction& to = connection_.of(other(from.side));
  const mpa::StartFrame frame = seen.decoded();
  if (!to.start) connection_.agreement.initiator = frame.kind() == mpa::FrameKind::request ? from.side : to.side;
  facts_.found(message(from, seen.octets));
  facts_.state(start_frame_fact(connection_, from, frame));
  if (to.preamble.wrong_key && frame.kind() == mpa::FrameKind::reply && !frame.rejected)
    facts_.state(WrongKeyFact{.is_reply = true});
  const bool has_passed_over = from.preamble.ulp_spoke || from.preamble.passed_over > 0;
  const bool same_kind = to.start && to.start->decoded().kind() == frame.kind();
  from.start = std::move(seen);
  from.full_at = piece_.offset + piece_.octets.size() - from.held.size();
  from.reading.happen(Reading::Event::start_frame);
  // Octets in the same piece as the frame were sent before any answer to it.
  from.preamble.held_unanswered = !from.held.empty() && !to.start;
  if (same_kind) {
    note("both sides have sent the same start frame: MPA is not started");
    from.reading.happen(Reading::Event::ended);
    to.reading.happen(Reading::Event::ended);
  } else if (to.start) {
    connection_.agreement.initiator = frame.kind() == mpa::FrameKind::request ? from.side : to.side;
    begin_full_operation();
  } else if (connection_.agreement.is_assumed()) {
    assume_full(from);
  } else if (to.reading.is(Reading::startup) && !(is_undecided(to) && from.unbroken && !has_passed_over)) {
    // The last octets of the ULP before it switched to MPA.
    const bool has_spoken = to.preamble.ulp_spoke;
    pass_over(to, find_key(to.held));
    expect_key(to);
    if (has_spoken) to.preamble.ulps_last = to.held.size();
  }
}

// The Reply had a wrong key. An FPDU that follows it all the same has passed it over; a Terminate may report it.
void Tracker::take_after_wrong_key(Direction& from) {
  if (from.start->kind() != mpa::FrameKind::request || from.held.size() < kFirstOctets) return;
  connection_.of(other(from.side)).preamble.wrong_key = false;
  const Octets fpdu = is_zero_marker(from.held) ? Octets(from.held).subspan(mpa::kMarkerOctets) : Octets(from.held);
  if (!looks_like_fpdu(fpdu) || decode_control(fpdu[mpa::kLengthOctets + 1]).is(Opcode::terminate)) return;
  facts_.at(place(from, from.held));
  facts_.state(WrongKeyFact{});
}

void Tracker::begin_full_operation() {
  Agreed& agreed = connection_.agreement;
  Direction& initiator = connection_.of(agreed.initiator);
  Direction& responder = connection_.of(other(agreed.initiator));
  const mpa::StartFrame request = initiator.start->decoded(), reply = responder.start->decoded();
  agreed.crc = request.crc || reply.crc;
  agreed.revision = std::min(request.revision, reply.revision);
  agreed.request = request.enhanced_data();
  agreed.reply = reply.enhanced_data();
  // Each side requests markers for the direction that it receives (RFC 5044, 7.1.1).
  agreed.markers[initiator.side == Side::a ? 0 : 1] = reply.markers;
  agreed.markers[responder.side == Side::a ? 0 : 1] = request.markers;
  agreed.happen(reply.rejected ? Agreed::Event::rejected : Agreed::Event::accepted);
  facts_.state(agreement_fact(connection_, piece_.frame));
  if (agreed.is_accepted() && deliveries_) deliveries_->established(connection_, piece_);
  for (Direction* direction : {&initiator, &responder}) {
    direction->reading.happen(agreed.is_accepted() ? Reading::Event::begun : Reading::Event::rejected);
    const OctetBuffer held = std::exchange(direction->held, {});
    if (!agreed.is_accepted()) {
      // A correct CRC distinguishes an FPDU from octets of the ULP. Octets that an initiator sent too early have been
      // judged.
      direction->deframer.emplace(agreed.markers[direction->side == Side::a ? 0 : 1], /*crc=*/true);
      if (direction == &responder && !held.empty()) take_rejected(*direction, held);
      continue;
    }
    direction->deframer.emplace(agreed.markers[direction->side == Side::a ? 0 : 1], agreed.crc);
    if (!held.empty()) take_fpdus(*direction, held);
  }
}

void Tracker::take_rejected(Direction& from, Octets octets) {
  // The first octets after a rejection show what the connection is used for.
  if (!from.deframer) return;
  from.held.insert(from.held.end(), octets.begin(), octets.end());
  const Beginning beginning = from.preamble.looked_behind_rejection ? Beginning::other : beginning_of(from.held);
  if (beginning == Beginning::partial) return;
  const OctetBuffer held = std::exchange(from.held, {});
  if (beginning == Beginning::key) {
    start_again();
    return take(from, held);
  }
  from.preamble.looked_behind_rejection = true;
  from.deframer->feed(held);
  while (const auto fpdu = from.deframer->next()) {
    if (fpdu->crc_holds()) {
      facts_.found(message(from, fpdu->octets));
      facts_.state(AfterRejectionFact{.sender = connection_.role_of(from.side), .is_silent = false});
      from.reading.happen(Reading::Event::ended);
    }
    from.deframer.reset();  // the first octets are enough to decide: an FPDU, or octets of the ULP
    return;
  }
}

void Tracker::start_again() {
  connection_.agreement = {};
  for (Direction& direction : connection_.directions) {
    Direction fresh{.side = direction.side, .mss = direction.mss};
    fresh.seen = direction.seen;
    fresh.unbroken = direction.unbroken;
    direction = std::move(fresh);
  }
}

// --- if the beginning is unknown

// This side's start frame has not been seen.
void Tracker::assume(Direction& from, std::string_view why) {
  note(fmt::format("{}: how MPA was started is not known", why));
  Agreed& agreed = connection_.agreement;
  agreed.happen(Agreed::Event::missed);
  agreed.crc = false;
  Direction& to = connection_.of(other(from.side));
  if (to.start) {
    const mpa::StartFrame frame = to.start->decoded();
    agreed.initiator = frame.kind() == mpa::FrameKind::request ? to.side : from.side;
    agreed.crc = frame.crc;
  }
  forget(from);
  from.framing.mid_stream = true;
  const OctetBuffer held = std::exchange(from.held, {});
  from.full_at = piece_.offset + piece_.missing + piece_.octets.size() - held.size();
  if (to.start && to.start->decoded().kind() == mpa::FrameKind::reply && to.start->decoded().rejected) {
    from.reading.happen(Reading::Event::rejected);
    to.reading.happen(Reading::Event::rejected);
    return;
  }
  look_for_fpdus(from, 0);
  take_fpdus(from, held);
  if (to.reading.is(Reading::waiting)) assume_full(to);
}

// This side's start frame has been seen, the other one has not.
void Tracker::assume_full(Direction& from) {
  Agreed& agreed = connection_.agreement;
  const mpa::StartFrame frame = from.start->decoded();
  agreed.crc = frame.crc || (agreed.is_assumed() && agreed.crc);
  agreed.happen(Agreed::Event::missed);
  agreed.initiator = frame.kind() == mpa::FrameKind::request ? from.side : other(from.side);
  agreed.revision = frame.revision;
  if (frame.kind() == mpa::FrameKind::reply && frame.rejected) {
    from.reading.happen(Reading::Event::rejected);
    return;
  }
  from.reading.happen(Reading::Event::begun);
  from.deframer.emplace(/*markers=*/false, /*crc=*/true);
  const OctetBuffer held = std::exchange(from.held, {});
  if (!held.empty()) take_fpdus(from, held);
}

// FPDUs begin at multiples of four of an unknown count; `place` is the assumed position of the next octet.
void Tracker::look_for_fpdus(Direction& from, std::uint64_t place) {
  from.reading.happen(Reading::Event::gap);
  from.framing.settled = true;
  from.full_at -= place;
  from.deframer.emplace(/*markers=*/false, /*crc=*/true);
  from.deframer->skip_to(place);
}

// FPDUs that begin with a segment can be recognised, and show the marker positions. Judging starts with the one that
// ends with this segment, because the other side may have answered the earlier ones.
bool Tracker::find_at_segment(Direction& from, Octets octets) {
  if (piece_.frame == 0) return false;  // only a captured frame shows the start of a segment
  const std::uint64_t octets_at = piece_.offset + piece_.octets.size() - octets.size();
  if (from.search.row.empty()) {
    if (!may_begin_fpdu(octets)) return false;
    from.search.row_at = octets_at;
    from.search.row_pieces = 0;
  }
  ++from.search.row_pieces;
  from.search.row.insert(from.search.row.end(), octets.begin(), octets.end());
  const FpduRow found = read_fpdu_row(from.search.row, static_cast<std::size_t>(octets_at - from.search.row_at));
  Plausible is = is_at_fpdu(found, from.search.row.size());
  if (from.framing.crc_seen_to_hold && !found.marker_at) is = Plausible::no;  // another CRC shows more
  if (is == Plausible::undecided && from.search.row.size() <= kMaxHeld && from.search.row_pieces < kMostRowPieces)
    return false;
  const OctetBuffer row = std::exchange(from.search.row, {});
  if (is != Plausible::yes) return octets_at > from.search.row_at && find_at_segment(from, octets);
  const std::size_t begin = found.last;
  from.deframer.emplace(found.marker_at.has_value(), /*crc=*/true);
  from.full_at = from.search.row_at + begin;
  if (found.marker_at) {
    from.full_at = from.search.row_at + *found.marker_at - mpa::kMarkerInterval;  // any multiple of it will do
    from.deframer->begin_at(from.search.row_at + begin - from.full_at);
  }
  from.alignment.piece_at = octets_at - from.full_at;
  from.reading.happen(Reading::Event::found);
  take_framed(from, Octets(row).subspan(begin));
  return true;
}

// Called when nothing has been found in this many octets.
void Tracker::look_elsewhere(Direction& from, std::size_t octets) {
  const std::uint64_t before = from.search.looked_through / kLookedThroughAtOnce;
  from.search.looked_through += octets;
  const std::uint64_t now = from.search.looked_through / kLookedThroughAtOnce;
  if (now >= kPlaces) {
    from.deframer.reset();
    note("no FPDU was found");
  } else if (now != before) {
    from.full_at = piece_.offset + piece_.octets.size();
    look_for_fpdus(from, now);
  }
}

// Drops unfinished messages: they cannot be continued.
void Tracker::forget(Direction& from) {
  for (Queue& queue : from.messages.queues) {
    queue.known = false;
    queue.message = {};
  }
  from.messages.tagged = {};
  from.reads.answering = Answering::none;
}

}  // namespace wirelaw::rdmap
