// SPDX-License-Identifier: Apache-2.0
// What the terminal can do that progress is shown on.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wirelaw {

// Whether it erases what was written: a terminal, unless TERM is dumb or unset. A log does not.
bool can_erase(int descriptor);
// Whether TERM says that the terminal understands no escape sequence.
bool is_dumb_terminal();
// Whether the locale's characters are UTF-8, as LC_ALL, LC_CTYPE and LANG say it.
bool has_utf8();

struct TerminalSize {
  std::size_t columns = 80, rows = 24;
};
TerminalSize size_of_terminal(int descriptor);

// A line that is written over: not more than fits, so that it never wraps.
std::string cut_to_fit(std::string_view text, std::size_t columns);

// Writes the line over the one before, on standard error.
void overwrite_line(std::string_view text);
void erase_line();

}  // namespace wirelaw
