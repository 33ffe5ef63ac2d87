// SPDX-License-Identifier: Apache-2.0
// The chain data in an instruction's extension headers (RFC 3018 7, 8.5).
#pragma once

#include <cstdint>
#include <optional>

#include "reference/umsp/chains/refusal.h"
#include "reference/umsp/header.h"
#include "reference/umsp/instruction.h"

namespace wirelaw::umsp {

enum class ChainKind : std::uint8_t { unknown, sequence, transaction, fragments };

// _BEGIN_TR (7.2.1).
struct TransactionTerms {
  bool obligatory = false;    // TRE: executed when its time is over, and at an emergency end of the session
  bool after_sending = true;  // TRR: true: executed once it is complete; false: executed by EXEC_TR
  std::uint8_t time = 0;      // TIME_TR, in units of 2 s; 0: no limit
  friend bool operator==(const TransactionTerms&, const TransactionTerms&) = default;
};

struct ChainLink {
  std::uint16_t number = 0;  // INSTR_NUMBER
  ChainKind begins = ChainKind::unknown;
  bool ends = false;
  TransactionTerms terms = {};
  std::optional<ChainPlace> parent = {};  // for fragments
  std::optional<std::uint32_t> life_time = {};
  std::optional<std::uint64_t> base = {};
  unsigned bases = 0;
  std::optional<ChainRefusal> flaw = {};  // the first reason why the instruction cannot be executed
};

// Limits for octets that were encoded here.
inline constexpr Limits kUnlimited{.octets = ~std::uint64_t{0}, .extension_headers = ~std::size_t{0}};

// `address_octets`: length of the node's local addresses.
ChainLink read_link(const Instruction& instruction, std::uint16_t number, std::uint8_t address_octets);

// DATA of _BEGIN_TR.
OctetBuffer encode(const TransactionTerms& terms);

}  // namespace wirelaw::umsp
