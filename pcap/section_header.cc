// SPDX-License-Identifier: Apache-2.0
#include "pcap/section_header.h"

#include <algorithm>

#include "pcap/pcapng_format.h"

namespace wirelaw::pcap {
namespace {

// Offsets in octets: the block's type, its length, the byte-order magic, and the options, which follow version and
// section length.
constexpr std::size_t kType = 0, kLength = 4, kByteOrder = 8, kOptions = 24;

enum class Order { none, little, big };

Order byte_order(Octets head) {
  if (head.size() < kByteOrder + 4) return Order::none;
  if (load_big_endian<std::uint32_t>(head.data() + kType) != pcapng::kSectionHeader) return Order::none;
  if (load_little_endian<std::uint32_t>(head.data() + kByteOrder) == pcapng::kByteOrderMagic) return Order::little;
  if (load_big_endian<std::uint32_t>(head.data() + kByteOrder) == pcapng::kByteOrderMagic) return Order::big;
  return Order::none;
}

template <class Int>
Int load(Octets octets, std::size_t at, Order order) {
  return order == Order::little ? load_little_endian<Int>(octets.data() + at)
                                : load_big_endian<Int>(octets.data() + at);
}

}  // namespace

std::size_t section_header_length(Octets head) {
  const Order order = byte_order(head);
  return order == Order::none ? 0 : load<std::uint32_t>(head, kLength, order);
}

namespace {

// Returns at most `most` comments of the block at the front of `head`, those that lie completely in it.
std::vector<std::string> comments_of(Octets head, std::size_t most) {
  constexpr std::size_t kOptionHeader = 4;  // code and length
  std::vector<std::string> comments;
  const Order order = byte_order(head);
  if (order == Order::none) return comments;
  const Octets block = head.first(std::min(head.size(), section_header_length(head)));
  std::size_t at = kOptions;
  while (at + kOptionHeader <= block.size() && comments.size() < most) {
    const auto code = load<std::uint16_t>(block, at, order);
    const std::size_t length = load<std::uint16_t>(block, at + 2, order);
    at += kOptionHeader;
    if (code == pcapng::kOptionEnd || length > block.size() - at) break;
    if (code == pcapng::kOptionComment) comments.emplace_back(reinterpret_cast<const char*>(block.data() + at), length);
    at += pcapng::padded(length);
  }
  return comments;
}

// Returns the section header at the end of `tail`, found by the length at its end. Empty if `tail` ends with something
// else.
Octets closing_section(Octets tail) {
  constexpr std::size_t kWord = 4;
  if (tail.size() < kOptions + kWord) return {};
  for (const Order order : {Order::little, Order::big}) {
    const auto length = load<std::uint32_t>(tail, tail.size() - kWord, order);
    if (length < kOptions + kWord || length > tail.size() || length % kWord != 0) continue;
    const Octets block = tail.last(length);
    if (byte_order(block) == order && section_header_length(block) == length) return block;
  }
  return {};
}

}  // namespace

std::optional<std::string> section_header_comment(Octets head) {
  std::vector<std::string> comments = comments_of(head, 1);
  if (comments.empty()) return std::nullopt;
  return std::move(comments.front());
}

std::vector<std::string> closing_comments(Octets tail) {
  constexpr std::size_t kMost = 4096;
  const Octets block = closing_section(tail);
  return comments_of(block, kMost);
}

Octets without_closing_section(Octets tail) {
  return tail.first(tail.size() - closing_section(tail).size());
}

}  // namespace wirelaw::pcap
