// SPDX-License-Identifier: Apache-2.0
// One change to a conversation between a case and the IUT: to a message that the case sends, by its number, or to the
// order of messages. Edits name places, not whole messages, so that values from the peer's answers (a token, a hint, a
// session identifier) stay in the message and the conversation continues.
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
  // --- change the octets of a message
  put,       // replaces the octets at this offset
  flip,      // flips the bits that are set in these octets
  add,       // adds this number to the one at this offset, modulo its size
  insert,    // inserts these octets at this offset
  erase,     // removes `count` octets at this offset
  truncate,  // removes everything after this offset
  append,    // appends these octets
  // --- change the conversation
  drop,   // does not send the message
  twice,  // sends the message `count` more times
  hold,   // sends the message after the next one, or when nothing has come for a while
  split,  // stream only: sends the message in two pieces, the first of `offset` octets
  say,    // sends these octets, a message of another conversation, after the message
  wait,   // waits `count` milliseconds before it sends the message
  cut,    // sends neither the message nor any later one
  close,  // stream only: does not send the message, and ends our direction
  reset,  // stream only: does not send the message, and resets the connection
  // After the message, sends what a conforming sender sends next, `count` + 1 times, with the changes of a script line.
  // The octets are the text of the line: "DATA total_frags=3". The case sends nothing more.
  compose,
};
inline constexpr std::size_t kOps = 17;

struct Edit {
  Op op = Op::drop;
  std::uint32_t message = 0;  // number of the message that the case sends, from 0
  std::uint32_t copy = 0;     // for octets: which of the messages sent in its place, in order; 0: before it was copied
  std::uint32_t offset = 0;
  std::uint32_t count = 0;
  OctetBuffer octets = {};
  bool repair = false;  // repairs lengths and checks; `say`: ties the message to the conversation

  friend bool operator==(const Edit&, const Edit&) = default;
};

std::string_view word_of(Op op);  // "put"
std::optional<Op> op_of(std::string_view word);
bool is_of_octets(Op op);
bool has_octets(Op op);  // true if the operation uses Edit::octets

// "message 3: 2 octets at 12 become ffff"
std::string to_text(const Edit& edit);

// Changes the octets of a message. Does nothing if the message is too short for the edit.
void apply(const Edit& edit, OctetBuffer& message, const Dialect& dialect);

}  // namespace wirelaw::edits
