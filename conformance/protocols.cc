// SPDX-License-Identifier: Apache-2.0
// The protocols of every row of protocols.inc. Nothing else is defined here: a program that lists
// rows of its own (cmake/Protocols.cmake) has this unit compiled for those, and the library's is left out.
#include "conformance/protocol.h"

#ifndef WIRELAW_PROTOCOLS
#define WIRELAW_PROTOCOLS "conformance/protocols.inc"
#endif

#define WIRELAW_PROTOCOL(name)     \
  namespace wirelaw::name {        \
  extern const Protocol kProtocol; \
  }
#include WIRELAW_PROTOCOLS
#undef WIRELAW_PROTOCOL

namespace wirelaw {

std::span<const Protocol* const> protocols() {
#define WIRELAW_PROTOCOL(name) &name::kProtocol,
  static constexpr const Protocol* kProtocols[] = {
#include WIRELAW_PROTOCOLS
  };
#undef WIRELAW_PROTOCOL
  return kProtocols;
}

}  // namespace wirelaw
