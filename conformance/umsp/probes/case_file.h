// SPDX-License-Identifier: Apache-2.0
// Shared parts of UMSP's case files. A file is a table of rows. A row has an id (THEME/what-is-shown), the rules that
// it judges, one sentence about what it shows, and the body, which is written for the probe of a role:
//
//   const CaseRow kRows[] = {
//       {"session/named-vm-is-accepted", {&rule<"UMSP-5.3.1-1">},
//        "A SESSION_OPEN for the VM that the node has is answered.",
//        with<ExecutorProbe>([](ExecutorProbe& peer) { … })}};
//
//   std::vector<Case> session_opening_cases() { return cases_of(kRows); }
//
// A case that expects refusal or silence also shows that the same stimulus without the fault is served.
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include "conformance/case_rows.h"
#include "conformance/umsp/cases.h"
#include "conformance/umsp/probes/executor_probe.h"
#include "conformance/umsp/probes/initiator_probe.h"
#include "conformance/umsp/sheet.h"
#include "reference/umsp/exchange.h"
#include "reference/umsp/management.h"
