// SPDX-License-Identifier: Apache-2.0
// Conversations as scripts: the shortest lines that give the same octets again.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "conformance/script/conversation.h"

namespace wirelaw::script {

// One conversation of datagrams, message by message. Its text is a part of a script file.
class ConversationWriter {
 public:
  // Side a and side b are at these addresses.
  ConversationWriter(const Language& language, const std::array<Endpoint, 2>& ends);

  // A message at this time. `wire_length` is more than its octets if the capture cut it.
  void add(Side sender, Octets message, std::size_t wire_length, std::int64_t time_ns);
  // A message that may come out otherwise next time: the script waits for whatever comes.
  void await(Side sender, Octets message);
  const std::string& steps() const { return steps_; }
  std::uint64_t messages() const { return messages_; }
  std::uint64_t raw_messages() const { return raw_; }  // that the language has no words for

 private:
  std::optional<What> said(Side sender, Octets message);
  bool writes(const What& what, Side sender, Octets message);

  const Language& language_;
  Speaker speaker_;
  std::string steps_;
  std::optional<std::int64_t> before_ns_;
  std::uint64_t messages_ = 0, raw_ = 0;
};

// The settings and the heading that go before the steps.
struct Heading {
  std::string_view protocol;
  std::string name;     // names the part
  std::string purpose;  // one sentence
  std::array<Endpoint, 2> ends;
  std::optional<Side> iut = {};  // it is a case against this side
  std::vector<std::string> features = {};
  std::string revision = {};
};
std::string to_text(const Heading& heading);

}  // namespace wirelaw::script
