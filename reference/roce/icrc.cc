// SPDX-License-Identifier: Apache-2.0
#include "reference/roce/icrc.h"

#include <algorithm>
#include <array>

#include "reference/octets/crc32.h"
#include "reference/roce/packet.h"

namespace wirelaw::roce {
namespace {

constexpr std::size_t kOnes = 8, kIpv4 = 20, kIpv6 = 40, kUdp = 8;
constexpr std::size_t kUdpChecksum = 6, kCongestion = 4;  // offsets in their headers

struct Masked {
  std::size_t offset, length;
};
constexpr Masked kOfIpv4[] = {{1, 1}, {8, 1}, {10, 2}};  // type of service, time to live, checksum
constexpr Masked kOfIpv6[] = {{1, 3}, {7, 1}};           // flow label (and more, below), hop limit

}  // namespace

std::optional<std::uint32_t> icrc_of(Octets headers, Octets packet) {
  const bool global = headers.size() == kIpv6;  // a Global Route Header, which has IPv6's layout
  const bool v6 = global || headers.size() == kIpv6 + kUdp, v4 = headers.size() == kIpv4 + kUdp;
  if ((!v4 && !v6) || headers[0] >> 4 != (v6 ? 6 : 4) || packet.size() < kBthOctets) return std::nullopt;
  std::array<Octet, kOnes + kIpv6 + kUdp + kBthOctets> masked;
  masked.fill(0xff);
  Octet* const ip = masked.data() + kOnes;
  std::ranges::copy(headers, ip);
  for (const Masked& one : v6 ? std::span<const Masked>(kOfIpv6) : std::span<const Masked>(kOfIpv4))
    std::fill_n(ip + one.offset, one.length, Octet{0xff});
  if (v6) ip[0] |= 0x0f;  // the first four bits of the traffic class
  Octet* const bth = ip + headers.size();
  if (!global) std::fill_n(bth - kUdp + kUdpChecksum, 2, Octet{0xff});
  std::ranges::copy(packet.first(kBthOctets), bth);
  bth[kCongestion] = 0xff;
  const std::uint32_t before = crc32({masked.data(), kOnes + headers.size() + kBthOctets});
  return crc32(packet.subspan(kBthOctets), before);
}

}  // namespace wirelaw::roce
