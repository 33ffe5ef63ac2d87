// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace wirelaw::campaign {

tl::expected<FolderLock, std::string> FolderLock::take(const std::string& folder) {
  const std::string path = folder + "/lock";
  const auto failed = [&](int error) {
    return tl::unexpected(fmt::format("{}: {}", path, std::generic_category().message(error)));
  };
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return failed(errno);
  FolderLock lock(file);
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) return lock;
  if (errno != EWOULDBLOCK) return failed(errno);
  return tl::unexpected(fmt::format("{}: a campaign runs in it; name another folder, or end that one", folder));
}

FolderLock::~FolderLock() {
  if (file_ >= 0) ::close(file_);
}

}  // namespace wirelaw::campaign
