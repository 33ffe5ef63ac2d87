// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "harness/campaign/started_process.h"

namespace wirelaw::campaign {
namespace {

namespace fs = std::filesystem;

// True for the name of a file that is being written, as in reports/output.h: "state.json.4711.tmp".
bool is_unfinished(const fs::path& file) {
  const std::string number = file.stem().extension().string();
  return file.extension() == ".tmp" && number.size() > 1 &&
         std::ranges::all_of(number.substr(1), [](char c) { return c >= '0' && c <= '9'; });
}

void remove_unfinished(const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> files;
  for (fs::directory_iterator one(folder, failed), end; !failed && one != end; one.increment(failed))
    if (is_unfinished(one->path())) files.push_back(one->path());
  for (const fs::path& one : files) fs::remove(one, failed);
}

}  // namespace

tl::expected<FolderLock, std::string> FolderLock::take(const std::string& folder) {
  std::error_code failure;
  const bool is_made = fs::create_directories(folder, failure);
  if (failure) return tl::unexpected(fmt::format("{}: {}", folder, failure.message()));
  const std::string path = folder + "/lock";
  const auto failed = [&](int error) {
    return tl::unexpected(fmt::format("{}: {}", path, std::generic_category().message(error)));
  };
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return failed(errno);
  FolderLock lock(folder, is_made, file);
  if (::flock(file, LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    ::close(std::exchange(lock.file_, -1));
    if (error != EWOULDBLOCK) return failed(error);
    return tl::unexpected(fmt::format("{}: a campaign runs in it; name another folder, or end that one", folder));
  }
  for (const fs::path& one : {fs::path(folder), fs::path(folder) / "corpus"}) remove_unfinished(one);
  for (fs::directory_iterator one(fs::path(folder) / "findings", failure), end; !failure && one != end;
       one.increment(failure))
    remove_unfinished(one->path());
  return lock;
}

FolderLock::~FolderLock() {
  if (file_ < 0) return;
  std::error_code ignored;
  if (!fs::exists(folder_ + "/campaign.json", ignored)) {
    StartedProcess::remove_files(folder_);
    fs::remove(folder_ + "/lock", ignored);
    if (is_made_) fs::remove(folder_, ignored);  // if it is empty
  }
  ::close(file_);
}

}  // namespace wirelaw::campaign
