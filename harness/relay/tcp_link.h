// SPDX-License-Identifier: Apache-2.0
// One TCP connection through the relay: two legs, each a connection of its own. The relay reads from one side only what
// the other takes, passes a FIN on after all octets before it, and a RST after what it has accepted was sent.
#pragma once

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "conformance/transport.h"
#include "harness/relay/hostile_faults.h"
#include "harness/relay/network_plan.h"
#include "harness/relay/relay_counts.h"
#include "harness/relay/relay_recording.h"

namespace wirelaw {

// What the connections of a relay share. All of it outlives them.
struct TcpLinkContext {
  asio::io_context& context;
  RelayRecording& recording;
  RelayCounts& counts;
  const pcap::Endpoint to;  // the responder
  const NetworkPlan plan;
  const std::uint64_t seed;
  const HostileFaults& faults;
  OctetBuffer buffer;  // for what is being read
};

// Shared with the handlers that Asio still holds when it ends.
class TcpLink : public std::enable_shared_from_this<TcpLink> {
 public:
  // `near` was accepted from `initiator`. `over` is called once, when both legs have ended.
  TcpLink(TcpLinkContext& shared, asio::ip::tcp::socket near, const pcap::Endpoint& initiator, std::uint64_t number,
          std::function<void()> over);

  // Dials the responder. Nothing is read from the initiator before the responder has accepted; if it does not, the
  // initiator's leg is reset.
  void start();
  // Resets both legs; the recording says that the relay did it, and `why`.
  void cut(std::string_view why);

 private:
  using Socket = asio::ip::tcp::socket;
  using Code = asio::error_code;

  // One direction, from its sender to its receiver.
  struct Way {
    Way(TcpLinkContext& shared, std::uint64_t seed) : dice(seed), timer(shared.context) {}

    OctetBuffer held = {};          // read, and not taken by the receiver
    bool is_over = false;           // nothing more passes
    bool sender_has_reset = false;  // known before the octets in front of it were read
    Dice dice;
    std::size_t until_cut = 0;               // octets of the piece that is being written
    asio::steady_timer timer;                // of the delay
    std::deque<script::Passing> steps = {};  // what triggers have made of octets that were read
    bool is_ending = false;                  // the sender has closed; what is held passes first
  };

  // --- the index `w` of a direction: 1 from the initiator, 0 from the responder. Both legs are opened by the side that
  // is nearer to the initiator, so it also says which side of a leg sends.
  Socket& sender(bool w) { return w ? near_ : far_; }
  Socket& receiver(bool w) { return sender(!w); }
  StreamLeg& arrival(bool w) { return w ? near_leg_ : *far_leg_; }
  StreamLeg& departure(bool w) { return arrival(!w); }

  void dialled(const Code& code);
  void refuse(const std::string& why);
  void await_octets(bool w);
  void read(bool w);
  void delay(bool w, Octets octets);
  void pass(bool w, Octets octets);
  bool write(bool w, Octets octets);
  void go_on(bool w);
  bool play_step(bool w);
  void write_held(bool w);
  void pass_held(bool w);
  std::size_t next_piece(Way& way, std::size_t most);
  void sender_ended(bool w, Ending how);
  void receiver_is_gone(bool w, std::size_t lost);
  void close_way(bool w);
  bool is_end_due() const;
  void play_end(bool w, bool closes);
  void reset_legs(bool near, bool far);
  void look_whether_sent(unsigned tries);
  void abort(Socket& socket);
  void finish();

  TcpLinkContext& shared_;
  const std::uint64_t number_;
  Socket near_, far_;
  StreamLeg near_leg_;
  std::optional<StreamLeg> far_leg_;  // once the responder has accepted
  Way ways_[2];                       // [1] from the initiator
  std::optional<script::TriggerRun> faults_;
  asio::steady_timer timer_;   // of the dial and of the end
  std::uint64_t passed_ = 0;   // octets, both ways
  bool has_answered_ = false;  // the responder has sent something
  bool discards_ = false;      // after it has closed both legs: what comes goes nowhere
  bool is_ending_ = false;     // legs are being reset
  bool resets_near_ = false, resets_far_ = false;
  bool is_over_ = false;
  std::function<void()> over_;
};

}  // namespace wirelaw
