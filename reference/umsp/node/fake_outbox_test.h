// SPDX-License-Identifier: Apache-2.0
// For tests: keeps everything that is sent.
#pragma once

#include <deque>

#include "reference/umsp/node/outbox.h"

namespace wirelaw::umsp {

class FakeOutbox final : public Outbox {
 public:
  void send(NodeAddress, Draft draft, std::optional<LinkId>) override { sent.push_back(std::move(draft)); }
  void send_datagram(NodeAddress, Draft draft, std::optional<LinkId>) override { sent.push_back(std::move(draft)); }
  std::uint32_t new_request() override { return ++requests; }

  std::deque<Draft> sent;
  std::uint32_t requests = 0;
};

}  // namespace wirelaw::umsp
