// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/outbox.h"

#include <utility>

namespace wirelaw::ramcloud {

void Outbox::send(PeerId to, const Header& header, OctetBuffer payload) {
  put(to, {header, std::move(payload)});
}

void Outbox::send_fragment(PeerId to, Header header, const Fragment& fragment) {
  header.payload_type = PayloadType::data;
  header.frag_number = fragment.number;
  header.total_frags = fragment.total;
  header.flags.request_ack = fragment.request_ack;
  put(to, {header, OctetBuffer(fragment.payload.begin(), fragment.payload.end()), fragment.resent});
}

void Outbox::send_ack(PeerId to, const Header& header, const MessageReceiver& received) {
  send_ack(to, header, received.ack(), received.total());
}

void Outbox::send_ack(PeerId to, Header header, const Ack& ack, std::uint16_t total) {
  header.payload_type = PayloadType::ack;
  header.frag_number = 0;
  header.total_frags = 0;
  header.flags = {.direction = header.flags.direction};
  put_ack(to, header, ack, total);
}

void Outbox::put(PeerId to, Draft draft) {
  push(to, encode(draft.header, draft.payload));
}

void Outbox::put_ack(PeerId to, const Header& header, const Ack& ack, std::uint16_t) {
  put(to, {header, encode_ack(ack)});
}

bool Outbox::next(Outgoing& out) {
  if (queue_.empty()) return false;
  out = std::move(queue_.front());
  queue_.pop_front();
  return true;
}

}  // namespace wirelaw::ramcloud
