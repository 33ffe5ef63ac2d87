// SPDX-License-Identifier: Apache-2.0
// Plays a script for two conforming sides: turns every line into its message.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "conformance/script/language.h"
#include "conformance/script/syntax.h"

namespace wirelaw::script {

inline constexpr std::int64_t kUsualStep = 1'000'000;  // nanoseconds between two messages
inline constexpr std::uint16_t kUsualMss = 1460;       // announced by a side unless its line names another

// The output of one line: a datagram, or a piece of a stream.
struct Spoken {
  enum class Kind : std::uint8_t { message, open, close, reset };
  Kind kind = Kind::message;
  Side sender = Side::a;
  std::uint32_t connection = 1;
  OctetBuffer octets = {};
  std::uint16_t mss = 0;      // for `open`: the maximum segment size that it announces; 0: none
  std::int64_t pause_ns = 0;  // pause before it, in addition to the step
  bool is_captured = true;    // it is in the capture
  bool is_received = true;    // the other side gets it
  Position at = {};           // place of its line
};
struct Expected {
  std::size_t message;  // index into Conversation::spoken of the last message at which the finding may be made
  Mark mark;
};

// Where the two sides are in some connections, by number.
using Ends = std::map<std::uint32_t, std::array<Endpoint, 2>>;
// Where a side is in a connection. Unless `further` says it, side a has the next port in each connection after the
// first.
Endpoint end_in(const Addresses& first, const Ends& further, Side side, std::uint32_t connection);

struct Conversation {
  std::vector<Spoken> spoken;
  std::vector<Expected> marks;
  Addresses addresses = sample_addresses();
  std::int64_t step_ns = kUsualStep;
  std::int64_t silence_ns = 0;  // time that the capture continues after the last message
  bool is_stream = false;
  Ends further_ends = {};  // the sides in further connections, as far as `nodes` says it

  Endpoint end(Side side, std::uint32_t connection) const { return end_in(addresses, further_ends, side, connection); }
};

inline constexpr std::size_t kMostMessages = 1u << 18;        // in a conversation
inline constexpr std::size_t kMostMessageOctets = 1u << 20;   // in one message
inline constexpr std::size_t kMostSpokenOctets = 256u << 20;  // in a conversation

// Speaks a part. If a line expects something from the IUT, its first alternative is spoken.
tl::expected<Conversation, Problem> speak(const Part& part, const Language& language,
                                          std::size_t most_messages = kMostMessages);

// The variables and values of a script while it is spoken, offline or live.
class Speaker {
 public:
  Speaker(const Language& language, const Addresses& addresses, Ends further_ends = {})
      : language_(language), addresses_(addresses), further_ends_(std::move(further_ends)) {}

  const Language& language() const { return language_; }
  Speech& speech(std::uint32_t connection);

  // --- variables
  void let(const std::string& name, std::uint64_t number) { numbers_[name] = number; }
  void keep(const std::string& name, Octets message) { messages_[name] = OctetBuffer(message.begin(), message.end()); }
  const OctetBuffer* message(const std::string& name) const;

  // --- values
  tl::expected<std::uint64_t, Problem> number(const Value& value) const;
  // The error if the value is an integer.
  tl::expected<OctetBuffer, Problem> octets(const Value& value) const;
  tl::expected<std::int64_t, Problem> time(const Value& value) const;
  // True if `value` allows `found`: it is equal, in the range, or anything is allowed.
  tl::expected<bool, Problem> allows(const Value& value, std::uint64_t found) const;

  // The octets of a line, before they are sent.
  struct Draft {
    OctetBuffer honest = {};   // the message before the items of the line; empty for `raw` and `again`
    OctetBuffer message = {};  // the message after the items for it
    // The octets sent: a datagram for each repetition, or the frames of a stream.
    std::vector<OctetBuffer> frames = {};
    std::vector<OctetBuffer> segments = {};  // segments in the frames
    std::unique_ptr<Framing> framing = {};   // state after these frames
  };
  tl::expected<Draft, Problem> draft(const What& what, Side sender, std::uint32_t connection);
  // Like draft(), but also counts the conforming message as sent and stores the variable of the line.
  tl::expected<Draft, Problem> write(const What& what, Side sender, std::uint32_t connection);

  // Applies the items of the line to a message that was sent. `wire` is what carries it: a datagram, or a frame of the
  // stream. Returns the new content of `wire`.
  tl::expected<OctetBuffer, Problem> edit(const What& what, Side sender, std::uint32_t connection, Octets message,
                                          Octets wire);

  // The framing of the messages in the streams of a connection. Only for a stream protocol.
  Framing& framing(std::uint32_t connection);
  // A connection between these addresses begins. It replaces the previous one of this number.
  void begin(std::uint32_t connection, const Addresses& addresses) {
    speeches_[connection] = language_.speech(addresses);
    framings_.erase(connection);
  }

  // Returns the field of this name. The problem suggests another name.
  tl::expected<Located, Problem> field(Octets message, const std::string& name, std::string_view of, Position at) const;

 private:
  class LineWishes;
  // The octets that items are applied to: a message, a segment or a frame.
  struct Scope {
    std::string_view name;  // name used in problems
    std::function<std::vector<Located>(Octets)> locate;
    bool has_wishes = false;
    Octets honest = {};  // the message before the items of its line
  };
  tl::expected<Located, Problem> field(const Scope& scope, Octets octets, const std::string& name, Position at) const;
  Problem no_field(const Scope& scope, Octets octets, const std::string& name, Position at) const;
  Scope message_scope(std::string_view name, Octets honest = {}) const {
    return {name, language_.locate, true, honest};
  }
  tl::expected<void, Problem> apply(const Item& item, OctetBuffer& octets, const Scope& scope) const;
  // Cuts, appends or inserts octets.
  tl::expected<void, Problem> resize(const Item& item, OctetBuffer& octets, const Scope& scope) const;
  // Sets, adds to or flips bits of one field.
  tl::expected<void, Problem> change(const Item& item, OctetBuffer& octets, const Scope& scope) const;
  tl::expected<void, Problem> check_layers(const What& what, std::string_view name) const;
  tl::expected<void, Problem> say(const What& what, std::string_view name, Draft& draft);
  tl::expected<void, Problem> frame(const What& what, Side sender, std::string_view name, Draft& draft) const;
  tl::expected<void, Problem> edit_frame(const What& what, Side sender, std::uint32_t index, Draft& draft,
                                         OctetBuffer& frame) const;
  tl::expected<std::uint64_t, Problem> number(const Term& term) const;
  tl::expected<std::uint64_t, Problem> sum(const std::vector<Value::Part>& parts) const;
  tl::expected<OctetBuffer, Problem> octets(const Term& term) const;
  tl::expected<OctetBuffer, Problem> octets_of_call(const Term& call) const;

  const Language& language_;
  const Addresses addresses_;  // in the first connection
  const Ends further_ends_;
  std::map<std::uint32_t, std::unique_ptr<Speech>> speeches_;
  std::map<std::uint32_t, std::unique_ptr<Framing>> framings_;
  std::map<std::string, std::uint64_t> numbers_;
  std::map<std::string, OctetBuffer> messages_;
};

// Calls `body` for each round of the loops before a step, at most kMostMessages times. `body` returns false to stop.
template <class Body>
tl::expected<void, Problem> for_each_round(const Step& step, Speaker& speaker, Body body);

// Returns the last setting of this name, which is the one that counts; nullptr if there is none.
const Setting* find_setting(const Part& part, std::string_view name);
// The first value of the setting, as a word; empty if there is none.
std::string_view word_of(const Part& part, std::string_view name);
// Returns where the sides are in each connection for which the setting `nodes` says it.
tl::expected<Ends, Problem> ends_of(const Part& part);
// The messages before the first step: the start-up of the protocol. A bare part has none, except those of the protocol
// below if it begins with a message above that.
std::span<const Greeting> greetings_of(const Part& part, const Language& language);
// Sets the variables of the settings `let`.
tl::expected<void, Problem> take_settings(const Part& part, Speaker& speaker);

// ---------------------------------------------------------------------------------------------------------------
template <class Body>
tl::expected<void, Problem> for_each_round(const Step& step, Speaker& speaker, Body body) {
  std::size_t rounds = 0;
  const auto too_often = [](Position at) { return tl::unexpected(Problem{at, "this line is repeated too often", {}}); };
  const auto round = [&](const auto& self, std::size_t depth) -> tl::expected<bool, Problem> {
    if (depth == step.loops.size()) {
      if (++rounds > kMostMessages) return too_often(step.at);
      return body();
    }
    for (const Value& value : step.loops[depth].values) {
      const auto first = speaker.number(Value{value.parts, {}, value.at});
      if (!first) return tl::unexpected(first.error());
      const auto last = value.upto.empty() ? first : speaker.number(Value{value.upto, {}, value.at});
      if (!last) return tl::unexpected(last.error());
      if (*last > *first && *last - *first >= kMostMessages) return too_often(value.at);
      for (std::uint64_t i = *first; i <= *last; ++i) {
        speaker.let(step.loops[depth].variable, i);
        const auto goes_on = self(self, depth + 1);
        if (!goes_on || !*goes_on) return goes_on;
        if (i == *last) break;
      }
    }
    return true;
  };
  const auto done = round(round, 0);
  if (!done) return tl::unexpected(done.error());
  return {};
}

}  // namespace wirelaw::script
