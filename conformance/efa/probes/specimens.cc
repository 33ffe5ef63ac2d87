// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/probes/specimens.h"

namespace wirelaw::efa {
namespace {

constexpr std::uint32_t kNobodysId = 0x7e57'ab1e;
constexpr RmaIov kNobodysBuffer{.addr = 0x7e57'0000'0000, .len = 16, .key = 0x7e57};

}  // namespace

Specimen specimen(const Identity& identity, const Layout& layout) {
  OctetBuffer address, iov;
  encode(identity.address, address);
  encode(kNobodysBuffer, iov);
  const OctetBuffer extra_info(8), data = sample_octets(16);
  Packet packet = packet_of(layout.type);
  for (const OptionalHeader& header : layout.optional) packet.flags |= header.flag;
  packet.flags |= flag::kConnid;
  packet.connid = identity.connid();
  packet.raw_address = address;
  packet.raw_address_size = static_cast<std::uint32_t>(address.size());
  packet.rma_iov = packet.read_iov = iov;
  packet.rma_iov_count = packet.read_iov_count = 1;
  packet.extra_info = extra_info;
  packet.nextra_p3 = 4;
  packet.msg_id = packet.send_id = packet.recv_id = kNobodysId;
  packet.msg_length = packet.seg_length = packet.recv_length = packet.runt_length = kNobodysBuffer.len;
  packet.credit_request = 1;
  if (layout.data != Data::none) packet.payload = data;
  return {encode(packet), header_octets(packet)};
}

std::vector<const Layout*> formats() {
  std::vector<const Layout*> all;
  for (const Layout& row : all_layouts())
    if (row.has_format()) all.push_back(&row);
  return all;
}

}  // namespace wirelaw::efa
