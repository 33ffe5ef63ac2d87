// SPDX-License-Identifier: Apache-2.0
// Makes the parts of a node that manage jobs and tasks, which conform or commit deviations.
#pragma once

#include <memory>

#include "reference/umsp/node/control_point.h"
#include "reference/umsp/node/faults/job_deviations.h"
#include "reference/umsp/node/tasks.h"

namespace wirelaw::umsp {

// Take the arguments of the constructors. Deviations that the role cannot commit are ignored.
std::unique_ptr<ControlPoint> make_control_point(const ControlOptions& options, Outbox& outbox,
                                                 const JobDeviations& deviations = {}, FormerControl former = {},
                                                 Instant now = {});
std::unique_ptr<Tasks> make_tasks(const TaskOptions& options, Outbox& outbox, ControlPoint& own,
                                  const JobDeviations& deviations = {});

}  // namespace wirelaw::umsp
