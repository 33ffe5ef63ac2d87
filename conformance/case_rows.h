// SPDX-License-Identifier: Apache-2.0
// The cases of a section as a table. A row is one case, or the same case for both roles of the IUT.
//
//   const CaseRow kRows[] = {
//       {"rdmap/{}-answers-empty-reads", {&rule<"RDMAP-5.2-9">}, "A Read Request for no octets is answered.",
//        with_each<ReadyResponder, ReadyInitiator>([](auto& peer) { … })},
//       {"mpa/responder-ignores-the-pad", {&rule<"MPA-4.1-5">}, "…", with<takes_any_pad>(), Service::echo}};
//
//   std::vector<Case> padding_cases() { return cases_of(kRows); }
#pragma once

#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "conformance/case.h"

namespace wirelaw {

// The function of a case for each role of the IUT. Empty if the case does not exist for that role.
struct RoleRuns {
  std::function<void(CaseRun&)> responder = {}, initiator = {};
};

// Runs the body with a probe, if the probe is ready. The body may hold values, such as the row of another table.
template <class Probe, class Body>
std::function<void(CaseRun&)> run_of(Body body) {
  return [body](CaseRun& run) {
    Probe probe(run);
    if (probe.ok()) body(probe);
  };
}

// Makes the entry for the role of the probe (Probe::kIut).
template <class Probe, class Body>
RoleRuns with(Body body) {
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
RoleRuns with() {
  return with<typename ProbeOf<decltype(kBody)>::type>(kBody);
}

// The same stimulus for both roles. The body takes `auto& peer`, or the common base of the probes.
template <class Responder, class Initiator, class Body>
RoleRuns with_each(Body body) {
  return {.responder = run_of<Responder>(body), .initiator = run_of<Initiator>(body)};
}

// The protocol's names for its two roles.
struct RoleWords {
  std::string_view responder = "responder";
  std::string_view initiator = "initiator";
};

// An id may contain "{}" for the role, and must if the case exists for both. Texts that are composed are kept().
struct CaseRow {
  std::string_view id;
  std::vector<const Rule*> rules;
  std::string_view purpose;
  RoleRuns run;
  Service needs = Service::none;
  bool takes_application = false;                                     // Case::takes_application
  std::vector<const Rule*> also_responder = {}, also_initiator = {};  // additional rules of the case for one role
};
// Keeps a text for as long as the program runs.
std::string_view kept(std::string text);

// Adds the cases of the rows. In each row, the responder's case comes before the initiator's.
void add_cases(std::vector<Case>& cases, std::span<const CaseRow> rows, const RoleWords& words = {});
inline void add_case(std::vector<Case>& cases, const CaseRow& row, const RoleWords& words = {}) {
  add_cases(cases, {&row, 1}, words);
}
std::vector<Case> cases_of(std::span<const CaseRow> rows, const RoleWords& words = {});
std::vector<Case> cases_of_tables(std::initializer_list<std::span<const CaseRow>> tables);

}  // namespace wirelaw
