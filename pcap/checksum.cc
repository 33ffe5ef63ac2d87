// SPDX-License-Identifier: Apache-2.0
#include "pcap/checksum.h"

#include <algorithm>
#include <array>

namespace wirelaw::pcap {

Checksum& Checksum::add(Octets octets) {
  for (; octets.size() >= 4; octets = octets.subspan(4)) sum_ += load_native<std::uint32_t>(octets.data());
  std::array<Octet, 4> rest{};
  std::copy(octets.begin(), octets.end(), rest.begin());
  sum_ += load_native<std::uint32_t>(rest.data());
  return *this;
}

Checksum& Checksum::add(std::uint16_t value) {
  std::array<Octet, 2> octets;
  store_big_endian(octets.data(), value);
  return add(octets);
}

std::uint16_t Checksum::result() const {
  std::uint64_t sum = sum_;
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  std::array<Octet, 2> octets;
  store_native(octets.data(), static_cast<std::uint16_t>(~sum));
  return load_big_endian<std::uint16_t>(octets.data());
}

// Octets of an IPv4 address after the fourth are zero, and do not change the sum.
std::uint16_t transport_checksum(const Address& source, const Address& destination, std::uint8_t protocol,
                                 Octets octets) {
  Checksum sum;
  sum.add(source.octets).add(destination.octets);
  sum.add(std::uint16_t{protocol}).add(static_cast<std::uint16_t>(octets.size()));
  return sum.add(octets).result();
}

}  // namespace wirelaw::pcap
