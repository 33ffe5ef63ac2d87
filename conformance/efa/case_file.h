// SPDX-License-Identifier: Apache-2.0
// What every s…_cases.cc begins with.
#pragma once

#include <type_traits>

#include "conformance/efa/cases.h"
#include "conformance/efa/requester_probe.h"

namespace wirelaw::efa {

// Rules that need a stimulus, for the responder or the requester under test, or for either.
constexpr Rule responder_rule(std::string_view id, Level level, std::string_view section, std::string_view summary,
                              std::string_view note = {}) {
  return {id, level, Role::responder, section, Observable::stimulus, summary, note};
}
constexpr Rule requester_rule(std::string_view id, Level level, std::string_view section, std::string_view summary,
                              std::string_view note = {}) {
  return {id, level, Role::initiator, section, Observable::stimulus, summary, note};
}
constexpr Rule endpoint_rule(std::string_view id, Level level, std::string_view section, std::string_view summary,
                             std::string_view note = {}) {
  return {id, level, Role::any, section, Observable::stimulus, summary, note};
}

// Case::run from what a case does with its probe; the body captures nothing.
template <class Body>
constexpr auto on_responder(Body) -> void (*)(CaseRun&) {
  static_assert(std::is_empty_v<Body>);
  return [](CaseRun& run) {
    RequesterProbe responder(run);
    Body{}(responder);
  };
}

}  // namespace wirelaw::efa
