// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/dialect.h"

#include <algorithm>

#include "reference/umsp/header.h"

namespace wirelaw::umsp {
namespace {

// Repairs OPR_LENGTH of an instruction without extension headers (RFC 3018, 3.1). Operands are whole words.
void repair(Octets before, OctetBuffer& message) {
  constexpr Octet kExt = 0x08;
  constexpr std::size_t kWord = 4, kMostWords = 0xffff;
  const auto was = decode_header(before);
  if (!was || was->ext || was->octets() + was->operand_octets() != before.size()) return;
  auto header = decode_header(message);
  if (!header || (message[1] & kExt) != 0 || message.size() < header->octets()) return;
  const std::size_t head = header->octets();
  std::size_t operands = std::min(message.size() - head, kMostWords * kWord);
  operands = (operands + kWord - 1) / kWord * kWord;
  message.resize(head + operands);
  header->opr_length = static_cast<std::uint16_t>(operands / kWord);
  OctetBuffer right;
  encode(*header, right);
  right.insert(right.end(), message.begin() + static_cast<std::ptrdiff_t>(head), message.end());
  message = std::move(right);
}

constexpr std::string_view kBound[] = {"umsp.session_id", "umsp.req_id"};

}  // namespace

constinit const edits::Dialect kDialect{.big_endian = true, .bound = kBound, .repair = repair, .proven = true};

}  // namespace wirelaw::umsp
