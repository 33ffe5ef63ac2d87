// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/tracker/follow.h"

namespace wirelaw::efa {
namespace {

constexpr std::uint16_t swapped(std::uint16_t value) {
  return __builtin_bswap16(value);
}

constexpr std::size_t kCount = 4;  // offset of the element count in headers that begin with it

// The largest number of elements of its first array that the packet could contain. Nothing if its header does not begin
// with their count.
std::optional<std::uint64_t> most_elements(const Message& message, const Layout& layout) {
  if (layout.array == Array::none || layout.fields.front().offset != kCount) return std::nullopt;
  const ArrayInfo& array = describe(layout.array);
  if (layout.fields.front().field != array.count) return std::nullopt;
  return (message.wire_length - kBaseHeader) / array.element + array.bias;
}

// The flags, as they are in network order, announce a raw address, and there is one.
bool address_in_network_order(const Message& message, const Layout& layout, std::uint16_t flags) {
  if (!layout.is_request() || (swapped(flags) & flag::kRawAddress) == 0 || (flags & flag::kRawAddress) != 0)
    return false;
  const std::size_t at = layout.header_octets;  // offset of the raw address header if no array precedes it
  if (message.octets.size() < at + 4) return false;
  const auto size = load_big_endian<std::uint32_t>(message.octets.data() + at);
  return size >= layout::kRawAddress && size <= message.octets.size() - at - 4;
}

// The octets make no sense as they are, and full sense with the high octet first.
bool in_network_order(const Message& message, const Layout& layout) {
  const auto flags = load_little_endian<std::uint16_t>(message.octets.data() + 2);
  const unsigned defined = layout.allowed;
  if (const auto most = most_elements(message, layout); most && message.octets.size() >= kCount + 4) {
    const auto count = load_little_endian<std::uint32_t>(message.octets.data() + kCount);
    const std::uint32_t other = __builtin_bswap32(count);
    if (count > *most && other <= *most && other > 0 && (swapped(flags) & ~defined) == 0) return true;
  }
  if (address_in_network_order(message, layout, flags)) return true;
  const unsigned marks = layout.marks & ~unsigned{flag::kRma};
  return marks != 0 && (flags & ~defined) != 0 && (swapped(flags) & ~defined) == 0 && (swapped(flags) & marks) == marks;
}

}  // namespace

BaseHeaderFact follow_base_header(const Message& message, TraceState& state) {
  BaseHeaderFact fact{.octets = message.wire_length};
  if (fact.octets < kBaseHeader) return fact;
  if (message.octets.size() < kBaseHeader) {
    state.note_partial("the capture cuts packets inside their headers");
    return fact;
  }
  Party& party = state.party(message.sender);
  if (party.network_order) return fact;
  const Layout* const layout = find_layout(message.octets[0]);
  const bool shows_order = layout != nullptr && (layout->is_request() || layout->type == PacketType::handshake);
  if (shows_order) fact.is_low_octet_first = !in_network_order(message, *layout);
  fact.is_readable = fact.is_low_octet_first.value_or(true);
  if (fact.is_readable) return fact;
  party.network_order = true;
  state.note_partial("one side sends its integers with the high octet first: its packets are not judged further");
  return fact;
}

}  // namespace wirelaw::efa
