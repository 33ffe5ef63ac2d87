// SPDX-License-Identifier: Apache-2.0
// The facts about a protocol that conformance/edit.h needs to keep changed messages valid. Each protocol states it in
// its row (Protocol::dialect). Everything else comes from the protocol's decoder.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/echo_check.h"
#include "conformance/protocol.h"
#include "reference/octets/octets.h"

namespace wirelaw::edits {

inline constexpr Octet kFiller = 0xff;

struct Dialect {
  bool big_endian = false;
  // Names of the fields that tie a message to its conversation. A message from another conversation takes their
  // values from a message of this one.
  std::span<const std::string_view> bound = {};
  // Repairs the lengths and checks that cover the changed octets. `before` is the message before the change.
  void (*repair)(Octets before, OctetBuffer& message) = nullptr;
  // The number of kFiller octets after which a conforming receiver of a stream has answered or ended it, wherever the
  // octets begin. 0: it may wait for more.
  std::size_t filler_octets = 0;
  // Checks the answers of an IUT that echoes. nullptr: only the observer judges them.
  std::unique_ptr<EchoCheck> (*echo)() = nullptr;
  // True if campaigns against the conforming reference report nothing. Otherwise a case or an observer still blames the
  // peer for changes made on the way, and `wirelaw fuzz` offers no campaign.
  bool proven = false;
};

// For a protocol without a dialect, no field is bound and nothing is repaired.
const Dialect& dialect_of(const Protocol& carried);

// The protocols whose dialect is proven, as text: "ramcloud, rdmap and smbd".
std::string proven_protocols();

// Reads a number from at most eight octets, and writes it back.
std::uint64_t number_in(Octets octets, const Dialect& dialect);
void put_number(std::uint64_t value, std::span<Octet> octets, const Dialect& dialect);

// Copies the fields that tie a message to its conversation from `model` to `message`.
void take_over(Octets model, OctetBuffer& message, const Dialect& dialect, const Protocol& carried);

// A short text that is the same for all messages of a kind: the summary line without its numbers.
std::string kind_of(std::string_view summary);

}  // namespace wirelaw::edits
