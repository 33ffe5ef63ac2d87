// SPDX-License-Identifier: Apache-2.0
// One change of a conversation that a case has with the IUT: of a message that the case sends, by its number, or of the
// order of messages. Edits name places, not whole messages, so that what a peer has answered before (a token, a hint,
// the identifier of a session) stays in the message: the case keeps the conversation alive.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/dialect.h"
#include "reference/octets/octets.h"

namespace wirelaw::edits {

enum class Op : std::uint8_t {
  // --- of the octets of a message
  put,       // these octets at this offset, in place of those that are there
  flip,      // the bits that are set in these octets
  add,       // this number to the one that is there, modulo its size
  insert,    // these octets, in front of those at this offset
  erase,     // `count` octets at this offset
  truncate,  // all behind this offset
  append,    // these octets
  // --- of the conversation
  drop,   // it is not sent
  twice,  // it is sent `count` times more
  hold,   // it is sent behind the next one, or when nothing has come for a while
  split,  // of a stream: in two pieces, the first of `offset` octets
  say,    // these octets are sent behind it, a message of another conversation
  wait,   // nothing is sent for `count` milliseconds, and then it
  cut,    // neither it nor anything behind it is sent
  close,  // of a stream: it is not sent, and our direction ends
  reset,  // of a stream: it is not sent, and the connection ends
};
inline constexpr std::size_t kOps = 16;

struct Edit {
  Op op = Op::drop;
  std::uint32_t message = 0;  // of those that the case sends, from 0
  std::uint32_t copy = 0;     // of octets: which of those that go in its place, in their order; 0: before it was copied
  std::uint32_t offset = 0;
  std::uint32_t count = 0;
  OctetBuffer octets = {};
  bool repair = false;  // lengths and checks are made right again; what is said is bound to the conversation

  friend bool operator==(const Edit&, const Edit&) = default;
};

std::string_view word_of(Op op);  // "put"
std::optional<Op> op_of(std::string_view word);
bool is_of_octets(Op op);
bool has_octets(Op op);  // Edit::octets means something

// "message 3: 2 octets at 12 become ffff"
std::string to_text(const Edit& edit);

// Of the octets of a message; one whose place is not there changes nothing.
void apply(const Edit& edit, OctetBuffer& message, const Dialect& dialect);

}  // namespace wirelaw::edits
