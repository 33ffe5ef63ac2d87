// SPDX-License-Identifier: Apache-2.0
// The source address of a conversation's messages, for protocols whose messages contain it (EFA RDM 1.4).
#pragma once

#include <cstdint>
#include <optional>

#include "conformance/offers.h"
#include "reference/network/address.h"

namespace wirelaw {

struct OwnAddress {
  Endpoint endpoint;
  // Set if the transport delivers only messages with this Q_Key (SRD; the connid of EFA RDM 1.4).
  std::optional<std::uint32_t> qkey = {};
};

inline constexpr OfferKind<OwnAddress> kOwnAddress{};

inline std::optional<OwnAddress> own_address_of(const Transport& transport) {
  const OwnAddress* const own = transport.offers().find(kOwnAddress);
  return own == nullptr ? std::nullopt : std::optional(*own);
}

}  // namespace wirelaw
