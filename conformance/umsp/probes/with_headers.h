// SPDX-License-Identifier: Apache-2.0
// Extension headers that every instruction with EXT may have, for the rules "accepts X with and without extension
// headers". A case shows the effect of X without them first.
#pragma once

#include <string_view>

#include "reference/umsp/draft.h"
#include "reference/umsp/management.h"

namespace wirelaw::umsp {

inline Draft named(Draft draft, std::string_view name) {
  draft.extensions.push_back(text_extension(HeadCode::name, name));
  return draft;
}

struct WithHeader {
  std::string_view name;
  Draft (*add)(Draft draft);
};
inline constexpr WithHeader kHeaders[] = {
    {"with _MSG",
     [](Draft draft) {
       draft.extensions.push_back(text_extension(HeadCode::msg, "what for"));
       return draft;
     }},
    {"with _ALIGNMENT",
     [](Draft draft) {
       draft.extensions.push_back({HeadCode::alignment, OctetBuffer(4)});
       return draft;
     }},
};

}  // namespace wirelaw::umsp
