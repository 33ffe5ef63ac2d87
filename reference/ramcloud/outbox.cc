// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/outbox.h"

#include <utility>

#include "reference/ramcloud/packet_faults.h"

namespace wirelaw::ramcloud {

void Outbox::send(PeerId to, Header header, OctetBuffer payload, bool resent) {
  if (deviations_.empty()) {
    queue_.push_back({to, encode(header, payload)});
    return;
  }
  for (OctetBuffer& octets : encode_with_faults({header, std::move(payload), resent}, deviations_))
    queue_.push_back({to, std::move(octets)});
}

void Outbox::send_fragment(PeerId to, Header header, const Fragment& fragment) {
  header.payload_type = PayloadType::data;
  header.frag_number = fragment.number;
  header.total_frags = fragment.total;
  header.flags.request_ack = fragment.request_ack;
  send(to, header, OctetBuffer(fragment.payload.begin(), fragment.payload.end()), fragment.resent);
}

void Outbox::send_ack(PeerId to, Header header, const MessageReceiver& received) {
  send_ack(to, header, received.ack(), received.total());
}

void Outbox::send_ack(PeerId to, Header header, const Ack& ack, std::uint16_t total) {
  if (deviations_.has(Deviation::no_ack)) return;
  header.payload_type = PayloadType::ack;
  header.frag_number = 0;
  header.total_frags = 0;
  header.flags = {.direction = header.flags.direction};
  send(to, header, deviations_.empty() ? encode_ack(ack) : encode_ack_with_faults(ack, total, deviations_));
}

bool Outbox::next(Outgoing& out) {
  if (queue_.empty()) return false;
  out = std::move(queue_.front());
  queue_.pop_front();
  return true;
}

}  // namespace wirelaw::ramcloud
