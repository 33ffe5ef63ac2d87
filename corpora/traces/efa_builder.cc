// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/efa_builder.h"

#include <numeric>

namespace wirelaw::corpora {

efa::RawAddress EfaTraceBuilder::address_of(Side side) {
  const pcap::Endpoint endpoint = endpoint_of(side);
  return {.gid = endpoint.address.as_ipv6(),
          .qpn = static_cast<std::uint16_t>(endpoint.port),
          .connid = side == Side::a ? 0xa0a1a2a3u : 0xb0b1b2b3u,
          .reserved = 0};
}

Octets EfaTraceBuilder::keep(OctetBuffer octets) {
  return *kept_.emplace_back(std::make_unique<OctetBuffer>(std::move(octets)));
}

Octets EfaTraceBuilder::iov(std::uint64_t octets, std::size_t count) {
  OctetBuffer all;
  efa::RmaIov one = kTarget;
  for (std::size_t i = 0; i < count; ++i) {
    one.len = i + 1 == count ? octets : octets / count;
    octets -= one.len;
    encode(one, all);
    one.addr += one.len;
  }
  return keep(std::move(all));
}

void EfaTraceBuilder::put_address(Packet& packet, const efa::RawAddress& address) {
  OctetBuffer octets;
  encode(address, octets);
  packet.flags |= efa::flag::kRawAddress;
  packet.raw_address_size = static_cast<std::uint32_t>(octets.size());
  packet.raw_address = keep(std::move(octets));
}

EfaTraceBuilder::Packet EfaTraceBuilder::honest(Side side, Type type, std::uint64_t octets) {
  const efa::Layout& layout = efa::describe(type);
  const auto& peer = announced_[index(other(side))];
  Packet packet = efa::packet_of(type);
  if (!layout.is_request()) return packet;
  packet.flags |= layout.marks;  // sets REQ_RMA as the document requires (EFA/A-09)
  const efa::RawAddress self = address_of(side);
  if (!peer || *peer & efa::extra_bits({efa::Extra::constant_header_length})) {
    put_address(packet, self);
  } else if (*peer & efa::extra_bits({efa::Extra::connid_header})) {
    packet.flags |= efa::flag::kConnid;
    packet.connid = self.connid;
  }
  if (layout.ordered()) packet.msg_id = msg_id_[index(side)]++;
  if (layout.tagged) packet.tag = kTag;
  if (layout.array == efa::Array::rma_iov) {
    packet.rma_iov_count = 1;
    packet.rma_iov = iov(octets);
  }
  if (layout.behind == efa::Array::read_iov) {
    packet.read_iov_count = 1;
    packet.read_iov = iov(octets);
  }
  packet.msg_length = octets;
  packet.credit_request = 8;
  return packet;
}

void EfaTraceBuilder::send(Side side, const Packet& packet, Octets payload) {
  Packet whole = packet;
  if (!payload.empty()) whole.payload = payload;
  messages_.push_back({.sender = side, .octets = efa::encode(whole), .pause_ns = std::exchange(pause_, 0)});
}

void EfaTraceBuilder::request(Side side, Type type, std::size_t octets, const Edit& edit) {
  Packet packet = honest(side, type, octets);
  OctetBuffer data(octets);
  std::iota(data.begin(), data.end(), Octet{0});
  if (efa::describe(type).data != efa::Data::none) packet.payload = keep(std::move(data));
  if (edit) edit(packet);
  send(side, packet);
}

void EfaTraceBuilder::answer(Side side, Type type, const Edit& edit, std::size_t octets) {
  Packet packet = honest(side, type);
  packet.flags |= efa::flag::kConnid;
  packet.connid = address_of(side).connid;
  OctetBuffer data(octets);
  std::iota(data.begin(), data.end(), Octet{0});
  packet.payload = keep(std::move(data));
  if (edit) edit(packet);
  send(side, packet);
}

void EfaTraceBuilder::cts(Side sink, std::uint32_t send_id, std::uint32_t recv_id, std::uint64_t octets,
                          const Edit& edit) {
  answer(sink, Type::cts, [&](Packet& packet) {
    packet.send_id = send_id;
    packet.recv_id = recv_id;
    packet.recv_length = octets;
    if (edit) edit(packet);
  });
}

void EfaTraceBuilder::ctsdata(Side source, std::uint32_t recv_id, std::uint64_t offset, std::size_t octets,
                              const Edit& edit) {
  const auto set = [&](Packet& packet) {
    packet.recv_id = recv_id;
    packet.seg_offset = offset;
    packet.seg_length = octets;
    if (edit) edit(packet);
  };
  answer(source, Type::ctsdata, set, octets);
}

void EfaTraceBuilder::receipt(Side responder, std::uint32_t send_id, std::uint32_t msg_id, const Edit& edit) {
  answer(responder, Type::receipt, [&](Packet& packet) {
    packet.send_id = send_id;
    packet.msg_id = msg_id;
    if (edit) edit(packet);
  });
}

void EfaTraceBuilder::handshake(Side side, std::uint64_t extras, const Edit& edit) {
  OctetBuffer info;
  Writer(info).little_endian(extras);
  announced_[index(side)] = extras;
  answer(side, Type::handshake, [&](Packet& packet) {
    packet.nextra_p3 = 4;
    packet.extra_info = keep(std::move(info));
    if (edit) edit(packet);
  });
}

void EfaTraceBuilder::meet(std::uint64_t extras) {
  eager(Side::a);
  handshake(Side::b, extras);
  handshake(Side::a, extras);
}

void EfaTraceBuilder::pass_grace() {
  constexpr std::int64_t kPause = 200'000'000;
  constexpr int kPackets = 8;
  pause(kPause);
  for (const Side side : {Side::a, Side::b})
    for (int i = 0; i < kPackets; ++i) eager(side);
  // Packets that an endpoint sends only in response to a received packet.
  for (const Side side : {Side::a, Side::b}) {
    request(side, Type::dc_eager_msgrtm, 16, [](Packet& packet) { packet.send_id = 99; });
    const std::uint32_t msg_id = msg_id_[index(side)] - 1;
    answer(other(side), Type::receipt, [&](Packet& packet) { packet.send_id = 99, packet.msg_id = msg_id; });
  }
}

}  // namespace wirelaw::corpora
