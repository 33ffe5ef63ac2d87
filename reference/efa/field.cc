// SPDX-License-Identifier: Apache-2.0
#include "reference/efa/field.h"

#include <array>

namespace wirelaw::efa {
namespace {

using enum Field;
using Kind = FieldKind;

constexpr std::array<FieldInfo, kFields> kInfo{{
    {type, "type", Kind::number, "packet type ID (table 1.2)"},
    {version, "version", Kind::number, "protocol version, 4"},
    {flags, "flags", Kind::flags, "flags of the packet type"},
    {msg_id, "msg_id", Kind::id, "message ID: the place of the message or atomic in the order of sending"},
    {send_id, "send_id", Kind::id, "operation of the side that sends the data"},
    {recv_id, "recv_id", Kind::id, "operation of the side that receives the data"},
    {op_id, "op_id", Kind::id, "operation or message of the packet's receiver, by ref_kind"},
    {ref_kind, "ref_kind", Kind::number, "what op_id is the ID of"},
    {prov_errno, "prov_errno", Kind::number, "cause: of the device below 4096, of the provider from 4096 on"},
    {rma_iov_count, "rma_iov_count", Kind::count, "number of rma_iov"},
    {read_iov_count, "read_iov_count", Kind::count, "number of read_iov"},
    {credit_request, "credit_request", Kind::number, "CTSDATA packets that the sender would like to send"},
    {atomic_datatype, "atomic_datatype", Kind::number, "datatype of fi_atomic"},
    {atomic_op, "atomic_op", Kind::number, "operation of fi_atomic"},
    {padding, "padding", Kind::reserved, "padding or reserved"},
    {msg_length, "msg_length", Kind::octets, "length of the whole message or buffer"},
    {seg_length, "seg_length", Kind::octets, "length of the data in the packet (MEDIUM as deployed: of the message)"},
    {recv_length, "recv_length", Kind::octets, "octets that the receiver is ready for (READRSP: in the packet)"},
    {seg_offset, "seg_offset", Kind::octets, "offset of the data in the message"},
    {runt_length, "runt_length", Kind::octets, "octets that go in RUNTREAD packets (as deployed: in all of them)"},
    {tag, "tag", Kind::opaque, "tag"},
    {connid, "connid", Kind::id, "connection ID of the sender of the packet"},
    {connid_padding, "connid_padding", Kind::reserved, "padding of connid"},
    {nextra_p3, "nextra_p3", Kind::count, "number of extra_info members, plus 3"},
    {host_id, "host_id", Kind::number, "identifier of the sender's host"},
    {device_version, "device_version", Kind::number, "version of the sender's EFA device"},
    {device_reserved, "device_reserved", Kind::reserved, "reserved"},
    {user_recv_qpn, "user_recv_qpn", Kind::number, "number of the queue pair for application buffers"},
    {user_recv_qkey, "user_recv_qkey", Kind::id, "qkey of the queue pair for application buffers"},
    {p2p_supported, "p2p_supported", Kind::number, "whether the device reaches all memory that the sender may name"},
    {hmem_reserved, "hmem_reserved", Kind::reserved, "reserved"},
    {raw_address_size, "raw_addr_size", Kind::count, "octets of the raw address"},
    {cq_data, "cq_data", Kind::opaque, "CQ data"},
    {addr, "addr", Kind::address, "address of the buffer"},
    {len, "len", Kind::octets, "length of the buffer"},
    {key, "key", Kind::address, "memory registration key"},
    {gid, "gid", Kind::array, "GID, in the form of an IPv6 address"},
    {qpn, "qpn", Kind::number, "queue pair number"},
    {pad, "pad", Kind::reserved, "padding"},
    {raw_connid, "connid", Kind::id, "connection ID of the endpoint"},
    {raw_reserved, "reserved", Kind::reserved, "reserved"},
    {extra_info, "extra_info", Kind::bits, "extra features supported and extra requests made"},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kInfo.size(); ++i)
    if (static_cast<std::size_t>(kInfo[i].field) != i) return false;
  return true;
}
static_assert(in_order());

}  // namespace

std::span<const FieldInfo> all_fields() {
  return kInfo;
}

const FieldInfo& describe(Field field) {
  return kInfo[static_cast<std::size_t>(field)];
}

}  // namespace wirelaw::efa
