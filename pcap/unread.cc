// SPDX-License-Identifier: Apache-2.0
#include "pcap/unread.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace wirelaw::pcap {
namespace {

// Protocols with a name. Network control protocols and field buses carry no remote memory protocol.
struct Known {
  Layer layer;
  const char* name;
  bool is_innocent;
};

constexpr Known innocent(LayerSpace space, std::uint16_t number, const char* name) {
  return {{space, number}, name, true};
}
constexpr Known suspect(LayerSpace space, std::uint16_t number, const char* name) {
  return {{space, number}, name, false};
}

using enum LayerSpace;
constexpr std::array kKnown{
    innocent(ether_type, kEtherTypeArp, "ARP"),
    innocent(ether_type, kEtherTypeLlc, "LLC"),  // spanning trees, Cisco discovery: no IP
    innocent(ether_type, kEtherTypeNothing, "frames that manage the link"),
    innocent(ether_type, 0x0842, "Wake-on-LAN"),
    innocent(ether_type, 0x22ea, "stream reservation"),
    innocent(ether_type, 0x22f0, "AVTP"),
    innocent(ether_type, 0x6003, "DECnet"),
    innocent(ether_type, 0x8035, "RARP"),
    innocent(ether_type, 0x809b, "AppleTalk"),
    innocent(ether_type, 0x80f3, "AppleTalk ARP"),
    innocent(ether_type, 0x8137, "IPX"),
    innocent(ether_type, 0x8808, "Ethernet flow control"),
    innocent(ether_type, 0x8809, "slow protocols"),
    innocent(ether_type, 0x8863, "PPPoE discovery"),
    innocent(ether_type, 0x8874, "loop detection"),
    innocent(ether_type, 0x887b, "HomePlug"),
    innocent(ether_type, 0x8892, "PROFINET"),
    innocent(ether_type, 0x8899, "loop detection"),
    innocent(ether_type, 0x88a4, "EtherCAT"),
    innocent(ether_type, 0x88ab, "POWERLINK"),
    innocent(ether_type, 0x88b8, "GOOSE"),
    innocent(ether_type, 0x88ba, "IEC 61850 sampled values"),
    innocent(ether_type, 0x888e, "EAPOL"),
    innocent(ether_type, 0x88cc, "LLDP"),
    innocent(ether_type, 0x88e1, "HomePlug"),
    innocent(ether_type, 0x88f5, "MVRP"),
    innocent(ether_type, 0x88f6, "MMRP"),
    innocent(ether_type, 0x88f7, "PTP"),
    innocent(ether_type, 0x8902, "connectivity fault management"),
    innocent(ether_type, 0x8912, "HomePlug"),
    innocent(ether_type, 0x893a, "IEEE 1905.1"),
    innocent(ether_type, 0x8914, "FCoE initialization"),
    innocent(ether_type, 0x9000, "Ethernet loopback test"),
    innocent(ip_protocol, 1, "ICMP"),
    innocent(ip_protocol, 2, "IGMP"),
    innocent(ip_protocol, 46, "RSVP"),
    innocent(ip_protocol, 58, "ICMPv6"),
    innocent(ip_protocol, 59, "packets without a next header"),
    innocent(ip_protocol, 88, "EIGRP"),
    innocent(ip_protocol, 89, "OSPF"),
    innocent(ip_protocol, 103, "PIM"),
    innocent(ip_protocol, 112, "VRRP"),
    innocent(ip_protocol, 132, "SCTP"),
    suspect(ether_type, kEtherTypeUnknown, "a protocol without an EtherType"),
    suspect(ether_type, kEtherTypeUser2, "link type 149 (DLT_USER2) without PKTAP headers"),
    suspect(ether_type, kEtherTypeMpacket, "preemptable frames whose fragments are not all there"),
    suspect(ether_type, kEtherTypeEncrypted, "encrypted packets"),
    suspect(ether_type, kEtherTypeLrh, "InfiniBand without its transport"),
    suspect(ether_type, kEtherTypeMpls, "MPLS"),
    suspect(ether_type, 0x8848, "MPLS"),
    suspect(ether_type, kEtherTypePppoe, "PPPoE"),
    suspect(ether_type, 0x88be, "ERSPAN"),
    suspect(ether_type, 0x22eb, "ERSPAN"),
    suspect(ether_type, 0x88e5, "MACsec"),
    suspect(ether_type, 0x8906, "FCoE"),
    suspect(ether_type, kEtherTypeNsh, "NSH"),
    suspect(ip_protocol, 47, "GRE"),
    suspect(ip_protocol, 50, "IPsec ESP"),
    suspect(ip_protocol, 97, "EtherIP"),
    suspect(ip_protocol, 108, "IPComp"),
    suspect(ip_protocol, 115, "L2TPv3"),
};

const Known* find_known(const Layer& layer) {
  const auto found = std::ranges::find(kKnown, layer, &Known::layer);
  return found == kKnown.end() ? nullptr : &*found;
}

bool is_suspect(const Layer& layer) {
  const Known* const known = find_known(layer);
  return known == nullptr || !known->is_innocent;
}

std::string_view text_of(const char* carrier) {
  return carrier == nullptr ? std::string_view() : carrier;
}

}  // namespace

bool is_known(const Layer& layer) {
  return find_known(layer) != nullptr;
}

std::string name_of(const Layer& layer) {
  if (const Known* const known = find_known(layer)) return known->name;
  if (layer.space == LayerSpace::ether_type) return fmt::format("EtherType {:#06x}", layer.number);
  if (layer.space == LayerSpace::link_type) return fmt::format("link type {}", layer.number);
  return fmt::format("IP protocol {}", layer.number);
}

void Unread::add(const Layer& layer, const char* carrier) {
  const auto found = std::ranges::find_if(
      kinds_, [&](const Kind& one) { return one.layer == layer && text_of(one.carrier) == text_of(carrier); });
  if (found != kinds_.end())
    ++found->frames;
  else if (kinds_.size() < kMostKinds)
    kinds_.push_back({layer, carrier, 1});
  else
    ++others_;
}

std::uint64_t Unread::suspects() const {
  std::uint64_t frames = others_;
  for (const Kind& kind : kinds_)
    if (is_suspect(kind.layer)) frames += kind.frames;
  return frames;
}

std::string Unread::text() const {
  std::vector<Kind> suspects;
  std::ranges::copy_if(kinds_, std::back_inserter(suspects), [](const Kind& kind) { return is_suspect(kind.layer); });
  std::ranges::stable_sort(suspects, std::ranges::greater(), &Kind::frames);
  std::string text;
  const auto say = [&](std::uint64_t frames, const std::string& name) {
    text += fmt::format("{}{} {} of {}", text.empty() ? "" : ", ", frames, frames == 1 ? "frame" : "frames", name);
  };
  for (const Kind& kind : suspects) {
    const std::string name = name_of(kind.layer);
    say(kind.frames, kind.carrier == nullptr ? name : fmt::format("{} in {}", name, kind.carrier));
  }
  if (others_ > 0) say(others_, "other kinds");
  return text;
}

}  // namespace wirelaw::pcap
