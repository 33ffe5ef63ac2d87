// SPDX-License-Identifier: Apache-2.0
// Common headers of all case files.
#pragma once

#include <initializer_list>
#include <vector>

#include "conformance/case_rows.h"
#include "conformance/efa/cases.h"
#include "conformance/efa/probes/requester_probe.h"
#include "conformance/efa/probes/responder_probe.h"
#include "conformance/efa/roles.h"
#include "conformance/efa/sheet.h"
#include "reference/efa/deviations.h"

namespace wirelaw::efa {

// All rules that a trace shows and whose id matches one of these patterns.
std::vector<const Rule*> trace_rules(std::initializer_list<std::string_view> globs);

}  // namespace wirelaw::efa
