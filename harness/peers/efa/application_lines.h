// SPDX-License-Identifier: Apache-2.0
// Lines with which libfabric's application reports about itself and its completions on the control channel
// (harness/lab/soft_efa/README.md).
#pragma once

#include "conformance/efa/application.h"
#include "harness/control/line.h"

namespace wirelaw::efa {

// The answer to `take`.
control::Line line_of(const fabric::Abilities& abilities);
std::optional<fabric::Abilities> abilities_of(const control::Line& line);

control::Line line_of(const std::optional<fabric::Completion>& completion);
std::optional<fabric::Completion> completion_of(const control::Line& line);

}  // namespace wirelaw::efa
