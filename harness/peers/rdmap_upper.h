// SPDX-License-Identifier: Apache-2.0
// A peer of a protocol above RDMAP: its connections are reference endpoints, and above each is what the protocol makes
// of them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "harness/peers/peer.h"
#include "reference/rdmap/endpoint.h"

namespace wirelaw::rdmap {

// Above one connection. It posts work at the endpoint, and gets what that reports.
class UpperLayer {
 public:
  virtual ~UpperLayer() = default;

  // The connection is there. An initiator gives the private data of its request.
  virtual OctetBuffer begin(Endpoint&) { return {}; }
  virtual void take(Event& event, Endpoint& below, Instant now) = 0;
  // Time has passed, and when advance() wants to be called next.
  virtual void advance(Endpoint&, Instant) {}
  virtual std::optional<Instant> deadline() const { return std::nullopt; }
  // Nothing that was asked for is under way.
  virtual bool idle() const { return true; }
};

using MakeUpperLayer = std::function<std::unique_ptr<UpperLayer>(const TriggerRequest& request)>;

// `make` is asked for each connection; of a responder the request has no meaning.
std::unique_ptr<Peer> make_upper_peer(Role role, const Options& options, std::uint64_t seed, MakeUpperLayer make);

}  // namespace wirelaw::rdmap
