// SPDX-License-Identifier: Apache-2.0
// A capture file in memory, for fuzz_capture and fuzz_capture_libpcap.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "fuzz/target.h"
#include "reference/octets/octets.h"

namespace wirelaw::fuzz {

// A file without a disk, created once: each input replaces its contents.
class MemoryFile {
 public:
  MemoryFile() : descriptor_(memfd_create("capture", MFD_CLOEXEC)) {
    require(descriptor_ >= 0, "a file in memory can be made");
    path_ = "/proc/self/fd/" + std::to_string(descriptor_);
  }
  const std::string& write(Octets octets) {
    require(ftruncate(descriptor_, 0) == 0, "the file in memory can be emptied");
    const auto size = static_cast<ssize_t>(octets.size());
    require(pwrite(descriptor_, octets.data(), octets.size(), 0) == size, "the file in memory can be written");
    return path_;
  }

 private:
  int descriptor_;
  std::string path_;
};

}  // namespace wirelaw::fuzz
