// SPDX-License-Identifier: Apache-2.0
// The connection profile (RFC 3018 5.3.4): 32 bits of flags and fields that describe what one side of a session
// provides. S0 is the most significant bit (ruling UMSP/A5).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>

#include "reference/umsp/instruction.h"

namespace wirelaw::umsp {

enum class ProfileFlag : std::uint8_t {
  fragments = 0,
  sequences = 1,
  transactions = 2,
  without_session = 3,
  in_session = 4,
  long_addresses = 6,    // addresses of sixteen octets
  short_headers = 7,     // OPR_LENGTH
  extended_headers = 8,  // OPR_LENGTH_EXT
  short_data = 9,        // extension headers' data, up to 254 octets
  long_data = 10,        // extension headers' data
  border = 20,           // four octets
  procedure_names = 21,
  object_names = 22,
  rsp = 23,
  reading = 24,  // and comparison
  writing = 25,
  control = 26,
  synchronizing = 27,
  objects = 28,
  object_memory = 29,
  mvrun_without_session = 30,
};

constexpr std::uint32_t bit_of(ProfileFlag flag) {
  return std::uint32_t{1} << (31 - static_cast<unsigned>(flag));
}
constexpr bool has(std::uint32_t profile, ProfileFlag flag) {
  return (profile & bit_of(flag)) != 0;
}
constexpr std::uint32_t profile_of(std::initializer_list<ProfileFlag> flags) {
  std::uint32_t profile = 0;
  for (const ProfileFlag flag : flags) profile |= bit_of(flag);
  return profile;
}
constexpr std::uint32_t profile_field(std::uint32_t profile, unsigned first, unsigned width) {
  return profile >> (32 - first - width) & ((1u << width) - 1);
}
constexpr std::uint32_t with_field(std::uint32_t profile, unsigned first, unsigned width, std::uint32_t value) {
  const unsigned shift = 32 - first - width;
  const std::uint32_t mask = ((1u << width) - 1) << shift;
  return (profile & ~mask) | (value << shift & mask);
}

// S11 to S15: octets of data in operands are (value + 1) * 4 at most; all ones: as many as fit (UMSP/A36).
inline constexpr unsigned kDataLengthFirst = 11, kDataLengthBits = 5;
inline constexpr std::uint32_t kDataLengthAny = 31;
// S16 to S19: in the required profile the version of UMSP, in the offered one the priority of the job.
inline constexpr unsigned kVersionFirst = 16, kVersionBits = 4;
inline constexpr std::uint32_t kUmspVersion = 1;

// The flags that stand for functions: all except fields and reserved bits.
inline constexpr std::uint32_t kFunctionFlags = 0xfbe0'0ffe;

// Clears reserved bits, and S29 if S28 is 0.
constexpr std::uint32_t valid_profile(std::uint32_t profile) {
  constexpr std::uint32_t kReserved = 1u << 26 | 1u;  // S5, S31
  profile &= ~kReserved;
  return has(profile, ProfileFlag::objects) ? profile : profile & ~bit_of(ProfileFlag::object_memory);
}

// Maximum length of data in operands that a side accepts; nothing: no limit (UMSP/A36: 15 as well).
constexpr std::optional<std::size_t> most_data(std::uint32_t profile) {
  constexpr std::uint32_t kPrintedAny = 15;
  const std::uint32_t words = profile_field(profile, kDataLengthFirst, kDataLengthBits);
  if (words == kDataLengthAny || words == kPrintedAny) return std::nullopt;
  return std::size_t{words + 1} * 4;
}
// Maximum length of DATA in an extension header.
constexpr std::size_t most_extension_data(std::uint32_t profile) {
  constexpr std::size_t kShort = 254;
  if (has(profile, ProfileFlag::long_data)) return std::numeric_limits<std::size_t>::max();
  return has(profile, ProfileFlag::short_data) ? kShort : 0;
}
// Returns true if a side accepts more than six words of operands. This needs the extended form of the header, as S20
// does.
constexpr bool takes_long_operands(std::uint32_t profile) {
  return has(profile, ProfileFlag::extended_headers) || has(profile, ProfileFlag::border) ||
         !has(profile, ProfileFlag::short_headers);
}
// Returns true if chains of this kind can be sent to a side; it must accept the extension headers that describe them
// (7.2, 7.3).
constexpr bool takes_chains(std::uint32_t profile, ProfileFlag kind) {
  constexpr std::size_t kTerms = 4;
  if (!has(profile, kind)) return false;
  if (kind == ProfileFlag::sequences) return true;
  return most_extension_data(profile) >= kTerms && (kind != ProfileFlag::fragments || takes_long_operands(profile));
}
// Returns true if a side accepts the instruction: it has the functions, and the lengths are within its limits.
bool takes(std::uint32_t profile, const Instruction& instruction);

// Returns the first function that an instruction of a session needs and the receiver's profile lacks; nothing if it
// lacks none. Instructions that manage sessions need no function.
std::optional<ProfileFlag> missing_function(const Instruction& instruction, std::uint32_t profile);

}  // namespace wirelaw::umsp
