// SPDX-License-Identifier: Apache-2.0
// Locks a folder while a campaign runs in it. The kernel releases the lock when its holder ends, in any way.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace wirelaw::campaign {

// During its lifetime, the folder belongs to this process. If no campaign (campaign.json) was begun by its end, it
// removes what this process and a started peer have put there, and the folder too if it is then empty.
class FolderLock {
 public:
  // Creates the folder if needed, and removes the unfinished files of a campaign that was killed. The error is one
  // line.
  static tl::expected<FolderLock, std::string> take(const std::string& folder);

  FolderLock(FolderLock&& from) noexcept
      : folder_(std::move(from.folder_)), is_made_(from.is_made_), file_(std::exchange(from.file_, -1)) {}
  FolderLock& operator=(FolderLock&&) = delete;
  ~FolderLock();

 private:
  FolderLock(std::string folder, bool is_made, int file) : folder_(std::move(folder)), is_made_(is_made), file_(file) {}

  std::string folder_;
  bool is_made_;  // true: take() created the file
  int file_;
};

}  // namespace wirelaw::campaign
