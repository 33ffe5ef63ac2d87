// SPDX-License-Identifier: Apache-2.0
// Breaches that are held back because a replaced endpoint (4.4), whose first packets were not captured, would explain
// them: two packets with one message ID, which one endpoint gives to one message (3.2), a packet with another connid,
// or one that contradicts what the peer announced. They fail their rules once connids exclude a replacement.
#pragma once

#include <span>
#include <vector>

#include "conformance/efa/tracker/facts.h"
#include "conformance/judge.h"

namespace wirelaw::efa {

class HeldBreaches {
 public:
  // Called for every packet after it has been judged, with the breaches held back for it.
  void settle(Judge& judge, std::span<const HeldBack> all_held, const PresenceFact& fact);

 private:
  // Waits until the other side next shows its connid.
  struct OfMessage {
    HeldBack held;
    Side sender = Side::a;
  };
  // Waits until each side shows its connid long after this time.
  struct OfEndpoint {
    HeldBack held;
    std::int64_t time_ns = 0;
    PresenceFact::Awaited awaited;
  };

  void hold(std::span<const HeldBack> all_held, const PresenceFact& fact);

  std::vector<OfMessage> of_messages_;
  std::vector<OfEndpoint> of_endpoints_;
  std::uint64_t beginnings_ = 0;  // PresenceFact::beginnings of those in `of_messages_`
};

// The endpoint was seen long before and long since: these breaches have no other explanation.
void settle_of_same_endpoint(Judge& judge, std::span<const HeldBack> all_held);

}  // namespace wirelaw::efa
