// SPDX-License-Identifier: Apache-2.0
// What every <section>_cases.cc begins with.
#pragma once

#include <type_traits>

#include "conformance/ramcloud/cases.h"
#include "conformance/ramcloud/client_probe.h"
#include "conformance/ramcloud/rules.h"
#include "conformance/ramcloud/server_probe.h"

namespace wirelaw::ramcloud {

// Rules that need a stimulus, for a server or a client under test.
constexpr Rule server_rule(std::string_view id, Level level, std::string_view section, std::string_view summary,
                           std::string_view note = {}) {
  return {id, level, Role::responder, section, Observable::stimulus, summary, note};
}
constexpr Rule client_rule(std::string_view id, Level level, std::string_view section, std::string_view summary,
                           std::string_view note = {}) {
  return {id, level, Role::initiator, section, Observable::stimulus, summary, note};
}

// Case::run from what a case does with its probe; the body captures nothing.
template <class Body>
constexpr auto on_server(Body) -> void (*)(CaseRun&) {
  static_assert(std::is_empty_v<Body>);
  return [](CaseRun& run) {
    ServerProbe server(run);
    Body{}(server);
  };
}
template <class Body>
constexpr auto on_client(Body) -> void (*)(CaseRun&) {
  static_assert(std::is_empty_v<Body>);
  return [](CaseRun& run) {
    ClientProbe client(run);
    Body{}(client);
  };
}

}  // namespace wirelaw::ramcloud
