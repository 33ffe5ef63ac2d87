// SPDX-License-Identifier: Apache-2.0
// The tags and tunnels between a link and the innermost IP packet: one table, one bounded loop (ip_reader.cc).
//
// A layer begins at an offset in the frame. It is identified by a number in one of these spaces: EtherTypes, IP
// protocols, UDP ports or, before anything is read, link types. If the table has a row for the number, the layer is a
// carrier, whose header identifies the next layer. PPP protocols, NSH's next protocols and the like are translated to
// EtherTypes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "pcap/flaw.h"
#include "pcap/link.h"
#include "reference/octets/octets.h"

namespace wirelaw::pcap {

// EtherTypes that this reader treats in a special way.
inline constexpr std::uint16_t kEtherTypeEthernet = 0x6558;  // a frame with its Ethernet header (RFC 1701)
inline constexpr std::uint16_t kEtherTypeMpls = 0x8847;
inline constexpr std::uint16_t kEtherTypeNsh = 0x894f;
inline constexpr std::uint16_t kEtherTypeArp = 0x0806;
inline constexpr std::uint16_t kMostLlcOctets = 1500;  // the field is a length up to this value (IEEE 802.3)
inline constexpr std::uint16_t kEtherTypePppoe = 0x8864;
inline constexpr std::uint16_t kFirstEtherType = 0x0600;

// Values that are never assigned, for layers without an EtherType.
inline constexpr std::uint16_t kEtherTypeUnknown = 0;
inline constexpr std::uint16_t kEtherTypeUser2 = 0x05fa;    // a link whose number anybody may use
inline constexpr std::uint16_t kEtherTypeMpacket = 0x05fb;  // a fragment of a preemptable frame
inline constexpr std::uint16_t kEtherTypeEncrypted = 0x05fc;
inline constexpr std::uint16_t kEtherTypeNothing = 0x05fd;  // link management, or an empty frame
inline constexpr std::uint16_t kEtherTypeLrh = 0x05fe;      // InfiniBand's Local Route Header
inline constexpr std::uint16_t kEtherTypeLlc = 0x05ff;      // IEEE 802.2 without a length

enum class LayerSpace : std::uint8_t { ether_type, ip_protocol, udp_port, link_type };

struct Layer {
  LayerSpace space = LayerSpace::ether_type;
  std::uint16_t number = 0;
  friend bool operator==(const Layer&, const Layer&) = default;
};

constexpr bool announces_ip(const Layer& layer) {
  return layer.space == LayerSpace::ether_type && (layer.number == kEtherTypeIpv4 || layer.number == kEtherTypeIpv6);
}

// A carrier, as shown to users: "vxlan vni 42". The names live as long as the program.
struct Carrier {
  const char* name = nullptr;     // nullptr: not worth mentioning (an inner Ethernet header)
  const char* id_name = nullptr;  // nullptr: it has no id
  std::uint32_t id = 0;
};

// More carriers are malformed. Real frames have one to five.
inline constexpr std::size_t kMaxCarriers = 16;

// The carriers of one packet, the outermost first.
struct Carriers {
  std::array<Carrier, kMaxCarriers> each;
  std::size_t count = 0;

  bool empty() const { return count == 0; }
  std::string text() const;  // "vlan 5, vxlan vni 42"; empty if none has a name
  const char* innermost() const { return count == 0 ? nullptr : each[count - 1].name; }
};

// The position of a reader in a frame, or in a packet reassembled from fragments. `octets` and `wire_length` end at the
// end of the innermost IP packet, which may be before the end of the frame.
struct Walk {
  Octets octets;
  std::size_t wire_length = 0;  // length on the wire; greater than octets.size() if the snap length cut the packet
  std::size_t at = 0;           // start of `layer`
  Layer layer;
  std::size_t headers = 0;        // number of headers entered, with or without a name
  std::uint16_t source_port = 0;  // source port, if a UDP port identifies the layer
  bool is_to_port = false;        // likewise: the number is the destination port

  bool is_cut() const { return octets.size() < wire_length; }
  std::size_t left() const { return octets.size() > at ? octets.size() - at : 0; }
  const Octet* here() const { return octets.data() + at; }
  void end_at(std::size_t end) {  // leaves out everything after this
    if (end < wire_length) wire_length = end;
    if (end < octets.size()) octets = octets.first(end);
  }
};

enum class Entering : std::uint8_t {
  entered,     // `walk` is at the layer inside the carrier
  no_carrier,  // `walk` is unchanged: the layer is no carrier, or cannot be read
  flawed,
};

// Enters the carrier that begins at `walk`, and adds it to `carriers`.
Entering enter_carrier(Walk& walk, Carriers& carriers, Flaw& found);
// The same for IP over InfiniBand. At `walk`, the packet's Base Transport Header begins.
Entering enter_ip_over_infiniband(Walk& walk, Carriers& carriers, Flaw& found);

// UDP ports of tunnels.
inline constexpr std::array<std::uint16_t, 12> kCarrierPorts{6635, 4789,  8472, 4790, 6081, 2152,
                                                             1701, 37008, 4500, 4341, 6080, 51820};

// Called for nearly every datagram: in most cases the low bits of a port already exclude it.
inline bool is_carrier_port(std::uint16_t port) {
  constexpr auto bit = [](std::uint16_t of) { return std::uint64_t{1} << (of & 63U); };
  constexpr std::uint64_t kLowBits = [bit] {
    std::uint64_t bits = 0;
    for (const std::uint16_t one : kCarrierPorts) bits |= bit(one);
    return bits;
  }();
  if ((kLowBits & bit(port)) == 0) [[likely]]
    return false;
  return std::ranges::find(kCarrierPorts, port) != kCarrierPorts.end();
}

// Returns the EtherType of a PPP protocol (IANA "PPP Numbers"); kEtherTypeNothing for link management.
std::uint16_t ether_type_of_ppp(std::uint16_t protocol);

}  // namespace wirelaw::pcap
