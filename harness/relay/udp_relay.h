// SPDX-License-Identifier: Apache-2.0
// All datagrams through a relay. Each address of an initiator is a flow with its own socket towards the responder, so
// that the responder sees initiators at different addresses. Flows end when they have been idle.
#pragma once

#include <asio/io_context.hpp>
#include <asio/ip/udp.hpp>
#include <chrono>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/relay/hostile_faults.h"
#include "harness/relay/network_plan.h"
#include "harness/relay/played_network.h"
#include "harness/relay/relay_counts.h"
#include "harness/relay/relay_recording.h"

namespace wirelaw {

struct UdpRelayContext {
  asio::io_context& context;
  RelayRecording& recording;
  RelayCounts& counts;
  const pcap::Endpoint to;  // the responder
  const NetworkPlan plan;
  const std::uint64_t seed;
  const HostileFaults& faults;
  OctetBuffer buffer;  // receives each datagram
};

class UdpRelay {
 public:
  using Clock = std::chrono::steady_clock;

  // `near` is bound to the address that initiators send to. With `most` flows open, a new one replaces one that has
  // been idle for a second. If there is none, the relay drops the datagram and records that.
  UdpRelay(asio::ip::udp::socket& near, UdpRelayContext shared, std::size_t most);
  UdpRelay(const UdpRelay&) = delete;
  UdpRelay& operator=(const UdpRelay&) = delete;

  void start() { await_initiators(); }
  // Nothing has passed since `since`, and nothing is held back.
  bool is_idle(Clock::time_point since) const { return last_passed_ < since && network_.is_empty(); }
  // Ends the flows on which nothing has passed for a minute.
  void end_idle();

 private:
  struct Flow {
    Flow(asio::io_context& context, std::uint64_t seed, std::uint64_t its_number,
         std::optional<script::TriggerRun> its_faults)
        : number(its_number),
          far(context),
          dice{Dice(seed_of(seed, number, false)), Dice(seed_of(seed, number, true))},
          faults(std::move(its_faults)) {}

    const std::uint64_t number;
    pcap::Endpoint initiator;
    asio::ip::udp::socket far;
    pcap::Endpoint local;  // the address of `far`
    Dice dice[2];          // [1]: from the initiator
    std::optional<script::TriggerRun> faults;
    Clock::time_point last_arrival[2] = {};    // due time of the latest datagram that keeps its order; by direction
    std::vector<std::string> remarks[2] = {};  // for the next frame of a leg; [1]: the initiator's
    std::uint32_t dropped = 0;                 // datagrams that the system discarded unread
    bool is_reached = false;                   // the responder has sent something
    Clock::time_point last_passed = Clock::now();
    std::list<std::shared_ptr<Flow>>::iterator place;  // its position in by_use_
  };
  using FlowHandle = std::shared_ptr<Flow>;  // datagrams in flight may outlive the flow's entry in the table

  void await_initiators();
  void await_responder(const FlowHandle& flow);
  void receive_near();
  void receive_far(const FlowHandle& flow);
  FlowHandle flow_of(const pcap::Endpoint& initiator);
  FlowHandle add_flow(const pcap::Endpoint& initiator);
  bool make_room();
  void remove(const FlowHandle& flow);
  void drop(const pcap::Endpoint& initiator, Octets octets);
  void arrive(const FlowHandle& flow, bool from_initiator, Octets octets);
  void record_arrival(const Flow& flow, bool from_initiator, Octets octets, std::span<const std::string> comments);
  void pass(const FlowHandle& flow, bool from_initiator, Octets octets, const PlayedNetwork::Fate& fate, Instant delay);
  asio::error_code send(Flow& flow, bool from_initiator, Octets octets);
  void deliver(const FlowHandle& flow, bool from_initiator, Octets octets);
  void refused(Flow& flow, const std::string& why);

  asio::ip::udp::socket& near_;
  UdpRelayContext shared_;
  const std::size_t most_;
  pcap::Endpoint listens_;
  std::unordered_map<pcap::Endpoint, FlowHandle> flows_;  // by the initiator's address
  std::list<FlowHandle> by_use_;                          // least recently used first
  PlayedNetwork network_;
  std::uint32_t dropped_ = 0;  // datagrams that the system discarded at `near_`
  Clock::time_point last_passed_ = Clock::now();
};

}  // namespace wirelaw
