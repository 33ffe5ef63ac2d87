// SPDX-License-Identifier: Apache-2.0
// Writes conversations as scripts: the shortest lines that give the same octets.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conformance/script/conversation.h"
#include "conformance/script/id_origins.h"
#include "conformance/script/stream_lines.h"

namespace wirelaw::script {

// One conversation, message by message. Its text is a part of a script file.
class ConversationWriter {
 public:
  // The addresses of side a and side b.
  ConversationWriter(const Language& language, const std::array<Endpoint, 2>& ends);

  // Adds a datagram with its time. `wire_length` is more than its octets if the capture cut it.
  void add(Side sender, Octets message, std::size_t wire_length, std::int64_t time_ns);
  // Adds a datagram that may differ next time: the script waits for any message.
  void await(Side sender, Octets message);
  // The same for a unit of a stream.
  void await(const StreamLine& unit);
  // Adds a line of a stream, in the order of all connections.
  void add(const StreamLine& line, std::uint32_t connection = 1);
  std::string steps() const;
  std::uint64_t messages() const { return messages_; }
  std::uint64_t raw_messages() const { return raw_; }  // messages for which the language has no words

 private:
  // The message that a line has to send.
  struct Wanted {
    Octets message;
    Octets wire;  // the octets of the stream that carry the message; for a datagram: the message
  };
  std::optional<What> said(Side sender, const Wanted& wanted);
  using Names = std::vector<std::string>;
  bool name_field(What& what, Side sender, const Wanted& wanted, const Speaker::Draft& draft, const Names& refused);
  bool name_frame(What& what, Side sender, const Wanted& wanted, const Speaker::Draft& draft);
  std::string name_of(Side side) const;  // "a", or "a#2" in the second connection
  bool writes(const What& what, Side sender, const Wanted& wanted);
  void write_time(std::int64_t time_ns);
  void write_line(Side sender, const Wanted& wanted, std::string_view end);
  void write_gap(const StreamLine& line);
  void remember(Side sender, Octets message);
  void name_sources(const What& what);

  const Language& language_;
  Speaker speaker_;
  std::uint32_t connection_ = 1;  // connection of the line that is written
  std::string steps_;
  std::optional<std::int64_t> before_ns_;
  std::uint64_t messages_ = 0, raw_ = 0;
  IdOrigins origins_;
  // The line of a message that offered an id, in the order of the numbers of IdOrigins.
  struct Source {
    std::size_t end;        // where the line ends in steps_
    bool is_named = false;  // a later line uses the id, so steps() lets the line say `as`
  };
  std::vector<Source> sources_;
  std::map<std::string, std::size_t> variables_;  // their names in the script: "m1"
};

// The settings and the heading before the steps.
struct Heading {
  std::string_view protocol;
  std::string name;     // name of the part
  std::string purpose;  // one sentence
  std::array<Endpoint, 2> ends;
  std::vector<std::array<Endpoint, 2>> further_ends = {};  // the first is connection 2
  std::string_view over = {};                              // the protocol below; empty: the usual one
  bool is_midstream = false;                               // the capture does not contain the beginning
  std::optional<Side> iut = {};                            // set if it is a case against this side
  std::vector<std::string> features = {};
  std::string revision = {};
};
std::string to_text(const Heading& heading);

}  // namespace wirelaw::script
