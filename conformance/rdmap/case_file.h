// SPDX-License-Identifier: Apache-2.0
// What every <section>_cases.cc begins with.
#pragma once

#include <type_traits>

#include "conformance/rdmap/cases.h"
#include "conformance/rdmap/responder_probe.h"

namespace wirelaw::rdmap {

// Case::run from a function that does it with its probe: responder_case<accepts_a_request>.
template <void (*body)(InitiatorProbe&)>
void responder_case(CaseRun& run) {
  InitiatorProbe responder(run);
  body(responder);
}
template <void (*body)(ResponderProbe&)>
void initiator_case(CaseRun& run) {
  ResponderProbe initiator(run);
  body(initiator);
}

// The same from a lambda, which captures nothing.
template <class Body>
constexpr auto on_responder(Body) -> void (*)(CaseRun&) {
  static_assert(std::is_empty_v<Body>);
  return [](CaseRun& run) {
    InitiatorProbe responder(run);
    Body{}(responder);
  };
}
template <class Body>
constexpr auto on_initiator(Body) -> void (*)(CaseRun&) {
  static_assert(std::is_empty_v<Body>);
  return [](CaseRun& run) {
    ResponderProbe initiator(run);
    Body{}(initiator);
  };
}

}  // namespace wirelaw::rdmap
