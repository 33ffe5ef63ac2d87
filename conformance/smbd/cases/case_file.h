// SPDX-License-Identifier: Apache-2.0
// Included by every file of cases: the probes, the rules, and cases as rows of tables. "{}" in an id is the role
// of the IUT, listener or initiator.
#pragma once

#include <vector>

#include "conformance/case_rows.h"
#include "conformance/smbd/cases.h"
#include "conformance/smbd/probe.h"

namespace wirelaw::smbd {

// A MaxReceiveSize of the tester that splits messages into segments with 128 octets of data each. It is not the
// minimum, which has its own case.
inline constexpr std::uint32_t kSmallReceiveSize = 128 + kUsualDataOffset;

// The service that a listener's cases need if any answer of conformance/smbd/dialogue.h will do. Cases that need
// Service::echo require messages of exactly the length that they name, or answers in order.
inline constexpr Service kAnswering = Service::smb2;

inline constexpr RoleWords kRoleWords{.responder = "listener", .initiator = "initiator"};

// The same stimulus for both roles. The body takes `auto& peer`, or `Probe& peer`, the common base.
template <class Listener = ReadyListener, class Initiator = ReadyInitiator, class Body>
RoleRuns with_each(Body body) {
  return wirelaw::with_each<Listener, Initiator>(body);
}

}  // namespace wirelaw::smbd
