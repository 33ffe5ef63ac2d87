// SPDX-License-Identifier: Apache-2.0
// What has to be known of a protocol to keep its messages right where they are changed (conformance/edit.h): each
// protocol says it in its row (Protocol::dialect). All else is learnt from the protocol's own decoder.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/protocol.h"
#include "reference/octets/octets.h"

namespace wirelaw::edits {

inline constexpr Octet kFiller = 0xff;

struct Dialect {
  bool big_endian = false;
  // Fields that tie a message to its conversation, by name: a message of another takes them over from one of this.
  std::span<const std::string_view> bound = {};
  // Makes right what other octets say of those that were changed: lengths, checks. `before` is the message as it was.
  void (*repair)(Octets before, OctetBuffer& message) = nullptr;
  // An honest receiver of a stream has answered or ended it after so many octets of kFiller, wherever they begin. 0: it
  // may wait for more.
  std::size_t filler_octets = 0;
  // Campaigns against the honest reference have reported nothing. Elsewhere a case or an observer still takes for the
  // peer's fault what comes of the changes made on the way, and `wirelaw fuzz` offers no campaign.
  bool proven = false;
};

// Of one that says nothing, no fields are bound, and nothing is repaired.
const Dialect& dialect_of(const Protocol& carried);

// The protocols whose dialect is proven, for people: "ramcloud, rdmap and smbd".
std::string proven_protocols();

// The number in these octets, at most eight, and back.
std::uint64_t number_in(Octets octets, const Dialect& dialect);
void put_number(std::uint64_t value, std::span<Octet> octets, const Dialect& dialect);

// Takes over the fields that tie `message` to the conversation that `model` is of.
void take_over(Octets model, OctetBuffer& message, const Dialect& dialect, const Protocol& carried);

// A message in a few words that are the same for all of its kind: its line without numbers.
std::string kind_of(std::string_view summary);

}  // namespace wirelaw::edits
