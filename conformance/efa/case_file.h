// SPDX-License-Identifier: Apache-2.0
// What every s…_cases.cc begins with.
#pragma once

#include <initializer_list>
#include <type_traits>
#include <vector>

#include "conformance/efa/cases.h"
#include "conformance/efa/requester_probe.h"
#include "conformance/efa/responder_probe.h"

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

// A rule that a trace shows, where a case gives it its chance; and all of them that match one of these patterns.
const Rule& traced(std::string_view id);
std::vector<const Rule*> all_traced(std::initializer_list<std::string_view> globs);

// Case::run from what a case does with its probe; the body captures nothing.
template <class Body>
constexpr auto on_responder(Body) -> void (*)(CaseRun&) {
  static_assert(std::is_empty_v<Body>);
  return [](CaseRun& run) {
    RequesterProbe responder(run);
    Body{}(responder);
  };
}

template <class Body>
constexpr auto on_requester(Body) -> void (*)(CaseRun&) {
  static_assert(std::is_empty_v<Body>);
  return [](CaseRun& run) {
    ResponderProbe requester(run);
    Body{}(requester);
  };
}

}  // namespace wirelaw::efa
