// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/same_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/printable.h"

namespace wirelaw {
namespace {

struct Identity {
  dev_t device;
  ino_t inode;
  bool operator==(const Identity&) const = default;
};

// Empty if the file does not exist, or is no regular file.
std::optional<Identity> identity_of(const std::string& path, int standard_stream) {
  struct stat status {};
  const int found = path == "-" ? ::fstat(standard_stream, &status) : ::stat(path.c_str(), &status);
  if (found != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return Identity{status.st_dev, status.st_ino};
}

}  // namespace

std::optional<std::string> overwritten(const std::vector<NamedFile>& inputs, const std::vector<NamedFile>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const NamedFile& out = outputs[i];
    const auto written = identity_of(out.path, STDOUT_FILENO);
    for (const NamedFile& in : inputs)
      if (written && identity_of(in.path, STDIN_FILENO) == written)
        return fmt::format("{} {}: {} would be overwritten; name another file", out.option, printable(out.path),
                           in.option);
    for (std::size_t j = 0; j < i; ++j) {
      const bool same_name = out.path == outputs[j].path;
      if (same_name || (written && identity_of(outputs[j].path, STDOUT_FILENO) == written))
        return out.option == outputs[j].option
                   ? fmt::format("{}: two formats would go to this file", printable(out.path))
                   : fmt::format("{} {}: {} would go to this file too; name another", out.option, printable(out.path),
                                 outputs[j].option);
    }
  }
  return std::nullopt;
}

}  // namespace wirelaw
