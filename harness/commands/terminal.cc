// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/terminal.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace wirelaw {

bool is_dumb_terminal() {
  const char* const term = std::getenv("TERM");
  return term == nullptr || *term == '\0' || std::string_view(term) == "dumb";
}

bool can_erase(int descriptor) {
  return ::isatty(descriptor) == 1 && !is_dumb_terminal();
}

bool has_utf8() {
  for (const char* const name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string locale(value);
    std::ranges::transform(locale, locale.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c + 32) : c; });
    return locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
  }
  return false;
}

TerminalSize size_of_terminal(int descriptor) {
  winsize size{};
  if (::ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {};
  return {.columns = size.ws_col, .rows = size.ws_row};
}

std::string cut_to_fit(std::string_view text, std::size_t columns) {
  if (text.size() <= columns) return std::string(text);
  if (columns <= 2) return std::string(text.substr(0, columns));
  return std::string(text.substr(0, columns - 2)) + "..";
}

void overwrite_line(std::string_view text) {
  // Not the last column: many terminals wrap when it is written.
  fmt::print(stderr, "\r\x1b[K{}", cut_to_fit(text, size_of_terminal(STDERR_FILENO).columns - 1));
}

void erase_line() {
  fmt::print(stderr, "\r\x1b[K");
}

}  // namespace wirelaw
