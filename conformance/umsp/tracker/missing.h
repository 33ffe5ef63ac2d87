// SPDX-License-Identifier: Apache-2.0
// What the nodes of a connection have not sent when its flow ends, though it was due: the end of sessions, a request to
// a JCP, a question of a JCP, or its answer (RFC 3018 5.2, 5.5 to 5.7).
#pragma once

#include "conformance/umsp/tracker/job_facts.h"

namespace wirelaw::umsp {

// The flow ends at `now_ns`.
MissingFacts find_missing(const Connection& connection, std::int64_t now_ns);

}  // namespace wirelaw::umsp
