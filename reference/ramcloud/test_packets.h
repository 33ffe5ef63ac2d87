// SPDX-License-Identifier: Apache-2.0
// For tests of the endpoints: a session's packets, and the packets that an endpoint has sent.
#pragma once

#include <vector>

#include "reference/endpoint.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud {

// A packet with the octets to which it refers.
struct SentPacket {
  PeerId to = 0;
  Header header;
  OctetBuffer payload;

  bool is(PayloadType type) const { return header.payload_type == type; }
  Ack ack() const { return decode_ack(payload).value_or(Ack{0xffff, 0xffffffff}); }
};

template <class Endpoint>
std::vector<SentPacket> fetch(Endpoint& endpoint) {
  std::vector<SentPacket> all;
  Outgoing out;
  while (endpoint.next_datagram(out)) {
    const auto packet = decode(out.octets);
    all.push_back({out.to, packet->header, OctetBuffer(packet->payload.begin(), packet->payload.end())});
  }
  return all;
}

inline OctetBuffer open_request(std::uint32_t client_hint, Flags flags = {}) {
  return encode({.session_token = 0xcccccccccccccccc,
                 .client_session_hint = client_hint,
                 .server_session_hint = 0xcccccccc,
                 .payload_type = PayloadType::session_open,
                 .flags = flags});
}

// `session` gives the token and the hints.
inline OctetBuffer data(Header session, std::uint8_t channel, std::uint32_t rpc, std::uint16_t number,
                        std::uint16_t total, Octets payload, Flags flags = {}) {
  session.payload_type = PayloadType::data;
  session.channel_id = channel;
  session.rpc_id = rpc;
  session.frag_number = number;
  session.total_frags = total;
  session.flags = flags;
  return encode(session, payload);
}

inline OctetBuffer ack(Header session, std::uint8_t channel, std::uint32_t rpc, const Ack& what, Flags flags = {}) {
  session.payload_type = PayloadType::ack;
  session.channel_id = channel;
  session.rpc_id = rpc;
  session.frag_number = 0;
  session.total_frags = 0;
  session.flags = flags;
  return encode(session, encode_ack(what));
}

}  // namespace wirelaw::ramcloud
