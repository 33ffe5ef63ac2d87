// SPDX-License-Identifier: Apache-2.0
// For tests of deviations: conversations with packets that neither endpoint sends.
#pragma once

#include "reference/efa/test_stage.h"

namespace wirelaw::efa {

inline constexpr PeerId kStranger = 3;

// Sends a packet to B from a third endpoint, which gets no answers.
inline void inject_from_stranger(Stage& script, const Packet& packet) {
  script.injected = true;
  script.world.passes = [](PeerId from, const OctetBuffer&) { return from != kB; };
  script.world.b.receive(kStranger, encode(packet), script.world.now);
  script.world.run();
  script.world.passes = {};
}

inline Packet eager(std::uint32_t msg_id, Octets data = {}) {
  Packet packet = packet_of(PacketType::eager_msgrtm);
  packet.msg_id = msg_id;
  packet.payload = data;
  return packet;
}

// Sends packets with nonzero padding.
inline void pad_with_other_octets(Stage& script) {
  script.meet();
  script.answer();
  for (const PeerId to : {kA, kB}) {
    script.world.to(to).post_receive({.octets = 8}, script.world.now);
    Packet packet = packet_of(PacketType::dc_eager_msgrtm);
    packet.msg_id = 1;
    packet.padding = 0x5a5a5a5a;
    script.inject(to, encode(packet));
  }
}

// Sends the RECEIPT of a write with another msg_id.
inline void confirm_with_another_msg_id(Stage& script) {
  script.meet();
  const RmaIov region = script.region(10);
  script.world.passes = [](PeerId from, const OctetBuffer& octets) { return from != kB || octets[0] != 10; };
  script.world.a.write(kB, {.data = pattern(10), .to = {region}, .delivery_complete = true}, script.world.now);
  script.world.run();
  Packet packet = packet_of(PacketType::receipt);
  packet.send_id = send_id_of(script, PacketType::dc_eager_rtw);
  packet.msg_id = 7;
  script.inject(kA, encode(packet));
}

// Sends a raw address of sixteen octets.
inline void send_short_raw_address(Stage& script) {
  const OctetBuffer address(16);
  Packet packet = eager(1);
  packet.flags |= flag::kRawAddress;
  packet.raw_address = address;
  packet.raw_address_size = 16;
  inject_to_both(script, encode(packet));
}

inline void send_a_thousand_ahead(Stage& script) {
  script.meet();
  for (std::uint32_t ahead = 2; ahead < 1'100; ++ahead) script.inject(kB, encode(eager(ahead)));
  script.message(5, {});
}

// Sends requests that need features that B has not announced.
inline void request_what_is_not_announced(Stage& script) {
  script.meet();
  Packet packet = packet_of(PacketType::dc_eager_msgrtm);
  packet.msg_id = 1;
  script.inject(kB, encode(packet));
  script.message(5, {});
}

// Sends a packet with another connid.
inline void send_another_connid(Stage& script) {
  Packet packet = eager(1);
  packet.flags |= flag::kConnid;
  packet.connid = 0x12345678;
  inject_to_both(script, encode(packet));
}

// Another endpoint takes the address.
inline void succeed_at_the_same_address(Stage& script) {
  script.meet();
  OctetBuffer address;
  encode(RawAddress{.connid = 0x12345678}, address);
  const OctetBuffer data = pattern(4);
  Packet packet = eager(0, data);
  packet.flags |= flag::kRawAddress;
  packet.raw_address = address;
  packet.raw_address_size = static_cast<std::uint32_t>(address.size());
  script.world.b.post_receive({.octets = 8}, script.world.now);
  script.inject(kB, encode(packet));
}

inline void exceed_a_buffer(Stage& script) {
  script.meet();
  const RmaIov region = script.region(100);
  OctetBuffer iov;
  encode(RmaIov{region.addr, 10, region.key}, iov);
  const OctetBuffer data = pattern(20, 9);
  Packet write = packet_of(PacketType::eager_rtw);
  write.rma_iov = iov;
  write.rma_iov_count = 1;
  write.payload = data;  // longer than the buffer
  script.inject(kB, encode(write));
  Packet read = packet_of(PacketType::short_rtr);
  read.flags = 0;
  read.rma_iov = iov;
  read.rma_iov_count = 1;
  read.msg_length = 10;
  read.recv_id = 5;
  script.inject(kB, encode(read));
}

// Sends undefined atomics, and repeats some.
inline void send_undefined_atomics(Stage& script) {
  script.meet();
  const RmaIov region = script.region(100);
  OctetBuffer iov;
  encode(RmaIov{region.addr, 8, region.key}, iov);
  const OctetBuffer operands = pattern(16, 9);
  Packet packet = packet_of(PacketType::write_rta);
  packet.rma_iov = iov;
  packet.rma_iov_count = 1;
  const auto inject = [&](std::uint32_t msg_id, std::uint32_t op, std::size_t octets) {
    packet.msg_id = msg_id;
    packet.atomic_op = op;
    packet.atomic_datatype = static_cast<std::uint32_t>(Datatype::uint64);
    packet.payload = Octets(operands).first(octets);
    script.inject(kB, encode(packet));
  };
  constexpr auto kSum = static_cast<std::uint32_t>(AtomicOp::sum);
  inject(1, 99, 8);
  inject(2, kSum, 16);
  inject(3, kSum, 8);
  inject(3, kSum, 8);
}

// Uses a send_id for a second time.
inline void use_a_send_id_again(Stage& script) {
  script.meet();
  const OctetBuffer data = pattern(4);
  for (const std::uint32_t msg_id : {1u, 2u}) {
    script.world.b.post_receive({.octets = 4}, script.world.now);
    Packet packet = packet_of(PacketType::longcts_msgrtm);
    packet.msg_id = msg_id;
    packet.send_id = 7;
    packet.msg_length = 4;
    packet.payload = data;
    script.inject(kB, encode(packet));
  }
}

// Sends data from another peer.
inline void send_data_for_another_peer(Stage& script) {
  script.meet();
  script.world.passes = [](PeerId from, const OctetBuffer& octets) { return from != kA || octets[0] != 4; };
  script.message(4'000, Transfer::long_cts);
  const OctetBuffer data = pattern(4'000, 3);
  Packet packet = packet_of(PacketType::ctsdata);
  for (const Seen& one : script.world.seen)
    if (one.packet.is(PacketType::cts)) packet.recv_id = one.packet.recv_id;
  packet.seg_length = data.size();
  packet.payload = data;
  inject_from_stranger(script, packet);
}

// Sends the first message of a stranger.
inline void send_as_a_stranger(Stage& script) {
  script.meet();
  script.world.b.post_receive({.octets = 8}, script.world.now);
  const OctetBuffer data = pattern(4);
  inject_from_stranger(script, eager(0, data));
}

inline void allow_too_much(Stage& script) {
  script.meet();
  script.world.passes = [](PeerId from, const OctetBuffer& octets) { return from != kB || octets[0] != 3; };
  script.message(8'000, Transfer::long_cts);
  inject_window(script, kA, PacketType::longcts_msgrtm, std::uint64_t{1} << 40);
  script.world.passes = {};
  script.message(5, {});
}

inline void allow_too_much_of_a_read(Stage& script) {
  script.meet();
  script.world.passes = [](PeerId from, const OctetBuffer& octets) { return from != kA || octets[0] != 3; };
  script.world.a.read(kB, {.from = {script.region(8'000)}}, script.world.now);
  script.world.run();
  Packet packet = packet_of(PacketType::cts);
  for (const Seen& one : script.world.seen)
    if (one.packet.is(PacketType::readrsp)) {
      packet.send_id = one.packet.send_id;
      packet.recv_id = one.packet.recv_id;
    }
  packet.recv_length = std::uint64_t{1} << 40;
  script.inject(kB, encode(packet));
  script.message(5, {}, {}, true);
}

inline std::vector<Scene> forged_scenes() {
  return {
      {small(), small(), [](Stage& script) { inject_to_both(script, hex("07040000 05000000 00000000 00000000 5a")); }},
      {small(), small(), pad_with_other_octets},
      {small(), small(), confirm_with_another_msg_id},
      {small(), small(), send_short_raw_address},
      {small(), small(), [](Stage& script) { inject_to_both(script, encode(eager(0x1000'0000))); }},
      {small(), small(), send_a_thousand_ahead},
      {small(), announces_nothing(), request_what_is_not_announced},
      {small(), small(), send_another_connid},
      {small(), small(), succeed_at_the_same_address},
      {small(), small(), [](Stage& script) { inject_to_both(script, hex("07040000 05000000 00000000")); }},
      {small(), small(), exceed_a_buffer},
      {small(), small(), send_undefined_atomics},
      {small(), small(), use_a_send_id_again},
      {small(), small(), send_data_for_another_peer},
      {small(), small(), send_as_a_stranger},
      {small(), small(), allow_too_much},
      {all_blocks({}), all_blocks({}), allow_too_much_of_a_read},
  };
}

}  // namespace wirelaw::efa
