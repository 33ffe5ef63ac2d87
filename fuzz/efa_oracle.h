// SPDX-License-Identifier: Apache-2.0
// The judge of EFA RDM as oracle, and what else is true of any endpoint whatever its peer does.
#pragma once

#include "conformance/efa/efa.h"
#include "fuzz/datagram_tap.h"
#include "fuzz/target.h"
#include "reference/efa/endpoint.h"

namespace wirelaw::fuzz {

inline Tap efa_tap(Honest honest) {
  // The observer looks at its memory every 256 packets: at most one exchange, and the window of message IDs, each.
  constexpr std::size_t kSlack = std::size_t{512} << 10;
  // Warnings are of what has no proof: of what is missing at the end, which the script may have been too early for.
  const auto argued = [](const Finding& finding) { return finding.severity == Severity::warning; };
  return Tap(efa::kProtocol, honest, {.slack = kSlack}, argued);
}

// `limits`: those that the endpoint was made with.
inline void require_bounds(const efa::Endpoint& endpoint, const efa::Options& limits) {
  require(endpoint.octets_held() <= limits.held_octets, "an endpoint keeps to its memory");
  require(endpoint.operations() <= 2 * limits.max_operations, "an endpoint keeps to its number of operations");
  require(endpoint.peers() <= limits.max_peers, "an endpoint keeps to its number of peers");
}

}  // namespace wirelaw::fuzz
