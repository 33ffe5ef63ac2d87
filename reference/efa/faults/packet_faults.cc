// SPDX-License-Identifier: Apache-2.0
#include "reference/efa/faults/packet_faults.h"

namespace wirelaw::efa {

template <class Each>
void PacketFaults::for_each(const Layout& layout, const Each& each) const {
  for (std::size_t i = 0; i < kDeviationCount; ++i)
    if (const PacketEdit& edit = packet_edits()[i];
        edit.concerns != nullptr && deviations_.has(static_cast<Deviation>(i)) && edit.concerns(layout))
      each(edit);
}

std::vector<OctetBuffer> PacketFaults::encode(const Packet& packet, const FaultContext& context) {
  const Layout& layout = *packet.layout();
  Draft draft(packet, context, sent_[packet.type]++);
  for_each(layout, [&](const PacketEdit& edit) {
    if (edit.draft != nullptr) edit.draft(draft);
  });
  OctetBuffer octets = draft.encode();
  for_each(layout, [&](const PacketEdit& edit) {
    if (edit.octets != nullptr) edit.octets(octets, draft.packet);
  });
  std::vector<OctetBuffer> all(draft.copies, octets);
  for_each(layout, [&](const PacketEdit& edit) {
    if (edit.extra != 0)
      all.push_back(efa::encode(Packet{.type = edit.extra, .payload = Octets(octets).subspan(kBaseHeader)}));
  });
  return all;
}

}  // namespace wirelaw::efa
