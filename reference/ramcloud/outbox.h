// SPDX-License-Identifier: Apache-2.0
// The packets of an endpoint on their way out. Whatever fault lies in the octets of a packet is committed here.
#pragma once

#include <deque>

#include "reference/endpoint.h"
#include "reference/ramcloud/deviations.h"
#include "reference/ramcloud/message_receiver.h"
#include "reference/ramcloud/message_sender.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud {

class Outbox {
 public:
  explicit Outbox(const Deviations& deviations) : deviations_(deviations) {}

  void send(PeerId to, Header header, OctetBuffer payload = {}, bool resent = false);
  // `header` names session, channel and RPC; the rest of it is set here.
  void send_fragment(PeerId to, Header header, const Fragment& fragment);
  void send_ack(PeerId to, Header header, const MessageReceiver& received);
  void send_ack(PeerId to, Header header, const Ack& ack, std::uint16_t total);

  bool next(Outgoing& out);

 private:
  Deviations deviations_;
  std::deque<Outgoing> queue_;
};

}  // namespace wirelaw::ramcloud
