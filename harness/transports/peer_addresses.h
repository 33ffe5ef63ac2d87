// SPDX-License-Identifier: Apache-2.0
// Addresses of the peers of a transparent relay that makes their networks (harness/relay/peer_networks.h).
#pragma once

#include <string_view>

namespace wirelaw {

// RFC 5737, TEST-NET-1; nothing else is in their network.
inline constexpr std::string_view kInitiatorAddress = "192.0.2.1", kResponderAddress = "192.0.2.2";

}  // namespace wirelaw
