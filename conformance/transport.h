// SPDX-License-Identifier: Apache-2.0
// The interfaces through which a case reaches the implementation under test. The transports (memory, UDP, …) are in
// harness/transports/.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "reference/endpoint.h"
#include "reference/network/address.h"
#include "reference/octets/octets.h"

namespace wirelaw {

struct TransportError {
  std::string message;  // one line: what failed, with the address
  std::string hint;     // what to do about it
  // The route (Route) does not exist here. That shows nothing about the IUT, so a case that needs the route is skipped.
  bool no_way = false;
};

// The wire of one conversation with a peer. Messages (UDP, SRD) keep their boundaries. A stream (TCP) delivers octets
// as they arrive, and has an end.
class Wire {
 public:
  virtual ~Wire() = default;

  virtual tl::expected<void, TransportError> send(Octets message) = 0;
  // Waits until something arrives or `deadline` passes. Empty if the deadline passes. An error if the peer is gone.
  virtual tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) = 0;
  // The transport's clock: virtual in memory, monotonic elsewhere.
  virtual Instant now() const = 0;

  // --- streams only
  // Ends our direction (FIN), or both directions (RST). Nothing can be sent afterwards.
  virtual void end(Ending) {}
  // Returns how the peer ended its direction. Set once receive() has returned everything before the end; from then on
  // receive() returns empty at once.
  virtual Ending ending() const { return Ending::none; }
};

class Offers;

// The addresses of the two ends of a conversation.
struct Ends {
  Endpoint tester, iut;
};

// The two parts that a case gets from a conversation: its wire, and its further offers (conformance/offers.h).
class Transport : public Wire {
 public:
  virtual const Offers& offers() const = 0;
  // True for a stream, false for messages.
  virtual bool is_stream() const = 0;
  // Empty if the address of an end is unknown, or if nobody has connected to a listening tester yet.
  virtual std::optional<Ends> ends() const { return std::nullopt; }
};

}  // namespace wirelaw
