// SPDX-License-Identifier: Apache-2.0
// A relay between an initiator and a responder, over TCP or UDP, or a transparent one, which forwards frames. It plays
// the faults of a network, and records what each of the two legs carried. It has one thread, and nothing that it keeps
// grows without bound. It judges nothing (harness/commands/relay.cc).
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "harness/relay/hostile_faults.h"
#include "harness/relay/network_plan.h"
#include "harness/relay/peer_networks.h"
#include "harness/relay/relay_counts.h"
#include "harness/relay/relay_recording.h"
#include "harness/transports/refusal.h"
#include "harness/transports/trigger_process.h"
#include "pcap/address.h"

namespace wirelaw {

struct RelayPlace {
  std::string host;  // an address or a name
  std::uint16_t port = 0;
};

struct RelayOptions {
  RelayPlace listen;  // port 0: any
  RelayPlace to;
  bool datagrams = false;  // UDP; else TCP
  // The relay forwards frames: between `networks`, or, if there are none, between two guests, in datagrams from `to`
  // and to `listen` (cable_between_guests()).
  bool is_transparent = false;
  const std::array<PeerNetwork, 2>* networks = nullptr;
  std::uint16_t port = 0;            // the responder listens here (transparent relay only); 0: unknown
  std::size_t connections = 10'000;  // at most, open at the same time; for datagrams: flows
  NetworkPlan network = {};
  std::uint64_t seed = 1;
  HostileFaults faults = {};
};

// When a relay ends. It resets the connections that are still open; after the trigger has ended, it first waits for
// them for a bounded time.
struct RelayUntil {
  const std::atomic<int>& signal;  // ends the relay if it is not 0
  std::optional<std::chrono::steady_clock::time_point> time = {};
  const TriggerProcess* trigger = nullptr;  // the relay ends after it, once its connections have ended
};

class Relay {
 public:
  // Starts to listen. The error says which place is wrong, and why.
  static tl::expected<Relay, Refusal> open(const RelayOptions& options);
  Relay(Relay&&) noexcept;
  Relay& operator=(Relay&&) noexcept;
  ~Relay();

  const pcap::Endpoint& local() const;   // the address at which it listens
  const pcap::Endpoint& remote() const;  // the address of the responder

  // Forwards until the end, or until the recording has an error.
  RelayCounts run(RelayRecording& recording, const RelayUntil& until);

 private:
  class Inner;
  explicit Relay(std::unique_ptr<Inner> inner);

  std::unique_ptr<Inner> inner_;
};

}  // namespace wirelaw
