// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/observer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "conformance/rdmap/deliveries.h"
#include "conformance/rdmap/rules.h"
#include "conformance/rdmap/startup.h"

namespace wirelaw::rdmap {
namespace {

// Octets that are held while it is not known how to read them: a start frame, and what an initiator sends too early.
constexpr std::size_t kMaxHeld = 128u << 10;
// Octets of the ULP in which an MPA Request is looked for.
constexpr std::uint64_t kMaxPassedOver = 1u << 20;
// Octets in which an FPDU is looked for at each of the four places, modulo four, where one may begin: as much as Resync
// needs for the longest FPDU.
constexpr std::uint64_t kLookedThroughAtOnce = 256u << 10;
constexpr std::uint64_t kPlaces = 4;

class RdmapObserver final : public Observer {
 public:
  explicit RdmapObserver(const ObserverLimits& limits) {
    connection_.extensions = std::ranges::find(limits.features, kExtensions) != limits.features.end();
  }

  void observe(const StreamPiece& piece, Judge& judge) override;
  void finish(Judge& judge) override;
  void deliver_to(DeliverySink* above) override { deliveries_.deliver_to(above); }
  std::uint64_t messages() const override { return connection_.messages; }
  std::string partial() const override { return connection_.partial; }
  std::size_t memory() const override;

 private:
  void take(Direction& from, Octets octets, Judge& judge);

  // --- before Full Operation
  void hold(Direction& from, Octets octets);
  void take_start(Direction& from, Judge& judge);
  static void pass_over(Direction& from);
  void start_frame_whole(Direction& from, std::size_t length, Judge& judge);
  void no_start_frame(Direction& from, bool certain, Judge& judge);
  void begin_full_operation(Judge& judge);
  void take_rejected(Direction& from, Octets octets, Judge& judge);
  // MPA may be started once more on a connection that was rejected (RFC 5044, 7.1.2, rule 2).
  void start_again();

  // --- where the beginning is not known
  void assume(Direction& from, std::string_view why, Judge& judge);
  void assume_full(Direction& from, Judge& judge);
  void look_for_fpdus(Direction& from, std::uint64_t place);
  void look_elsewhere(Direction& from, std::size_t octets);
  void forget(Direction& from);

  // --- Full Operation
  void take_fpdus(Direction& from, Octets octets, Judge& judge);
  void take_framed(Direction& from, Octets octets, Judge& judge);
  void take_fpdu(Direction& from, const mpa::Fpdu& fpdu, Judge& judge);
  void settle_framing(Direction& from, Judge& judge);
  void remember_early(Direction& from, Octets octets);
  void skip(Direction& from, const StreamPiece& gap, Judge& judge);
  void end(Direction& from, Judge& judge);
  void note(std::string_view why) {
    if (connection_.partial.empty()) connection_.partial = why;
  }
  // A message of the flow, found where the piece is.
  Message message(const Direction& from, Octets octets);
  // The same, not counted: octets that a finding points into.
  Message place(const Direction& from, Octets octets) const;

  void deliver(const Seen& seen, bool has_header, Judge& judge);

  Connection connection_;
  StreamPiece piece_;  // the one that is being taken
  Deliveries deliveries_;
};

Message RdmapObserver::place(const Direction& from, Octets octets) const {
  return {.octets = octets,
          .wire_length = octets.size(),
          .sender = from.side,
          .index = connection_.messages,
          .frame = piece_.frame,
          .time_ns = piece_.time_ns};
}

Message RdmapObserver::message(const Direction& from, Octets octets) {
  const Message found = place(from, octets);
  ++connection_.messages;
  return found;
}

void RdmapObserver::observe(const StreamPiece& piece, Judge& judge) {
  piece_ = piece;
  if (deliveries_.wanted()) deliveries_.take(piece);
  Direction& from = connection_.of(piece.sender);
  if (!from.seen) from.unbroken = piece.from_start;
  from.seen = true;
  switch (piece.event) {
    case StreamEvent::opened:
      connection_.of(other(piece.sender)).mss = piece.mss;
      break;
    case StreamEvent::octets:
      if (piece.octets.empty()) break;
      if (from.closed) {
        judge.at(place(from, piece.octets));
        judge_octets_after_end(judge, true);
      }
      take(from, piece.octets, judge);
      break;
    case StreamEvent::gap:
      skip(from, piece, judge);
      break;
    case StreamEvent::closed:
      from.closed = true;
      end(from, judge);
      break;
    case StreamEvent::reset:
      from.reset = true;
      end(from, judge);
      break;
  }
}

void RdmapObserver::take(Direction& from, Octets octets, Judge& judge) {
  switch (from.phase) {
    case Reading::startup:
      hold(from, octets);
      take_start(from, judge);
      break;
    case Reading::waiting:
      hold(from, octets);
      break;
    case Reading::full:
    case Reading::lost:
      if (from.deframer) take_fpdus(from, octets, judge);
      break;
    case Reading::rejected:
      take_rejected(from, octets, judge);
      break;
    case Reading::over:
      break;
  }
}

void RdmapObserver::hold(Direction& from, Octets octets) {
  const std::size_t room = kMaxHeld - std::min(kMaxHeld, from.held.size());
  const Octets kept = octets.first(std::min(room, octets.size()));
  from.held.insert(from.held.end(), kept.begin(), kept.end());
  const Octets shown = octets.first(std::min(octets.size(), kSeenOctets - std::min(kSeenOctets, from.first.size())));
  from.first.insert(from.first.end(), shown.begin(), shown.end());
  if (kept.size() == octets.size()) return;
  note("more was sent before MPA had been started than is held");
  from.phase = Reading::lost;
  from.resync_due = true;
}

void RdmapObserver::take_start(Direction& from, Judge& judge) {
  const Direction& to = connection_.of(other(from.side));
  const Beginning beginning = beginning_of(from.held);
  if (beginning == Beginning::partial) return;
  if (beginning == Beginning::key) {
    if (const auto frame = mpa::decode_start_frame(from.held))
      start_frame_whole(from, mpa::layout::kStartFrame + frame->private_data_length, judge);
    return;
  }
  if (!from.unbroken) return assume(from, "the capture begins in the middle of the connection", judge);
  // What a side begins with is known by as many octets as a key has, however they came.
  if (!from.ulp_spoke) {
    if (from.held.size() < mpa::kRequestKey.size()) return;
    const bool key_is_due = to.start.has_value() || beginning == Beginning::near;
    if (key_is_due) return no_start_frame(from, /*certain=*/true, judge);
    from.ulp_spoke = true;
  }
  pass_over(from);
  if (from.passed_over > kMaxPassedOver) return no_start_frame(from, /*certain=*/false, judge);
  if (beginning_of(from.held) == Beginning::key) take_start(from, judge);
}

// What the ULP exchanges before it turns to MPA, up to what is a key or may become one.
void RdmapObserver::pass_over(Direction& from) {
  const std::size_t key = find_key(from.held);
  from.passed_over += key;
  from.held.erase(from.held.begin(), from.held.begin() + static_cast<std::ptrdiff_t>(key));
}

void RdmapObserver::no_start_frame(Direction& from, bool certain, Judge& judge) {
  judge.found(message(from, from.first));
  judge_no_start_frame(judge, connection_, from, certain);
  from.phase = Reading::over;
  from.passed_over += from.held.size();
  from.held = {};
  note("MPA is not started: no start frame was found where one was due");
}

void RdmapObserver::start_frame_whole(Direction& from, std::size_t length, Judge& judge) {
  SeenStartFrame seen{.octets = OctetBuffer(from.held.begin(), from.held.begin() + static_cast<std::ptrdiff_t>(length)),
                      .index = connection_.messages,
                      .frame = piece_.frame};
  from.held.erase(from.held.begin(), from.held.begin() + static_cast<std::ptrdiff_t>(length));
  Direction& to = connection_.of(other(from.side));
  const mpa::StartFrame frame = seen.decoded();
  if (!to.start) connection_.agreement.initiator = frame.kind() == mpa::FrameKind::request ? from.side : to.side;
  judge.found(message(from, seen.octets));
  judge_start_frame(judge, connection_, from, frame);
  const bool same_kind = to.start && to.start->decoded().kind() == frame.kind();
  from.start = std::move(seen);
  from.full_at = piece_.offset + piece_.octets.size() - from.held.size();
  from.phase = Reading::waiting;
  if (same_kind) {
    note("both sides have sent the same start frame: MPA is not started");
    from.phase = to.phase = Reading::over;
  } else if (to.start) {
    connection_.agreement.initiator = frame.kind() == mpa::FrameKind::request ? from.side : to.side;
    begin_full_operation(judge);
  } else if (connection_.agreement.assumed) {
    assume_full(from, judge);
  } else if (to.phase == Reading::startup) {
    // The last that the ULP said before it turned to MPA: from here on a key is due.
    pass_over(to);
    to.ulp_spoke = false;
    to.passed_over = 0;
    const Octets shown = Octets(to.held).first(std::min(to.held.size(), kSeenOctets));
    to.first.assign(shown.begin(), shown.end());
  }
}

void RdmapObserver::begin_full_operation(Judge& judge) {
  Agreed& agreed = connection_.agreement;
  Direction& initiator = connection_.of(agreed.initiator);
  Direction& responder = connection_.of(other(agreed.initiator));
  const mpa::StartFrame request = initiator.start->decoded(), reply = responder.start->decoded();
  agreed.crc = request.crc || reply.crc;
  agreed.revision = std::min(request.revision, reply.revision);
  agreed.request = request.enhanced_data();
  agreed.reply = reply.enhanced_data();
  // Each side asks for markers in what it receives (RFC 5044, 7.1.1).
  agreed.markers[initiator.side == Side::a ? 0 : 1] = reply.markers;
  agreed.markers[responder.side == Side::a ? 0 : 1] = request.markers;
  agreed.reached = !reply.rejected;
  judge_agreement(judge, connection_);
  if (agreed.reached && deliveries_.wanted()) deliveries_.established(connection_, piece_, judge);
  for (Direction* direction : {&initiator, &responder}) {
    direction->phase = agreed.reached ? Reading::full : Reading::rejected;
    const OctetBuffer held = std::exchange(direction->held, {});
    if (!agreed.reached) {
      // A CRC that holds is what distinguishes an FPDU from the ULP's octets. What an initiator sent too early has been
      // judged.
      direction->deframer.emplace(agreed.markers[direction->side == Side::a ? 0 : 1], /*crc=*/true);
      if (direction == &responder && !held.empty()) take_rejected(*direction, held, judge);
      continue;
    }
    direction->deframer.emplace(agreed.markers[direction->side == Side::a ? 0 : 1], agreed.crc);
    if (!held.empty()) take_fpdus(*direction, held, judge);
  }
}

void RdmapObserver::take_rejected(Direction& from, Octets octets, Judge& judge) {
  // What comes first behind a rejection says what the connection is used for.
  if (!from.deframer) return;
  from.held.insert(from.held.end(), octets.begin(), octets.end());
  const Beginning beginning = from.looked_behind_rejection ? Beginning::other : beginning_of(from.held);
  if (beginning == Beginning::partial) return;
  const OctetBuffer held = std::exchange(from.held, {});
  if (beginning == Beginning::key) {
    start_again();
    return take(from, held, judge);
  }
  from.looked_behind_rejection = true;
  from.deframer->feed(held);
  while (const auto fpdu = from.deframer->next()) {
    if (fpdu->crc_holds()) {
      judge.found(message(from, fpdu->octets));
      judge_fpdu_after_rejection(judge, connection_, from);
      from.phase = Reading::over;
    }
    from.deframer.reset();  // what comes first is enough: it is an FPDU, or the ULP's
    return;
  }
}

void RdmapObserver::start_again() {
  connection_.agreement = {};
  for (Direction& direction : connection_.directions) {
    Direction fresh{.side = direction.side, .mss = direction.mss};
    fresh.seen = direction.seen;
    fresh.unbroken = direction.unbroken;
    direction = std::move(fresh);
  }
}

// --- where the beginning is not known

// This side's start frame has not been seen.
void RdmapObserver::assume(Direction& from, std::string_view why, Judge& judge) {
  note(fmt::format("{}: how MPA was started is not known", why));
  Agreed& agreed = connection_.agreement;
  agreed.assumed = true;
  agreed.crc = false;
  Direction& to = connection_.of(other(from.side));
  if (to.start) {
    const mpa::StartFrame frame = to.start->decoded();
    agreed.initiator = frame.kind() == mpa::FrameKind::request ? to.side : from.side;
    agreed.crc = frame.crc;
  }
  forget(from);
  from.mid_stream = true;
  const OctetBuffer held = std::exchange(from.held, {});
  from.full_at = piece_.offset + piece_.missing + piece_.octets.size() - held.size();
  if (to.start && to.start->decoded().kind() == mpa::FrameKind::reply && to.start->decoded().rejected) {
    from.phase = to.phase = Reading::rejected;
    return;
  }
  look_for_fpdus(from, 0);
  take_fpdus(from, held, judge);
  if (to.phase == Reading::waiting) assume_full(to, judge);
}

// This side's start frame has been seen, the other one has not.
void RdmapObserver::assume_full(Direction& from, Judge& judge) {
  Agreed& agreed = connection_.agreement;
  agreed.assumed = true;
  const mpa::StartFrame frame = from.start->decoded();
  agreed.crc |= frame.crc;
  agreed.revision = frame.revision;
  if (frame.kind() == mpa::FrameKind::reply && frame.rejected) {
    from.phase = Reading::rejected;
    return;
  }
  from.phase = Reading::full;
  from.deframer.emplace(/*markers=*/false, /*crc=*/true);
  const OctetBuffer held = std::exchange(from.held, {});
  if (!held.empty()) take_fpdus(from, held, judge);
}

// FPDUs begin at multiples of four, but of which count is not known; `place` is where the next octet is taken to be.
void RdmapObserver::look_for_fpdus(Direction& from, std::uint64_t place) {
  from.phase = Reading::lost;
  from.framing_settled = true;
  from.full_at -= place;
  from.deframer.emplace(/*markers=*/false, /*crc=*/true);
  from.deframer->skip_to(place);
}

// Nothing has been found in so many octets.
void RdmapObserver::look_elsewhere(Direction& from, std::size_t octets) {
  const std::uint64_t before = from.looked_through / kLookedThroughAtOnce;
  from.looked_through += octets;
  const std::uint64_t now = from.looked_through / kLookedThroughAtOnce;
  if (now >= kPlaces) {
    from.deframer.reset();
    note("no FPDU was found");
  } else if (now != before) {
    from.full_at = piece_.offset + piece_.octets.size();
    look_for_fpdus(from, now);
  }
}

// What was begun before cannot be gone on with.
void RdmapObserver::forget(Direction& from) {
  for (Queue& queue : from.queues) queue.known = false;
  from.tagged = {};
}

// --- Full Operation

void RdmapObserver::take_fpdus(Direction& from, Octets octets, Judge& judge) {
  if (std::exchange(from.resync_due, false)) {
    from.phase = Reading::lost;
    from.framing_settled = true;
    from.deframer->skip_to(piece_.offset - from.full_at);
  }
  from.piece_at = piece_.offset - from.full_at;
  from.largest_piece = std::max(from.largest_piece, octets.size());
  remember_early(from, octets);
  if (from.framing_settled) return take_framed(from, octets, judge);
  from.held.insert(from.held.end(), octets.begin(), octets.end());
  if (from.held.size() < kFirstOctets) return;
  settle_framing(from, judge);
  const OctetBuffer held = std::exchange(from.held, {});
  take_framed(from, held, judge);
}

void RdmapObserver::settle_framing(Direction& from, Judge& judge) {
  from.framing_settled = true;
  bool& markers = connection_.agreement.markers[from.side == Side::a ? 0 : 1];
  judge.at(place(from, from.held));
  const bool there = judge_first_octets(judge, connection_, from, from.held);
  if (there == markers) return;
  markers = there;
  from.deframer.emplace(markers, connection_.agreement.crc || connection_.agreement.assumed);
}

void RdmapObserver::take_framed(Direction& from, Octets octets, Judge& judge) {
  std::uint64_t begin = from.deframer->position();
  from.deframer->feed(octets);
  Octets rest = octets;
  while (const auto fpdu = from.deframer->next()) {
    if (from.phase == Reading::lost) from.phase = Reading::full;
    take_fpdu(from, *fpdu, judge);
    if (!std::exchange(from.misframed, false)) continue;
    // Nothing says any more where the next FPDU begins.
    forget(from);
    from.phase = Reading::lost;
    rest = rest.subspan(static_cast<std::size_t>(fpdu->end - begin));
    begin = fpdu->end;
    from.deframer->skip_to(begin);
    from.deframer->feed(rest);
  }
  if (connection_.agreement.assumed && from.deframer->lost()) look_elsewhere(from, octets.size());
}

// A responder's octets before there is an FPDU of the initiator: judged when one comes, or when none can come any more.
void RdmapObserver::remember_early(Direction& from, Octets octets) {
  const Agreed& agreed = connection_.agreement;
  if (!agreed.reached || agreed.assumed || from.side == agreed.initiator) return;
  const Direction& initiator = connection_.of(agreed.initiator);
  if (initiator.fpdus > 0 || !initiator.unbroken) return;
  if (!from.early) {
    if (from.fpdus > 0) return;
    from.early = SeenOctets{.octets = {}, .index = connection_.messages, .frame = piece_.frame};
  }
  OctetBuffer& early = from.early->octets;
  const Octets more = octets.first(std::min(octets.size(), kSeenOctets - early.size()));
  early.insert(early.end(), more.begin(), more.end());
}

void RdmapObserver::take_fpdu(Direction& from, const mpa::Fpdu& fpdu, Judge& judge) {
  const Message found = message(from, fpdu.octets);
  judge.found(found);
  Seen seen{.connection = connection_,
            .from = from,
            .to = connection_.of(other(from.side)),
            .fpdu = fpdu,
            .index = found.index,
            .frame = found.frame};
  seen.record = {
      .index = seen.index, .frame = seen.frame, .ulpdu_length = static_cast<std::uint16_t>(fpdu.ulpdu_length())};
  judge_after_terminate(judge, seen);
  const bool trusted = judge_fpdu(judge, seen);
  ++from.fpdus;
  const bool has_header = trusted && judge_ddp_header(judge, seen);
  if (has_header) {
    judge_ddp_message(judge, seen);
    judge_control_field(judge, seen);
    judge_message_format(judge, seen);
    judge_extensions(judge, seen);
    judge_reads(judge, seen);
    judge_terminate(judge, seen);
  }
  const Octets header = fpdu.ulpdu().first(std::min(fpdu.ulpdu().size(), seen.record.header.size()));
  std::copy_n(header.data(), header.size(), seen.record.header.data());
  seen.record.header_octets = static_cast<std::uint8_t>(header.size());
  if (from.recent.size() == kRecentSegments) from.recent.pop_front();
  from.recent.push_back(seen.record);
  if (deliveries_.wanted()) deliver(seen, has_header, judge);
}

// To the protocol above, once every layer below it has been judged.
void RdmapObserver::deliver(const Seen& seen, bool has_header, Judge& judge) {
  if (!has_header) return deliveries_.lost(seen.from.side, piece_, judge);
  const Agreed& agreed = connection_.agreement;
  // The ready-to-receive indication is MPA's (RFC 6581, 5).
  const bool ready_to_receive = agreed.enhanced() && agreed.request->peer_to_peer &&
                                seen.from.side == agreed.initiator && seen.from.fpdus == 1 && seen.payload.empty();
  if (!ready_to_receive) deliveries_.segment(seen, piece_, judge);
}

void RdmapObserver::skip(Direction& from, const StreamPiece& gap, Judge& judge) {
  note(fmt::format("{} octets are missing from the capture", gap.missing));
  from.unbroken = false;
  if (deliveries_.wanted()) deliveries_.lost(from.side, gap, judge);
  switch (from.phase) {
    case Reading::startup: {
      from.held = {};
      assume(from, "octets of the start are missing", judge);
      break;
    }
    case Reading::waiting:
    case Reading::full:
    case Reading::lost:
      from.held = {};
      from.phase = Reading::lost;
      from.resync_due = true;
      forget(from);
      break;
    case Reading::rejected:
      from.deframer.reset();
      break;
    case Reading::over:
      break;
  }
}

void RdmapObserver::end(Direction& from, Judge& judge) {
  const Beginning beginning = beginning_of(from.held);
  const bool no_key = from.ulp_spoke ? beginning != Beginning::key : beginning == Beginning::other;
  if (from.phase == Reading::startup && from.unbroken && no_key) {
    no_start_frame(from, /*certain=*/connection_.of(other(from.side)).start.has_value(), judge);
    return;
  }
  judge.at({.sender = from.side, .index = connection_.messages, .frame = piece_.frame, .time_ns = piece_.time_ns});
  judge_mpa_end(judge, connection_, from);
  judge_ddp_end(judge, from);
  judge_end(judge, connection_, from);
  if (deliveries_.wanted()) deliveries_.ended(from, piece_, judge);
  from.phase = Reading::over;
}

void RdmapObserver::finish(Judge& judge) {
  for (Direction& direction : connection_.directions) {
    // One side alone was captured: no Reply, or no Request, will come any more.
    if (direction.phase == Reading::waiting && !connection_.of(other(direction.side)).seen) {
      note("only one direction was captured: how MPA was started is not known");
      assume_full(direction, judge);
    }
  }
  judge_mpa_over(judge, connection_);
  for (Direction& direction : connection_.directions)
    if (direction.phase != Reading::over) end(direction, judge);
}

std::size_t RdmapObserver::memory() const {
  std::size_t octets = sizeof *this + deliveries_.memory();
  for (const Direction& direction : connection_.directions) {
    octets += direction.held.capacity() + direction.reads.size() * sizeof(OutstandingRead) +
              direction.recent.size() * sizeof(RecentSegment);
    if (direction.deframer) octets += direction.deframer->memory();
    if (direction.start) octets += direction.start->octets.capacity();
    if (direction.early) octets += direction.early->octets.capacity();
  }
  return octets;
}

}  // namespace

std::unique_ptr<Observer> make_observer(const ObserverLimits& limits) {
  return std::make_unique<RdmapObserver>(limits);
}

std::size_t begins_in(Octets octets) {
  // Not std::ranges::search: clang 14 cannot compile what that gives for spans.
  const auto found = std::search(octets.begin(), octets.end(), mpa::kRequestKey.begin(), mpa::kRequestKey.end(),
                                 [](Octet octet, char c) { return octet == static_cast<Octet>(c); });
  return found == octets.end() ? Protocol::kNotHere : static_cast<std::size_t>(found - octets.begin());
}

}  // namespace wirelaw::rdmap
