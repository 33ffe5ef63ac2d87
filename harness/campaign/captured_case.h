// SPDX-License-Identifier: Apache-2.0
// A captured conversation as a case. It sends again what the tester's role sent there, and adopts what the peer chooses
// differently this time (identifiers, tokens, keys). It requires nothing of the answers, and continues if one does not
// arrive: it is there to be mutated, and the observer judges it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "conformance/case.h"
#include "conformance/dialect.h"

namespace wirelaw::campaign {

struct CapturedMessage {
  bool from_iut = false;
  OctetBuffer octets;
  friend bool operator==(const CapturedMessage&, const CapturedMessage&) = default;
};

struct CapturedConversation {
  std::string id;  // "capture/night.pcapng-1"
  std::vector<CapturedMessage> messages;
  friend bool operator==(const CapturedConversation&, const CapturedConversation&) = default;
};

// Tracks what a live peer has chosen differently from the recorded one: later messages get the live peer's value.
class Follower {
 public:
  Follower(const Protocol& carried, const edits::Dialect& dialect) : carried_(carried), dialect_(dialect) {}
  void heard(Octets recorded, Octets live);
  OctetBuffer followed(Octets recorded) const;

 private:
  struct Choice {
    std::string field;
    OctetBuffer recorded, live;
  };
  const Protocol& carried_;
  const edits::Dialect& dialect_;
  std::vector<Choice> choices_;
};

// `conversation` outlives it, as its id does.
Case case_of(const CapturedConversation& conversation, Role iut, const Protocol& carried);

// The key of a conversation in the JSON of an input or a finding that changes it.
inline constexpr const char* kCapturedKey = "captured_conversation";

// True if this is the id of such a case.
constexpr bool is_captured(std::string_view id) {
  return id.starts_with("capture/");
}

// The conversations between the protocol's initiator and responder in a capture, or in a script (*.wirelaw). The IUT is
// the side that plays `iut`. The error is one line.
tl::expected<std::vector<CapturedConversation>, std::string> conversations_in(const std::string& file,
                                                                              const Protocol& carried, Role iut);

nlohmann::ordered_json to_json(const CapturedConversation& conversation);
tl::expected<CapturedConversation, std::string> conversation_of(const nlohmann::ordered_json& json);

}  // namespace wirelaw::campaign
