// SPDX-License-Identifier: Apache-2.0
// The cases of a section as a table. A row is one case, or the same case for both roles of the IUT.
//
//   constexpr CaseRow kRows[] = {
//       {"rdmap/{}-answers-empty-reads", {&kIsAnswered}, "A Read Request for no octets is answered.",
//        with_each([](auto& peer) { … })},
//       {"mpa/responder-ignores-the-pad", {&kPadIgnored}, "…", with<takes_any_pad>(), Service::echo}};
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "conformance/case.h"

namespace wirelaw::rows {

// The function of a case for each role of the IUT. nullptr if the case does not exist for that role.
struct RoleRuns {
  using Run = void (*)(CaseRun&);
  Run responder = nullptr;
  Run initiator = nullptr;
};

template <class Probe, class Body>
constexpr RoleRuns::Run run_of(Body) {
  static_assert(std::is_empty_v<Body>, "a row holds no values: name them in the body");
  return [](CaseRun& run) {
    Probe probe(run);
    if (probe.ok()) Body{}(probe);
  };
}

// Makes the entry for the role of the probe (Probe::kIut).
template <class Probe, class Body>
constexpr RoleRuns with(Body body) {
  if constexpr (Probe::kIut == Role::responder)
    return {.responder = run_of<Probe>(body)};
  else
    return {.initiator = run_of<Probe>(body)};
}

template <class Body>
struct ProbeOf;
template <class Probe>
struct ProbeOf<void (*)(Probe&)> {
  using type = Probe;
};
// The same for a named function: with<takes_any_pad>().
template <auto kBody>
constexpr RoleRuns with() {
  return with<typename ProbeOf<decltype(kBody)>::type>([](auto& probe) { kBody(probe); });
}

// The protocol's names for its two roles.
struct RoleWords {
  std::string_view responder = "responder";
  std::string_view initiator = "initiator";
};

// An id may contain "{}" for the role, and must if the case exists for both.
struct CaseRow {
  std::string_view id;
  std::initializer_list<const Rule*> rules;
  std::string_view purpose;
  RoleRuns run;
  Service needs = Service::none;
};
// Adds the cases of the rows. In each row, the responder's case comes before the initiator's.
void add_cases(std::vector<Case>& cases, std::span<const CaseRow> rows, const RoleWords& words = {});
std::vector<Case> cases_of(std::span<const CaseRow> rows, const RoleWords& words = {});
std::vector<Case> cases_of_tables(std::initializer_list<std::span<const CaseRow>> tables, const RoleWords& words = {});

// For cases whose function holds a row of another table, and whose texts are composed from that row.
struct CaseText {
  std::string id;
  std::vector<const Rule*> rules;
  std::string purpose;
  Service needs = Service::none;
};
struct RoleBodies {
  std::function<void(CaseRun&)> responder, initiator;  // empty if the case does not exist for that role
};
void add_cases(std::vector<Case>& cases, const CaseText& text, const RoleBodies& bodies, const RoleWords& words = {});

}  // namespace wirelaw::rows
