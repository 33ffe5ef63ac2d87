// SPDX-License-Identifier: Apache-2.0
// What the files of UMSP's cases share. A file is a table of rows: an id (THEME/what-is-shown), the rules that it
// judges by their ids without "UMSP-", what it shows in one sentence, and the body, which is written for the probe of a
// role:
//
//   const CaseRow kRows[] = {
//       {"session/named-vm-is-accepted", {"5.3.1-1"}, "A SESSION_OPEN for the VM that the node has is answered.",
//        with<ExecutorProbe>([](ExecutorProbe& peer) { … })}};
//
//   Theme opening_theme() { return theme_of(kRows, kBreaches); }
//
// A case that expects refusal or silence shows beside it that the same stimulus without the fault is served.
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/case_rows.h"
#include "conformance/umsp/cases.h"
#include "conformance/umsp/probes/executor_probe.h"
#include "conformance/umsp/probes/initiator_probe.h"
#include "reference/umsp/deviations.h"
#include "reference/umsp/exchange.h"
#include "reference/umsp/management.h"

namespace wirelaw::umsp {

using rows::with;

struct CaseRow {
  std::string_view id;
  std::initializer_list<std::string_view> rules;
  std::string_view purpose;
  rows::RoleRuns run;
};

// A deviation of the reference and the rules that it breaks, those that a trace shows included:
//   const BreachRow kBreaches[] = {{number_of(open_unanswered), {"5.3.1-1"}, {.who = wirelaw::Role::responder}}};
struct BreachRow {
  unsigned deviation;
  std::initializer_list<std::string_view> rules;
  Breach::Where where = {};
};

std::vector<Case> cases_of(std::span<const CaseRow> rows);
std::vector<Breach> breaches_of(std::span<const BreachRow> rows);
inline Theme theme_of(std::span<const CaseRow> rows, std::span<const BreachRow> breaches) {
  return {cases_of(rows), breaches_of(breaches)};
}

}  // namespace wirelaw::umsp
