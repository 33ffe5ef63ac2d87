// SPDX-License-Identifier: Apache-2.0
#include "fuzz/efa_peer.h"

#include <algorithm>

#include "fuzz/fault.h"
#include "reference/efa/raw_address.h"

namespace wirelaw::fuzz {
namespace {

using corpora::EfaAction;
using corpora::EfaStep;
using efa::Layout;
using efa::Packet;
using efa::PacketType;

constexpr std::size_t kMostHeard = 32;
constexpr std::size_t kMostSent = 64;
constexpr std::size_t kMostPayload = 2048;
constexpr unsigned kRowsFrom = 240;  // types from here on select rows of the table, so that most exist
constexpr std::uint32_t kConnid = 0x5ca1ab1e;

enum Headers : Octet { kWithRawAddress = 1, kWithCqData = 2, kWithConnid = 4 };

const Layout& layout_of(Octet type) {
  const auto all = efa::all_layouts();
  const Layout* const named = efa::find_layout(type);
  return named != nullptr ? *named : all[type % all.size()];
}

}  // namespace

std::optional<OctetBuffer> EfaPeer::act(const EfaStep& step) {
  std::optional<OctetBuffer> octets;
  switch (static_cast<EfaAction>(step.action % corpora::kEfaActions)) {
    case EfaAction::packet:
    case EfaAction::packet_too:
      octets = packet(step);
      break;
    case EfaAction::raw:
      octets = raw(step);
      break;
    case EfaAction::replay:
      octets = replay(step);
      break;
    default:
      return std::nullopt;
  }
  if (octets) sent_.push_front(*octets);
  if (sent_.size() > kMostSent) sent_.pop_back();
  return octets;
}

OctetBuffer EfaPeer::raw(const EfaStep& step) const {
  OctetBuffer pattern;
  corpora::append_efa_step(pattern, step);
  OctetBuffer octets(step.amount % 64u);
  for (std::size_t i = 0; i < octets.size(); ++i) octets[i] = pattern[1 + i % (pattern.size() - 1)];
  return octets;
}

std::optional<OctetBuffer> EfaPeer::replay(const EfaStep& step) const {
  if (sent_.empty()) return std::nullopt;
  OctetBuffer octets = sent_[step.which % sent_.size()];
  if ((step.relative & 1) != 0 && !octets.empty()) octets[step.offset % octets.size()] = step.spare;
  return octets;
}

// `count` adjacent elements, from the beginning of the target on.
Octets EfaPeer::iov(std::uint64_t octets, std::size_t count, OctetBuffer& out) const {
  out.clear();
  efa::RmaIov one = target_;
  for (std::size_t i = 0; i < count; ++i) {
    one.len = i + 1 == count ? octets : octets / count;
    octets -= one.len;
    encode(one, out);
    one.addr += one.len;
  }
  return out;
}

void EfaPeer::fill_request(Packet& packet, const Layout& layout, const EfaStep& step) {
  if (layout.ordered()) {
    const bool again = (step.relative & 1) != 0;
    packet.msg_id = again ? msg_id_ - 1 : msg_id_++;
  }
  const std::uint64_t whole = layout.transfer == efa::Transfer::eager ? payload_.size() : step.length;
  const std::size_t elements = (step.relative >> 4) % 8u + (layout.transfer == efa::Transfer::eager ? 0 : 1);
  const std::size_t operands = layout.type == PacketType::compare_rta ? 2 : 1;
  const bool is_read = layout.purpose == efa::Purpose::read;
  packet.rma_iov_count = static_cast<std::uint32_t>(elements);
  packet.rma_iov = iov(is_read ? step.length : whole / operands, elements, rma_iov_);
  packet.read_iov_count = static_cast<std::uint32_t>(elements);
  packet.read_iov = iov(step.length, elements, read_iov_);
  packet.msg_length = step.length;
  packet.seg_length = step.length;
  packet.runt_length = step.length / 2;
  packet.credit_request = step.own;
  packet.atomic_datatype = step.own % 14u;
  packet.atomic_op = step.offset % 20u;
  packet.tag = step.own % 4u;
  packet.send_id = packet.recv_id = step.own;
  packet.recv_length = step.amount;
}

void EfaPeer::fill_answer(Packet& packet, const EfaStep& step) const {
  const Reception reception = receptions_.empty() ? Reception{} : receptions_[step.which % receptions_.size()];
  packet.msg_id = reception.msg_id;
  packet.send_id = packet.is(PacketType::readrsp) ? step.own : reception.send_id;
  packet.recv_id = packet.is(PacketType::cts) || packet.is(PacketType::eor) || packet.is(PacketType::read_nack)
                       ? step.own
                       : reception.recv_id;
  packet.seg_length = payload_.size();
  packet.recv_length = packet.is(PacketType::readrsp) ? payload_.size() : step.amount;
}

void EfaPeer::fill_handshake(Packet& packet) {
  extra_info_.clear();
  Writer(extra_info_).little_endian(extras_);
  packet.nextra_p3 = 4;
  packet.extra_info = extra_info_;
  packet.host_id = 0x1d;
  packet.device_version = 1;
}

OctetBuffer EfaPeer::packet(const EfaStep& step) {
  const Layout& layout = layout_of(step.type >= kRowsFrom ? step.which : step.type);
  Packet packet = efa::packet_of(layout.type);
  packet.seg_offset = step.offset;
  payload_.clear();
  if (layout.data != efa::Data::none) {
    payload_.resize(step.amount % kMostPayload);
    for (std::size_t i = 0; i < payload_.size(); ++i) payload_[i] = static_cast<Octet>(step.offset + i);
  }
  if (layout.is_request())
    fill_request(packet, layout, step);
  else
    fill_answer(packet, step);
  if (packet.is(PacketType::handshake)) fill_handshake(packet);

  if ((step.headers & kWithConnid) != 0) packet.flags |= efa::flag::kConnid;
  packet.connid = kConnid;
  if (layout.is_request()) {
    if ((step.headers & kWithRawAddress) != 0) packet.flags |= efa::flag::kRawAddress;
    if ((step.headers & kWithCqData) != 0) packet.flags |= efa::flag::kCqData;
    raw_address_.clear();
    encode(efa::RawAddress{.gid = {0xfe, 0x80}, .qpn = 7, .connid = kConnid}, raw_address_);
    packet.raw_address = raw_address_;
    packet.raw_address_size = static_cast<std::uint32_t>(raw_address_.size());
    packet.cq_data = step.spare;
  }
  const Reception others = receptions_.size() < 2 ? Reception{} : receptions_[(step.which + 1u) % receptions_.size()];
  const auto field = static_cast<efa::Field>(step.field % efa::kFields);
  const std::uint64_t honest = get(packet, field);
  set(packet, field, faulty<std::uint64_t>(honest, others.send_id, honest ^ 0x80000000, step.fault));
  packet.payload = payload_;
  return efa::encode(packet);
}

void EfaPeer::learn(Octets octets) {
  const auto packet = efa::decode(octets);
  if (!packet) return;
  receptions_.push_front({packet->msg_id, packet->send_id, packet->recv_id, packet->msg_length});
  if (receptions_.size() > kMostHeard) receptions_.pop_back();
}

}  // namespace wirelaw::fuzz
