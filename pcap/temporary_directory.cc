// SPDX-License-Identifier: Apache-2.0
#include "pcap/temporary_directory.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace wirelaw::pcap::testing {

TemporaryDirectory::TemporaryDirectory() {
  path_ = (std::filesystem::temp_directory_path() / "wirelaw.XXXXXX").string();
  if (mkdtemp(path_.data()) == nullptr) std::abort();
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryDirectory::path(std::string_view name) const {
  return path_ + "/" + std::string(name);
}

std::string TemporaryDirectory::write(std::string_view name, const OctetBuffer& octets) const {
  std::ofstream(path(name), std::ios::binary)
      .write(reinterpret_cast<const char*>(octets.data()), static_cast<std::streamsize>(octets.size()));
  return path(name);
}

std::vector<std::string> TemporaryDirectory::names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) names.push_back(entry.path().filename());
  return names;
}

}  // namespace wirelaw::pcap::testing
