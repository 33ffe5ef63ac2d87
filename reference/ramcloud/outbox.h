// SPDX-License-Identifier: Apache-2.0
// The queue of packets that an endpoint sends.
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
  // `header` gives session, channel and RPC; the other fields are set here.
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
  // Appends an encoded packet to the queue.
  virtual void put(PeerId to, Draft draft);
  // Appends an ACK for a message of `total` fragments.
  virtual void put_ack(PeerId to, const Header& header, const Ack& ack, std::uint16_t total);

  void push(PeerId to, OctetBuffer octets) { queue_.push_back({to, std::move(octets)}); }

 private:
  std::deque<Outgoing> queue_;
};

}  // namespace wirelaw::ramcloud
