// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/faults/packet_faults.h"

#include <algorithm>
#include <array>
#include <utility>

namespace wirelaw::ramcloud {
namespace {

// Calls `each` with the edits of the deviations, in the order of the enumeration.
template <class Each>
void for_each_edit(const Deviations& deviations, const Each& each) {
  for (std::size_t i = 0; i < kDeviationCount; ++i)
    if (deviations.has(static_cast<Deviation>(i))) each(packet_edits()[i]);
}

}  // namespace

void reverse_header_fields(OctetBuffer& octets) {
  constexpr std::array<std::size_t, 7> kFieldBounds{
      layout::kSessionToken, layout::kRpcId,      layout::kClientSessionHint, layout::kServerSessionHint,
      layout::kFragNumber,   layout::kTotalFrags, layout::kChannelId};
  for (std::size_t field = 0; field + 1 < kFieldBounds.size(); ++field)
    std::reverse(octets.begin() + static_cast<std::ptrdiff_t>(kFieldBounds[field]),
                 octets.begin() + static_cast<std::ptrdiff_t>(kFieldBounds[field + 1]));
}

std::vector<OctetBuffer> encode_with_faults(const Header& header, OctetBuffer payload, bool resent,
                                            const Deviations& deviations) {
  Draft draft{header, std::move(payload), resent};
  const unsigned kind = kind_of(draft.header.payload_type);
  const auto for_each = [&](auto edit, const auto& commit) {
    for_each_edit(deviations, [&](const PacketEdit& one) {
      if (one.*edit != nullptr && (one.kinds & kind) != 0) commit(one.*edit);
    });
  };
  for_each(&PacketEdit::draft, [&](auto edit) { edit(draft); });
  std::vector<OctetBuffer> packets{encode(draft.header, draft.payload)};
  for_each(&PacketEdit::extra, [&](auto edit) {
    Draft extra = draft;
    edit(extra);
    packets.push_back(encode(extra.header, extra.payload));
  });
  for (OctetBuffer& octets : packets) for_each(&PacketEdit::octets, [&](auto edit) { edit(octets); });
  return packets;
}

OctetBuffer encode_ack_with_faults(Ack ack, std::uint16_t total, const Deviations& deviations) {
  for_each_edit(deviations, [&](const PacketEdit& edit) {
    if (edit.ack != nullptr) edit.ack(ack, total);
  });
  OctetBuffer payload = encode_ack(ack);
  for_each_edit(deviations, [&](const PacketEdit& edit) {
    if (edit.ack_octets != nullptr) edit.ack_octets(payload);
  });
  return payload;
}

}  // namespace wirelaw::ramcloud
