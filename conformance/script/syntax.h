// SPDX-License-Identifier: Apache-2.0
// A parsed script: headings, settings and steps, with their places in the file. The documentation describes the
// language on one page.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reference/octets/octets.h"

namespace wirelaw::script {

// How the names of script files end, and how the ids of their cases begin.
inline constexpr std::string_view kFileSuffix = ".wirelaw", kCasePrefix = "script/";

inline constexpr std::uint32_t kMostConnections = 64;  // in one part

// A place in the file, from 1.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  friend constexpr bool operator==(const Position&, const Position&) = default;
};

// The reason why a script cannot be used: one line, without the file name.
struct Problem {
  Position at;
  std::string message;  // "CTS has no field 'recv_lenght'"
  std::string hint;     // "did you mean 'recv_length'?"; empty if there is none
};
std::string one_line(const Problem& problem, std::string_view file);

struct Value;

// One operand of a value.
struct Term {
  enum class Kind : std::uint8_t {
    number,    // 42, 0x2a, 5ms: `number`; times are in nanoseconds
    octets,    // hex:0001aaff, or "text": `octets`
    any,       // *
    variable,  // $m, or $m.recv_length: `name`, `field`
    call,      // pattern(16): `name`, `arguments`
    word,      // a name that the protocol knows, such as retry_time: `name`
  };
  Kind kind = Kind::number;
  std::uint64_t number = 0;
  bool is_time = false;  // a number with a unit of time
  OctetBuffer octets = {};
  std::string name = {};
  std::string field = {};
  std::vector<Value> arguments;
  Position at = {};
};

// Terms that are added and subtracted, or a range of two such sums.
struct Value {
  struct Part {
    bool negative = false;
    Term term;
  };
  std::vector<Part> parts;
  std::vector<Part> upto = {};  // not empty: a range
  Position at = {};
};

// `field=value`, `field+=value`, `field^=value`, or damage that the network does.
struct Item {
  enum class Op : std::uint8_t { set, add, flip, lose, unseen, twice, cut, append, insert, split, more, as_is };
  Op op = Op::set;
  std::string layer = {};          // layer below the message: "fpdu"; empty: the message itself
  std::uint32_t index = 0;         // index of the part, from 1, as in `/ ddp[2]`; 0: all
  std::string field = {};          // lower case
  std::vector<Value> values = {};  // one for a field; several for `cut`, `append`, `insert` and `split`
  Position at = {};
};

// A message, or an event of the connection.
struct What {
  enum class Kind : std::uint8_t { message, raw, again, open, close, reset, push, silence, any };
  Kind kind = Kind::message;
  bool is_denied = false;          // `not`: it must not arrive
  std::string name = {};           // name of the message; for `again`: name of the variable
  std::vector<Value> octets = {};  // for `raw`: one value; for `push`: one, or none for everything
  std::vector<Item> items = {};
  std::string variable = {};  // `as $name`
  Position at = {};
};

// All of these, in any order, on one connection.
struct Alternative {
  std::vector<What> all;
  std::uint32_t connection = 1;
};

struct Said {
  char sender = 'a';
  std::vector<Alternative> alternatives;
  std::optional<Value> within = {};
};
struct Pause {
  Value time;
};
struct Control {};

// The expected effect on a rule in this step.
struct Mark {
  bool is_warning = false;
  std::string rule;
  Position at = {};
};

// `for $i in 1..3:` before a step repeats it.
struct Loop {
  std::string variable;
  std::vector<Value> values;
  Position at = {};
};

struct Step {
  std::vector<Loop> loops = {};
  std::variant<Said, Pause, Control> what;
  std::optional<Value> after = {};  // `after 200ms`: a pause before it
  std::vector<Mark> marks = {};
  Position at = {};
};

// `on b CTS nth 3: lose`: what a relay does to a message that passes it.
struct Trigger {
  enum class End : std::uint8_t { none, closes, resets };
  char sender = 'a';
  What what;              // its items are conditions for the message
  std::uint64_t nth = 0;  // which of the matching messages on one connection, from 1; 0: every one
  std::vector<Item> effects = {};
  std::optional<Value> delay = {};
  End end = End::none;  // how the connection ends after the message
  Position at = {};
};

struct Setting {
  std::string name;
  std::vector<Value> values = {};
  Position at = {};
};

// A trace or a case.
struct Part {
  enum class Kind : std::uint8_t { trace, test };
  Kind kind = Kind::trace;
  std::string name = {};               // empty for the steps of a file without headings
  std::string purpose = {};            // one sentence
  std::vector<Setting> settings = {};  // those of the file come first, then those of the opening
  std::vector<Step> steps = {};        // those of the opening come first
  std::vector<Trigger> triggers = {};  // only for a relay; such a part has no steps
  Position at = {};
};

struct Script {
  std::vector<Part> parts;
};

}  // namespace wirelaw::script
