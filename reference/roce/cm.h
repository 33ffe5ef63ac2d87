// SPDX-License-Identifier: Apache-2.0
// Datagrams of the Communication Manager (InfiniBand Architecture 1.4: 13.4.2, 12.6; Annex A11), which open and close a
// reliable connection between two queue pairs. They are sent to queue pair 1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "reference/octets/octets.h"

namespace wirelaw::roce {

inline constexpr std::size_t kMadOctets = 256;
inline constexpr std::size_t kIpCmOctets = 36;  // in a request, before the consumer's private data (A11.6)

// The attribute of a management datagram selects the message (12.6.1).
enum class CmType : std::uint16_t {
  request = 0x0010,        // REQ
  receipt = 0x0011,        // MRA
  rejection = 0x0012,      // REJ
  reply = 0x0013,          // REP
  ready = 0x0014,          // RTU
  disconnection = 0x0015,  // DREQ
  disconnected = 0x0016,   // DREP
};

struct CmMessage {
  CmType type = CmType::request;
  std::uint64_t transaction = 0;
  std::uint32_t local_id = 0;      // the sender's ID for the conversation
  std::uint32_t remote_id = 0;     // the receiver's ID; not in a request
  std::uint32_t qpn = 0;           // the sender's in a request and a reply, the receiver's in a disconnection
  std::uint32_t starting_psn = 0;  // first PSN that the receiver of this request or reply sends
  std::uint64_t service_id = 0;    // in a request
  std::uint8_t path_mtu = 0;       // in a request: 1 to 5 for 256 to 4096 octets
  std::uint16_t reason = 0;        // in a rejection
  Octets private_data = {};  // up to the end of the datagram; in a request without the octets of the IP CM service

  // The port in a service ID of the RDMA IP CM service (A11.2).
  std::optional<std::uint16_t> service_port() const;
};

// Decodes the payload of a datagram to queue pair 1. Returns nothing if it is incomplete, or another message.
std::optional<CmMessage> decode_cm(Octets mad);
// Appends the message, with honest values in its other fields: a request uses the RDMA IP CM service.
void encode(const CmMessage& message, OctetBuffer& out);

constexpr std::uint64_t service_of(std::uint16_t tcp_port) {
  return 0x0000000001060000 | tcp_port;
}
// Payload of a packet in octets for a path MTU; 0 if the value is invalid.
constexpr std::uint32_t octets_of_mtu(std::uint8_t path_mtu) {
  return path_mtu >= 1 && path_mtu <= 5 ? 128U << path_mtu : 0;
}

// A field, with its name in Wireshark.
struct CmField {
  enum class Show : std::uint8_t { number, hex, octets };

  std::string_view name;
  std::uint16_t offset;  // relative to the datagram's payload
  std::uint8_t octets;   // octets that contain the field
  std::uint8_t shift = 0;
  std::uint8_t bits = 0;  // 0: all of them
  Show show = Show::number;
};
// Returns the field's value, of at most eight octets. Requires that these are present.
std::uint64_t load(Octets mad, const CmField& field);
std::span<const CmField> mad_fields();
std::span<const CmField> fields_of(CmType type);
std::string_view name_of(CmType type);  // "ConnectRequest"

}  // namespace wirelaw::roce
