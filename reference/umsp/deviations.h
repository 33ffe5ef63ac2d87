// SPDX-License-Identifier: Apache-2.0
// All faults of a node of UMSP in one numbering: those of its parts, one part after the other.
#pragma once

#include <string_view>
#include <vector>

#include "reference/umsp/chains/deviations.h"
#include "reference/umsp/node/faults/job_deviations.h"
#include "reference/umsp/node/faults/node_deviations.h"
#include "reference/umsp/node/faults/session_deviations.h"
#include "reference/umsp/vm/faults/vm_deviations.h"

namespace wirelaw::umsp {

struct Deviations {
  SessionDeviations sessions;
  NodeDeviations node;
  JobDeviations jobs;
  VmDeviations vm;
  ChainDeviations chains;

  // Returns false if no fault has this name.
  bool add(std::string_view name);
};

struct DeviationText {
  std::string_view name;
  std::string_view section;
  std::string_view text;
};
std::vector<DeviationText> all_deviations();

// The index of a fault in that list.
inline constexpr unsigned kFirstOfNode = kSessionDeviations;
inline constexpr unsigned kFirstOfJobs = kFirstOfNode + kNodeDeviations;
inline constexpr unsigned kFirstOfVm = kFirstOfJobs + kJobDeviationCount;
inline constexpr unsigned kFirstOfChains = kFirstOfVm + kVmDeviationCount;
constexpr unsigned number_of(SessionDeviation deviation) {
  return static_cast<unsigned>(deviation);
}
constexpr unsigned number_of(NodeDeviation deviation) {
  return kFirstOfNode + static_cast<unsigned>(deviation);
}
constexpr unsigned number_of(JobDeviation deviation) {
  return kFirstOfJobs + static_cast<unsigned>(deviation);
}
constexpr unsigned number_of(VmDeviation deviation) {
  return kFirstOfVm + static_cast<unsigned>(deviation);
}
constexpr unsigned number_of(ChainDeviation deviation) {
  return kFirstOfChains + static_cast<unsigned>(deviation);
}

}  // namespace wirelaw::umsp
