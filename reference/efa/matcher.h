// SPDX-License-Identifier: Apache-2.0
// Matches messages with posted receives, each in their order: tag matching, directed receives, and messages that arrive
// before their receive (3.2).
#pragma once

#include <cstdint>
#include <list>
#include <optional>

#include "reference/efa/call.h"

namespace wirelaw::efa {

struct PostedReceive {
  OperationId id = 0;
  ReceiveCall call;
};

struct UnexpectedMessage {
  PeerId peer = 0;
  bool tagged = false;
  std::uint64_t tag = 0;
  std::uint32_t reception = 0;  // recv_id of the message
};

class Matcher {
 public:
  // A receive is posted: returns the message that matches it; else the receive waits.
  std::optional<std::uint32_t> post(const PostedReceive& receive);
  // A message begins: returns the receive that matches it; else the message waits. `any_tag`: ignore its tag.
  std::optional<PostedReceive> arrive(const UnexpectedMessage& message, bool any_tag = false);
  // Removes a waiting message.
  void forget(std::uint32_t reception);

  std::size_t posted() const { return posted_.size(); }
  std::size_t unexpected() const { return unexpected_.size(); }

 private:
  std::list<PostedReceive> posted_;
  std::list<UnexpectedMessage> unexpected_;
};

}  // namespace wirelaw::efa
