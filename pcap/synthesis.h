// SPDX-License-Identifier: Apache-2.0
// Builds a frame for a payload that was exchanged without one (in memory, over SRD, through a socket), so that
// Wireshark and other readers of captures can show it.
#pragma once

#include <string_view>
#include <tl/expected.hpp>

#include "pcap/address.h"
#include "pcap/tcp.h"
#include "reference/octets/octets.h"

namespace wirelaw::pcap {

// Replaces `out` with Ethernet, IPv4 or IPv6, UDP, and `payload`. Lengths and checksums are correct, and the same input
// gives the same octets. MAC addresses are locally administered and made from the IP addresses. The error is the reason
// why no such datagram can exist.
tl::expected<void, std::string> synthesise_datagram(const Endpoint& source, const Endpoint& destination, Octets payload,
                                                    OctetBuffer& out);

// Fields of the synthetic TCP header, besides the ports.
struct TcpHeader {
  std::uint32_t seq = 0;
  std::uint32_t ack = 0;
  TcpFlags flags;
  std::uint16_t window = 65535;
  std::uint16_t mss = 0;  // 0: no MSS option
};

// Same, for a TCP segment.
tl::expected<void, std::string> synthesise_segment(const Endpoint& source, const Endpoint& destination,
                                                   const TcpHeader& header, Octets payload, OctetBuffer& out);

// Returns the number of octets before the payload of such a segment without options.
std::uint32_t segment_headers(const Endpoint& source);

// Replaces `out` with an exported PDU (exported_pdu.h), a frame of LINKTYPE_WIRESHARK_UPPER_PDU, for a transport that
// is no network protocol. Wireshark passes the payload to the dissector of this name. The two addresses may be of
// different IP versions.
tl::expected<void, std::string> synthesise_pdu(std::string_view dissector, const Endpoint& source,
                                               const Endpoint& destination, Octets payload, OctetBuffer& out);

}  // namespace wirelaw::pcap
