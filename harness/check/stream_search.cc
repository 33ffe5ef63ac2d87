// SPDX-License-Identifier: Apache-2.0
#include "harness/check/stream_search.h"

#include <algorithm>

namespace wirelaw {

std::optional<StreamSearch::Beginning> StreamSearch::take(const StreamPiece& piece,
                                                          std::span<const Protocol* const> protocols,
                                                          const Protocol*& assigned) {
  Direction& from = of(piece.sender);
  if (piece.event == StreamEvent::opened) from.opened = piece;
  if (!piece.from_start || piece.event == StreamEvent::gap) from.is_late = true;
  if (piece.event == StreamEvent::gap) {
    middle_.reset();
    auto found = finish(assigned);
    if (found) return found;
    from.tail.clear();
    from.end = piece.offset + piece.missing;
  }
  if (assigned) keep_head(piece);
  if (candidate_)
    if (auto found = settle_candidate(piece)) return found;
  if (piece.event != StreamEvent::octets) return std::nullopt;

  const Octets head = piece.octets.first(std::min(piece.octets.size(), kKeyOctets));
  joint_ = from.tail;
  joint_.insert(joint_.end(), head.begin(), head.end());
  auto found = candidate_ ? std::nullopt : by_content(piece, protocols, assigned);
  if (!found && assigned) {
    found = by_port(assigned, false, false);
    if (found) found->held.pop_back();  // the present one
  }
  if (!found && from.is_late) found = in_middle(piece, protocols);
  if (found) return found;
  from.seen += piece.octets.size();
  from.end = piece.offset + piece.octets.size();
  from.last = piece;
  from.last.octets = {};
  from.tail.insert(from.tail.end(), piece.octets.end() - static_cast<std::ptrdiff_t>(head.size()), piece.octets.end());
  if (from.tail.size() > kKeyOctets)
    from.tail.erase(from.tail.begin(), from.tail.end() - static_cast<std::ptrdiff_t>(kKeyOctets));
  return std::nullopt;
}

std::optional<StreamSearch::Beginning> StreamSearch::finish(const Protocol*& assigned) {
  candidate_.reset();
  return assigned ? by_port(assigned, true, false) : std::nullopt;
}

std::optional<StreamSearch::Beginning> StreamSearch::by_content(const StreamPiece& piece,
                                                                std::span<const Protocol* const> protocols,
                                                                const Protocol*& assigned) {
  const std::size_t held = of(piece.sender).tail.size();
  for (const Protocol* protocol : protocols) {
    if (!protocol->streams || !protocol->streams->begins_in) continue;
    const auto begins_in = protocol->streams->begins_in;
    // Searches across the boundary first, since a match there is earlier.
    if (held > 0)
      if (const std::size_t across = begins_in(joint_); across != Protocol::kNotHere)
        if (auto found = at(*protocol, piece.offset + across - held, piece, assigned)) return found;
    for (std::size_t from = 0; !candidate_ && from < piece.octets.size();) {
      const std::size_t within = begins_in(piece.octets.subspan(from));
      if (within == Protocol::kNotHere) break;
      if (auto found = at(*protocol, piece.offset + from + within, piece, assigned)) return found;
      from += within + 1;
    }
    if (candidate_) return std::nullopt;
  }
  return std::nullopt;
}

// At this offset of the sender's stream something of the protocol begins, by its octets.
std::optional<StreamSearch::Beginning> StreamSearch::at(const Protocol& protocol, std::uint64_t offset,
                                                        const StreamPiece& piece, const Protocol*& assigned) {
  const Direction& from = of(piece.sender);
  const Direction& to = of(other(piece.sender));
  // Earlier octets at the port of this protocol are its own, with a fault.
  if (assigned == &protocol)
    if (auto found = by_port(assigned, false, true)) {
      found->held.pop_back();  // the present one
      return found;
    }
  const std::size_t held = from.tail.size();
  Beginning found{.protocol = &protocol, .passed_over = offset + to.end, .proven = protocol.streams->begins_protocol};
  found.cut[piece.sender == Side::b] = offset > 0;
  found.cut[piece.sender == Side::a] = to.end > 0;
  StreamPiece before = from.last;
  if (offset < piece.offset) {
    const auto ahead = static_cast<std::size_t>(piece.offset - offset);
    before.octets = Octets(joint_).subspan(held - ahead, ahead);
    before.offset = offset;
    found.held.push_back(before);
  } else {
    found.skip = static_cast<std::size_t>(offset - piece.offset);
  }
  if (protocol.streams->confirms == nullptr) return found;
  // Only the handshake proves that these are the connection's first octets: a download may be seen from any segment on.
  const bool is_first = offset == 0 && piece.from_start;
  Candidate candidate{.protocol = &protocol,
                      .sender = piece.sender,
                      .is_first = is_first,
                      .cut = is_first ? found.cut : std::array{true, true},
                      .passed_over = found.passed_over};
  for (const StreamPiece& one : found.held) {
    candidate.held.add(one);
    candidate.from_key.insert(candidate.from_key.end(), one.octets.begin(), one.octets.end());
  }
  candidate_ = std::move(candidate);
  StreamPiece rest = piece;
  rest.octets = piece.octets.subspan(found.skip);
  rest.offset += found.skip;
  return settle_candidate(rest);
}

// A key that was not confirmed is skipped. The octets held since may contain another one.
std::optional<StreamSearch::Beginning> StreamSearch::settle_candidate(const StreamPiece& piece) {
  Candidate& one = *candidate_;
  one.held.add(piece);
  OctetBuffer& of_side = piece.sender == one.sender ? one.from_key : one.answer;
  of_side.insert(of_side.end(), piece.octets.begin(), piece.octets.end());
  const bool is_full = one.held.pieces() >= kMostHeld;
  const Plausible is = one.protocol->streams->confirms(one.from_key, one.answer, one.is_first);
  if (is == Plausible::no || (is == Plausible::undecided && is_full)) {
    candidate_.reset();
    return std::nullopt;
  }
  if (is == Plausible::undecided) return std::nullopt;
  Beginning found{.protocol = one.protocol,
                  .held = one.held.pieces_of_it(),
                  .passed_over = one.passed_over,
                  .proven = one.protocol->streams->begins_protocol,
                  .cut = one.cut};
  found.held.pop_back();  // the present one
  return found;
}

std::optional<StreamSearch::Beginning> StreamSearch::in_middle(const StreamPiece& piece,
                                                               std::span<const Protocol* const> protocols) {
  if (!middle_ && !begin_middle(piece, protocols)) return std::nullopt;
  InMiddle& middle = *middle_;
  middle.held.add(piece);
  const auto weigh = [&](Octets a, Octets b) {
    return middle.protocol->streams->continues({.from_segment = {a, b}, .has_port = middle.protocol == port_of_});
  };
  OctetBuffer& octets = middle.from_segment[piece.sender == Side::b];
  const bool is_new = octets.empty();
  const auto take = [&] { octets.insert(octets.end(), piece.octets.begin(), piece.octets.end()); };
  if (!is_new || middle.protocol->streams->may_continue(piece.octets)) take();
  // If the segments before did not begin with an FPDU, this one may.
  if (!is_new && weigh(octets, {}) == Plausible::no) {
    octets.clear();
    if (middle.protocol->streams->may_continue(piece.octets)) take();
  }
  const bool is_full = middle.held.pieces() >= kMostHeld || middle.held.octets() >= kMostOfMiddle;
  const Plausible is = weigh(middle.from_segment[0], middle.from_segment[1]);
  if (is == Plausible::yes) {
    Beginning found{.protocol = middle.protocol,
                    .held = middle.held.pieces_of_it(),
                    .passed_over = middle.passed_over,
                    .cut = {true, true}};
    found.held.pop_back();  // the present one
    return found;
  }
  if (is == Plausible::no || is_full) middle_.reset();
  return std::nullopt;
}

bool StreamSearch::begin_middle(const StreamPiece& piece, std::span<const Protocol* const> protocols) {
  for (const Protocol* one : protocols) {
    if (!one->streams || !one->streams->may_continue || !one->streams->may_continue(piece.octets)) continue;
    middle_ = std::make_unique<InMiddle>();
    middle_->protocol = one;
    middle_->passed_over = piece.offset + of(other(piece.sender)).end;
    return true;
  }
  return false;
}

void StreamSearch::keep_head(const StreamPiece& piece) {
  Direction& from = of(piece.sender);
  from.from_start &= piece.from_start;
  if (piece.event == StreamEvent::opened) return;
  heads_.add(piece);
  from.head.insert(from.head.end(), piece.octets.begin(), piece.octets.end());
}

std::optional<StreamSearch::Beginning> StreamSearch::by_port(const Protocol*& assigned, bool is_all, bool is_certain) {
  const auto weigh = assigned->streams->weigh;
  std::vector<Head> heads;
  for (const Side side : {Side::a, Side::b})
    if (const Direction& said = of(side); !said.head.empty())
      heads.push_back({.sender = side, .octets = said.head, .from_start = said.from_start});
  const bool is_full = heads_.pieces() >= kMostHeld ||
                       std::ranges::any_of(heads, [](const Head& one) { return one.octets.size() >= kHeadOctets; });
  const Plausible is = weigh == nullptr || heads.empty() ? Plausible::no
                                                         : weigh({.heads = heads,
                                                                  .is_stream = true,
                                                                  .to_port = to_port_,
                                                                  .is_all = is_all || is_full,
                                                                  .is_certain = is_certain});
  if (is == Plausible::undecided && !is_all && !is_full) return std::nullopt;
  if (is != Plausible::yes) {
    if (!is_certain) {
      assigned = nullptr;
      heads_.clear();
    }
    return std::nullopt;
  }
  return Beginning{.protocol = assigned, .held = heads_.pieces_of_it()};
}

std::size_t StreamSearch::memory() const {
  std::size_t octets = sizeof *this + heads_.memory();
  for (const Direction& one : directions_) octets += one.tail.capacity() + one.head.capacity();
  if (middle_)
    octets += sizeof *middle_ + middle_->held.memory() + middle_->from_segment[0].capacity() +
              middle_->from_segment[1].capacity();
  if (candidate_) octets += candidate_->held.memory() + candidate_->from_key.capacity() + candidate_->answer.capacity();
  return octets;
}

}  // namespace wirelaw
