// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/basic_transport.h"

namespace wirelaw::ramcloud {
namespace {

// In the order of the wire, little-endian, packed: opcode, client id (8 octets), sequence number (8), flags.
constexpr std::size_t kFlags = 17, kCommon = 18;
constexpr Octet kKnownFlags = 0x07;  // bits: from a client, a retransmission, a restart

enum class Opcode : Octet {
  all_data = 20,
  data = 21,
  grant = 22,
  log_time_trace = 23,
  resend = 24,
  ack = 25,
  abort = 26
};

std::uint32_t word(Octets octets, std::size_t at) {
  return load_little_endian<std::uint32_t>(octets.data() + at);
}

// In the header judged here, the upper half of serverSessionHint, fragNumber, totalFrags, channelId and flags are at
// this place. A fragment in order would be a piece of a message of 64 KiB or more that is not the first.
bool is_data(Octets octets, std::size_t header) {
  constexpr std::uint32_t kLeastFragment = 1u << 16;
  if (octets.size() <= header) return false;
  const std::uint32_t total = word(octets, kCommon), offset = word(octets, kCommon + sizeof total);
  if (offset > 0 && total >= kLeastFragment) return false;
  return offset < total && octets.size() - header <= total - offset;
}

}  // namespace

bool is_basic_transport(Octets octets) {
  constexpr std::size_t kLength = 2, kAllData = kCommon + kLength;  // the length of the message
  constexpr std::size_t kWord = 4, kData = kCommon + 3 * kWord;     // length, offset, octets unasked
  constexpr std::size_t kGrant = kCommon + kWord, kResend = kCommon + 2 * kWord, kPriority = 1;
  constexpr std::uint32_t kMostOctets = 1u << 28;  // limit on the length of a message
  if (octets.size() < kCommon || (octets[kFlags] & ~kKnownFlags) != 0) return false;
  const auto has = [&](std::size_t length) { return octets.size() == length || octets.size() == length + kPriority; };
  switch (static_cast<Opcode>(octets[0])) {
    case Opcode::all_data:
      return octets.size() >= kAllData &&
             load_little_endian<std::uint16_t>(octets.data() + kCommon) == octets.size() - kAllData;
    case Opcode::data:
      return is_data(octets, kData);
    case Opcode::grant:
      return has(kGrant);
    case Opcode::resend:
      return has(kResend) && word(octets, kCommon) < kMostOctets && word(octets, kCommon + kWord) < kMostOctets;
    case Opcode::log_time_trace:
    case Opcode::ack:
    case Opcode::abort:
      return octets.size() == kCommon;
  }
  return false;
}

}  // namespace wirelaw::ramcloud
