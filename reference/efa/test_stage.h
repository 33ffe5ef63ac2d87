// SPDX-License-Identifier: Apache-2.0
// For tests of deviations: the script of a conversation between two endpoints. A is the requester, B the responder.
#pragma once

#include "reference/efa/test_world.h"

namespace wirelaw::efa {

using Transcript = std::vector<std::string>;

struct Stage {
  World world;
  std::vector<std::uint64_t> keys;  // keys of B's memory
  bool injected = false;            // a packet that neither endpoint has sent

  Stage(const Options& a, const Options& b, const Deviations& on_a, const Deviations& on_b, NetworkFaults faults = {},
        std::uint64_t seed = 3)
      : world(a, b, faults, seed, on_a, on_b) {}

  RmaIov region(std::size_t octets) {
    const RmaIov iov = world.b.memory().add(OctetBuffer(octets, 1), Access::read_write);
    keys.push_back(iov.key);
    return iov;
  }
  void meet() {
    world.b.post_receive({.octets = 8}, world.now);
    world.a.send(kB, {.data = pattern(8), .cq_data = 5}, world.now);
    world.run();
  }
  void message(std::size_t octets, std::optional<Transfer> transfer, std::optional<std::uint64_t> tag = {},
               bool dc = false, bool posted = true) {
    const ReceiveCall receive{.octets = octets,
                              .tag = tag ? std::optional(ReceiveCall::TagMatch{*tag, 0}) : std::nullopt};
    if (posted) world.b.post_receive(receive, world.now);
    world.a.send(kB, {.data = pattern(octets), .tag = tag, .cq_data = 6, .delivery_complete = dc, .transfer = transfer},
                 world.now);
    world.run();
    if (!posted) world.b.post_receive(receive, world.now);
    world.run();
  }
  // Uses the other direction, so that both sides send all kinds of packets.
  void answer() {
    world.a.post_receive({.octets = 3'000}, world.now);
    world.b.send(kA, {.data = pattern(20)}, world.now);
    world.run();
  }
  void inject(PeerId to, const OctetBuffer& octets) {
    injected = true;
    world.to(to).receive(to == kA ? kB : kA, octets, world.now);
    world.run();
  }
  Transcript end() {
    world.wait();
    for (const std::uint64_t key : keys) world.log.push_back(digest(world.b.memory().octets(key)));
    return world.log;
  }
};

using Run = void (*)(Stage&);
struct Scene {
  Options a, b;
  Run run;
  NetworkFaults faults = {};
};

// Options with small packets, so that little data needs many of them.
inline Options small(Options options = {}) {
  options.mtu = 1024;
  options.max_medium = 4'000;
  options.credits = 2;
  options.runt_octets = 2'000;
  return options;
}
inline Options all_blocks(Options options) {
  options = small(options);
  options.host_id = 7;
  options.device_version = 9;
  return options;
}
inline Options constant() {
  return small(with_extras({Extra::constant_header_length}));
}
inline Options announces_nothing() {
  return small(with_extras({}));
}
inline Options without_registrations() {
  Options options = all_blocks(with_rdma());
  options.registrations = 0;
  return options;
}
inline Options before_wrap() {
  Options options = small();
  options.first_msg_id = 0xffffffff;
  return options;
}

inline void inject_to_both(Stage& script, const OctetBuffer& octets) {
  script.meet();
  script.inject(kA, octets);
  script.inject(kB, octets);
  script.message(5, {});
  script.answer();
}

inline OctetBuffer hex(std::string_view text) {
  return *from_hex(text);
}

// Returns 0 if a deviation prevented the packet.
inline std::uint32_t send_id_of(const Stage& script, PacketType type) {
  for (const Seen& one : script.world.seen)
    if (one.packet.is(type)) return one.packet.send_id;
  return 0;
}

// Sends a CTS for `octets` octets instead of the peer's.
inline void inject_window(Stage& script, PeerId to, PacketType names_the_operation, std::uint64_t octets) {
  Packet packet = packet_of(PacketType::cts);
  packet.send_id = send_id_of(script, names_the_operation);
  packet.recv_length = octets;
  script.inject(to, encode(packet));
}

}  // namespace wirelaw::efa
