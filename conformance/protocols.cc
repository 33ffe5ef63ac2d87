// SPDX-License-Identifier: Apache-2.0
// The protocols of all rows of protocols.inc, and nothing else: a program with its own rows (cmake/Protocols.cmake)
// compiles this file for them, in place of the library's.
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
