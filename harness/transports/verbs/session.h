// SPDX-License-Identifier: Apache-2.0
// The consumers of a run, which share a connection manager, and the applications above them. All run in one thread:
// while one of them waits, it waits for the others too, and lets them proceed.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>

#include "harness/peers/verbs/application.h"
#include "harness/transports/verbs/listener.h"

namespace wirelaw::verbs {

// A consumer and what is above it.
struct Seat {
  // The consumer; none if a case drives it.
  std::unique_ptr<LiveConsumer> consumer;
  std::unique_ptr<ConsumerApplication> application;
  // For a responder that awaits its connection request: the address that it must come from. Port 0: any port.
  std::optional<pcap::Endpoint> awaits;
  pcap::Endpoint from = {};  // for a responder: the sender of the connection request
  bool is_taken = true;      // false: the peer connected by itself, and no case has taken it
};

class Session {
 public:
  // The application above responders.
  using Above = std::function<std::unique_ptr<ConsumerApplication>(LiveConsumer& consumer)>;
  static tl::expected<std::unique_ptr<Session>, TransportError> create(Above above, const LiveClock& clock = {});
  // The application of the suite.
  static tl::expected<std::unique_ptr<Session>, TransportError> create(Service above);

  tl::expected<void, TransportError> listen(const DeviceAddress& at);
  // Gives a new seat to requests that no seat awaits, up to this many seats; without this call, they are rejected.
  void take_all(std::size_t most) { most_taken_ = most; }
  // The first of them that has not been taken; nullptr if there is none.
  Seat* take_next();
  const VerbsListener& listener() const { return *listener_; }

  // Adds the consumer of a connection that will be requested from this address.
  tl::expected<Seat*, TransportError> add_responder(const pcap::Endpoint& from);
  tl::expected<Seat*, TransportError> add_initiator(const DeviceAddress& to,
                                                    const std::optional<DeviceAddress>& from = {});
  void remove(const Seat* seat);
  void clear() { seats_.clear(); }
  // Takes away those whose connection is over.
  void remove_ended();

  // Lets each seat handle what has arrived for it.
  tl::expected<void, TransportError> pump();
  // Waits until something arrives, here or at one of `others`, or until a seat's deadline.
  void wait(std::vector<pollfd> others, Instant deadline);

  const LiveClock& clock() const { return clock_; }
  std::string state() const;
  // The number of waits that ended because something had arrived.
  std::uint64_t events() const { return events_; }

 private:
  Session(std::unique_ptr<Manager> manager, Above above, const LiveClock& clock)
      : manager_(std::move(manager)), clock_(clock), above_(std::move(above)) {}

  void asked(CmEvent event, rdma_cm_id* fresh, const pcap::Endpoint& from);
  tl::expected<Seat*, TransportError> add_responder(ibv_context* device);

  std::unique_ptr<Manager> manager_;
  LiveClock clock_;
  Above above_;
  std::unique_ptr<VerbsListener> listener_;
  std::list<Seat> seats_;
  std::size_t most_taken_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace wirelaw::verbs
