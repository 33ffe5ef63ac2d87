// SPDX-License-Identifier: Apache-2.0
// Messages between processes through a descriptor: a pipe, or a file that both have open.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <string_view>

namespace wirelaw {

// Returns false if not all could be written; errno has the reason.
inline bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t wrote = ::write(descriptor, text.data(), text.size());
    if (wrote >= 0)
      text.remove_prefix(static_cast<std::size_t>(wrote));
    else if (errno != EINTR)
      return false;
  }
  return true;
}

}  // namespace wirelaw
