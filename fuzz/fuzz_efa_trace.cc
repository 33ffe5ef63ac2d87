// SPDX-License-Identifier: Apache-2.0
// Any messages as a flow of EFA RDM, for the observer alone; see trace_target.h.
#include "conformance/efa/efa.h"
#include "fuzz/trace_target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw;
  static const fuzz::DatagramTrace::Shape kShape{.protocol = efa::kProtocol,
                                                 .observer_octets = std::size_t{64} << 10,
                                                 .slack = std::size_t{512} << 10,
                                                 .step_ns = 1'000'000,
                                                 .pause_ns = 1'000'000'000,
                                                 .most_messages = static_cast<std::size_t>(-1)};
  fuzz::expect_what_holds_of_every_trace(fuzz::DatagramTrace(kShape, {data, size}));
  return 0;
}
