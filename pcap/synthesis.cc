// SPDX-License-Identifier: Apache-2.0
#include "pcap/synthesis.h"

#include <fmt/format.h>

#include <limits>

#include "pcap/checksum.h"
#include "pcap/exported_pdu.h"
#include "pcap/ip.h"
#include "pcap/link.h"
#include "pcap/udp.h"

namespace wirelaw::pcap {
namespace {

constexpr std::size_t kEthernet = 14;
constexpr std::size_t kIpv4Header = 20, kIpv6Header = 40, kMaxLength = 65535;
constexpr Octet kHopLimit = 64;

std::size_t size_of(const Address& address) {
  return address.v6 ? 16 : 4;
}

Octets octets_of(const Address& address) {
  return Octets(address.octets).first(size_of(address));
}

void put_mac(wirelaw::Writer& out, const Address& address) {
  out.octet(0x02).octet(0x00).octets(octets_of(address).last(4));  // 0x02: locally administered
}

// The fields of IP that describe its payload.
struct Carried {
  const Address& source;
  const Address& destination;
  std::uint8_t protocol;
  std::size_t length;  // length of the transport's header and payload
};

void put_ipv4(OctetBuffer& out, const Carried& carried) {
  const std::size_t at = out.size();
  wirelaw::Writer writer(out);
  writer.octet(0x45).octet(0).big_endian(static_cast<std::uint16_t>(kIpv4Header + carried.length));
  writer.big_endian(std::uint16_t{0}).big_endian(std::uint16_t{0x4000});  // no id, do not fragment (RFC 6864)
  writer.octet(kHopLimit).octet(carried.protocol).big_endian(std::uint16_t{0});
  writer.octets(octets_of(carried.source)).octets(octets_of(carried.destination));
  store_big_endian(out.data() + at + 10, Checksum().add(Octets(out).subspan(at)).result());
}

void put_ipv6(OctetBuffer& out, const Carried& carried) {
  wirelaw::Writer writer(out);
  writer.big_endian(std::uint32_t{0x60000000}).big_endian(static_cast<std::uint16_t>(carried.length));
  writer.octet(carried.protocol).octet(kHopLimit);
  writer.octets(octets_of(carried.source)).octets(octets_of(carried.destination));
}

// Replaces `out` with the headers of Ethernet and IP.
void put_lower(OctetBuffer& out, const Carried& carried) {
  out.clear();
  out.reserve(kEthernet + kIpv6Header + carried.length);
  wirelaw::Writer writer(out);
  put_mac(writer, carried.destination);
  put_mac(writer, carried.source);
  const bool v6 = carried.source.v6;
  writer.big_endian(v6 ? kEtherTypeIpv6 : kEtherTypeIpv4);
  (v6 ? put_ipv6 : put_ipv4)(out, carried);
}

// A packet to check. The check returns why no such packet can exist; empty if it can.
struct Refusable {
  const char* what;  // "datagram"
  const char* protocol;
  std::size_t header;
};
tl::expected<void, std::string> check(const Refusable& packet, const Endpoint& source, const Endpoint& destination,
                                      std::size_t payload) {
  const bool v6 = source.address.v6;
  if (v6 != destination.address.v6)
    return tl::unexpected(
        fmt::format("a {} cannot go from {} to {}", packet.what, to_string(source), to_string(destination)));
  for (const Endpoint* end : {&source, &destination})
    if (end->port > std::numeric_limits<std::uint16_t>::max())
      return tl::unexpected(fmt::format("a {} {} has no port {}", packet.protocol, packet.what, end->port));
  const std::size_t limit = kMaxLength - packet.header - (v6 ? 0 : kIpv4Header);
  if (payload > limit)
    return tl::unexpected(fmt::format("a payload of {} octets is longer than the {} that a {} {} over IPv{} has",
                                      payload, limit, packet.protocol, packet.what, v6 ? 6 : 4));
  return {};
}

// check() has verified that the ports fit.
void put_ports(wirelaw::Writer& out, const Endpoint& source, const Endpoint& destination) {
  out.big_endian(static_cast<std::uint16_t>(source.port)).big_endian(static_cast<std::uint16_t>(destination.port));
}

}  // namespace

// RFC 768.
tl::expected<void, std::string> synthesise_datagram(const Endpoint& source, const Endpoint& destination, Octets payload,
                                                    OctetBuffer& out) {
  if (auto possible = check({"datagram", "UDP", kUdpHeader}, source, destination, payload.size()); !possible)
    return possible;
  const Carried carried{source.address, destination.address, kProtocolUdp, kUdpHeader + payload.size()};
  put_lower(out, carried);
  const std::size_t at = out.size();
  wirelaw::Writer writer(out);
  put_ports(writer, source, destination);
  writer.big_endian(static_cast<std::uint16_t>(carried.length)).big_endian(std::uint16_t{0}).octets(payload);
  const std::uint16_t sum =
      transport_checksum(source.address, destination.address, kProtocolUdp, Octets(out).subspan(at));
  store_big_endian(out.data() + at + 6, sum == 0 ? std::uint16_t{0xffff} : sum);  // 0 means "no checksum"
  return {};
}

// RFC 9293, section 3.1; section 3.7.1 for the option.
tl::expected<void, std::string> synthesise_segment(const Endpoint& source, const Endpoint& destination,
                                                   const TcpHeader& header, Octets payload, OctetBuffer& out) {
  constexpr std::size_t kMssOption = 4;
  constexpr std::uint16_t kMssKindAndLength = 0x0204;
  const std::size_t header_octets = kTcpHeader + (header.mss == 0 ? 0 : kMssOption);
  if (auto possible = check({"segment", "TCP", header_octets}, source, destination, payload.size()); !possible)
    return possible;
  const Carried carried{source.address, destination.address, kProtocolTcp, header_octets + payload.size()};
  put_lower(out, carried);
  const std::size_t at = out.size();
  wirelaw::Writer writer(out);
  put_ports(writer, source, destination);
  writer.big_endian(header.seq).big_endian(header.ack);
  writer.octet(static_cast<Octet>(header_octets / 4 * 16)).octet(header.flags.bits).big_endian(header.window);
  writer.big_endian(std::uint16_t{0}).big_endian(std::uint16_t{0});
  if (header.mss != 0) writer.big_endian(kMssKindAndLength).big_endian(header.mss);
  writer.octets(payload);
  store_big_endian(out.data() + at + 16,
                   transport_checksum(source.address, destination.address, kProtocolTcp, Octets(out).subspan(at)));
  return {};
}

namespace {

void put_tag(wirelaw::Writer& out, std::uint16_t tag, std::size_t octets) {
  out.big_endian(tag).big_endian(static_cast<std::uint16_t>(octets));
}

void put_address_tag(wirelaw::Writer& out, std::uint16_t v4_tag, std::uint16_t v6_tag, const Address& address) {
  put_tag(out, address.v6 ? v6_tag : v4_tag, size_of(address));
  out.octets(octets_of(address));
}

void put_port_tag(wirelaw::Writer& out, std::uint16_t tag, std::uint32_t port) {
  put_tag(out, tag, sizeof(std::uint32_t));
  out.big_endian(port);
}

}  // namespace

std::uint32_t segment_headers(const Endpoint& source) {
  return static_cast<std::uint32_t>(kEthernet + (source.address.v6 ? kIpv6Header : kIpv4Header) + kTcpHeader);
}

tl::expected<void, std::string> synthesise_pdu(std::string_view dissector, const Endpoint& source,
                                               const Endpoint& destination, Octets payload, OctetBuffer& out) {
  constexpr std::size_t kMostName = 65532, kTags = 80;  // the longest value whose length is a multiple of four
  if (dissector.empty() || dissector.size() > kMostName || dissector.find('\0') != std::string_view::npos)
    return tl::unexpected(fmt::format("no dissector has such a name, of {} octets", dissector.size()));
  const std::size_t padding = (4 - dissector.size() % 4) % 4;
  out.clear();
  out.reserve(kTags + dissector.size() + payload.size());
  wirelaw::Writer writer(out);
  put_tag(writer, pdu_tag::kDissectorName, dissector.size() + padding);
  out.insert(out.end(), dissector.begin(), dissector.end());
  out.resize(out.size() + padding);
  put_address_tag(writer, pdu_tag::kIpv4Source, pdu_tag::kIpv6Source, source.address);
  put_address_tag(writer, pdu_tag::kIpv4Destination, pdu_tag::kIpv6Destination, destination.address);
  put_port_tag(writer, pdu_tag::kSourcePort, source.port);
  put_port_tag(writer, pdu_tag::kDestinationPort, destination.port);
  put_tag(writer, pdu_tag::kEnd, 0);
  writer.octets(payload);
  return {};
}

}  // namespace wirelaw::pcap
