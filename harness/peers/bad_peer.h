// SPDX-License-Identifier: Apache-2.0
// For tests: peers that misbehave in every way, in every protocol.
#pragma once

#include <deque>
#include <string_view>

#include "harness/peers/peer.h"

namespace wirelaw {

enum class Conduct : std::uint8_t {
  silent,     // takes what it is sent, and sends nothing
  closing,    // closes its direction of each connection immediately; answers each datagram with an empty one
  resetting,  // the same, but both directions
  mirror,     // sends back what it gets
  garbage,    // sends the same octets over and over, which are no message of any protocol
};
inline constexpr Conduct kConducts[] = {Conduct::silent, Conduct::closing, Conduct::resetting, Conduct::mirror,
                                        Conduct::garbage};

constexpr std::string_view to_string(Conduct conduct) {
  constexpr std::string_view kNames[] = {"silent", "closing", "resetting", "mirror", "garbage"};
  return kNames[static_cast<std::size_t>(conduct)];
}

class BadPeer final : public Peer {
 public:
  BadPeer(Conduct conduct, bool streams) : conduct_(conduct), streams_(streams) {}

  void opened(PeerId who, Instant) override { begin(who); }
  void receive(PeerId from, Octets octets, Instant) override {
    if (conduct_ == Conduct::mirror) out_.push_back({from, OctetBuffer(octets.begin(), octets.end())});
    if (conduct_ == Conduct::garbage) out_.push_back({from, garbage()});
    if (conduct_ == Conduct::closing && !streams_) out_.push_back({from, {}});
  }
  bool trigger(PeerId whom, const TriggerRequest&, Instant) override {
    if (!streams_) begin(whom);
    return true;
  }
  bool next_datagram(Outgoing& datagram) override {
    if (out_.empty()) return false;
    datagram = std::move(out_.front());
    out_.pop_front();
    return true;
  }
  void advance(Instant) override {}
  std::optional<Instant> deadline() const override { return std::nullopt; }
  bool idle() const override { return true; }
  std::uint64_t failed() const override { return 0; }
  std::string state() const override { return std::string(to_string(conduct_)) + " peer\n"; }

 private:
  static OctetBuffer garbage() { return OctetBuffer(61, Octet{0xdb}); }
  void begin(PeerId who) {
    if (conduct_ == Conduct::garbage) out_.push_back({who, garbage()});
    if (!streams_) return;
    if (conduct_ == Conduct::closing) out_.push_back({who, {}, Ending::closed});
    if (conduct_ == Conduct::resetting) out_.push_back({who, {}, Ending::reset});
  }

  Conduct conduct_;
  bool streams_;
  std::deque<Outgoing> out_;
};

}  // namespace wirelaw
