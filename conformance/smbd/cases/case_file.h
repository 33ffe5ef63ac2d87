// SPDX-License-Identifier: Apache-2.0
// Included by every file of cases: the probes, the rules, and cases as rows of tables. "{}" in an id is the role
// of the IUT, listener or initiator.
#pragma once

#include <vector>

#include "conformance/case_rows.h"
#include "conformance/smbd/cases.h"
#include "conformance/smbd/probe.h"

namespace wirelaw::smbd {

using rows::CaseRow;
using rows::CaseText;
using rows::RoleBodies;
using rows::run_of;
using rows::with;

// A MaxReceiveSize of the tester that splits messages into segments with 128 octets of data each. It is not the
// minimum, which has its own case.
inline constexpr std::uint32_t kSmallReceiveSize = 128 + kUsualDataOffset;

// The service that a listener's cases need if any answer of conformance/smbd/dialogue.h will do. Cases that need
// Service::echo require messages of exactly the length that they name, or answers in order.
inline constexpr Service kAnswering = Service::smb2;

inline constexpr rows::RoleWords kRoleWords{.responder = "listener", .initiator = "initiator"};

// The same stimulus for both roles. The body takes `auto& peer`, or `Probe& peer`, the common base.
template <class Listener = ReadyListener, class Initiator = ReadyInitiator, class Body>
constexpr rows::RoleRuns with_each(Body body) {
  return {.responder = run_of<Listener>(body), .initiator = run_of<Initiator>(body)};
}
// Same, for a body that holds a row of a table.
template <class Body>
void add_both(std::vector<Case>& cases, const CaseText& text, Body body) {
  rows::add_cases(cases, text, {wirelaw::with<ReadyListener>(body), wirelaw::with<ReadyInitiator>(body)}, kRoleWords);
}

// An additional rule for one role of a case with both roles: add_rules(cases, {{"idle/listener-…", &kRule}}).
struct RuleOfCase {
  std::string_view id;
  const Rule* rule;
};
inline void add_rules(std::vector<Case>& cases, std::initializer_list<RuleOfCase> rules) {
  for (const RuleOfCase& one : rules)
    for (Case& each : cases)
      if (each.id == one.id) each.rules.push_back(one.rule);
}

}  // namespace wirelaw::smbd
