// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/dialect.h"

#include <algorithm>
#include <cctype>

#include "reference/mpa/fpdu.h"
#include "reference/mpa/start_frame.h"
#include "reference/octets/crc32c.h"
#include "reference/umsp/header.h"

namespace wirelaw::campaign {
namespace {

// ---------------------------------------------------------------------------------------------------------- iWARP

bool begins_with(Octets octets, std::string_view key) {
  return octets.size() >= key.size() &&
         std::equal(key.begin(), key.end(), octets.begin(), [](char c, Octet o) { return static_cast<Octet>(c) == o; });
}

// Whether these octets are one FPDU without markers.
bool is_fpdu(Octets octets) {
  if (octets.size() < mpa::kLengthOctets + mpa::kCrcOctets) return false;
  return mpa::fpdu_octets(load_big_endian<std::uint16_t>(octets.data())) == octets.size();
}

// ULPDU_Length, PAD and CRC (RFC 5044, 4), or PD_Length of a start frame (7.1).
void repair_iwarp(Octets before, OctetBuffer& message) {
  if (begins_with(before, mpa::kRequestKey) || begins_with(before, mpa::kReplyKey)) {
    using namespace mpa::layout;
    if (message.size() < kStartFrame) return;
    const auto octets = static_cast<std::uint16_t>(std::min<std::size_t>(message.size() - kStartFrame, 0xffff));
    return store_big_endian(message.data() + kPrivateDataLength, octets);
  }
  if (!is_fpdu(before) || message.size() < mpa::kLengthOctets + mpa::kCrcOctets) return;
  if (message.size() != before.size()) {
    const std::size_t ulpdu = std::min(message.size() - mpa::kLengthOctets - mpa::kCrcOctets, mpa::kMaxUlpdu);
    message.resize(mpa::kLengthOctets + ulpdu);
    message.resize(mpa::fpdu_octets(ulpdu));
    store_big_endian(message.data(), static_cast<std::uint16_t>(ulpdu));
  } else {
    std::copy_n(before.begin(), mpa::kLengthOctets, message.begin());
  }
  const std::size_t covered = message.size() - mpa::kCrcOctets;
  store_little_endian(message.data() + covered, crc32c(Octets(message).first(covered)));
}

// ----------------------------------------------------------------------------------------------------------- UMSP

// OPR_LENGTH of one instruction without extension headers (RFC 3018, 3.1). Operands are whole words.
void repair_umsp(Octets before, OctetBuffer& message) {
  constexpr Octet kExt = 0x08;
  constexpr std::size_t kWord = 4, kMostWords = 0xffff;
  const auto was = umsp::decode_header(before);
  if (!was || was->ext || was->octets() + was->operand_octets() != before.size()) return;
  auto header = umsp::decode_header(message);
  if (!header || (message[1] & kExt) != 0 || message.size() < header->octets()) return;
  const std::size_t head = header->octets();
  std::size_t operands = std::min(message.size() - head, kMostWords * kWord);
  operands = (operands + kWord - 1) / kWord * kWord;
  message.resize(head + operands);
  header->opr_length = static_cast<std::uint16_t>(operands / kWord);
  OctetBuffer right;
  umsp::encode(*header, right);
  right.insert(right.end(), message.begin() + static_cast<std::ptrdiff_t>(head), message.end());
  message = std::move(right);
}

// ----------------------------------------------------------------------------------------------------------- rows

constexpr std::string_view kRamcloudBound[] = {"ramcloud.session_token", "ramcloud.rpc_id",
                                               "ramcloud.client_session_hint", "ramcloud.server_session_hint",
                                               "ramcloud.channel_id"};
constexpr std::string_view kUmspBound[] = {"umsp.session_id", "umsp.req_id"};
constexpr std::string_view kIwarpBound[] = {"iwarp_ddp.stag", "iwarp_ddp.msn"};
constexpr std::string_view kEfaBound[] = {"efa_rdm.connid", "efa_rdm.msg_id", "efa_rdm.send_id", "efa_rdm.recv_id"};

constexpr Dialect kRows[] = {
    {.protocol = "ramcloud", .bound = kRamcloudBound, .proven = true},
    {.protocol = "smbd", .proven = true},
    {.protocol = "umsp", .big_endian = true, .bound = kUmspBound, .repair = repair_umsp, .proven = true},
    {.protocol = "rdmap", .big_endian = true, .bound = kIwarpBound, .repair = repair_iwarp, .proven = true},
    {.protocol = "efa", .bound = kEfaBound, .driven = "application/", .proven = true},
};
constexpr Dialect kUnknown{};

}  // namespace

const Dialect& dialect_of(const Protocol& carried) {
  const auto found = std::ranges::find(kRows, carried.name, &Dialect::protocol);
  return found == std::end(kRows) ? kUnknown : *found;
}

std::string proven_protocols() {
  std::vector<std::string_view> names;
  for (const Dialect& row : kRows)
    if (row.proven) names.push_back(row.protocol);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
    text += names[i];
  }
  return text;
}

std::uint64_t number_in(Octets octets, const Dialect& dialect) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(octets.size(), 8); ++i)
    value = value << 8 | octets[dialect.big_endian ? i : octets.size() - 1 - i];
  return value;
}

void put_number(std::uint64_t value, std::span<Octet> octets, const Dialect& dialect) {
  for (std::size_t i = 0; i < octets.size(); ++i, value >>= 8)
    octets[dialect.big_endian ? octets.size() - 1 - i : i] = static_cast<Octet>(value);
}

void take_over(Octets model, OctetBuffer& message, const Dialect& dialect, const Protocol& carried) {
  if (dialect.bound.empty()) return;
  const Decoded from = carried.decode(model), to = carried.decode(message);
  for (const std::string_view name : dialect.bound) {
    const auto source = std::ranges::find(from.fields, name, &Field::name);
    const auto target = std::ranges::find(to.fields, name, &Field::name);
    if (source == from.fields.end() || target == to.fields.end() || source->length != target->length) continue;
    if (source->offset + source->length > model.size() || target->offset + target->length > message.size()) continue;
    std::ranges::copy(model.subspan(source->offset, source->length),
                      message.begin() + static_cast<std::ptrdiff_t>(target->offset));
  }
}

// A digit, and what of a number in hexadecimal is behind one, is left out.
std::string kind_of(std::string_view summary) {
  constexpr std::size_t kMost = 96;
  std::string kind;
  bool in_number = false;
  for (const char c : summary) {
    const auto octet = static_cast<unsigned char>(c);
    in_number = std::isdigit(octet) != 0 || (in_number && std::isxdigit(octet) != 0) || (in_number && c == 'x');
    if (!in_number && kind.size() < kMost) kind += c;
  }
  return kind;
}

}  // namespace wirelaw::campaign
