// SPDX-License-Identifier: Apache-2.0
// The requirements for a certificate, as one row.
#pragma once

#include <span>
#include <string_view>

namespace wirelaw {

struct Profile {
  std::string_view name;
  unsigned runs;     // minimum number of runs
  unsigned percent;  // share of the demanded rules that every run exercises
  std::string_view text;
};

inline constexpr Profile kProfiles[] = {
    {"full", 3, 80, "four of five demanded rules exercised, in at least three runs"},
    {"basic", 1, 50, "half of the demanded rules exercised, in at least one run"},
};

inline const Profile* find_profile(std::string_view name) {
  for (const Profile& one : kProfiles)
    if (one.name == name) return &one;
  return nullptr;
}

}  // namespace wirelaw
