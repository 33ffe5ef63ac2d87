// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/coverage_map.h"

#include <fmt/format.h>
#include <sys/shm.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace wirelaw::campaign {
namespace {

// Enough edges for the largest servers. Code compiled by AFL++ gets the number.
constexpr std::size_t kCounters = 1u << 20;
constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr const char* kVariable = "__AFL_SHM_ID";
constexpr const char* kSize = "AFL_MAP_SIZE";

std::string failed(const char* what) {
  return fmt::format("coverage: {}: {}", what, std::generic_category().message(errno));
}

}  // namespace

// Marked for removal immediately: the kernel keeps it while a process is attached, and a crash leaves nothing over.
tl::expected<std::unique_ptr<CoverageMap>, std::string> CoverageMap::share() {
  const int id = ::shmget(IPC_PRIVATE, kCounters, IPC_CREAT | 0600);
  if (id < 0) return tl::unexpected(failed("no shared memory"));
  void* const memory = ::shmat(id, nullptr, 0);
  ::shmctl(id, IPC_RMID, nullptr);
  if (memory == reinterpret_cast<void*>(-1)) return tl::unexpected(failed("shared memory cannot be attached"));
  ::setenv(kVariable, std::to_string(id).c_str(), 1);
  ::setenv(kSize, std::to_string(kCounters).c_str(), 1);
  return std::unique_ptr<CoverageMap>(new CoverageMap({static_cast<std::uint8_t*>(memory), kCounters}));
}

CoverageMap::~CoverageMap() {
  ::unsetenv(kVariable);
  ::unsetenv(kSize);
  ::shmdt(counters_.data());
}

void CoverageMap::clear() {
  std::ranges::fill(counters_, std::uint8_t{0});
}

bool CoverageMap::has_any() const {
  return std::ranges::any_of(counters_, [](std::uint8_t count) { return count != 0; });
}

// Most words are empty. In most programs only the first few thousand are used.
std::vector<std::uint64_t> CoverageMap::edges() const {
  std::vector<std::uint64_t> edges;
  for (std::size_t at = 0; at < counters_.size(); at += kWord) {
    std::uint64_t word = 0;
    std::memcpy(&word, counters_.data() + at, kWord);
    if (word == 0) continue;
    for (std::size_t i = at; i < at + kWord; ++i)
      if (const std::uint8_t count = counters_[i]; count != 0)
        edges.push_back(i << 8 | static_cast<unsigned>(std::bit_width(count)));
  }
  return edges;
}

}  // namespace wirelaw::campaign
