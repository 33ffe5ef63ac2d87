// SPDX-License-Identifier: Apache-2.0
// The reference peers of every row of conformance/protocols.inc, and what their deviations break. Nothing else is
// defined here: a program that lists rows of its own (cmake/Protocols.cmake) has this unit compiled for those, and the
// library's is left out.
#include "harness/peers/breaches.h"
#include "harness/peers/reference_peers.h"

#ifndef WIRELAW_PROTOCOLS
#define WIRELAW_PROTOCOLS "conformance/protocols.inc"
#endif

#define WIRELAW_PROTOCOL(name)               \
  namespace wirelaw::name {                  \
  extern const ReferencePeer kReferencePeer; \
  std::span<const BreachList> breaches();    \
  }
#include WIRELAW_PROTOCOLS
#undef WIRELAW_PROTOCOL

namespace wirelaw {

std::span<const ReferencePeer* const> reference_peers() {
#define WIRELAW_PROTOCOL(name) &name::kReferencePeer,
  static constexpr const ReferencePeer* kPeers[] = {
#include WIRELAW_PROTOCOLS
  };
#undef WIRELAW_PROTOCOL
  return kPeers;
}

std::span<const BreachList> breaches_of(std::string_view protocol) {
#define WIRELAW_PROTOCOL(one) \
  if (protocol == #one) return one::breaches();
#include WIRELAW_PROTOCOLS
#undef WIRELAW_PROTOCOL
  return {};
}

}  // namespace wirelaw
