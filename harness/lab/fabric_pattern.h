// SPDX-License-Identifier: Apache-2.0
// The octets that fabric_peer sends, and expects: octet i of a message of n octets is known to both sides.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace wirelaw::lab {

constexpr std::uint8_t pattern_octet(std::size_t i, std::size_t salt) {
  return static_cast<std::uint8_t>(i * 167 + (i >> 8) * 13 + salt);
}

inline void fill(std::span<std::uint8_t> octets, std::size_t salt) {
  for (std::size_t i = 0; i < octets.size(); ++i) octets[i] = pattern_octet(i, salt);
}

// Returns the position of the first wrong octet. Empty if all are right.
inline std::optional<std::size_t> first_wrong(std::span<const std::uint8_t> octets, std::size_t salt) {
  for (std::size_t i = 0; i < octets.size(); ++i)
    if (octets[i] != pattern_octet(i, salt)) return i;
  return std::nullopt;
}

// A responder's memory: octets to be read (salt 0), octets to be written, and numbers for atomics, all zero at first.
inline constexpr std::size_t kReadable = 4 << 20;
inline constexpr std::size_t kWritable = 4 << 20;
inline constexpr std::size_t kNumbers = 4096;
inline constexpr std::size_t kMemory = kReadable + kWritable + kNumbers;

inline constexpr std::size_t kLongestMessage = 4 << 20;

// Tagged messages that speak to fabric_peer itself; all others are data.
inline constexpr std::uint64_t kReportTag =
    0x776c5f7265706f72;  // asks for the number of arrived messages, and if they were right
inline constexpr std::uint64_t kAnswerTag = 0x776c5f616e737765;  // the answer: struct Report
inline constexpr std::uint64_t kByeTag = 0x776c5f6279655f5f;     // the responder may leave

struct Report {
  std::uint64_t messages;  // messages with data
  std::uint64_t wrong;
};

}  // namespace wirelaw::lab
