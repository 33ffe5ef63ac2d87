// SPDX-License-Identifier: Apache-2.0
#include "harness/temporary_file.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace wirelaw {

TemporaryFile::~TemporaryFile() {
  if (!path_.empty()) ::unlink(path_.c_str());
}

bool TemporaryFile::make() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error) return false;
  std::string path = (folder / "wirelaw-XXXXXX").string();
  const int descriptor = ::mkstemp(path.data());
  if (descriptor < 0) return false;
  ::close(descriptor);
  path_ = std::move(path);
  return true;
}

}  // namespace wirelaw
