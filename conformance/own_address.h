// SPDX-License-Identifier: Apache-2.0
// Where a conversation's messages come from, for protocols that say it in their messages (EFA RDM 1.4).
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "conformance/carriage.h"
#include "reference/octets/octets.h"

namespace wirelaw {

struct OwnAddress {
  std::array<Octet, 16> address = {};  // IPv6, or IPv4 mapped into it (RFC 4291 2.5.5.2), in network order
  std::uint32_t port = 0;              // of UDP, or the queue pair's number
  // Of a carriage that delivers only what is sent to this one (EFA RDM 1.4; the qkey of an SRD queue pair).
  std::optional<std::uint32_t> connid = {};
};

// What a carriage is besides, where it may have an address that its peer could send to by itself.
class AddressedCarriage {
 public:
  virtual ~AddressedCarriage() = default;
  virtual std::optional<OwnAddress> own_address() const = 0;
};

inline std::optional<OwnAddress> own_address_of(const Carriage& carriage) {
  const auto* const with = dynamic_cast<const AddressedCarriage*>(&carriage);
  return with == nullptr ? std::nullopt : with->own_address();
}

}  // namespace wirelaw
