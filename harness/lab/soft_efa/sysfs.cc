// SPDX-License-Identifier: Apache-2.0
#include "harness/lab/soft_efa/sysfs.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace wirelaw::soft_efa {
namespace {

namespace fs = std::filesystem;

std::string default_root() {
  const char* temporary = std::getenv("TMPDIR");
  return std::string(temporary != nullptr && *temporary == '/' ? temporary : "/tmp") + "/wirelaw-soft-efa-" +
         std::to_string(getuid());
}

// In a folder that others can write to, it trusts only a folder that we own and that no other user can write to.
bool is_ours(const std::string& folder) {
  struct stat status = {};
  return lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == getuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// Another process may create it at the same time. In any order, the file appears complete.
void make_file(const fs::path& path, const char* text) {
  if (fs::exists(path)) return;
  const fs::path fresh = path.string() + "." + std::to_string(getpid());
  std::ofstream(fresh) << text;
  fs::rename(fresh, path);
}

void make_link(const fs::path& path, const char* target) {
  if (!fs::is_symlink(path) && symlink(target, path.c_str()) != 0 && errno != EEXIST)
    throw fs::filesystem_error("symlink", path, std::error_code(errno, std::generic_category()));
}

void make_tree(const fs::path& root) {
  fs::create_directories(root / "class/infiniband_verbs");
  fs::create_directories(root / "class/infiniband/soft_efa_0");
  fs::create_directories(root / "devices/0000:00:1e.0");
  fs::create_directories(root / "bus/pci/drivers/efa");
  make_file(root / "class/infiniband_verbs/abi_version", "6\n");
  make_link(root / "class/infiniband/soft_efa_0/device", "../../../devices/0000:00:1e.0");
  make_link(root / "devices/0000:00:1e.0/driver", "../../bus/pci/drivers/efa");
}

}  // namespace

tl::expected<std::string, std::string> make_sysfs(const Settings& settings) {
  const std::string root = settings.sysfs.empty() ? default_root() : settings.sysfs;
  if (mkdir(root.c_str(), 0700) != 0 && errno != EEXIST)
    return tl::unexpected("cannot make the folder " + root + ": " + std::strerror(errno));
  if (!is_ours(root))
    return tl::unexpected(root +
                          " belongs to somebody else, or others may write to it: name another folder in "
                          "WIRELAW_SOFT_EFA_SYSFS");
  try {
    make_tree(root);
  } catch (const fs::filesystem_error& error) {
    return tl::unexpected("cannot fill the folder " + root + ": " + error.what());
  }
  return root;
}

std::string device_folder(const std::string& root) {
  return root + "/class/infiniband/soft_efa_0";
}

}  // namespace wirelaw::soft_efa
