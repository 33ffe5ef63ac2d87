// SPDX-License-Identifier: Apache-2.0
// The fields of EFA RDM headers, and their places: for the mandatory headers, the arrays after them, and the optional
// headers. Rows of the table in layout.cc.
#pragma once

#include "reference/efa/flag.h"
#include "reference/efa/layout.h"
#include "reference/efa/raw_address.h"

namespace wirelaw::efa::layout_fields {

using enum Field;

// ---------------------------------------------------------------------------------- fields of the mandatory headers
inline constexpr bool kMultiuse = true;

inline constexpr FieldRow kCts[] = {{connid, 4, 4, kMultiuse}, {send_id, 8, 4}, {recv_id, 12, 4}, {recv_length, 16, 8}};
inline constexpr FieldRow kCtsdata[] = {{recv_id, 4, 4}, {seg_length, 8, 8}, {seg_offset, 16, 8}};
// The order of the two IDs is that of all deployed releases; table 3.11 has the reverse order (EFA/A-02).
inline constexpr FieldRow kReadrsp[] = {
    {connid, 4, 4, kMultiuse}, {recv_id, 8, 4}, {send_id, 12, 4}, {recv_length, 16, 8}};
inline constexpr FieldRow kEor[] = {{send_id, 4, 4}, {recv_id, 8, 4}, {connid, 12, 4, kMultiuse}};
inline constexpr FieldRow kAtomrsp[] = {
    {connid, 4, 4, kMultiuse}, {padding, 8, 4}, {recv_id, 12, 4}, {seg_length, 16, 8}};
inline constexpr FieldRow kHandshake[] = {{nextra_p3, 4, 4}};
// 4.10 of later documents.
inline constexpr FieldRow kPeerError[] = {
    {op_id, 4, 4}, {ref_kind, 8, 4}, {prov_errno, 12, 4}, {connid, 16, 4, kMultiuse}};
inline constexpr FieldRow kReceipt[] = {{send_id, 4, 4}, {msg_id, 8, 4}, {connid, 12, 4, kMultiuse}};

inline constexpr FieldRow kEagerRtm[] = {{msg_id, 4, 4}, {tag, 8, 8}};
inline constexpr FieldRow kMediumRtm[] = {{msg_id, 4, 4}, {seg_length, 8, 8}, {seg_offset, 16, 8}, {tag, 24, 8}};
inline constexpr FieldRow kLongctsRtm[] = {
    {msg_id, 4, 4}, {msg_length, 8, 8}, {send_id, 16, 4}, {credit_request, 20, 4}, {tag, 24, 8}};
inline constexpr FieldRow kEagerRtw[] = {{rma_iov_count, 4, 4}};
inline constexpr FieldRow kLongctsRtw[] = {
    {rma_iov_count, 4, 4}, {msg_length, 8, 8}, {send_id, 16, 4}, {credit_request, 20, 4}};
inline constexpr FieldRow kShortRtr[] = {{rma_iov_count, 4, 4}, {msg_length, 8, 8}, {recv_id, 16, 4}, {padding, 20, 4}};
inline constexpr FieldRow kLongctsRtr[] = {
    {rma_iov_count, 4, 4}, {msg_length, 8, 8}, {recv_id, 16, 4}, {recv_length, 20, 4}};
inline constexpr FieldRow kWriteRta[] = {
    {msg_id, 4, 4}, {rma_iov_count, 8, 4}, {atomic_datatype, 12, 4}, {atomic_op, 16, 4}, {padding, 20, 4}};
inline constexpr FieldRow kFetchRta[] = {
    {msg_id, 4, 4}, {rma_iov_count, 8, 4}, {atomic_datatype, 12, 4}, {atomic_op, 16, 4}, {recv_id, 20, 4}};
// Table 4.1 omits the tag of the tagged one (EFA/A-06).
inline constexpr FieldRow kLongreadRtm[] = {
    {msg_id, 4, 4}, {msg_length, 8, 8}, {send_id, 16, 4}, {read_iov_count, 20, 4}, {tag, 24, 8}};
inline constexpr FieldRow kLongreadRtw[] = {
    {rma_iov_count, 4, 4}, {msg_length, 8, 8}, {send_id, 16, 4}, {read_iov_count, 20, 4}};
inline constexpr FieldRow kRuntreadRtm[] = {
    {msg_id, 4, 4},      {msg_length, 8, 8},   {send_id, 16, 4}, {read_iov_count, 20, 4},
    {seg_offset, 24, 8}, {runt_length, 32, 8}, {tag, 40, 8}};
// The document gives no layouts for delivery complete: these are those of deployed releases (EFA/A-05).
inline constexpr FieldRow kDcEagerRtm[] = {{msg_id, 4, 4}, {send_id, 8, 4}, {padding, 12, 4}, {tag, 16, 8}};
inline constexpr FieldRow kDcMediumRtm[] = {{msg_id, 4, 4},      {send_id, 8, 4},     {padding, 12, 4},
                                            {seg_length, 16, 8}, {seg_offset, 24, 8}, {tag, 32, 8}};
inline constexpr FieldRow kDcEagerRtw[] = {{rma_iov_count, 4, 4}, {send_id, 8, 4}, {padding, 12, 4}};
inline constexpr FieldRow kDcWriteRta[] = {
    {msg_id, 4, 4}, {rma_iov_count, 8, 4}, {atomic_datatype, 12, 4}, {atomic_op, 16, 4}, {send_id, 20, 4}};

// ---------------------------------------------------------------------------------------- arrays and optional headers
inline constexpr FieldRow kRmaIovFields[] = {{addr, 0, 8}, {len, 8, 8}, {key, 16, 8}};
inline constexpr FieldRow kExtraInfoFields[] = {{extra_info, 0, 8}};
inline constexpr FieldRow kRawAddressFields[] = {
    {gid, 0, 16}, {qpn, 16, 2}, {pad, 18, 2}, {raw_connid, 20, 4}, {raw_reserved, 24, 8}};

inline constexpr std::array<ArrayInfo, 5> kArrayRows{{
    {Array::none, "", Field::type, 0, 1, {}},
    {Array::rma_iov, "rma_iov", rma_iov_count, 0, layout::kRmaIov, kRmaIovFields},
    {Array::read_iov, "read_iov", read_iov_count, 0, layout::kRmaIov, kRmaIovFields},
    {Array::extra_info, "extra_info", nextra_p3, 3, layout::kExtraInfo, kExtraInfoFields},
    {Array::raw_address, "raw_addr", raw_address_size, 0, 1, kRawAddressFields},
}};

inline constexpr FieldRow kRawAddressHeader[] = {{raw_address_size, 0, 4}};
inline constexpr FieldRow kCqDataHeader[] = {{cq_data, 0, 8}};
inline constexpr FieldRow kConnidHeader[] = {{connid, 0, 4}};
inline constexpr FieldRow kPaddedConnidHeader[] = {{connid, 0, 4}, {connid_padding, 4, 4}};
inline constexpr FieldRow kHostIdHeader[] = {{host_id, 0, 8}};
inline constexpr FieldRow kDeviceVersionHeader[] = {{device_version, 0, 4}, {device_reserved, 4, 4}};

inline constexpr FieldRow kUserRecvQpHeader[] = {{user_recv_qpn, 0, 4}, {user_recv_qkey, 4, 4}};
inline constexpr FieldRow kHmemHeader[] = {{p2p_supported, 0, 1}, {hmem_reserved, 1, 7}};

// 3.1: in the order of their bits.
inline constexpr OptionalHeader kRequestHeaders[] = {
    {flag::kRawAddress, "raw address", 4, kRawAddressHeader, Array::raw_address},
    {flag::kCqData, "CQ data", 8, kCqDataHeader},
    {flag::kConnid, "connid", 4, kConnidHeader},  // not padded (EFA/A-51)
};
inline constexpr OptionalHeader kCtsdataHeaders[] = {{flag::kConnid, "connid", 8, kPaddedConnidHeader}};
// 2.1.1: in the order of table 2.2.
inline constexpr OptionalHeader kHandshakeHeaders[] = {
    {flag::kConnid, "connid", 8, kPaddedConnidHeader},
    {flag::kHostId, "host_id", 8, kHostIdHeader},
    {flag::kDeviceVersion, "device_version", 8, kDeviceVersionHeader},
    {flag::kUserRecvQp, "user_recv_qp", 8, kUserRecvQpHeader, Array::none, Revision::v2_6},
    {flag::kHmem, "hmem", 8, kHmemHeader, Array::none, Revision::main},
};

}  // namespace wirelaw::efa::layout_fields
