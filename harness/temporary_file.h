// SPDX-License-Identifier: Apache-2.0
// A file that is removed with its owner.
#pragma once

#include <string>
#include <utility>

namespace wirelaw {

class TemporaryFile {
 public:
  TemporaryFile() = default;
  TemporaryFile(TemporaryFile&& from) noexcept : path_(std::exchange(from.path_, {})) {}
  TemporaryFile& operator=(TemporaryFile&& from) noexcept {
    std::swap(path_, from.path_);
    return *this;
  }
  ~TemporaryFile();

  // Returns false if no file could be created.
  bool make();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace wirelaw
