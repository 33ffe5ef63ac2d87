// SPDX-License-Identifier: Apache-2.0
#include "pcap/synthesis.h"

#include <fmt/format.h>

#include "pcap/ip.h"
#include "pcap/link.h"
#include "pcap/udp.h"

namespace wirelaw::pcap {
namespace {

constexpr std::size_t kIpv4Header = 20, kIpv6Header = 40, kMaxLength = 65535;
constexpr Octet kHopLimit = 64;

// RFC 1071, over as many pieces as there are; each but the last has an even length.
class Checksum {
 public:
  Checksum& add(Octets octets) {
    for (std::size_t i = 0; i < octets.size(); ++i) sum_ += i % 2 == 0 ? octets[i] * 256U : octets[i];
    return *this;
  }
  Checksum& add(std::uint32_t value) {
    sum_ += value;
    return *this;
  }
  std::uint16_t result() const {
    std::uint64_t sum = sum_;
    while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
    return static_cast<std::uint16_t>(~sum);
  }

 private:
  std::uint64_t sum_ = 0;
};

std::size_t size_of(const Address& address) {
  return address.v6 ? 16 : 4;
}

Octets octets_of(const Address& address) {
  return Octets(address.octets).first(size_of(address));
}

void put_mac(wirelaw::Writer& out, const Address& address) {
  out.octet(0x02).octet(0x00).octets(octets_of(address).last(4));  // 0x02: locally administered
}

void put_ipv4(OctetBuffer& out, const Address& source, const Address& destination, std::size_t udp_length) {
  const std::size_t at = out.size();
  wirelaw::Writer writer(out);
  writer.octet(0x45).octet(0).big_endian(static_cast<std::uint16_t>(kIpv4Header + udp_length));
  writer.big_endian(std::uint16_t{0}).big_endian(std::uint16_t{0x4000});  // no id, do not fragment (RFC 6864)
  writer.octet(kHopLimit).octet(kProtocolUdp).big_endian(std::uint16_t{0});
  writer.octets(octets_of(source)).octets(octets_of(destination));
  store_big_endian(out.data() + at + 10, Checksum().add(Octets(out).subspan(at)).result());
}

void put_ipv6(OctetBuffer& out, const Address& source, const Address& destination, std::size_t udp_length) {
  wirelaw::Writer writer(out);
  writer.big_endian(std::uint32_t{0x60000000}).big_endian(static_cast<std::uint16_t>(udp_length));
  writer.octet(kProtocolUdp).octet(kHopLimit).octets(octets_of(source)).octets(octets_of(destination));
}

// RFC 768; the pseudo-header's sum is the same for IPv6 (RFC 8200, section 8.1).
void put_udp(OctetBuffer& out, const Endpoint& source, const Endpoint& destination, Octets payload) {
  const std::size_t at = out.size();
  const auto length = static_cast<std::uint16_t>(kUdpHeader + payload.size());
  wirelaw::Writer writer(out);
  writer.big_endian(source.port).big_endian(destination.port).big_endian(length).big_endian(std::uint16_t{0});
  writer.octets(payload);
  Checksum sum;
  sum.add(octets_of(source.address)).add(octets_of(destination.address)).add(kProtocolUdp).add(length);
  const std::uint16_t result = sum.add(Octets(out).subspan(at)).result();
  store_big_endian(out.data() + at + 6, result == 0 ? std::uint16_t{0xffff} : result);  // 0 means "none"
}

}  // namespace

tl::expected<void, std::string> synthesise_datagram(const Endpoint& source, const Endpoint& destination, Octets payload,
                                                    OctetBuffer& out) {
  const bool v6 = source.address.v6;
  if (v6 != destination.address.v6)
    return tl::unexpected(fmt::format("a datagram cannot go from {} to {}", to_string(source), to_string(destination)));
  const std::size_t limit = kMaxLength - kUdpHeader - (v6 ? 0 : kIpv4Header);
  if (payload.size() > limit)
    return tl::unexpected(fmt::format("a payload of {} octets is longer than the {} that a UDP datagram over IPv{} has",
                                      payload.size(), limit, v6 ? 6 : 4));
  out.clear();
  out.reserve(14 + kIpv6Header + kUdpHeader + payload.size());
  wirelaw::Writer writer(out);
  put_mac(writer, destination.address);
  put_mac(writer, source.address);
  writer.big_endian(v6 ? kEtherTypeIpv6 : kEtherTypeIpv4);
  (v6 ? put_ipv6 : put_ipv4)(out, source.address, destination.address, kUdpHeader + payload.size());
  put_udp(out, source, destination, payload);
  return {};
}

}  // namespace wirelaw::pcap
