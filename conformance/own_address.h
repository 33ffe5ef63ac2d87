// SPDX-License-Identifier: Apache-2.0
// Where a conversation's messages come from, for protocols that say it in their messages (EFA RDM 1.4).
#pragma once

#include <cstdint>
#include <optional>

#include "conformance/offers.h"
#include "reference/network/address.h"

namespace wirelaw {

struct OwnAddress {
  Endpoint endpoint;
  // Of a transport that delivers only what is sent to this one (of SRD; the connid of EFA RDM 1.4).
  std::optional<std::uint32_t> qkey = {};
};

inline constexpr OfferKind<OwnAddress> kOwnAddress{};

inline std::optional<OwnAddress> own_address_of(const Transport& transport) {
  const OwnAddress* const own = transport.offers().find(kOwnAddress);
  return own == nullptr ? std::nullopt : std::optional(*own);
}

}  // namespace wirelaw
