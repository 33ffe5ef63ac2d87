// SPDX-License-Identifier: Apache-2.0
// For cases which show that an instruction is accepted with extension headers: adds headers to a Draft that any
// instruction may have and that have no effect (RFC 3018 8.1, 8.2), and judges several rules by one condition.
#pragma once

#include <initializer_list>
#include <string_view>

#include "conformance/umsp/probes/line.h"

namespace wirelaw::umsp {

inline void with_message(Draft& draft) {
  draft.extensions.push_back(text_extension(HeadCode::msg, "to be or not"));
}
inline void with_alignment(Draft& draft) {
  draft.extensions.push_back({.head_code = HeadCode::alignment, .data = OctetBuffer(4)});
}

// Requires the same condition for at least one rule. If it is false, the probe stops.
inline bool require_each(Line& line, std::initializer_list<const Rule*> rules, bool holds, std::string_view expected,
                         std::string_view actual, std::string_view explanation = {}) {
  if (!line.ok()) return false;
  const auto* const last = rules.end() - 1;
  for (const auto* one = rules.begin(); one != last; ++one)
    line.run().require(**one, holds, expected, actual, explanation);
  return line.require(**last, holds, expected, actual, explanation);
}

}  // namespace wirelaw::umsp
