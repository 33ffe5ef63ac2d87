// SPDX-License-Identifier: Apache-2.0
#include "pcap/mpacket.h"

#include <algorithm>
#include <array>

#include "reference/octets/crc32.h"

namespace wirelaw::pcap {
namespace {

// Start mPacket delimiters (clause 99.3.3, table 99-1), and fragment counts (99.3.4, table 99-2), by their number.
constexpr Octet kExpress = 0xd5, kVerify = 0x07, kRespond = 0x19;
constexpr std::array<Octet, 4> kStarts{0xe6, 0x4c, 0x7f, 0xb3}, kContinuations{0x61, 0x52, 0x9e, 0x2a};
constexpr std::array<Octet, 4> kFragmentCounts = kStarts;

std::optional<std::uint8_t> number_in(const std::array<Octet, 4>& table, Octet octet) {
  const auto found = std::ranges::find(table, octet);
  if (found == table.end()) return std::nullopt;
  return static_cast<std::uint8_t>(found - table.begin());
}

std::uint32_t check_of(Octets content) {
  return load_little_endian<std::uint32_t>(content.last(kFrameCheckOctets).data());
}

// An mCRC is the CRC of the frame up to the end of the fragment, with 16 bits inverted (99.3.6).
constexpr std::uint32_t kMpacketBits = 0x0000ffff;

}  // namespace

MpacketStart read_mpacket_start(Octets mpacket) {
  using Kind = MpacketStart::Kind;
  constexpr Octet kPreamble = 0x55;
  constexpr std::size_t kMost = 8;
  std::size_t at = 0;
  while (at < std::min(kMost, mpacket.size()) && mpacket[at] == kPreamble) ++at;
  if (at == mpacket.size()) return {.is_cut = true};
  if (at == kMost) return {.offset = at};
  const Octet delimiter = mpacket[at];
  if (delimiter == kExpress) return {.kind = Kind::express, .offset = at + 1};
  if (delimiter == kVerify || delimiter == kRespond) return {.kind = Kind::management, .offset = at + 1};
  if (const auto frame = number_in(kStarts, delimiter)) return {.kind = Kind::start, .frame = *frame, .offset = at + 1};
  if (const auto frame = number_in(kContinuations, delimiter)) {
    if (at + 1 == mpacket.size()) return {.is_cut = true};
    if (const auto fragment = number_in(kFragmentCounts, mpacket[at + 1]))
      return {.kind = Kind::continuation, .frame = *frame, .fragment = *fragment, .offset = at + 2};
  }
  return {.offset = at};
}

bool is_whole_frame(Octets frame) {
  return frame.size() > kFrameCheckOctets && crc32(frame.first(frame.size() - kFrameCheckOctets)) == check_of(frame);
}

MpacketReassembly::Open* MpacketReassembly::find(std::uint32_t interface) {
  const auto found = std::ranges::find(open_, interface, &Open::interface);
  return found == open_.end() ? nullptr : &*found;
}

void MpacketReassembly::give_up(std::uint32_t interface) {
  abandoned_ += std::erase_if(open_, [&](const Open& one) { return one.interface == interface; });
}

void MpacketReassembly::finish() {
  abandoned_ += open_.size();
  open_.clear();
}

MpacketReassembly::Outcome MpacketReassembly::take(Octets mpacket, std::uint32_t interface) {
  const MpacketStart start = read_mpacket_start(mpacket);
  const Octets content = mpacket.subspan(start.offset);
  if (start.kind == MpacketStart::Kind::start) return begin(start, content, interface);
  if (start.kind == MpacketStart::Kind::continuation) return go_on(start, content, interface);
  return Outcome::frame;
}

MpacketReassembly::Outcome MpacketReassembly::begin(const MpacketStart& start, Octets content,
                                                    std::uint32_t interface) {
  give_up(interface);
  if (is_whole_frame(content)) return Outcome::frame;
  if (content.size() <= kFrameCheckOctets || content.size() > kMostOctets) return Outcome::lost;
  const Octets part = content.first(content.size() - kFrameCheckOctets);
  if ((crc32(part) ^ kMpacketBits) != check_of(content)) return Outcome::lost;
  if (open_.size() == kMostInterfaces) {
    open_.pop_front();
    ++abandoned_;
  }
  open_.push_back({.interface = interface, .frame = start.frame, .octets = {part.begin(), part.end()}});
  return Outcome::fragment;
}

MpacketReassembly::Outcome MpacketReassembly::go_on(const MpacketStart& start, Octets content,
                                                    std::uint32_t interface) {
  Open* const open = find(interface);
  if (open == nullptr) return Outcome::lost;
  const bool follows = open->frame == start.frame && open->next_fragment == start.fragment;
  if (!follows || content.size() <= kFrameCheckOctets || open->octets.size() + content.size() > kMostOctets) {
    give_up(interface);
    return Outcome::lost;
  }
  const Octets part = content.first(content.size() - kFrameCheckOctets);
  const std::uint32_t of_frame = crc32(part, crc32(open->octets)), check = check_of(content);
  if (of_frame == check) {
    open->octets.insert(open->octets.end(), content.begin(), content.end());
    completed_ = std::move(open->octets);
    std::erase_if(open_, [&](const Open& one) { return one.interface == interface; });
    return Outcome::completed;
  }
  if ((of_frame ^ kMpacketBits) != check) {
    give_up(interface);
    return Outcome::lost;
  }
  open->octets.insert(open->octets.end(), part.begin(), part.end());
  open->next_fragment = (open->next_fragment + 1) & 3U;
  return Outcome::fragment;
}

}  // namespace wirelaw::pcap
