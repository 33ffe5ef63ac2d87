// SPDX-License-Identifier: Apache-2.0
#include "harness/check/stream_search.h"

#include <algorithm>

namespace wirelaw {

std::optional<StreamSearch::Beginning> StreamSearch::take(const StreamPiece& piece,
                                                          std::span<const Protocol* const> protocols,
                                                          const Protocol*& assigned) {
  Direction& from = of(piece.sender);
  if (piece.event == StreamEvent::opened) from.opened = piece;
  if (piece.event == StreamEvent::gap) {
    from.tail.clear();
    from.end = piece.offset + piece.missing;
    assigned = nullptr;
  }
  if (piece.event != StreamEvent::octets) return std::nullopt;

  const Octets head = piece.octets.first(std::min(piece.octets.size(), kKeyOctets));
  joint_ = from.tail;
  joint_.insert(joint_.end(), head.begin(), head.end());
  auto found = by_content(piece, protocols);
  if (!found && assigned) found = by_port(piece, assigned);
  from.seen += piece.octets.size();
  from.end = piece.offset + piece.octets.size();
  from.last = piece;
  from.last.octets = {};
  from.tail.insert(from.tail.end(), piece.octets.end() - static_cast<std::ptrdiff_t>(head.size()), piece.octets.end());
  if (from.tail.size() > kKeyOctets)
    from.tail.erase(from.tail.begin(), from.tail.end() - static_cast<std::ptrdiff_t>(kKeyOctets));
  return found;
}

std::optional<StreamSearch::Beginning> StreamSearch::by_content(const StreamPiece& piece,
                                                                std::span<const Protocol* const> protocols) {
  const Direction& from = of(piece.sender);
  const std::size_t held = from.tail.size();
  for (const Protocol* protocol : protocols) {
    if (!protocol->streams || !protocol->streams->begins_in) continue;
    const auto begins_in = protocol->streams->begins_in;
    // Across the boundary first: it is earlier.
    const std::size_t across = held > 0 ? begins_in(joint_) : Protocol::kNotHere;
    const std::size_t within = across == Protocol::kNotHere ? begins_in(piece.octets) : across;
    if (within == Protocol::kNotHere) continue;
    Beginning found{.protocol = protocol};
    const std::uint64_t at = across == Protocol::kNotHere ? piece.offset + within : piece.offset + across - held;
    found.passed_over = at + of(other(piece.sender)).end;
    if (at < piece.offset) {
      StreamPiece before = from.last;
      before.octets = Octets(joint_).subspan(across, held - across);
      before.offset = at;
      found.held.push_back(before);
    } else {
      found.skip = static_cast<std::size_t>(at - piece.offset);
    }
    return found;
  }
  return std::nullopt;
}

// As long as it is undecided, the tails hold all that was said.
std::optional<StreamSearch::Beginning> StreamSearch::by_port(const StreamPiece& piece, const Protocol*& assigned) {
  const auto plausible = assigned->streams->plausible;
  const Plausible is = plausible ? plausible(joint_) : Plausible::no;
  if (is == Plausible::undecided && joint_.size() < kKeyOctets) return std::nullopt;
  const Protocol* const protocol = assigned;
  assigned = nullptr;
  if (is != Plausible::yes) return std::nullopt;
  Beginning found{.protocol = protocol};
  for (const Side side : {other(piece.sender), piece.sender}) {
    const Direction& said = of(side);
    if (said.tail.empty()) continue;
    StreamPiece before = said.last;
    before.octets = side == piece.sender ? Octets(joint_).first(said.tail.size()) : Octets(said.tail);
    before.offset = said.end - said.tail.size();
    found.held.push_back(before);
  }
  return found;
}

}  // namespace wirelaw
