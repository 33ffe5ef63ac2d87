// SPDX-License-Identifier: Apache-2.0
// Follows how tasks and jobs end, and how the JCP tells the other nodes (RFC 3018 5.5, 5.6).
#pragma once

#include <vector>

#include "conformance/umsp/tracker/job_facts.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

TaskEndFacts follow_task_end(const Seen& seen);
JobEndFacts follow_job_end(const Seen& seen);
// Takes the notices that were due on a connection when its flow ends, at `now_ns`.
std::vector<MissingNoticeFact> take_missing_notices(const Connection& connection, std::int64_t now_ns);

}  // namespace wirelaw::umsp
