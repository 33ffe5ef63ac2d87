// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud {

void encode(const Header& header, Octets payload, OctetBuffer& out) {
  const auto flags = static_cast<Octet>(
      static_cast<unsigned>(header.payload_type) << 4 | static_cast<unsigned>(header.flags.direction) |
      static_cast<unsigned>(header.flags.request_ack) << 1 | static_cast<unsigned>(header.flags.please_drop) << 2 |
      static_cast<unsigned>(header.flags.reserved1) << 3);
  Writer(out)
      .little_endian(header.session_token)
      .little_endian(header.rpc_id)
      .little_endian(header.client_session_hint)
      .little_endian(header.server_session_hint)
      .little_endian(header.frag_number)
      .little_endian(header.total_frags)
      .octet(header.channel_id)
      .octet(flags)
      .octets(payload);
}

OctetBuffer encode(const Header& header, Octets payload) {
  OctetBuffer out;
  out.reserve(layout::kHeader + payload.size());
  encode(header, payload, out);
  return out;
}

std::optional<Ack> decode_ack(Octets payload) {
  if (payload.size() < layout::kAck) return std::nullopt;
  return Ack{.first_missing_frag = load_little_endian<std::uint16_t>(payload.data() + layout::kFirstMissingFrag),
             .staging_vector = load_little_endian<std::uint32_t>(payload.data() + layout::kStagingVector)};
}

OctetBuffer encode_ack(const Ack& ack) {
  OctetBuffer out;
  out.reserve(layout::kAck);
  Writer(out).little_endian(ack.first_missing_frag).little_endian(ack.staging_vector);
  return out;
}

std::optional<std::uint8_t> decode_open_response(Octets payload) {
  if (payload.size() < layout::kOpenResponse) return std::nullopt;
  return payload[layout::kMaxChannelId];
}

}  // namespace wirelaw::ramcloud
