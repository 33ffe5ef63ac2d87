// SPDX-License-Identifier: Apache-2.0
// The words of the script language that all protocols share, for syntax highlighting.
#pragma once

#include <string_view>
#include <vector>

namespace wirelaw::script {

struct Words {
  std::vector<std::string_view> headings;   // "trace", "case"
  std::vector<std::string_view> settings;   // "protocol", …
  std::vector<std::string_view> steps;      // "for", "pause", …: words that begin a step or join its parts
  std::vector<std::string_view> events;     // "open", "silence", …: used in place of a message
  std::vector<std::string_view> damage;     // "lose", …
  std::vector<std::string_view> functions;  // "pattern", …
  std::vector<std::string_view> units;      // "ms", …
};
Words words();

}  // namespace wirelaw::script
