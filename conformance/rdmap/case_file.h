// SPDX-License-Identifier: Apache-2.0
// What every <section>_cases.cc begins with.
#pragma once

#include <type_traits>

#include "conformance/rdmap/cases.h"
#include "conformance/rdmap/responder_probe.h"

namespace wirelaw::rdmap {

// Case::run from what a case does with its probe; the body captures nothing.
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
