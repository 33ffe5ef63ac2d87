// SPDX-License-Identifier: Apache-2.0
#include "reference/smb2/compound.h"

#include <algorithm>
#include <utility>

namespace wirelaw::smb2 {
namespace {

constexpr std::size_t kNextCommand = 20;  // offset in the header (2.2.1.2)

}  // namespace

Decoded<std::vector<Element>> elements_of(Octets message) {
  std::vector<Element> elements;
  for (std::size_t at = 0;;) {
    const Octets rest = message.subspan(at);
    auto header = decode_header(rest);
    if (!header) return tl::unexpected(DecodeError{header.error().reason, at + header.error().offset});
    const std::size_t next = header->next_command;
    elements.push_back({*header, next == 0 ? rest : rest.first(std::min(next, rest.size()))});
    if (next == 0) return elements;
    if (next % kAlignment != 0) return tl::unexpected(DecodeError{DecodeError::Reason::unaligned, at});
    if (next < kHeaderOctets || next > rest.size())
      return tl::unexpected(DecodeError{DecodeError::Reason::outside, at});
    at += next;
  }
}

bool is_of_its_own_accord(Octets message) {
  const auto elements = elements_of(message);
  return elements && std::ranges::all_of(*elements, [](const Element& one) {
           return one.header.command == command::kEcho || one.header.command == command::kCancel;
         });
}

void Compound::begin() {
  if (elements_++ > 0) {
    octets_.resize(aligned(octets_.size()));
    store_little_endian(octets_.data() + last_ + kNextCommand, static_cast<std::uint32_t>(octets_.size() - last_));
  }
  last_ = octets_.size();
}

OctetBuffer Compound::finish() {
  if (elements_ > 1) octets_.resize(aligned(octets_.size()));
  elements_ = last_ = 0;
  return std::exchange(octets_, {});
}

}  // namespace wirelaw::smb2
