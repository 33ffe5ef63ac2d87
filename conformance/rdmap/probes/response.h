// SPDX-License-Identifier: Apache-2.0
// The answer of an implementation under test to a stimulus, and the answers that are right.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>

#include "reference/mpa/start_frame.h"
#include "reference/rdmap/message.h"
#include "reference/rdmap/terminate.h"

namespace wirelaw::rdmap {

// The next event from it.
struct Response {
  enum class Kind : std::uint8_t {
    nothing,      // no event before the deadline
    start_frame,  // `octets`
    segment,      // a ULPDU: `octets`
    unreadable,   // octets that are neither: `octets`
    closed,       // its direction was closed in order
    reset,        // the connection was reset
  };
  Kind kind = Kind::nothing;
  OctetBuffer octets;

  bool is(Kind one) const { return kind == one; }
  bool ended() const { return kind == Kind::closed || kind == Kind::reset; }
  // The start frame or segment of the response; the results refer to `octets`.
  std::optional<mpa::StartFrame> frame() const;
  std::optional<ddp::Segment> segment() const;
  bool is(Opcode opcode) const;  // a segment of such a message
  bool is_send() const;          // a Send of any of the four types
  std::optional<Terminate> terminate() const;
};
std::string to_text(const Response& answer);

// One answer that is legal. `noted` ones cause a warning, because another reading allows them.
struct Outcome {
  std::string text;
  std::function<bool(const Response&)> fits;
  bool noted = false;
};
using Outcomes = std::initializer_list<Outcome>;

Outcome closes();  // the connection ends in order, or by a reset
Outcome resets();
Outcome says_nothing();
Outcome terminates(const ErrorCode& error);
Outcome terminates();  // any error code is right
Outcome accepts();     // a Reply with R=0
Outcome rejects();     // a Reply with R=1
Outcome sends();       // a segment of a Send
Outcome noted(Outcome outcome);

}  // namespace wirelaw::rdmap
