// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/tracker/observer.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/rdmap/checks.h"
#include "conformance/rdmap/tracker/ends.h"
#include "conformance/rdmap/tracker/silence.h"
#include "conformance/rdmap/tracker/startup.h"
#include "conformance/rdmap/tracker/stream_observer.h"

namespace wirelaw::rdmap {

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
        judge.at(place(from, piece.octets));
        check_octets_after_end(judge, piece.octets.size());
      }
      take(from, piece.octets, judge);
      break;
    case StreamEvent::gap:
      skip(from, piece, judge);
      break;
    case StreamEvent::closed:
      from.end.closed = true;
      end(from, judge);
      break;
    case StreamEvent::reset:
      from.end.reset = true;
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
      from.held_unanswered |= piece_.received_is_known;
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

void RdmapObserver::skip(Direction& from, const StreamPiece& gap, Judge& judge) {
  note(fmt::format("{} octets are missing from the capture", gap.missing));
  from.unbroken = false;
  from.row = {};
  if (deliveries_) deliveries_->lost(from.side, gap, judge);
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
  judge.at({.sender = from.side, .index = kNoMessage, .frame = piece_.frame, .time_ns = piece_.time_ns});
  const EndFacts facts = take_end(connection_, from, judge.message());
  check_mpa_end(judge, facts);
  for (const MessageOrderFact& fact : facts.given_up) check_message_order(judge, fact);
  check_end(judge, facts);
  if (deliveries_) deliveries_->ended(from, piece_, judge);
  from.phase = Reading::over;
}

void RdmapObserver::finish(Judge& judge) {
  for (Direction& direction : connection_.directions) {
    // Only one side was captured, so the Reply, or the Request, will not come.
    if (direction.phase == Reading::waiting && !connection_.of(other(direction.side)).seen) {
      note("only one direction was captured: how MPA was started is not known");
      assume_full(direction, judge);
    }
  }
  judge_mpa_over(judge, connection_);
  const SourceEnd source_end{.now_ns = judge.now_ns(),
                             .held_until_ns = {judge.held_until_ns(Side::a), judge.held_until_ns(Side::b)}};
  for (const SilenceFact& fact : find_silence(connection_, source_end)) check_silence(judge, fact);
  for (Direction& direction : connection_.directions)
    if (direction.phase != Reading::over) end(direction, judge);
  for (const Direction& from : connection_.directions)
    if (const auto fact = find_whole_fpdus(connection_, from)) check_whole_fpdus(judge, *fact);
}

std::size_t RdmapObserver::memory() const {
  std::size_t octets = sizeof *this + (deliveries_ ? sizeof *deliveries_ + deliveries_->memory() : 0);
  for (const Direction& direction : connection_.directions) {
    octets += direction.held.capacity() + direction.row.capacity() + direction.reads.size() * sizeof(OutstandingRead) +
              direction.recent.size() * sizeof(RecentSegment);
    if (direction.deframer) octets += direction.deframer->memory();
    if (direction.start) octets += direction.start->octets.capacity();
    if (direction.early) octets += direction.early->octets.capacity();
  }
  return octets;
}

std::unique_ptr<Observer> make_observer(const ObserverLimits& limits) {
  return std::make_unique<RdmapObserver>(limits);
}

namespace {

bool is_at(Octets from, std::string_view key) {
  return from.size() >= key.size() && std::equal(key.begin(), key.end(), from.begin(),
                                                 [](char c, Octet octet) { return octet == static_cast<Octet>(c); });
}

bool has_key(Octets octets) {
  return is_at(octets, mpa::kRequestKey) || is_at(octets, mpa::kReplyKey);
}

// The octets may go on to be the key.
bool may_become(Octets octets, std::string_view key) {
  return is_at(octets, key.substr(0, std::min(octets.size(), key.size())));
}

constexpr std::size_t kMostUnanswered = 2 * (mpa::layout::kStartFrame + mpa::kMaxPrivateData);
constexpr Octet kRejected = 0x20, kReservedFlags = 0x0f;  // R, and the reserved bits after S (RFC 5044, 7.1.1)

// States for each field of a start frame if it is valid, as far as its octets are there.
struct StartFields {
  bool flags = true, revision = true, length = true;
  int count() const { return flags + revision + length; }
};
StartFields fields_of(Octets from_key) {
  StartFields sane;
  const Octet wrong = is_at(from_key, mpa::kReplyKey) ? kReservedFlags : kReservedFlags | kRejected;
  if (from_key.size() > mpa::layout::kFlags) sane.flags = (from_key[mpa::layout::kFlags] & wrong) == 0;
  if (from_key.size() > mpa::layout::kRevision) sane.revision = from_key[mpa::layout::kRevision] <= mpa::kRevision2;
  if (from_key.size() >= mpa::layout::kStartFrame)
    sane.length =
        load_big_endian<std::uint16_t>(from_key.data() + mpa::layout::kPrivateDataLength) <= mpa::kMaxPrivateData;
  return sane;
}

// A frame with one wrong field is still one. In a text two are wrong at least: its characters are greater than any
// revision, and than any length.
Plausible is_start_frame(Octets octets) {
  constexpr int kLeast = 2;
  if (!may_become(octets, mpa::kRequestKey) && !may_become(octets, mpa::kReplyKey)) return Plausible::no;
  if (octets.size() < mpa::layout::kStartFrame) return Plausible::undecided;
  return fields_of(octets).count() >= kLeast ? Plausible::yes : Plausible::no;
}

// One of the two frames is enough: the other one may have any fault.
Plausible confirms_first(Octets from_key, Octets answer) {
  const Plausible own = is_start_frame(from_key), others = is_start_frame(answer);
  if (own == Plausible::yes || others == Plausible::yes) return Plausible::yes;
  const bool is_open = own == Plausible::undecided || others == Plausible::undecided;
  return is_open && from_key.size() <= kMostUnanswered ? Plausible::undecided : Plausible::no;
}

}  // namespace

// A Reply shows it as well, because the Request may not have been captured.
std::size_t begins_in(Octets octets) {
  constexpr std::string_view kCommon = mpa::kRequestKey.substr(0, 9);
  static_assert(mpa::kReplyKey.starts_with(kCommon));
  for (std::size_t at = 0;; ++at) {
    // Not std::ranges::search: clang 14 cannot compile its result for spans.
    const auto found = std::search(octets.begin() + static_cast<std::ptrdiff_t>(at), octets.end(), kCommon.begin(),
                                   kCommon.end(), [](Octet octet, char c) { return octet == static_cast<Octet>(c); });
    if (found == octets.end()) return Protocol::kNotHere;
    at = static_cast<std::size_t>(found - octets.begin());
    if (has_key(octets.subspan(at))) return at;
  }
}

// A text about MPA contains the key, and a downloaded capture file contains complete start frames; neither gets an
// answer. A Reply is no beginning if other octets came before it.
Plausible confirms(Octets from_key, Octets answer, bool is_first) {
  if (is_first) return confirms_first(from_key, answer);
  if (!may_become(from_key, mpa::kRequestKey) || !may_become(answer, mpa::kReplyKey)) return Plausible::no;
  const StartFields sane = fields_of(from_key);
  if (!sane.flags || !sane.revision || !sane.length) return Plausible::no;
  if (is_at(answer, mpa::kReplyKey) && from_key.size() >= mpa::layout::kStartFrame) return Plausible::yes;
  return from_key.size() > kMostUnanswered ? Plausible::no : Plausible::undecided;
}

}  // namespace wirelaw::rdmap
