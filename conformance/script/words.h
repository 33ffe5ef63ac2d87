// SPDX-License-Identifier: Apache-2.0
// The words of the script language that are the same for every protocol, for whoever highlights scripts.
#pragma once

#include <string_view>
#include <vector>

namespace wirelaw::script {

struct Words {
  std::vector<std::string_view> headings;   // "trace", "case"
  std::vector<std::string_view> settings;   // "protocol", …
  std::vector<std::string_view> steps;      // "for", "pause", …: what leads or joins the parts of a step
  std::vector<std::string_view> events;     // "open", "silence", …: in the place of a message
  std::vector<std::string_view> damage;     // "lose", …
  std::vector<std::string_view> functions;  // "pattern", …
  std::vector<std::string_view> units;      // "ms", …
};
Words words();

}  // namespace wirelaw::script
