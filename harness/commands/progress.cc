// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "harness/commands/terminal.h"

namespace wirelaw {
namespace {

constexpr std::uint64_t kRecordHeader = 16;  // octets before a frame in a pcap file

double megabytes(std::uint64_t octets) {
  return static_cast<double>(octets) / 1e6;
}

// The octets of the file that these frames took, near enough.
std::uint64_t octets_read(const pcap::Counts& counts) {
  return counts.octets + counts.frames * kRecordHeader;
}

}  // namespace

Progress::Progress(const std::vector<std::string>& files) : shown_(can_erase(STDERR_FILENO)) {
  for (const std::string& file : files) {
    std::error_code error;
    const std::uintmax_t size = std::filesystem::file_size(file, error);
    if (error || file.ends_with(".gz")) {
      total_ = 0;
      return;
    }
    total_ += size;
  }
}

void Progress::update(const pcap::Counts& counts) {
  if (!shown_) return;
  if (counts.frames < last_.frames) before_ += octets_read(last_);  // the next file
  last_ = counts;
  const std::uint64_t read = before_ + octets_read(counts);
  if (total_ > 0)
    overwrite_line(fmt::format("{:.1f} of {:.1f} MB", megabytes(std::min(read, total_)), megabytes(total_)));
  else
    overwrite_line(fmt::format("{:.1f} MB", megabytes(read)));
  dirty_ = true;
}

void Progress::clear() {
  if (dirty_) erase_line();
  dirty_ = false;
}

}  // namespace wirelaw
