// SPDX-License-Identifier: Apache-2.0
// Capabilities of the terminal that shows progress.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wirelaw {

// True if it can erase output: a terminal, unless TERM is dumb or unset. A log cannot.
bool can_erase(int descriptor);
// True if, according to TERM, the terminal understands no escape sequences.
bool is_dumb_terminal();
// True if the locale uses UTF-8, according to LC_ALL, LC_CTYPE and LANG.
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
