// SPDX-License-Identifier: Apache-2.0
// Whose folder it is while a campaign runs in it. The kernel takes the lock back when its holder ends, however it ends.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace wirelaw::campaign {

class FolderLock {
 public:
  // The folder exists. The error is one line.
  static tl::expected<FolderLock, std::string> take(const std::string& folder);

  FolderLock(FolderLock&& from) noexcept : file_(std::exchange(from.file_, -1)) {}
  FolderLock& operator=(FolderLock&& from) noexcept {
    std::swap(file_, from.file_);
    return *this;
  }
  ~FolderLock();

 private:
  explicit FolderLock(int file) : file_(file) {}

  int file_;
};

}  // namespace wirelaw::campaign
