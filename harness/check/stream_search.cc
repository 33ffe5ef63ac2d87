// SPDX-License-Identifier: Apache-2.0
#include "harness/check/stream_search.h"

#include <algorithm>

namespace wirelaw {

std::optional<StreamSearch::Beginning> StreamSearch::take(const StreamPiece& piece,
                                                          std::span<const Protocol* const> protocols,
                                                          const Protocol* only) {
  Direction& from = of(piece.sender);
  if (piece.event == StreamEvent::opened) from.opened = piece;
  if (piece.event == StreamEvent::gap) {
    from.tail.clear();
    from.end = piece.offset + piece.missing;
  }
  if (piece.event != StreamEvent::octets) return std::nullopt;

  const std::size_t held = from.tail.size();
  const Octets head = piece.octets.first(std::min(piece.octets.size(), kKeyOctets));
  joint_ = from.tail;
  joint_.insert(joint_.end(), head.begin(), head.end());
  std::optional<Beginning> found;
  for (const Protocol* protocol : protocols) {
    if (!protocol->begins_in || (only && protocol != only)) continue;
    // Across the boundary first: it is earlier.
    const std::size_t across = held > 0 ? protocol->begins_in(joint_) : Protocol::kNotHere;
    const std::size_t within = across == Protocol::kNotHere ? protocol->begins_in(piece.octets) : across;
    if (within == Protocol::kNotHere) continue;
    found.emplace();
    found->protocol = protocol;
    const std::uint64_t at = across == Protocol::kNotHere ? piece.offset + within : piece.offset + across - held;
    found->passed_over = at + of(other(piece.sender)).end;
    if (at < piece.offset) {
      found->held = from.last;
      found->held.octets = Octets(joint_).subspan(across, held - across);
      found->held.offset = at;
    } else {
      found->skip = static_cast<std::size_t>(at - piece.offset);
    }
    break;
  }
  from.seen += piece.octets.size();
  from.end = piece.offset + piece.octets.size();
  from.last = piece;
  from.last.octets = {};
  from.tail.insert(from.tail.end(), piece.octets.end() - static_cast<std::ptrdiff_t>(head.size()), piece.octets.end());
  if (from.tail.size() > kKeyOctets)
    from.tail.erase(from.tail.begin(), from.tail.end() - static_cast<std::ptrdiff_t>(kKeyOctets));
  return found;
}

}  // namespace wirelaw
