// SPDX-License-Identifier: Apache-2.0
#include "reports/excuse.h"

#include <fmt/format.h>

namespace wirelaw {

std::string excuse_of(const Gate& gate, Failure::Kind kind, std::string_view id) {
  if (const Waiver* const waiver = waiver_of(gate, kind, id)) return say(*waiver);
  if (is_known(gate, kind, id)) return "known failure: it is in the baseline";
  for (const Failure& one : gate.tolerated)
    if (one.kind == kind && one.id == id)
      return fmt::format("failed, but {} does not fail the run without --fail-on should", to_string(one.level));
  return {};
}

std::string reason_of(Verdict verdict, std::string_view reason) {
  return reason.empty() ? std::string(to_string(verdict)) : fmt::format("{}: {}", to_string(verdict), reason);
}

}  // namespace wirelaw
