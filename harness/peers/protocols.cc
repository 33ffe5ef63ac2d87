// SPDX-License-Identifier: Apache-2.0
// The reference peers of every row of conformance/protocols.inc. Nothing else is defined here: a program that lists
// rows of its own (cmake/Protocols.cmake) has this unit compiled for those, and the library's is left out.
#include "harness/peers/reference_peers.h"

#ifndef WIRELAW_PROTOCOLS
#define WIRELAW_PROTOCOLS "conformance/protocols.inc"
#endif

#define WIRELAW_PROTOCOL(name)               \
  namespace wirelaw::name {                  \
  extern const ReferencePeer kReferencePeer; \
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

}  // namespace wirelaw
