// SPDX-License-Identifier: Apache-2.0
// The checksum of IPv4, UDP and TCP (RFC 1071).
#pragma once

#include <cstdint>

#include "pcap/address.h"
#include "reference/octets/octets.h"

namespace wirelaw::pcap {

// A checksum over any number of pieces. Each piece but the last has an even length. The sum does not depend on the byte
// order except for a final swap, so it is computed in this machine's order, four octets at a time.
class Checksum {
 public:
  Checksum& add(Octets octets);
  Checksum& add(std::uint16_t value);
  std::uint16_t result() const;

 private:
  std::uint64_t sum_ = 0;
};

// Computes the checksum over a UDP or TCP header with its payload, and over the pseudo-header, whose sum is the same
// for IPv4 (RFC 768, RFC 9293 section 3.1) and IPv6 (RFC 8200, section 8.1). Returns 0 if the header has the right
// checksum already.
std::uint16_t transport_checksum(const Address& source, const Address& destination, std::uint8_t protocol,
                                 Octets octets);

}  // namespace wirelaw::pcap
