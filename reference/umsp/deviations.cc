// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/deviations.h"

namespace wirelaw::umsp {
namespace {

template <class Set>
bool add_to(Set& set, std::string_view name) {
  const auto known = Set::named(name);
  if (known) set.add(*known);
  return known.has_value();
}

template <class Set>
void list(std::vector<DeviationText>& all) {
  for (const auto& row : Set::all()) all.push_back({row.name, row.rule, row.text});
}

}  // namespace

bool Deviations::add(std::string_view name) {
  return add_to(sessions, name) || add_to(node, name) || add_to(jobs, name) || add_to(vm, name) || add_to(chains, name);
}

std::vector<DeviationText> all_deviations() {
  std::vector<DeviationText> all;
  list<SessionDeviations>(all);
  list<NodeDeviations>(all);
  list<JobDeviations>(all);
  list<VmDeviations>(all);
  list<ChainDeviations>(all);
  return all;
}

}  // namespace wirelaw::umsp
