// SPDX-License-Identifier: Apache-2.0
// What the receiver of a message has reported of it in ACKs (RAMCLOUD/R18).
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud {

class Reported {
 public:
  static constexpr std::size_t kKept = 32;  // ACKs that differ

  bool empty() const { return acks_.empty(); }
  // Adds an ACK. Returns an earlier one that contradicts it; both cannot be true. The ACKs before are then forgotten,
  // since any of them may be wrong.
  std::optional<Ack> add(const Ack& ack);
  void clear() { acks_.clear(); }
  std::size_t memory() const { return acks_.capacity() * sizeof(Ack); }

 private:
  std::vector<Ack> acks_;
};

// A receiver loses nothing that it has: of two ACKs of one message, in whatever order they were sent, one reports all
// that the other one does, as far as both can. Returns true if neither does.
bool contradict(const Ack& one, const Ack& other);

}  // namespace wirelaw::ramcloud
