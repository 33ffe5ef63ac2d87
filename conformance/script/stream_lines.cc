// SPDX-License-Identifier: Apache-2.0
#include "conformance/script/stream_lines.h"

#include <algorithm>
#include <utility>

namespace wirelaw::script {
namespace {

constexpr std::size_t kMostGap = 1u << 20;  // longest gap passed to the framing, in octets; a longer one counts as lost

StreamLine::Kind kind_of(StreamEvent event) {
  return event == StreamEvent::opened  ? StreamLine::Kind::open
         : event == StreamEvent::gap   ? StreamLine::Kind::gap
         : event == StreamEvent::reset ? StreamLine::Kind::reset
                                       : StreamLine::Kind::close;
}

}  // namespace

void StreamLines::add(const StreamPiece& piece) {
  pieces_.push_back({.event = piece.event,
                     .sender = piece.sender,
                     .time_ns = piece.time_ns,
                     .octets = piece.event == StreamEvent::gap ? piece.missing : piece.octets.size(),
                     .mss = piece.mss});
  begins_later_ |= !piece.from_start || (pieces_.size() == 1 && piece.event != StreamEvent::opened);
  switch (piece.event) {
    case StreamEvent::opened:
      framing_->opened(piece.sender, piece.mss);
      if (!piece.from_start) pieces_.pop_back();  // no SYN was seen
      return;
    case StreamEvent::octets:
      return take(piece.sender, piece.octets);
    case StreamEvent::gap: {
      give_up(piece.sender);
      of(piece.sender).begin += piece.missing;
      const OctetBuffer unknown(static_cast<std::size_t>(std::min<std::uint64_t>(piece.missing, kMostGap)));
      return framing_->passed(piece.sender, unknown, {});
    }
    case StreamEvent::closed:
    case StreamEvent::reset:
      return give_up(piece.sender);
  }
}

void StreamLines::take(Side sender, Octets octets) {
  Direction& direction = of(sender);
  direction.open.insert(direction.open.end(), octets.begin(), octets.end());
  std::size_t at = 0;
  while (at < direction.open.size()) {
    const Octets left = Octets(direction.open).subspan(at);
    auto unit = framing_->next(sender, left);
    if (!unit) break;
    const Octets whole = left.first(unit->length);
    framing_->passed(sender, whole, unit->message ? Octets(*unit->message) : Octets());
    direction.units.push_back({.begin = direction.begin,
                               .octets = OctetBuffer(whole.begin(), whole.end()),
                               .message = std::move(unit->message)});
    direction.begin += unit->length;
    at += unit->length;
  }
  direction.open.erase(direction.open.begin(), direction.open.begin() + static_cast<std::ptrdiff_t>(at));
}

// An incomplete unit cannot be framed.
void StreamLines::give_up(Side sender) {
  Direction& direction = of(sender);
  if (direction.open.empty()) return;
  framing_->passed(sender, direction.open, {});
  const std::uint64_t begin = direction.begin;
  direction.begin += direction.open.size();
  direction.units.push_back({.begin = begin, .octets = std::exchange(direction.open, {}), .message = {}});
}

void StreamLines::say(const Piece& piece, std::vector<StreamLine>& lines) {
  Direction& direction = of(piece.sender);
  if (piece.event != StreamEvent::octets) {
    StreamLine line{.kind = kind_of(piece.event), .sender = piece.sender, .time_ns = piece.time_ns, .mss = piece.mss};
    if (piece.event == StreamEvent::gap) {
      line.size = piece.octets;
      direction.said += piece.octets;
      direction.passed += piece.octets;
    }
    return lines.push_back(std::move(line));
  }
  direction.passed += piece.octets;
  const std::size_t before = lines.size();
  while (direction.next < direction.units.size() && direction.units[direction.next].begin < direction.passed) {
    Unit& unit = direction.units[direction.next++];
    direction.said = unit.begin + unit.octets.size();
    lines.push_back({.sender = piece.sender,
                     .time_ns = piece.time_ns,
                     .octets = std::move(unit.octets),
                     .message = std::move(unit.message),
                     .has_more = true});
  }
  const bool is_all = direction.said == direction.passed;
  if (lines.size() > before && is_all) {
    lines.back().has_more = false;
    return;
  }
  StreamLine push{.kind = StreamLine::Kind::push, .sender = piece.sender, .time_ns = piece.time_ns};
  if (!is_all) push.size = piece.octets;
  lines.push_back(std::move(push));
}

std::vector<StreamLine> StreamLines::finish() {
  for (const Side side : {Side::a, Side::b}) give_up(side);
  std::vector<StreamLine> lines;
  for (const Piece& piece : pieces_)
    if (piece.event != StreamEvent::octets || piece.octets > 0) say(piece, lines);
  return lines;
}

}  // namespace wirelaw::script
