// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/faults/faulty_outbox.h"

#include <utility>

#include "reference/ramcloud/faults/packet_faults.h"

namespace wirelaw::ramcloud {

void FaultyOutbox::put(PeerId to, Draft draft) {
  for (OctetBuffer& octets : encode_with_faults(draft.header, std::move(draft.payload), draft.resent, deviations_))
    push(to, std::move(octets));
}

void FaultyOutbox::put_ack(PeerId to, const Header& header, const Ack& ack, std::uint16_t total) {
  if (deviations_.has(Deviation::no_ack)) return;
  put(to, {header, encode_ack_with_faults(ack, total, deviations_)});
}

}  // namespace wirelaw::ramcloud
