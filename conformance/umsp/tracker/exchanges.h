// SPDX-License-Identifier: Apache-2.0
// Follows the requests between VMs and their responses (RFC 3018 6) over all connections of two nodes.
#pragma once

#include <optional>

#include "conformance/umsp/tracker/exchange_account.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

// What is known about the request of a response.
struct ExchangeFact {
  std::optional<bool> is_awaited = {};  // a request has its REQ_ID; empty: unknown, or section 4 has a rule for it
  bool is_certain = false;              // if none has: all of the session was seen on all connections
  std::optional<Asked> asked = {};
  // Octets of a local address at the receiver, if it is a JCP that has assigned a GJID (5, UMSP/B56).
  std::optional<std::size_t> address_octets = {};
};

// Keeps a request, and takes the request of a response.
ExchangeFact follow_exchange(const Seen& seen);

}  // namespace wirelaw::umsp
