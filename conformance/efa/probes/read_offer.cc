// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/probes/read_offer.h"

#include <algorithm>

namespace wirelaw::efa {

void meet_with_reads(ResponderProbe& responder) {
  if (responder.ok() && responder.rdma() == nullptr) return responder.skip("the transport has no RDMA");
  responder.announce({Extra::rdma_read, Extra::runting_read, Extra::read_nack});
  responder.meet();
  if (responder.ok() && !responder.peer_announces(Extra::rdma_read))
    responder.skip("the responder does not announce RDMA read");
}

bool meet_with_runting_reads(ResponderProbe& responder) {
  meet_with_reads(responder);
  if (responder.ok() && !responder.peer_announces(Extra::runting_read))
    responder.skip("the responder does not announce runting read");
  return responder.ok();
}

ReadOffer::ReadOffer(ResponderProbe& responder, OctetBuffer data, std::size_t buffers)
    : responder_(responder), data_(std::move(data)), exposed_(data_) {
  for (std::size_t i = 0; i < buffers; ++i) {
    const std::size_t begin = exposed_.size() * i / buffers, end = exposed_.size() * (i + 1) / buffers;
    const auto range = responder_.rdma()->expose(std::span(exposed_).subspan(begin, end - begin), RdmaAccess::read);
    if (!range) {
      responder_.inconclusive("the device registers no more memory for RDMA reads");
      return;
    }
    buffers_.push_back({range->addr, range->len, range->key});
    encode(buffers_.back(), iovs_);
  }
}

void ReadOffer::withdraw() {
  for (const RmaIov& iov : buffers_)
    if (Rdma* const rdma = responder_.rdma()) rdma->withdraw(iov.key);
  buffers_.clear();
  std::ranges::fill(exposed_, Octet{0xee});
}

Packet ReadOffer::message(ResponderProbe& responder, PacketType type, std::uint64_t msg_length) {
  Packet packet = responder.request(type);
  packet.send_id = responder.fresh_id();
  packet.msg_length = msg_length;
  return packet;
}

void ReadOffer::put_source(Packet& packet) const {
  packet.read_iov = iovs_;
  packet.read_iov_count = static_cast<std::uint32_t>(rma_iov_count(iovs_));
}

void ReadOffer::send_message(std::uint32_t msg_id, std::uint32_t send_id, bool tagged) {
  Packet packet = message(responder_, tagged ? PacketType::longread_tagrtm : PacketType::longread_msgrtm, data_.size());
  packet.msg_id = msg_id;
  packet.send_id = send_id;
  packet.tag = responder_.tag(9);
  put_source(packet);
  responder_.send(packet);
}

void ReadOffer::send_write(std::uint32_t send_id, const std::vector<RmaIov>& to, std::optional<std::uint64_t> cq_data) {
  Packet packet = responder_.one_sided(PacketType::longread_rtw, to);
  if (cq_data) {
    packet.flags |= flag::kCqData;
    packet.cq_data = *cq_data;
  }
  packet.send_id = send_id;
  put_source(packet);
  responder_.send(packet);
}

bool ReadOffer::await_eor(std::uint32_t send_id) {
  const Received* const answer = responder_.await([send_id](const Received& one) {
    return (one.is(PacketType::eor) || one.is(PacketType::read_nack)) && one.packet.send_id == send_id;
  });
  if (answer != nullptr && answer->is(PacketType::read_nack))
    responder_.skip("the responder registers no memory for RDMA reads, and refuses them");
  return answer != nullptr && answer->is(PacketType::eor);
}

std::vector<OctetBuffer> ReadOffer::runting_packets(std::uint32_t msg_id, std::uint32_t send_id, std::uint64_t runt,
                                                    std::size_t segment, bool tagged) const {
  std::vector<OctetBuffer> packets;
  for (std::size_t at = 0; at < runt; at += segment) {
    Packet packet =
        message(responder_, tagged ? PacketType::runtread_tagrtm : PacketType::runtread_msgrtm, data_.size());
    packet.msg_id = msg_id;
    packet.send_id = send_id;
    packet.tag = responder_.tag(9);
    packet.runt_length = runt;
    packet.seg_offset = at;
    packet.payload = Octets(data_).subspan(at, std::min<std::size_t>(segment, static_cast<std::size_t>(runt) - at));
    put_source(packet);
    packets.push_back(responder_.octets_of(packet));
  }
  return packets;
}

}  // namespace wirelaw::efa
