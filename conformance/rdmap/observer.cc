// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/observer.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "conformance/rdmap/rules.h"

namespace wirelaw::rdmap {
namespace {

// Octets that are held while it is not known how to read them: a start frame, and what an initiator sends too early.
constexpr std::size_t kMaxHeld = 128u << 10;

class RdmapObserver final : public Observer {
 public:
  explicit RdmapObserver(const ObserverLimits& limits) {
    connection_.extensions = std::ranges::find(limits.features, kExtensions) != limits.features.end();
  }

  void observe(const StreamPiece& piece, Judge& judge) override;
  void finish(Judge& judge) override;
  std::uint64_t messages() const override { return connection_.messages; }
  std::string partial() const override { return connection_.partial; }
  std::size_t memory() const override;

 private:
  void take(Direction& from, Octets octets, Judge& judge);
  void take_start(Direction& from, Judge& judge);
  void start_frame_whole(Direction& from, std::size_t length, Judge& judge);
  void begin_full_operation(Judge& judge);
  void take_fpdus(Direction& from, Octets octets, Judge& judge);
  void take_fpdu(Direction& from, const mpa::Fpdu& fpdu, Judge& judge);
  void skip(Direction& from, const StreamPiece& gap);
  void end(Direction& from, Judge& judge);
  void note(std::string_view why) {
    if (connection_.partial.empty()) connection_.partial = why;
  }
  // A message of the flow, found where the piece is.
  Message message(const Direction& from, Octets octets);

  Connection connection_;
  StreamPiece piece_;  // the one that is being taken
};

Message RdmapObserver::message(const Direction& from, Octets octets) {
  return {.octets = octets,
          .wire_length = octets.size(),
          .sender = from.side,
          .index = connection_.messages++,
          .frame = piece_.frame,
          .time_ns = piece_.time_ns};
}

void RdmapObserver::observe(const StreamPiece& piece, Judge& judge) {
  piece_ = piece;
  Direction& from = connection_.of(piece.sender);
  switch (piece.event) {
    case StreamEvent::opened:
      connection_.of(other(piece.sender)).mss = piece.mss;
      break;
    case StreamEvent::octets:
      if (!piece.from_start && from.phase == Phase::startup && from.held.empty()) {
        // Nothing says how this stream is framed.
        note("the capture begins in the middle of the connection: how MPA was started is not known");
      }
      take(from, piece.octets, judge);
      break;
    case StreamEvent::gap:
      skip(from, piece);
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
    case Phase::startup:
    case Phase::waiting: {
      const std::size_t room = kMaxHeld - std::min(kMaxHeld, from.held.size());
      const Octets kept = octets.first(std::min(room, octets.size()));
      if (kept.size() < octets.size()) {
        note("more was sent before MPA had been started than is held");
        from.phase = Phase::lost;
      }
      from.held.insert(from.held.end(), kept.begin(), kept.end());
      if (from.phase == Phase::startup) take_start(from, judge);
      break;
    }
    case Phase::full:
    case Phase::lost:
      if (from.deframer) take_fpdus(from, octets, judge);
      break;
    case Phase::rejected:
    case Phase::over:
      break;
  }
}

void RdmapObserver::take_start(Direction& from, Judge& judge) {
  const auto frame = mpa::decode_start_frame(from.held);
  const bool whole = frame && from.held.size() >= mpa::layout::kStartFrame + frame->private_data_length;
  if (from.held.size() >= mpa::kRequestKey.size() && frame && !frame->kind()) {
    judge.found(message(from, from.held));
    judge_no_start_frame(judge, connection_, from);
    from.phase = Phase::over;
    return;
  }
  if (whole) start_frame_whole(from, mpa::layout::kStartFrame + frame->private_data_length, judge);
}

void RdmapObserver::start_frame_whole(Direction& from, std::size_t length, Judge& judge) {
  SeenStartFrame seen{.octets = OctetBuffer(from.held.begin(), from.held.begin() + static_cast<std::ptrdiff_t>(length)),
                      .index = connection_.messages,
                      .frame = piece_.frame};
  from.held.erase(from.held.begin(), from.held.begin() + static_cast<std::ptrdiff_t>(length));
  const Direction& to = connection_.of(other(from.side));
  if (!to.start) connection_.agreement.initiator = from.side;
  judge.found(message(from, seen.octets));
  judge_start_frame(judge, connection_, from, seen.decoded());
  from.start = std::move(seen);
  from.full_at = piece_.offset + piece_.octets.size() - from.held.size();
  from.phase = Phase::waiting;
  if (to.start) begin_full_operation(judge);
}

void RdmapObserver::begin_full_operation(Judge& judge) {
  Agreement& agreed = connection_.agreement;
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
  for (Direction* direction : {&initiator, &responder}) {
    direction->phase = agreed.reached ? Phase::full : Phase::rejected;
    if (!agreed.reached) continue;
    direction->deframer.emplace(agreed.markers[direction->side == Side::a ? 0 : 1], agreed.crc);
    const OctetBuffer held = std::exchange(direction->held, {});
    if (!held.empty()) take_fpdus(*direction, held, judge);
  }
}

void RdmapObserver::take_fpdus(Direction& from, Octets octets, Judge& judge) {
  from.deframer->feed(octets);
  while (const auto fpdu = from.deframer->next()) {
    if (from.phase == Phase::lost) from.phase = Phase::full;
    take_fpdu(from, *fpdu, judge);
  }
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
  if (trusted && judge_ddp_header(judge, seen)) {
    judge_ddp_message(judge, seen);
    judge_control_field(judge, seen);
    judge_message_format(judge, seen);
    judge_reads(judge, seen);
    judge_extensions(judge, seen);
    judge_terminate(judge, seen);
  }
  const Octets header = fpdu.ulpdu().first(std::min(fpdu.ulpdu().size(), seen.record.header.size()));
  std::ranges::copy(header, seen.record.header.begin());
  seen.record.header_octets = static_cast<std::uint8_t>(header.size());
  if (from.recent.size() == kRecentSegments) from.recent.pop_front();
  from.recent.push_back(seen.record);
}

void RdmapObserver::skip(Direction& from, const StreamPiece& gap) {
  note(fmt::format("{} octets are missing from the capture", gap.missing));
  if (!from.deframer) {
    from.phase = Phase::lost;
    return;
  }
  from.phase = Phase::lost;
  from.deframer->skip_to(gap.offset + gap.missing - from.full_at);
  for (Queue& queue : from.queues) queue.known = false;
  from.tagged = {};
}

void RdmapObserver::end(Direction& from, Judge& judge) {
  judge.at({.sender = from.side, .index = connection_.messages, .frame = piece_.frame, .time_ns = piece_.time_ns});
  judge_ddp_end(judge, from);
  judge_end(judge, connection_, from);
  from.phase = Phase::over;
}

void RdmapObserver::finish(Judge& judge) {
  for (Direction& direction : connection_.directions)
    if (direction.phase != Phase::over) end(direction, judge);
}

std::size_t RdmapObserver::memory() const {
  std::size_t octets = sizeof *this;
  for (const Direction& direction : connection_.directions) {
    octets += direction.held.capacity() + direction.reads.size() * sizeof(OutstandingRead) +
              direction.recent.size() * sizeof(RecentSegment);
    if (direction.deframer) octets += direction.deframer->memory();
    if (direction.start) octets += direction.start->octets.capacity();
  }
  return octets;
}

}  // namespace

std::unique_ptr<Observer> make_observer(const ObserverLimits& limits) {
  return std::make_unique<RdmapObserver>(limits);
}

std::size_t begins_in(Octets octets) {
  const auto found =
      std::ranges::search(octets, mpa::kRequestKey, {}, {}, [](char c) { return static_cast<Octet>(c); });
  return found.empty() ? Protocol::kNotHere : static_cast<std::size_t>(found.begin() - octets.begin());
}

}  // namespace wirelaw::rdmap
