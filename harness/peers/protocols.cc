// SPDX-License-Identifier: Apache-2.0
// The reference peers of every row in conformance/protocols.inc, and the rules that their deviations break. Nothing
// else is defined here. A program with a different list of rows (cmake/Protocols.cmake) compiles this unit for its
// rows, and leaves out the library's.
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
