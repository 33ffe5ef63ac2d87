// SPDX-License-Identifier: Apache-2.0
// How a case reaches the implementation under test. The interfaces are here because cases use them; the transports
// themselves (memory, UDP, …) are in harness/transports/.
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
  // There is no such way (Route) to the IUT here, which says nothing of the IUT: a case that needs it is skipped.
  bool no_way = false;
};

// The wire of one conversation with a peer. Messages (UDP, SRD) keep their boundaries; a stream (TCP) gives octets as
// they come, and has an end.
class Wire {
 public:
  virtual ~Wire() = default;

  virtual tl::expected<void, TransportError> send(Octets message) = 0;
  // Waits until something arrives or `deadline` has passed; nothing where it has. An error where the peer is gone.
  virtual tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) = 0;
  // The transport's clock: virtual in memory, monotonic elsewhere.
  virtual Instant now() const = 0;

  // --- of a stream alone
  // Ends our direction (FIN), or both at once (RST). Nothing can be sent afterwards.
  virtual void end(Ending) {}
  // How the peer has ended its direction, once receive() has given everything that was before it; receive() gives
  // nothing from then on, at once.
  virtual Ending ending() const { return Ending::none; }
};

class Offers;

// Where the two ends of a conversation are.
struct Ends {
  Endpoint tester, iut;
};

// What a case has of a conversation: its wire, and what there is beyond it (conformance/offers.h).
class Transport : public Wire {
 public:
  virtual const Offers& offers() const = 0;
  // Whether it is a stream; messages otherwise.
  virtual bool is_stream() const = 0;
  // Nothing where an end has no address that is known, as long as nobody has connected to a listening tester.
  virtual std::optional<Ends> ends() const { return std::nullopt; }
};

}  // namespace wirelaw
