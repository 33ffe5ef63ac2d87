// SPDX-License-Identifier: Apache-2.0
// The interface through which the parts of a node send. The node owns the connections and knows where each leads.
#pragma once

#include <cstdint>
#include <optional>

#include "reference/endpoint.h"
#include "reference/umsp/draft.h"
#include "reference/umsp/node/node_address.h"

namespace wirelaw::umsp {

// A TCP connection, or a datagram exchange with one address, as numbered by the caller of the node.
using LinkId = PeerId;

class Outbox {
 public:
  virtual ~Outbox() = default;

  // Sends over TCP, on an existing connection or a new one. `on`: use this connection if it still exists, so that
  // answers return on the connection of the request.
  virtual void send(NodeAddress to, Draft draft, std::optional<LinkId> on = {}) = 0;
  // Sends over UDP (3.4, 9).
  virtual void send_datagram(NodeAddress to, Draft draft, std::optional<LinkId> on = {}) = 0;
  // REQ_IDs of management instructions belong to the protocol layer (4); those of outstanding requests differ.
  virtual std::uint32_t new_request() = 0;
};

}  // namespace wirelaw::umsp
