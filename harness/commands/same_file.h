// SPDX-License-Identifier: Apache-2.0
// Prevents output from overwriting input: by another name, through a link, or by a redirection of the shell.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace wirelaw {

// A file of the command line; "-" is a standard stream.
struct NamedFile {
  std::string_view option;  // "--pcapng"; of an input what people call it: "the capture"
  std::string path;
};

// One line if an output is one of the inputs, or if two outputs are the same file. Only regular files count, not
// terminals or /dev/null.
std::optional<std::string> overwritten(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs);

}  // namespace wirelaw
