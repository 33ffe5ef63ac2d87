// SPDX-License-Identifier: Apache-2.0
#include "pcap/section_header.h"

#include <algorithm>

#include "pcap/pcapng_format.h"

namespace wirelaw::pcap {
namespace {

// In octets: the block's type, its length, the byte-order magic, version, section length, and then the options.
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

std::optional<std::string> section_header_comment(Octets head) {
  constexpr std::size_t kOptionHeader = 4;  // code and length
  const Order order = byte_order(head);
  if (order == Order::none) return std::nullopt;
  const Octets block = head.first(std::min(head.size(), section_header_length(head)));
  std::size_t at = kOptions;
  while (at + kOptionHeader <= block.size()) {
    const auto code = load<std::uint16_t>(block, at, order);
    const std::size_t length = load<std::uint16_t>(block, at + 2, order);
    at += kOptionHeader;
    if (code == pcapng::kOptionEnd || length > block.size() - at) break;
    if (code == pcapng::kOptionComment) return std::string(reinterpret_cast<const char*>(block.data() + at), length);
    at += pcapng::padded(length);
  }
  return std::nullopt;
}

}  // namespace wirelaw::pcap
