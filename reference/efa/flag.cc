// SPDX-License-Identifier: Apache-2.0
#include "reference/efa/flag.h"

#include <algorithm>

namespace wirelaw::efa {
namespace {

constexpr FlagInfo kFlags[] = {
    {FlagSet::universal, flag::kConnid, "CONNID_HDR", "connid_hdr"},
    {FlagSet::request, flag::kRawAddress, "REQ_OPT_RAW_ADDR_HDR", "raw_addr_hdr"},
    {FlagSet::request, flag::kCqData, "REQ_OPT_CQ_DATA_HDR", "cq_data_hdr"},
    {FlagSet::request, flag::kMsg, "REQ_MSG", "msg"},
    {FlagSet::request, flag::kTagged, "REQ_TAGGED", "tagged"},
    {FlagSet::request, flag::kRma, "REQ_RMA", "rma"},
    {FlagSet::request, flag::kAtomic, "REQ_ATOMIC", "atomic"},
    {FlagSet::request, flag::kReadNack, "REQ_READ_NACK", "read_nack"},
    {FlagSet::handshake, flag::kHostId, "HANDSHAKE_HOST_ID_HDR", "host_id_hdr"},
    {FlagSet::handshake, flag::kDeviceVersion, "HANDSHAKE_DEVICE_VERSION_HDR", "device_version_hdr"},
    {FlagSet::handshake, flag::kUserRecvQp, "HANDSHAKE_USER_RECV_QP_HDR", "user_recv_qp_hdr", Revision::v2_6},
    {FlagSet::handshake, flag::kHmem, "HANDSHAKE_HMEM_HDR", "hmem_hdr", Revision::main},
    {FlagSet::cts, flag::kCtsEmulatedRead, "CTS_EMULATED_READ", "emulated_read"},
};

}  // namespace

std::span<const FlagInfo> all_flags() {
  return kFlags;
}

const FlagInfo* find_flag(FlagSet set, std::uint16_t bit) {
  const auto* const found = std::ranges::find_if(kFlags, [&](const FlagInfo& info) {
    return info.bit == bit && (info.set == set || info.set == FlagSet::universal);
  });
  return found == std::end(kFlags) ? nullptr : found;
}

}  // namespace wirelaw::efa
