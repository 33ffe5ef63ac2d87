// SPDX-License-Identifier: Apache-2.0
// Messages and the receives that are posted for them, each in its order: tag matching, directed receives, and messages
// that come before their receive (3.2).
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
  std::uint32_t reception = 0;  // its recv_id
};

class Matcher {
 public:
  // A receive is posted: the message that it takes, else the receive waits.
  std::optional<std::uint32_t> post(const PostedReceive& receive);
  // A message begins: the receive that takes it, else the message waits. `any_tag`: whatever its tag.
  std::optional<PostedReceive> arrive(const UnexpectedMessage& message, bool any_tag = false);
  // The message does not wait any more.
  void forget(std::uint32_t reception);

  std::size_t posted() const { return posted_.size(); }
  std::size_t unexpected() const { return unexpected_.size(); }

 private:
  std::list<PostedReceive> posted_;
  std::list<UnexpectedMessage> unexpected_;
};

}  // namespace wirelaw::efa
