// SPDX-License-Identifier: Apache-2.0
#include "reference/smbd/layout.h"

#include <array>

namespace wirelaw::smbd {
namespace {

using enum Field;
using Kind = FieldKind;

constexpr bool kKnown = true;  // in Wireshark
constexpr bool kOurs = false;

// In the order of the enumeration.
constexpr std::array<FieldInfo, kFields> kInfos{{
    {min_version, "MinVersion", Kind::version, "smb_direct.version.min", kKnown,
     "lowest version that the sender supports"},
    {max_version, "MaxVersion", Kind::version, "smb_direct.version.max", kKnown,
     "highest version that the sender supports"},
    {negotiated_version, "NegotiatedVersion", Kind::version, "smb_direct.version.negotiated", kKnown,
     "version of this connection"},
    {reserved, "Reserved", Kind::reserved, "smb_direct.reserved", kOurs, "zero when sent, ignored when received"},
    {credits_requested, "CreditsRequested", Kind::count, "smb_direct.credits.requested", kKnown,
     "send credits that the sender wants to have in all"},
    {credits_granted, "CreditsGranted", Kind::count, "smb_direct.credits.granted", kKnown,
     "send credits that the receiver gets in addition"},
    {status, "Status", Kind::status, "smb_direct.status", kKnown, "whether the negotiation has succeeded"},
    {max_read_write_size, "MaxReadWriteSize", Kind::octets, "smb_direct.max_read_write_size", kKnown,
     "most octets of RDMA for one read or write of the upper layer"},
    {preferred_send_size, "PreferredSendSize", Kind::octets, "smb_direct.preferred_send_size", kKnown,
     "longest message that the sender will send"},
    {max_receive_size, "MaxReceiveSize", Kind::octets, "smb_direct.max_receive_size", kKnown,
     "longest message that the sender can receive"},
    {max_fragmented_size, "MaxFragmentedSize", Kind::octets, "smb_direct.max_fragmented_size", kKnown,
     "longest upper-layer message, in fragments, that the sender can receive"},
    {flags, "Flags", Kind::flags, "smb_direct.flags", kKnown, "whether a response is requested"},
    {remaining_data_length, "RemainingDataLength", Kind::octets, "smb_direct.remaining_length", kKnown,
     "octets of the upper-layer message that follow in further fragments"},
    {data_offset, "DataOffset", Kind::octets, "smb_direct.data_offset", kKnown,
     "from the beginning of the message to its data"},
    {data_length, "DataLength", Kind::octets, "smb_direct.data_length", kKnown, "octets of data in this message"},
    {padding, "Padding", Kind::array, "smb_direct.padding", kOurs, "zero when sent, ignored when received"},
    {buffer, "Buffer", Kind::array, "smb_direct.buffer", kOurs, "data of the upper layer"},
    {trailing, "trailing octets", Kind::array, "smb_direct.trailing", kOurs,
     "after the last field: they have no meaning"},
    {offset, "Offset", Kind::address, "smb_direct.buffer_descriptor_v1.offset", kOurs,
     "of the first octet in the registered buffer"},
    {token, "Token", Kind::address, "smb_direct.buffer_descriptor_v1.token", kOurs,
     "steering tag of the registered buffer"},
    {length, "Length", Kind::octets, "smb_direct.buffer_descriptor_v1.length", kOurs, "octets to transfer"},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kFields; ++i)
    if (static_cast<std::size_t>(kInfos[i].field) != i) return false;
  return true;
}
static_assert(in_order());

// True if the fields of every message are adjacent, from its beginning to its shortest length.
constexpr bool without_gaps() {
  for (std::size_t i = 0; i < std::size(layout::kLayouts); ++i) {
    const Layout& row = layout::kLayouts[i];
    std::size_t end = 0;
    for (const FieldRow& one : row.fields) {
      if (one.offset != end) return false;
      end += one.width;
    }
    if (end != row.octets || static_cast<std::size_t>(row.type) != i) return false;
  }
  return true;
}
static_assert(without_gaps());

}  // namespace

std::span<const FieldInfo> all_fields() {
  return kInfos;
}

const FieldInfo& describe(Field field) {
  return kInfos[static_cast<std::size_t>(field)];
}

}  // namespace wirelaw::smbd
