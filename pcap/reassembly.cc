// SPDX-License-Identifier: Apache-2.0
#include "pcap/reassembly.h"

#include <algorithm>

namespace wirelaw::pcap {
namespace {

constexpr std::uint32_t kMaxPacket = 65535;  // RFC 791, RFC 8200: the length fields have sixteen bits
constexpr std::uint32_t kFragmentUnit = 8;
constexpr std::int64_t kNanosecondsPerMillisecond = 1'000'000;

// Checks a fragment's header.
Flaw check(const IpPacket& packet) {
  if (packet.payload.size() < packet.wire_length)
    return flaw(Fault::fragment_cut, packet.frame_offset, packet.payload.size(), packet.wire_length);
  if (packet.fragment.more && packet.wire_length % kFragmentUnit != 0)
    return flaw(Fault::fragment_unaligned, packet.frame_offset, packet.wire_length, kFragmentUnit);
  // IPv4's limit includes the header, IPv6's does not include the fixed one.
  const std::uint32_t limit = packet.version == 4 ? kMaxPacket - packet.header_octets : kMaxPacket;
  const std::uint32_t end = packet.fragment.offset + packet.wire_length;
  if (end > limit) return flaw(Fault::fragment_beyond, packet.frame_offset, end, limit);
  return {};
}

}  // namespace

std::size_t Reassembly::KeyHash::operator()(const Key& key) const noexcept {
  const std::hash<Address> hash;
  return hash(key.source) * 31 + hash(key.destination) * 17 +
         (key.id + key.interface) * std::size_t{0x9e3779b97f4a7c15} + key.protocol;
}

Reassembly::Key Reassembly::key_of(const IpPacket& packet) const {
  const auto protocol = static_cast<std::uint16_t>(packet.version == 4 ? packet.protocol : 0x600);
  return {packet.source, packet.destination, packet.fragment.id, protocol,
          interfaces_are_apart_ ? packet.interface : 0};
}

std::size_t Reassembly::cost(const Partial& partial) {
  return sizeof(Partial) + partial.octets.size() + partial.pieces.size() * sizeof(Piece);
}

Flaw Reassembly::add(IpPacket& packet, ProblemLog& log, bool& complete) {
  complete = false;
  expire(packet.time_ns, log);
  if (const Flaw found = check(packet)) return found;
  if (packet.payload.empty()) return {};  // carries no octets

  const auto partial = find_or_begin(packet);
  octets_ -= cost(*partial);
  const Flaw found = partial->dropped ? Flaw{} : insert(*partial, packet);
  if (found) drop(*partial);
  octets_ += cost(*partial);
  if (!partial->dropped && partial->total != 0 && partial->received == partial->total) {
    assemble(*partial, packet);
    erase(partial);
    complete = true;
  } else {
    evict(log);
  }
  return found;
}

Reassembly::Partials::iterator Reassembly::find_or_begin(const IpPacket& packet) {
  const Key key = key_of(packet);
  const auto [place, fresh] = index_.try_emplace(key);
  if (fresh) {
    place->second = partials_.emplace(partials_.end());
    Partial& partial = *place->second;
    partial.key = key;
    partial.first_frame = packet.frame;
    partial.first_time_ns = packet.time_ns;
    octets_ += cost(partial);
  }
  return place->second;
}

// Finds the fragment's place among the pieces, or detects a copy of one.
Flaw Reassembly::find_place(const Partial& partial, const IpPacket& packet, std::size_t& place, bool& copy) {
  const std::uint32_t begin = packet.fragment.offset;
  const std::uint32_t end = begin + packet.wire_length;
  const auto next = std::lower_bound(partial.pieces.begin(), partial.pieces.end(), begin,
                                     [](const Piece& piece, std::uint32_t at) { return piece.end <= at; });
  place = static_cast<std::size_t>(next - partial.pieces.begin());
  copy = false;
  if (next == partial.pieces.end() || next->begin >= end) return {};
  copy = next->begin == begin && next->end == end &&
         std::equal(packet.payload.begin(), packet.payload.end(),
                    partial.octets.begin() + static_cast<std::ptrdiff_t>(next->at));
  return copy ? Flaw{} : flaw(Fault::fragment_overlap, packet.frame_offset, next->begin);
}

Flaw Reassembly::insert(Partial& partial, const IpPacket& packet) {
  const std::uint32_t begin = packet.fragment.offset;
  const std::uint32_t end = begin + packet.wire_length;
  std::size_t place = 0;
  bool copy = false;
  if (const Flaw found = find_place(partial, packet, place, copy)) return found;

  const std::uint32_t furthest = partial.pieces.empty() ? 0 : partial.pieces.back().end;
  const bool conflict = packet.fragment.more ? partial.total != 0 && end >= partial.total
                                             : (partial.total != 0 && partial.total != end) || furthest > end;
  if (conflict) return flaw(Fault::fragment_end, packet.frame_offset, end, std::max(partial.total, furthest));
  if (!packet.fragment.more) partial.total = end;
  if (begin == 0) {
    partial.protocol = packet.protocol;
    partial.header_octets = packet.header_octets;
  }
  if (copy) return {};
  partial.pieces.insert(partial.pieces.begin() + static_cast<std::ptrdiff_t>(place),
                        {begin, end, partial.octets.size()});
  partial.octets.insert(partial.octets.end(), packet.payload.begin(), packet.payload.end());
  partial.received += packet.wire_length;
  return {};
}

void Reassembly::assemble(const Partial& partial, IpPacket& packet) {
  whole_.clear();
  for (const Piece& piece : partial.pieces) {
    const auto from = partial.octets.begin() + static_cast<std::ptrdiff_t>(piece.at);
    whole_.insert(whole_.end(), from, from + static_cast<std::ptrdiff_t>(piece.end - piece.begin));
  }
  packet.payload = whole_;
  packet.wire_length = partial.total;
  packet.frame_offset = 0;
  packet.header_octets = partial.header_octets;
  packet.protocol = partial.protocol;
  packet.reassembled = true;
  packet.fragment = {};
}

// Drops the content. The entry stays, so that later fragments of the packet do not start a new one.
void Reassembly::drop(Partial& partial) {
  partial.dropped = true;
  std::vector<Piece>().swap(partial.pieces);
  OctetBuffer().swap(partial.octets);
}

void Reassembly::erase(Partials::iterator partial) {
  octets_ -= cost(*partial);
  index_.erase(partial->key);
  partials_.erase(partial);
}

// Gives up the oldest packet. A dropped one has already been reported.
void Reassembly::give_up(Fault fault, std::size_t need, ProblemLog& log) {
  const Partial& oldest = partials_.front();
  if (!oldest.dropped) {
    ++abandoned_;
    log.add(oldest.first_frame, flaw(fault, 0, oldest.received, need));
  }
  erase(partials_.begin());
}

void Reassembly::expire(std::int64_t now_ns, ProblemLog& log) {
  const auto is_old = [&](const Partial& partial) {
    std::int64_t age = 0;  // a capture may contain any times, also earlier ones than the first fragment's
    if (__builtin_sub_overflow(now_ns, partial.first_time_ns, &age)) return now_ns > partial.first_time_ns;
    return age > limits_.timeout_ns;
  };
  while (!partials_.empty() && is_old(partials_.front()))
    give_up(Fault::reassembly_expired, static_cast<std::size_t>(limits_.timeout_ns / kNanosecondsPerMillisecond), log);
}

void Reassembly::evict(ProblemLog& log) {
  while (!partials_.empty() && (partials_.size() > limits_.max_packets || octets_ > limits_.max_octets))
    give_up(Fault::reassembly_evicted, 0, log);
}

void Reassembly::finish(ProblemLog& log) {
  while (!partials_.empty()) give_up(Fault::reassembly_incomplete, 0, log);
}

}  // namespace wirelaw::pcap
