// SPDX-License-Identifier: Apache-2.0
#include "pcap/roce_synthesis.h"

#include "pcap/udp.h"
#include "reference/roce/icrc.h"
#include "reference/roce/packet.h"

namespace wirelaw::pcap {

tl::expected<void, std::string> synthesise_roce(const Endpoint& source, const Endpoint& destination, Octets packet,
                                                OctetBuffer& out) {
  constexpr std::size_t kEthernet = 14, kChecksumFromEnd = 2;
  OctetBuffer payload(packet.begin(), packet.end());
  payload.resize(payload.size() + roce::kIcrcOctets);
  if (auto made = synthesise_datagram(source, destination, payload, out); !made) return made;
  const std::size_t at = out.size() - payload.size();
  store_big_endian(out.data() + at - kChecksumFromEnd, std::uint16_t{0});
  const Octets headers = Octets(out).subspan(kEthernet, at - kEthernet);
  const std::uint32_t crc = roce::icrc_of(headers, packet).value_or(0);
  store_little_endian(out.data() + out.size() - roce::kIcrcOctets, crc);
  return {};
}

}  // namespace wirelaw::pcap
