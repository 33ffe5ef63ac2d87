// SPDX-License-Identifier: Apache-2.0
// For tests of deviations: conversations in which each of them shows, on the wire, in memory or in what an application
// gets. A is the requester, B the responder.
#pragma once

#include "reference/efa/test_world.h"

namespace wirelaw::efa {

using Transcript = std::vector<std::string>;

struct Script {
  World world;
  std::vector<std::uint64_t> keys;  // of B's memory
  bool injected = false;            // a packet that neither endpoint has sent

  Script(const Options& a, const Options& b, const Deviations& on_a, const Deviations& on_b, Weather sky = {},
         std::uint64_t seed = 3)
      : world(a, b, sky, seed, on_a, on_b) {}

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
  // The other direction, so that both sides send of everything.
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

using Run = void (*)(Script&);
struct Scene {
  Options a, b;
  Run run;
  Weather sky = {};
};

// Packets are small, so that little data makes many of them.
inline Options small(Options options = {}) {
  options.mtu = 1024;
  options.max_medium = 4'000;
  options.credits = 2;
  options.runt_octets = 2'000;
  return options;
}
inline Options told(Options options) {
  options = small(options);
  options.host_id = 7;
  options.device_version = 9;
  return options;
}
inline Options constant() {
  return small(with_extras({Extra::constant_header_length}));
}
inline Options without_registrations() {
  Options options = told(with_rdma());
  options.registrations = 0;
  return options;
}
inline Options before_wrap() {
  Options options = small();
  options.first_msg_id = 0xffffffff;
  return options;
}

inline void inject_to_both(Script& script, const OctetBuffer& octets) {
  script.meet();
  script.inject(kA, octets);
  script.inject(kB, octets);
  script.message(5, {});
  script.answer();
}

inline OctetBuffer hex(std::string_view text) {
  return *from_hex(text);
}

// 0 where a deviation kept the packet from going.
inline std::uint32_t send_id_of(const Script& script, PacketType type) {
  for (const Seen& one : script.world.seen)
    if (one.packet.is(type)) return one.packet.send_id;
  return 0;
}

// A CTS for nothing, in place of the peer's.
inline void inject_zero_window(Script& script, PeerId to, PacketType names_the_operation) {
  Packet packet = packet_of(PacketType::cts);
  packet.send_id = send_id_of(script, names_the_operation);
  script.inject(to, encode(packet));
}

inline std::vector<Scene> scenes() {
  const Options rdma = told(with_rdma());
  return {
      {rdma, rdma,
       [](Script& script) {
         script.meet();
         script.message(100, {});
         script.message(100, {}, 4);
         script.message(3'000, Transfer::medium);
         script.message(8'000, Transfer::long_cts);
         script.message(8'000, Transfer::long_read, 4);
         script.message(8'000, Transfer::runting_read);
         script.answer();
       }},
      {{},
       {},
       [](Script& script) {
         script.message(10, {}, {}, true);
         script.message(3'000, {}, 4, true);
         script.message(8'000, {}, {}, true);
         script.message(10, {}, {}, true, false);
         script.message(10, {}, 4, false, false);
       }},
      {{},
       with_extras({}),
       [](Script& script) {
         script.meet();
         script.message(10, {}, {}, true);
       }},
      {{},
       constant(),
       [](Script& script) {
         script.meet();
         script.message(10, {});
       }},
      {rdma, without_registrations(),
       [](Script& script) {
         script.meet();
         script.message(8'000, Transfer::long_read);
         script.message(8'000, Transfer::runting_read, 4);
       }},
      {rdma, without_registrations(),
       [](Script& script) {  // a RUNTREAD packet is lost
         script.meet();
         script.world.passes = [](PeerId, const OctetBuffer& octets) { return octets[0] != 145 || octets[24] == 0; };
         script.message(8'000, Transfer::runting_read);
       }},
      {small(with_extras({Extra::rdma_read})), without_registrations(),
       [](Script& script) {
         script.meet();
         script.message(8'000, Transfer::long_read);
       }},
      {rdma, rdma,
       [](Script& script) {
         script.meet();
         const RmaIov small = script.region(100);
         script.world.a.write(kB, {.data = pattern(100), .to = {small}}, script.world.now);
         const RmaIov region = script.region(8'000);
         const auto write = [&](std::size_t octets, std::optional<Transfer> transfer, bool dc) {
           script.world.a.write(kB,
                                {.data = pattern(octets),
                                 .to = {{region.addr, octets, region.key}},
                                 .cq_data = 3,
                                 .delivery_complete = dc,
                                 .transfer = transfer},
                                script.world.now);
           script.world.run();
         };
         write(100, {}, false);
         write(50, {}, true);
         write(8'000, Transfer::long_cts, false);
         write(7'000, Transfer::long_cts, true);
         write(6'000, Transfer::long_read, false);
       }},
      {told({}), told({}),
       [](Script& script) {
         script.meet();
         const RmaIov region = script.region(8'000);
         script.world.a.read(kB, {.from = {{region.addr, 100, region.key}}}, script.world.now);
         script.world.run();
         script.world.a.read(kB, {.from = {region}}, script.world.now);
         script.world.run();
       }},
      {{},
       {},
       [](Script& script) {
         script.meet();
         const RmaIov region = script.region(8);
         for (const AtomicCall call : {AtomicCall::write, AtomicCall::fetch, AtomicCall::compare}) {
           const bool compares = call == AtomicCall::compare;
           script.world.a.atomic(kB,
                                 {.call = call,
                                  .op = compares ? AtomicOp::cswap_ne : AtomicOp::sum,
                                  .operand = pattern(8, 3),
                                  .compare = OctetBuffer(compares ? 8 : 0),
                                  .on = {region}},
                                 script.world.now);
           script.world.run();
         }
         script.world.a.atomic(kB, {.operand = pattern(8), .on = {region}, .delivery_complete = true},
                               script.world.now);
         script.message(5, {});
       }},
      {{},
       {},
       [](Script& script) {
         script.meet();
         const RmaIov region = script.region(8);
         for (unsigned i = 0; i < 12; ++i) {
           script.world.b.post_receive({.octets = 100}, script.world.now);
           script.world.a.send(kB, {.data = pattern(5, i)}, script.world.now);
           script.world.a.atomic(
               kB, {.op = i % 2 == 0 ? AtomicOp::sum : AtomicOp::prod, .operand = pattern(8, i + 1), .on = {region}},
               script.world.now);
         }
         script.world.run();
       },
       {.reorder = true}},
      {before_wrap(), before_wrap(),
       [](Script& script) {
         script.meet();
         script.message(5, {});
         script.message(6, {});
       }},
      {{},
       {},
       [](Script& script) {  // tags, and what nobody may touch
         script.meet();
         script.world.b.post_receive({.octets = 9, .tag = ReceiveCall::TagMatch{1, 0}}, script.world.now);
         script.world.a.send(kB, {.data = {1}, .tag = 2}, script.world.now);
         script.world.a.write(kB, {.data = {1}, .to = {{1, 1, 1}}}, script.world.now);
         script.world.run();
         script.message(5, {});
       }},
      {{},
       {},
       [](Script& script) {  // a packet comes again, on either side
         script.meet();
         script.answer();
         script.world.b.post_receive({.octets = 100}, script.world.now);
         script.inject(kB, OctetBuffer(script.world.seen.front().octets));
         const OctetBuffer again = script.world.seen.back().octets;
         script.inject(kA, again);
         script.message(5, {});
         script.answer();
       }},
      {{},
       {},
       [](Script& script) {  // another connid
         script.meet();
         for (const PeerId to : {kA, kB}) {
           script.world.to(to).post_receive({.octets = 100}, script.world.now);
           Packet packet = packet_of(PacketType::eager_msgrtm);
           packet.flags |= flag::kConnid;
           packet.msg_id = to == kB ? 1 : 0;
           packet.connid = 0x12345678;
           script.inject(to, encode(packet));
         }
       }},
      {{},
       {},
       [](Script& script) {  // a HANDSHAKE comes first
         for (const PeerId to : {kA, kB}) script.inject(to, hex("09040000 04000000 0200000000000000"));
         script.message(5, {});
       }},
      {small(), small(), [](Script& script) { inject_to_both(script, hex("4004")); }},
      {small(), small(), [](Script& script) { inject_to_both(script, hex("4d040000 00000000")); }},
      {small(), small(), [](Script& script) { inject_to_both(script, hex("40050400 01000000")); }},
      {small(), small(), [](Script& script) { inject_to_both(script, hex("0a044000 00000000 00000000 00000000")); }},
      {small(), small(), [](Script& script) { inject_to_both(script, hex("07040000 05000000 00000000 00000000")); }},
      {small(), small(), [](Script& script) { inject_to_both(script, hex("09040000 04000000 8000000000000000")); }},
      {small(), small(), [](Script& script) { inject_to_both(script, hex("09040000 04000000 0200000000000000 01")); }},
      {small(), small(), [](Script& script) { inject_to_both(script, hex("09040000 04000000 0200000000000000")); }},
      {{},
       {},
       [](Script& script) {
         script.meet();
         script.world.passes = [](PeerId from, const OctetBuffer& octets) { return from != kB || octets[0] != 3; };
         script.message(8'000, Transfer::long_cts);
         inject_zero_window(script, kA, PacketType::longcts_msgrtm);
         script.world.passes = {};
         script.message(5, {});
       }},
      {told({}), told({}),
       [](Script& script) {
         script.meet();
         script.world.passes = [](PeerId from, const OctetBuffer& octets) { return from != kA || octets[0] != 3; };
         script.world.a.read(kB, {.from = {script.region(8'000)}}, script.world.now);
         script.world.run();
         inject_zero_window(script, kB, PacketType::readrsp);
         script.message(5, {}, {}, true);
       }},
  };
}

}  // namespace wirelaw::efa
