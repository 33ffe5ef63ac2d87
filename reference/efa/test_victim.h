// SPDX-License-Identifier: Apache-2.0
// For tests of what a hostile peer can do: an endpoint whose peer's packets are written by hand.
#pragma once

#include "reference/efa/test_world.h"

namespace wirelaw::efa {

inline constexpr PeerId kStranger = 9;

inline OctetBuffer hex(std::string_view text) {
  return *from_hex(text);
}

// An endpoint and a peer whose packets are written by hand.
struct Victim {
  explicit Victim(Options options = with_rdma()) : endpoint(options, 1) {}

  void take(const Packet& packet, PeerId from = kStranger) { endpoint.receive(from, encode(packet), now); }
  void take(std::string_view text) { endpoint.receive(kStranger, hex(text), now); }
  std::vector<Seen> sent() {
    std::vector<Seen> all;
    Outgoing out;
    while (endpoint.next_datagram(out)) all.emplace_back(out.to, out.octets);
    return all;
  }
  std::vector<Completion> done() {
    std::vector<Completion> all;
    Completion completion;
    while (endpoint.next_completion(completion)) all.push_back(completion);
    return all;
  }
  // A HANDSHAKE that announces everything.
  void shake_hands() {
    take("09040000 04000000 7f00000000000000");
    sent();
  }
  Packet last(PacketType type) {
    Packet found;
    for (kept = sent(); const Seen& one : kept)
      if (one.packet.is(type)) found = one.packet;
    EXPECT_TRUE(found.is(type));
    return found;
  }

  Instant now{};
  Endpoint endpoint;
  std::vector<Seen> kept;
};

inline Packet eager(std::uint32_t msg_id, Octets payload) {
  Packet packet = packet_of(PacketType::eager_msgrtm);
  packet.msg_id = msg_id;
  packet.payload = payload;
  return packet;
}

inline Options tight() {
  Options options = with_rdma();
  options.held_octets = 100'000;
  options.max_operations = 64;
  options.max_peers = 8;
  options.most_gaps = 16;
  return options;
}

inline void expect_bounded(const Endpoint& endpoint) {
  ASSERT_LE(endpoint.octets_held(), 100'000u);
  ASSERT_LE(endpoint.operations(), 128u);
  ASSERT_LE(endpoint.peers(), 8u);
}

}  // namespace wirelaw::efa
