// SPDX-License-Identifier: Apache-2.0
// For tests of deviations: conversations with reordered or duplicated packets, several operations at once, and rare
// actions of an honest requester.
#pragma once

#include "reference/efa/test_stage.h"

namespace wirelaw::efa {

inline Options asks_for_one_packet() {
  Options options = small();
  options.credit_request = 1;
  return options;
}

// Sends several messages of several segments at once, in both directions, and reads.
inline void use_many_segments(Stage& script) {
  script.meet();
  World& world = script.world;
  const RmaIov region = script.region(8'000);
  for (const PeerId from : {kA, kB}) {
    Endpoint& to = from == kA ? world.b : world.a;
    for (int i = 0; i < 6; ++i) to.post_receive({.octets = 4'000}, world.now);
    for (unsigned i = 0; i < 3; ++i) {
      world.to(from).send(from == kA ? kB : kA, {.data = pattern(3'000, i), .transfer = Transfer::medium}, world.now);
      world.to(from).send(from == kA ? kB : kA, {.data = pattern(20, i)}, world.now);
    }
  }
  world.a.read(kB, {.from = {region}}, world.now);
  world.run();
}

// Sends a message that is longer than its receive.
inline void exceed_a_receive(Stage& script) {
  script.meet();
  script.world.b.post_receive({.octets = 3}, script.world.now);
  script.world.a.send(kB, {.data = pattern(10)}, script.world.now);
  script.world.run();
  script.message(5, {});
}

inline void double_many_segments(Stage& script) {
  script.injected = true;  // more duplicates than UDP would make
  use_many_segments(script);
}

// Sends several long messages at once.
inline void send_long_messages_at_once(Stage& script) {
  script.meet();
  for (unsigned i = 0; i < 2; ++i) {
    script.world.b.post_receive({.octets = 8'000}, script.world.now);
    script.world.a.send(kB, {.data = pattern(8'000, i), .transfer = Transfer::long_cts}, script.world.now);
  }
  script.world.run();
}

inline void send_a_long_message(Stage& script) {
  script.meet();
  script.message(8'000, Transfer::long_cts);
}

inline void send_twice(Stage& script) {
  script.meet();
  script.message(5, {});
}

// The network loses a READRSP.
inline void lose_a_readrsp(Stage& script) {
  script.injected = true;
  script.meet();
  script.world.passes = [](PeerId, const OctetBuffer& octets) { return octets[0] != 5; };
  script.world.a.read(kB, {.from = {script.region(8'000)}}, script.world.now);
  script.world.run();
  script.message(5, {});
}

// The network loses a HANDSHAKE.
inline void lose_a_handshake(Stage& script) {
  script.injected = true;
  script.world.passes = [](PeerId from, const OctetBuffer& octets) { return from != kA || octets[0] != 9; };
  script.meet();
  script.message(5, {});
}

// Sends a message to the requester before its receive is posted.
inline void send_before_the_receive(Stage& script) {
  script.meet();
  script.world.b.send(kA, {.data = pattern(20)}, script.world.now);
  script.world.run();
  script.world.a.post_receive({.octets = 20}, script.world.now);
  script.world.run();
}

// Sends a message that RUNTREAD packets carry completely.
inline void send_a_whole_runt(Stage& script) {
  script.meet();
  script.message(1'500, Transfer::runting_read);
}

// The device fails RDMA operations.
inline void fail_rdma(Stage& script) {
  script.meet();
  script.world.rdma_fails = true;
  script.message(8'000, Transfer::long_read);
  script.message(5, {});
}

// Writes to memory that is not registered, and to memory in two parts.
inline void write_beyond_memory(Stage& script) {
  script.meet();
  const RmaIov region = script.region(100);
  const auto write = [&](const std::vector<RmaIov>& to, std::size_t octets) {
    script.world.a.write(kB, {.data = pattern(octets, 9), .to = to}, script.world.now);
    script.world.run();
  };
  write({{region.addr + 30, 10, region.key + 100}}, 10);
  write({{region.addr + 95, 10, region.key}}, 10);
  write({{region.addr, 10, region.key}, {region.addr + 50, 20, region.key}}, 30);
}

// Reads no octets, and does reading atomics.
inline void read_nothing(Stage& script) {
  script.meet();
  const RmaIov region = script.region(8);
  script.world.a.atomic(kB, {.call = AtomicCall::fetch, .op = AtomicOp::atomic_read, .on = {region}}, script.world.now);
  script.world.run();
  script.world.a.read(kB, {.from = {{region.addr, 0, region.key}}}, script.world.now);
  script.world.run();
  script.world.a.write(kB, {.data = pattern(8, 3), .to = {region}}, script.world.now);
  script.world.run();
  for (const std::uint64_t at : {0u, 4u})
    script.world.a.read(kB, {.from = {{region.addr + at, 4, region.key}}}, script.world.now);
  script.world.run();
  script.message(5, {});
}

inline std::vector<Scene> rough_scenes() {
  const Options rdma = all_blocks(with_rdma());
  return {
      {small(), small(), exceed_a_receive},
      {all_blocks({}), all_blocks({}), use_many_segments, {.reordering = 1}},
      {all_blocks({}), all_blocks({}), double_many_segments, {.duplication = 1}},
      {all_blocks({}), all_blocks({}), send_long_messages_at_once},
      {asks_for_one_packet(), small(), send_a_long_message},
      {small(), announces_nothing(), send_twice},
      {all_blocks({}), all_blocks({}), lose_a_readrsp},
      {small(), small(), lose_a_handshake},
      {small(), small(), send_before_the_receive},
      {rdma, rdma, send_a_whole_runt},
      {rdma, rdma, fail_rdma},
      {small(), small(), write_beyond_memory},
      {small(), small(), read_nothing},
  };
}

}  // namespace wirelaw::efa
