// SPDX-License-Identifier: Apache-2.0
// The packets of an endpoint on their way out.
#pragma once

#include <deque>

#include "reference/endpoint.h"
#include "reference/ramcloud/message_receiver.h"
#include "reference/ramcloud/message_sender.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud {

class Outbox {
 public:
  Outbox() = default;
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;
  virtual ~Outbox() = default;

  void send(PeerId to, const Header& header, OctetBuffer payload = {});
  // `header` names session, channel and RPC; the rest of it is set here.
  void send_fragment(PeerId to, Header header, const Fragment& fragment);
  void send_ack(PeerId to, const Header& header, const MessageReceiver& received);
  void send_ack(PeerId to, Header header, const Ack& ack, std::uint16_t total);

  bool next(Outgoing& out);

 protected:
  struct Draft {
    Header header;
    OctetBuffer payload;
    bool resent = false;
  };
  // Puts a packet into the queue, as octets.
  virtual void put(PeerId to, Draft draft);
  // An ACK about a message of `total` fragments.
  virtual void put_ack(PeerId to, const Header& header, const Ack& ack, std::uint16_t total);

  void push(PeerId to, OctetBuffer octets) { queue_.push_back({to, std::move(octets)}); }

 private:
  std::deque<Outgoing> queue_;
};

}  // namespace wirelaw::ramcloud
