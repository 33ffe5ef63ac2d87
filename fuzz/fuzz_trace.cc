// SPDX-License-Identifier: Apache-2.0
// The trace target for a datagram protocol without its own source: CMake compiles it for each row of
// conformance/protocols.inc that has no source file (wirelaw_trace_target).
#include "fuzz/trace_target.h"

namespace wirelaw::WIRELAW_TRACE_PROTOCOL {
extern const Protocol kProtocol;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw;
  static const fuzz::DatagramTrace::Shape kShape{.protocol = WIRELAW_TRACE_PROTOCOL::kProtocol};
  fuzz::expect_what_holds_of_every_trace(fuzz::DatagramTrace(kShape, {data, size}));
  return 0;
}
