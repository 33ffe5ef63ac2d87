// SPDX-License-Identifier: Apache-2.0
// The fields of EFA RDM packets: one name and one meaning each, in all packet types. layout.h gives their places.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace wirelaw::efa {

enum class Field : std::uint8_t {
  type,
  version,
  flags,
  msg_id,
  send_id,
  recv_id,
  op_id,
  ref_kind,
  prov_errno,
  rma_iov_count,
  read_iov_count,
  credit_request,
  atomic_datatype,
  atomic_op,
  padding,
  msg_length,
  seg_length,
  recv_length,
  seg_offset,
  runt_length,
  tag,
  connid,
  connid_padding,
  nextra_p3,
  host_id,
  device_version,
  device_reserved,
  user_recv_qpn,
  user_recv_qkey,
  p2p_supported,
  hmem_reserved,
  raw_address_size,
  cq_data,
  // fields of efa_rma_iov (3.3)
  addr,
  len,
  key,
  // fields of the raw address (table 1.5)
  gid,
  qpn,
  pad,
  raw_connid,
  raw_reserved,
  // a member of extra_info (table 2.2)
  extra_info,
};
inline constexpr std::size_t kFields = static_cast<std::size_t>(Field::extra_info) + 1;

// The kind of value in a field, for users, dissectors and mutators.
enum class FieldKind : std::uint8_t {
  number,    // a value of a small set, or a quantity without unit
  flags,     // bits with names: flag.h
  id,        // names an operation, a message or an endpoint
  count,     // elements in an array of the packet
  octets,    // a length or an offset in octets
  address,   // memory address, or its key
  opaque,    // chosen by the application: tag, CQ data
  bits,      // one bit for each extra feature and request: capability.h
  array,     // octets in wire order
  reserved,  // padding or reserved: any value (notes on tables 1.5, 3.6 and 3.15)
};

struct FieldInfo {
  Field field;
  std::string_view name;  // name in the document; a dissector puts "efa_rdm." before it
  FieldKind kind;
  std::string_view text;  // a one-line description
};

std::span<const FieldInfo> all_fields();  // in the order of the enumeration
const FieldInfo& describe(Field field);

}  // namespace wirelaw::efa
