// SPDX-License-Identifier: Apache-2.0
// The application of harness/peers/rdmap_peer.h above a consumer, whose device has the wire: devices are tested with
// it. It differs from the reference peer's application in what verbs hide: the device negotiates the start, nothing
// shows whether a Send was solicited, and there is no fall-back to another revision.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "conformance/verbs.h"
#include "harness/peers/peer_application.h"

namespace wirelaw::verbs {

// Handles one connection. The consumer outlives it, and has no other user.
class ConsumerApplication {
 public:
  virtual ~ConsumerApplication() = default;
  // Handles what has arrived; never waits.
  virtual void proceed() = 0;
  // The time at which to call proceed() even if nothing has arrived.
  virtual std::optional<Instant> deadline() const { return std::nullopt; }
  virtual bool is_over() const = 0;
  // The number of an initiator's rounds that failed.
  virtual std::uint64_t failed() const { return 0; }
  virtual std::string state() const = 0;  // one line of text
};

// `above` answers, and outlives it.
std::unique_ptr<ConsumerApplication> make_responder(Consumer& consumer, PeerApplication& above);
// Connects, makes the rounds of the request, and disconnects.
std::unique_ptr<ConsumerApplication> make_initiator(Consumer& consumer, const TriggerRequest& request);

// Takes the next completion without waiting. Returns nothing if there is none or the device has failed.
inline std::optional<Wc> next_wc(Consumer& consumer, Cq cq) {
  auto wc = consumer.poll_cq(cq, consumer.now());
  return wc ? *wc : std::nullopt;
}
inline std::optional<CmEvent> next_cm_event(Consumer& consumer) {
  auto event = consumer.cm_event(consumer.now());
  return event ? std::move(*event) : std::nullopt;
}

}  // namespace wirelaw::verbs
