// SPDX-License-Identifier: Apache-2.0
// RAMCloud RPC packets: the 26-octet header and the payloads of the four payload types.
// Source: the RAMCloud RPC protocol text, "RAMCloud RPC Header format" and the two "Payload Format" figures.
// Every integer is little-endian on the wire. Decoding keeps reserved bits and unknown payload types as they came.
#pragma once

#include <cstdint>
#include <optional>
#include <tl/expected.hpp>

#include "reference/octets/octets.h"

namespace wirelaw::ramcloud {

// Octet offsets in the header, in wire order ("RAMCloud RPC Header format").
namespace layout {
inline constexpr std::size_t kSessionToken = 0;        // 8 octets
inline constexpr std::size_t kRpcId = 8;               // 4
inline constexpr std::size_t kClientSessionHint = 12;  // 4
inline constexpr std::size_t kServerSessionHint = 16;  // 4
inline constexpr std::size_t kFragNumber = 20;         // 2
inline constexpr std::size_t kTotalFrags = 22;         // 2
inline constexpr std::size_t kChannelId = 24;          // 1
inline constexpr std::size_t kFlags = 25;              // 1: payloadType in the high four bits, flags in the low four
inline constexpr std::size_t kHeader = 26;

// Offsets in the payload of an ACK ("Acknowledgement Response Payload Format"): packed, six octets.
inline constexpr std::size_t kFirstMissingFrag = 0;  // 2
inline constexpr std::size_t kStagingVector = 2;     // 4
inline constexpr std::size_t kAck = 6;

inline constexpr std::size_t kMaxChannelId = 0;  // 1, in the payload of a session open response
inline constexpr std::size_t kOpenResponse = 1;
}  // namespace layout

// "payloadType". The other values of the four-bit field are reserved.
enum class PayloadType : std::uint8_t { data = 0, ack = 1, session_open = 2, bad_session = 4 };

constexpr bool is_assigned(PayloadType type) {
  return type == PayloadType::data || type == PayloadType::ack || type == PayloadType::session_open ||
         type == PayloadType::bad_session;
}

// The low four bits of the flags octet.
struct Flags {
  bool direction = false;    // set in packets from the server to the client
  bool request_ack = false;  // the sender requests an ACK when this fragment arrives
  bool please_drop = false;  // the receiver should drop the packet: a test aid
  bool reserved1 = false;
  friend constexpr bool operator==(const Flags&, const Flags&) = default;
};

struct Header {
  std::uint64_t session_token = 0;
  std::uint32_t rpc_id = 0;
  std::uint32_t client_session_hint = 0;
  std::uint32_t server_session_hint = 0;
  std::uint16_t frag_number = 0;
  std::uint16_t total_frags = 0;
  std::uint8_t channel_id = 0;
  PayloadType payload_type = PayloadType::data;
  Flags flags = {};
  friend constexpr bool operator==(const Header&, const Header&) = default;
};

// A decoded packet. `payload` is a view of the decoded octets, valid as long as these.
struct Packet {
  Header header;
  Octets payload;
};

// Why octets cannot be decoded. The only reason is that they are shorter than a header.
struct DecodeError {
  std::size_t offset;  // length of the octets
  std::size_t needed;  // length of a header
};

inline tl::expected<Packet, DecodeError> decode(Octets octets);

// Appends header and payload to `out`. encode(decode(x)) == x for every x that decodes.
void encode(const Header& header, Octets payload, OctetBuffer& out);
OctetBuffer encode(const Header& header, Octets payload = {});

// The payload of PT_ACK. Bit i of the staging vector (value 1 << i) is fragment first_missing_frag + 1 + i.
struct Ack {
  std::uint16_t first_missing_frag = 0;
  std::uint32_t staging_vector = 0;
  friend constexpr bool operator==(const Ack&, const Ack&) = default;
};
inline constexpr unsigned kStagingBits = 32;

// Returns nothing if the payload is shorter than six octets. Ignores further octets.
std::optional<Ack> decode_ack(Octets payload);
OctetBuffer encode_ack(const Ack& ack);

// The payload of a session open response: the largest channel id, or for implementations since 2010-08 the number of
// channels (conformance/ramcloud/INTERPRETATIONS.md, RAMCLOUD/R1). Nothing if the payload is empty.
std::optional<std::uint8_t> decode_open_response(Octets payload);

// ---------------------------------------------------------------------------------------------------------------
inline tl::expected<Packet, DecodeError> decode(Octets octets) {
  if (octets.size() < layout::kHeader) return tl::unexpected(DecodeError{octets.size(), layout::kHeader});
  const Octet* const at = octets.data();
  const Octet flags = at[layout::kFlags];
  return Packet{.header = {.session_token = load_little_endian<std::uint64_t>(at + layout::kSessionToken),
                           .rpc_id = load_little_endian<std::uint32_t>(at + layout::kRpcId),
                           .client_session_hint = load_little_endian<std::uint32_t>(at + layout::kClientSessionHint),
                           .server_session_hint = load_little_endian<std::uint32_t>(at + layout::kServerSessionHint),
                           .frag_number = load_little_endian<std::uint16_t>(at + layout::kFragNumber),
                           .total_frags = load_little_endian<std::uint16_t>(at + layout::kTotalFrags),
                           .channel_id = at[layout::kChannelId],
                           .payload_type = static_cast<PayloadType>(flags >> 4),
                           .flags = {.direction = (flags & 1) != 0,
                                     .request_ack = (flags & 2) != 0,
                                     .please_drop = (flags & 4) != 0,
                                     .reserved1 = (flags & 8) != 0}},
                .payload = octets.subspan(layout::kHeader)};
}

}  // namespace wirelaw::ramcloud
