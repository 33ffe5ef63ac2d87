// SPDX-License-Identifier: Apache-2.0
// A relay that is the wire: it forwards Ethernet frames and ends nothing. Addresses, TCP connections and
// acknowledgments are those of the peers.
#pragma once

#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/relay/cable.h"
#include "harness/relay/frame_edits.h"
#include "harness/relay/hostile_faults.h"
#include "harness/relay/network_plan.h"
#include "harness/relay/played_network.h"
#include "harness/relay/relay_counts.h"
#include "harness/relay/relay_recording.h"

namespace wirelaw {

// All of these outlive the relay. The recording has legs (RelayRecording::Legs::on_interfaces).
struct TransparentRelayContext {
  asio::io_context& context;
  RelayRecording& recording;
  RelayCounts& counts;
  const NetworkPlan& plan;
  std::uint64_t seed = 1;
  std::uint16_t port = 0;       // where the responder listens; 0: unknown
  const HostileFaults& faults;  // none if the port is unknown
  std::size_t flows = 10'000;   // at most so many have faults at the same time
};

class TransparentRelay {
 public:
  using Clock = PlayedNetwork::Clock;

  TransparentRelay(Cable& cable, const TransparentRelayContext& shared);

  void start();
  // No frame but of ARP has passed since `since`, and none waits.
  bool is_idle(Clock::time_point since) const {
    return last_passed_ < since && network_.is_empty() && !(edits_ && edits_->next_due());
  }
  // Tells the recording what the system has dropped since the last call.
  void count_dropped();

 private:
  void arrive(bool from_initiator, Octets frame);
  void note(bool from_initiator, Octets frame);
  void say_lost(bool to_initiator, std::string_view why);
  void forward(bool from_initiator, Octets frame, const PlayedNetwork::Fate& fate, Instant delay = Instant{0},
               const std::vector<std::string>& comments = {});
  void await_message();
  void deliver(bool from_initiator, Octets frame, std::vector<std::string> comments);

  Cable& cable_;
  RelayRecording& recording_;
  RelayCounts& counts_;
  const std::uint16_t port_;
  PlayedNetwork network_;
  std::optional<FrameEdits> edits_;      // if there are faults
  asio::steady_timer timer_;             // times how long frames wait for the end of their message
  Dice dice_[2];                         // by sender; [1]: the initiator
  Clock::time_point last_arrival_[2]{};  // as PlayedNetwork::pass() wants it; likewise
  // The number of frames that could not be delivered since the latest frame to the same peer, and why the first of them
  // was not. [1]: frames to the initiator
  std::uint64_t undelivered_[2]{};
  std::string why_undelivered_[2];
  std::uint64_t dropped_ = 0;
  Clock::time_point last_passed_ = Clock::now();
};

}  // namespace wirelaw
