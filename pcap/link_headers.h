// SPDX-License-Identifier: Apache-2.0
// The headers of rare link types: serial lines, switches' debugging ports, capture cards, wireless.
#pragma once

#include "pcap/ethernet.h"
#include "pcap/flaw.h"
#include "pcap/link.h"
#include "reference/octets/octets.h"

namespace wirelaw::pcap {

using StripLink = Flaw (*)(Octets frame, LinkPayload& payload);

Flaw strip_ethernet(Octets frame, LinkPayload& payload);
Flaw strip_ppp(Octets frame, LinkPayload& payload);         // RFC 1661, RFC 1662
Flaw strip_cisco_hdlc(Octets frame, LinkPayload& payload);  // RFC 4349, section 3
Flaw strip_wireless(Octets frame, LinkPayload& payload);    // IEEE 802.11 data frames
Flaw strip_radiotap(Octets frame, LinkPayload& payload);
Flaw strip_ppi(Octets frame, LinkPayload& payload);
Flaw strip_pktap(Octets frame, LinkPayload& payload);
Flaw strip_user2(Octets frame, LinkPayload& payload);  // PKTAP, if the content proves it
Flaw strip_nflog(Octets frame, LinkPayload& payload);
Flaw strip_erf(Octets frame, LinkPayload& payload);
Flaw strip_mpacket(Octets frame, LinkPayload& payload);  // IEEE 802.3br

// Reads a link header that follows `skip` octets of another header.
Flaw strip_after(std::size_t skip, StripLink strip, Octets frame, LinkPayload& payload);

template <std::size_t skip, StripLink strip>
Flaw strip_in(Octets frame, LinkPayload& payload) {
  return strip_after(skip, strip, frame, payload);
}

// Reads Ethernet with a tag of `octets` octets between the addresses and the EtherType.
template <std::size_t octets>
Flaw strip_ethernet_with(Octets frame, LinkPayload& payload) {
  constexpr std::size_t kHeader = kEthernetHeader + octets;
  if (frame.size() < kHeader) return flaw(Fault::link_short, 0, frame.size(), kHeader);
  payload = {load_big_endian<std::uint16_t>(frame.data() + kEthernetType + octets), kHeader};
  return {};
}

}  // namespace wirelaw::pcap
