// SPDX-License-Identifier: Apache-2.0
// The other end of a connection to a peer that is driven through verbs, when a consumer has that end and the tester
// does not speak the wire protocol. It is an honest device; the code that carries its octets feeds it.
#pragma once

#include <optional>

#include "conformance/verbs.h"
#include "reference/endpoint.h"

namespace wirelaw {

class FarEnd {
 public:
  virtual ~FarEnd() = default;

  // It never waits.
  virtual verbs::Consumer& consumer() = 0;

  // --- the transport's side
  virtual bool wants_connection() = 0;  // for an initiator: true once, when a connection has been requested
  virtual void opened(Instant now) = 0;
  virtual void receive(Octets octets, Instant now) = 0;
  virtual void ended(Ending ending, Instant now) = 0;
  virtual void advance(Instant now) = 0;
  virtual std::optional<Instant> deadline() const = 0;
  // The next octets to send; false if there are none.
  virtual bool next_octets(OctetBuffer& out) = 0;
  // Returns how it ended its direction, once next_octets() returns nothing more.
  virtual Ending ending() const = 0;
};

}  // namespace wirelaw
