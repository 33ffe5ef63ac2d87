// SPDX-License-Identifier: Apache-2.0
// How a case reaches the implementation under test. The interface is here because cases use it; the carriages
// themselves (memory, UDP, …) are in harness/.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "reference/endpoint.h"
#include "reference/octets/octets.h"

namespace wirelaw {

struct CarriageError {
  std::string message;  // one line: what failed, with the address
  std::string hint;     // what to do about it
};

// One conversation with a peer. Message carriages (UDP, SRD) keep boundaries; stream carriages (TCP) give octets as
// they come, and have an end.
class Carriage {
 public:
  virtual ~Carriage() = default;

  virtual tl::expected<void, CarriageError> send(Octets message) = 0;
  // Waits until something arrives or `deadline` has passed; nothing where it has. An error where the peer is gone.
  virtual tl::expected<std::optional<OctetBuffer>, CarriageError> receive(Instant deadline) = 0;
  // The carriage's clock: virtual in memory, monotonic elsewhere.
  virtual Instant now() const = 0;

  // --- of a stream alone
  // Ends our direction (FIN), or both at once (RST). Nothing can be sent afterwards.
  virtual void end(Ending) {}
  // How the peer has ended its direction, once receive() has given everything that was before it; receive() gives
  // nothing from then on, at once.
  virtual Ending ending() const { return Ending::none; }
};

}  // namespace wirelaw
