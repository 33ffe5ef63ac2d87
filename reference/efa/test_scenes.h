// SPDX-License-Identifier: Apache-2.0
// For tests of deviations: conversations that make each deviation visible on the wire, in memory or in an application's
// result. A is the requester, B the responder.
#pragma once

#include "reference/efa/test_forged_scenes.h"
#include "reference/efa/test_rough_scenes.h"
#include "reference/efa/test_stage.h"

namespace wirelaw::efa {

inline void send_messages(Stage& script) {
  script.meet();
  script.message(100, {});
  script.message(100, {}, 4);
  script.message(3'000, Transfer::medium);
  script.message(8'000, Transfer::long_cts);
  script.message(8'000, Transfer::long_read, 4);
  script.message(8'000, Transfer::runting_read);
  script.answer();
}

inline void deliver_completely(Stage& script) {
  script.message(10, {}, {}, true);
  script.message(3'000, {}, 4, true);
  script.message(8'000, {}, {}, true);
  script.message(10, {}, {}, true, false);
  script.message(10, {}, 4, false, false);
}

inline void deliver_completely_unannounced(Stage& script) {
  script.meet();
  script.message(10, {}, {}, true);
}

inline void meet_and_send(Stage& script) {
  script.meet();
  script.message(10, {});
}

inline void refuse_registrations(Stage& script) {
  script.meet();
  script.message(8'000, Transfer::long_read);
  script.message(8'000, Transfer::runting_read, 4);
}

// The network loses a RUNTREAD packet.
inline void lose_a_runt(Stage& script) {
  script.meet();
  script.world.passes = [](PeerId, const OctetBuffer& octets) { return octets[0] != 145 || octets[24] == 0; };
  script.message(8'000, Transfer::runting_read);
}

inline void be_read_without_nack(Stage& script) {
  script.meet();
  script.message(8'000, Transfer::long_read);
}

inline void write_every_way(Stage& script) {
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
}

inline void read_every_way(Stage& script) {
  script.meet();
  const RmaIov region = script.region(8'000);
  script.world.a.read(kB, {.from = {{region.addr, 100, region.key}}}, script.world.now);
  script.world.run();
  script.world.a.read(kB, {.from = {region}}, script.world.now);
  script.world.run();
}

inline void do_atomics(Stage& script) {
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
  script.world.a.atomic(kB, {.operand = pattern(8), .on = {region}, .delivery_complete = true}, script.world.now);
  script.message(5, {});
}

inline void mix_messages_and_atomics(Stage& script) {
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
}

inline void wrap_msg_ids(Stage& script) {
  script.meet();
  script.message(5, {});
  script.message(6, {});
}

// Uses tags, and accesses memory that neither side may access.
inline void touch_what_is_not_registered(Stage& script) {
  script.meet();
  script.world.b.post_receive({.octets = 9, .tag = ReceiveCall::TagMatch{1, 0}}, script.world.now);
  script.world.a.send(kB, {.data = {1}, .tag = 2}, script.world.now);
  script.world.a.write(kB, {.data = {1}, .to = {{1, 1, 1}}}, script.world.now);
  script.world.run();
  script.message(5, {});
}

// Repeats a packet to either side.
inline void repeat_packets(Stage& script) {
  script.meet();
  script.answer();
  script.world.b.post_receive({.octets = 100}, script.world.now);
  script.inject(kB, OctetBuffer(script.world.seen.front().octets));
  const OctetBuffer again = script.world.seen.back().octets;
  script.inject(kA, again);
  script.message(5, {});
  script.answer();
}

// Sends a packet with another connid.
inline void use_another_connid(Stage& script) {
  script.meet();
  for (const PeerId to : {kA, kB}) {
    script.world.to(to).post_receive({.octets = 100}, script.world.now);
    Packet packet = packet_of(PacketType::eager_msgrtm);
    packet.flags |= flag::kConnid;
    packet.msg_id = to == kB ? 1 : 0;
    packet.connid = 0x12345678;
    script.inject(to, encode(packet));
  }
}

// Begins with a HANDSHAKE.
inline void begin_with_handshakes(Stage& script) {
  for (const PeerId to : {kA, kB}) script.inject(to, hex("09040000 04000000 0200000000000000"));
  script.message(5, {});
}

inline void allow_no_data(Stage& script) {
  script.meet();
  script.world.passes = [](PeerId from, const OctetBuffer& octets) { return from != kB || octets[0] != 3; };
  script.message(8'000, Transfer::long_cts);
  inject_window(script, kA, PacketType::longcts_msgrtm, 0);
  script.world.passes = {};
  script.message(5, {});
}

inline void allow_no_data_of_a_read(Stage& script) {
  script.meet();
  script.world.passes = [](PeerId from, const OctetBuffer& octets) { return from != kA || octets[0] != 3; };
  script.world.a.read(kB, {.from = {script.region(8'000)}}, script.world.now);
  script.world.run();
  inject_window(script, kB, PacketType::readrsp, 0);
  script.message(5, {}, {}, true);
}

// Later documents: every block in the HANDSHAKE, and PEER_ERROR.
inline Options of_main() {
  Options options = all_blocks(with_rdma());
  options.extra_info.front() |= extra_bits({Extra::peer_error});
  options.p2p_supported = true;
  return options;
}

// A read fails, and the sender of a message does not wait for its CTS any longer.
inline void give_messages_up(Stage& script) {
  script.meet();
  script.world.rdma_fails = true;
  script.message(8'000, Transfer::long_read);
  script.world.rdma_fails = false;
  const OperationId send =
      script.world.a.send(kB, {.data = pattern(8'000), .transfer = Transfer::long_cts}, script.world.now);
  script.world.run();
  script.world.a.give_up(send, script.world.now);
  script.message(5, {});
}

// Begins with the HANDSHAKE of a peer that has a user receive QP.
inline void meet_a_user_recv_qp(Stage& script) {
  script.inject(kA, hex("09040400 04000000 8000000000000000 4d000000 b4b2b1b0"));
  script.message(5, {});
}

// Does an RDMA write, with immediate data if that is possible.
inline void write_directly(Stage& script) {
  script.meet();
  script.world.a.write(kB, {.data = pattern(100), .to = {script.region(100)}, .cq_data = 3, .direct = true},
                       script.world.now);
  script.world.run();
}

inline std::vector<Scene> scenes() {
  const Options rdma = all_blocks(with_rdma());
  std::vector<Scene> all = {
      {rdma, rdma, send_messages},
      {{}, {}, deliver_completely},
      {{}, with_extras({}), deliver_completely_unannounced},
      {{}, constant(), meet_and_send},
      {rdma, without_registrations(), refuse_registrations},
      {rdma, without_registrations(), lose_a_runt},
      {small(with_extras({Extra::rdma_read})), without_registrations(), be_read_without_nack},
      {rdma, rdma, write_every_way},
      {rdma, with_unsolicited_receives(), write_directly},
      {all_blocks({}), all_blocks({}), read_every_way},
      {{}, {}, do_atomics},
      {{}, {}, mix_messages_and_atomics, {.reordering = 1}},
      {before_wrap(), before_wrap(), wrap_msg_ids},
      {{}, {}, touch_what_is_not_registered},
      {{}, {}, repeat_packets},
      {{}, {}, use_another_connid},
      {{}, {}, begin_with_handshakes},
      {small(), small(), [](Stage& script) { inject_to_both(script, hex("4004")); }},
      {small(), small(), [](Stage& script) { inject_to_both(script, hex("4d040000 00000000")); }},
      {small(), small(), [](Stage& script) { inject_to_both(script, hex("40050400 01000000")); }},
      {small(), small(), [](Stage& script) { inject_to_both(script, hex("0a044000 00000000 00000000 00000000")); }},
      {small(), small(), [](Stage& script) { inject_to_both(script, hex("07040000 05000000 00000000 00000000")); }},
      {small(), small(), [](Stage& script) { inject_to_both(script, hex("09040000 03000000")); }},
      {small(), small(), [](Stage& script) { inject_to_both(script, hex("09040000 04000000 8000000000000000")); }},
      {small(), small(), [](Stage& script) { inject_to_both(script, hex("09040000 04000000 0200000000000000 01")); }},
      {small(), small(), [](Stage& script) { inject_to_both(script, hex("09040000 04000000 0200000000000000")); }},
      {{}, {}, allow_no_data},
      {all_blocks({}), all_blocks({}), allow_no_data_of_a_read},
      {of_main(), of_main(), give_messages_up},
      {of_main(), rdma, give_messages_up},
      {of_main(), {}, meet_a_user_recv_qp},
      {rdma, of_main(), give_messages_up},
  };
  for (const auto& more : {rough_scenes(), forged_scenes()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace wirelaw::efa
