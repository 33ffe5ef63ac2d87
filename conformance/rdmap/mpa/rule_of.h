// SPDX-License-Identifier: Apache-2.0
// Rules of MPA in few words: one function for each way in which a breach can be seen.
#pragma once

#include "conformance/rule.h"

namespace wirelaw::rdmap {

// An observer sees it.
constexpr Rule seen_rule(std::string_view id, Level level, Role subject, std::string_view section,
                         std::string_view summary, std::string_view note = {}) {
  return {id, level, subject, section, Observable::trace, summary, note};
}
// It shows as the answer to a stimulus.
constexpr Rule asked_rule(std::string_view id, Level level, Role subject, std::string_view section,
                          std::string_view summary, std::string_view note = {}) {
  return {id, level, subject, section, Observable::stimulus, summary, note};
}
// Only what lies above MPA, or the administrator, can tell; the note says by what.
constexpr Rule api_rule(std::string_view id, Level level, Role subject, std::string_view section,
                        std::string_view summary, std::string_view note) {
  return {id, level, subject, section, Observable::api, summary, note};
}
// Nothing can show it, or another rule shows it; the note says why, or which.
constexpr Rule unseen_rule(std::string_view id, Level level, Role subject, std::string_view section,
                           std::string_view summary, std::string_view note) {
  return {id, level, subject, section, Observable::none, summary, note};
}

}  // namespace wirelaw::rdmap
