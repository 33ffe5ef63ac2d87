// SPDX-License-Identifier: Apache-2.0
// Common words of UMSP's rule sheets. The folders are named after the sections of RFC 3018; a sheet may contain the
// rules of several neighbouring sections.
#pragma once

#include "conformance/sheet.h"
#include "reference/umsp/deviations.h"

namespace wirelaw::umsp {

struct Words : SheetWords {
  using enum SessionDeviation;
  using enum NodeDeviation;
  using enum JobDeviation;
  using enum VmDeviation;
  using enum ChainDeviation;
  static constexpr std::string_view kNodesShow = "UMSP/B41: a capture of all nodes of the job shows it";
  static constexpr Role initiator = Role::initiator;
  static constexpr Role executor = Role::responder;
};

// The sheets of job management (section 5) share these notes.
struct ManagementWords : Words {
  static constexpr std::string_view kAllNodes = "Needs the connections of all nodes of the job";
  static constexpr std::string_view kRoles = "One connection does not show which node is the JCP of a job";
  static constexpr std::string_view kElsewhere =
      "UMSP/B31, UMSP/B49: a warning if another connection of the two nodes, or one before the capture, may have it";
  static constexpr std::string_view kForm = "The form itself: octets that break it read as other values";
  static constexpr std::string_view kChained = "CHN 1 violates either the rule of PCK or UMSP-3.1-15";
  static constexpr std::string_view kOwnAffair = "What a node does internally is not on the wire";
};

}  // namespace wirelaw::umsp
