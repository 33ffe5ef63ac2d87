// SPDX-License-Identifier: Apache-2.0
// The reference: a server and a client, over datagrams and over streams.
#include "harness/peers/peer.h"

#include <fmt/format.h>

#include <array>
#include <deque>
#include <map>
#include <memory>

#include "harness/peers/peer_deviations.h"
#include "harness/peers/reference_peers.h"
#include "harness/toy/toy.h"
#include "reference/deviation_rows.h"

namespace wirelaw::toy {

extern const ReferencePeer kReferencePeer;

std::span<const DeviationRow<Deviation>> all_deviations() {
  static constexpr std::array<DeviationEntry<Deviation>, kDeviations> kRows{{
      {Deviation::sets_reserved, Role::any, "1", "The reserved octet is sent as one."},
      {Deviation::answers_another_number, Role::responder, "2", "A PONG has a number too high."},
      {Deviation::answers_once, Role::responder, "2", "No PING but the first is answered."},
      {Deviation::repeats_a_number, Role::initiator, "2", "Every PING is number 1."},
  }};
  static constexpr auto kDescribed = described(kRows);
  return kDescribed;
}

namespace {

// A peer that reassembles messages from octets in any pieces.
class ToyPeer : public Peer {
 public:
  explicit ToyPeer(const Deviations& deviations) : deviations_(deviations) {}

  void receive(PeerId from, Octets octets, Instant) override {
    OctetBuffer& held = held_[from];
    held.insert(held.end(), octets.begin(), octets.end());
    while (held.size() >= layout::kMessage) {
      if (const auto packet = decode(Octets(held).first(layout::kMessage))) {
        ++received_;
        take(from, *packet);
      }
      held.erase(held.begin(), held.begin() + layout::kMessage);
    }
  }
  void ended(PeerId from, Ending, Instant) override {
    held_.erase(from);
    out_.push_back({.to = from, .ending = Ending::closed});
  }
  void advance(Instant) override {}
  std::optional<Instant> deadline() const override { return std::nullopt; }
  bool next_datagram(Outgoing& out) override {
    if (out_.empty()) return false;
    out = std::move(out_.front());
    out_.pop_front();
    return true;
  }
  bool trigger(PeerId, const TriggerRequest&, Instant) override { return false; }
  bool idle() const override { return true; }
  std::uint64_t failed() const override { return 0; }
  std::string state() const override { return fmt::format("toy: {} messages received\n", received_); }

 protected:
  virtual void take(PeerId from, const Packet& packet) = 0;
  void send(PeerId to, Packet packet) {
    if (deviations_.has(Deviation::sets_reserved)) packet.reserved = 1;
    out_.push_back({.to = to, .octets = encode(packet)});
  }
  bool deviates(Deviation deviation) const { return deviations_.has(deviation); }

 private:
  Deviations deviations_;
  std::map<PeerId, OctetBuffer> held_;
  std::deque<Outgoing> out_;
  std::uint64_t received_ = 0;
};

class ServerPeer final : public ToyPeer {
 public:
  using ToyPeer::ToyPeer;

 protected:
  void take(PeerId from, const Packet& packet) override {
    if (packet.type != Type::ping || (deviates(Deviation::answers_once) && packet.number != 1)) return;
    const unsigned wrong = deviates(Deviation::answers_another_number) ? 7 : 0;
    send(from, {.type = Type::pong, .number = static_cast<std::uint16_t>(packet.number + wrong)});
  }
};

class ClientPeer final : public ToyPeer {
 public:
  using ToyPeer::ToyPeer;

  void opened(PeerId to, Instant) override { ask(to); }
  bool trigger(PeerId to, const TriggerRequest& request, Instant) override {
    left_ = request.count;
    ask(to);
    return true;
  }
  bool idle() const override { return left_ == 0 && !waiting_; }

 protected:
  void take(PeerId from, const Packet& packet) override {
    if (packet.type != Type::pong) return;
    waiting_ = false;
    ask(from);
  }

 private:
  // Sends the next PING.
  void ask(PeerId to) {
    if (waiting_ || left_ == 0) return;
    --left_;
    waiting_ = true;
    number_ = deviates(Deviation::repeats_a_number) ? 1 : static_cast<std::uint16_t>(number_ + 1);
    send(to, {.type = Type::ping, .number = number_});
  }

  unsigned left_ = 0;
  bool waiting_ = false;
  std::uint16_t number_ = 0;
};

constexpr PeerSides kSides{.protocol = "toy", .responder_name = "a server", .initiator_name = "a client"};

tl::expected<MakePeer, std::string> peer_maker(const PeerOptions& options) {
  const auto deviations = deviations_of<Deviations>(options, kSides);
  if (!deviations) return tl::unexpected(deviations.error());
  return
      [initiates = options.role == Role::initiator, deviations = *deviations](std::uint64_t) -> std::unique_ptr<Peer> {
        if (initiates) return std::make_unique<ClientPeer>(deviations);
        return std::make_unique<ServerPeer>(deviations);
      };
}

}  // namespace

constinit const ReferencePeer kReferencePeer{.protocol = "toy",
                                             .maker = peer_maker,
                                             .deviations = [] { return deviation_names<Deviations>(); },
                                             .datagrams_beside = true};

}  // namespace wirelaw::toy
