// SPDX-License-Identifier: Apache-2.0
// A peer for a protocol above RDMAP. Its connections are reference endpoints. Above each is the protocol's part.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "harness/peers/peer.h"
#include "reference/rdmap/endpoint.h"

namespace wirelaw::rdmap {

// The upper layer of one connection. It posts work to the endpoint, and gets its events.
class UpperLayer {
 public:
  virtual ~UpperLayer() = default;

  // The connection is established. An initiator returns the private data for its request.
  virtual OctetBuffer begin(Endpoint&, Instant) { return {}; }
  virtual void take(Event& event, Endpoint& below, Instant now) = 0;
  // Time has passed, and when advance() wants to be called next.
  virtual void advance(Endpoint&, Instant) {}
  virtual std::optional<Instant> deadline() const { return std::nullopt; }
  // The peer has ended the connection, and its own side stays open: no end is sent.
  virtual bool leaves_open() const { return false; }
  // True if no request is in progress.
  virtual bool idle() const { return true; }
};

// The results of a peer's work, as text and for the caller that triggered it.
struct UpperCounts {
  std::uint64_t done = 0;
  std::uint64_t failed = 0;
  std::string error;  // from the last operation that failed
};

// `counts` outlive the result.
using MakeUpperLayer = std::function<std::unique_ptr<UpperLayer>(const TriggerRequest& request, UpperCounts& counts)>;

// A connection that a case drives from above (Peer::offer).
struct UpperConnection {
  UpperLayer& above;
  Endpoint& below;
};
// Adds the offers that a case may drive. `reach` returns the connection as long as it exists. Everything that the case
// does with it is sent.
using ReachUpper = std::function<std::optional<UpperConnection>()>;
using OfferUpper = std::function<void(Offers& offers, ReachUpper reach, VirtualTime& time)>;

// `make` is called for each connection; for a responder, the request has no meaning.
std::unique_ptr<Peer> make_upper_peer(Role role, const Options& options, std::uint64_t seed, MakeUpperLayer make,
                                      OfferUpper offer = {});

}  // namespace wirelaw::rdmap
