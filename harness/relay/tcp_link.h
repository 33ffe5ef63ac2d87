// SPDX-License-Identifier: Apache-2.0
// One TCP connection through the relay, made of two legs. The relay reads from one side only what the other takes. It
// passes a FIN on after all octets before it, and a RST once the octets that it has accepted were sent.
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

// State shared by the connections of a relay. It outlives them.
struct TcpLinkContext {
  asio::io_context& context;
  RelayRecording& recording;
  RelayCounts& counts;
  const pcap::Endpoint to;  // the responder
  const NetworkPlan plan;
  const std::uint64_t seed;
  const HostileFaults& faults;
  OctetBuffer buffer;  // receives each read
};

// Shared with the handlers that Asio still holds when the connection ends.
class TcpLink : public std::enable_shared_from_this<TcpLink> {
 public:
  // `near` is the socket accepted from `initiator`. The link calls `over` once, when both legs have ended.
  TcpLink(TcpLinkContext& shared, asio::ip::tcp::socket near, const pcap::Endpoint& initiator, std::uint64_t number,
          std::function<void()> over);

  // Dials the responder. Reads nothing from the initiator before the responder has accepted. If it does not accept, the
  // initiator's leg is reset.
  void start();
  // Resets both legs. The recording states that the relay did so, and `why`.
  void cut(std::string_view why);

 private:
  using Socket = asio::ip::tcp::socket;
  using Code = asio::error_code;

  // One direction, from its sender to its receiver.
  struct Way {
    Way(TcpLinkContext& shared, std::uint64_t seed) : dice(seed), timer(shared.context) {}

    OctetBuffer held = {};          // octets that were read and that the receiver has not taken
    bool is_over = false;           // no more octets pass
    bool sender_has_reset = false;  // known before all octets ahead of the reset were read
    Dice dice;
    std::size_t until_cut = 0;               // octets left in the piece that is being written
    asio::steady_timer timer;                // times the delay of octets
    std::deque<script::Passing> steps = {};  // the octets read, as the triggers changed them
    bool is_ending = false;                  // the sender has closed; held octets pass first
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
  std::optional<StreamLeg> far_leg_;  // set once the responder has accepted
  Way ways_[2];                       // [1] from the initiator
  std::optional<script::TriggerRun> faults_;
  asio::steady_timer timer_;   // times the dial and the end
  std::uint64_t passed_ = 0;   // octets in both directions together
  bool has_answered_ = false;  // the responder has sent something
  bool discards_ = false;      // the relay has closed both legs and discards what it reads
  bool is_ending_ = false;     // a leg is being reset
  bool resets_near_ = false, resets_far_ = false;
  bool is_over_ = false;
  std::function<void()> over_;
};

}  // namespace wirelaw
