// SPDX-License-Identifier: Apache-2.0
// The code that an instrumented IUT has run, in memory that it shares with the campaign: a counter for each edge, as
// AFL++'s compilers and coverage_runtime.c keep them. The started process finds it by __AFL_SHM_ID; no fork server is
// needed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace wirelaw::campaign {

class CoverageMap {
 public:
  // From now on, children of this process find the map (__AFL_SHM_ID, AFL_MAP_SIZE). The error is one line.
  static tl::expected<std::unique_ptr<CoverageMap>, std::string> share();
  ~CoverageMap();
  CoverageMap(const CoverageMap&) = delete;
  CoverageMap& operator=(const CoverageMap&) = delete;

  std::span<std::uint8_t> counters() { return counters_; }
  void clear();
  bool has_any() const;
  // Each edge with how often it was passed, in steps of powers of two; ascending.
  std::vector<std::uint64_t> edges() const;

 private:
  explicit CoverageMap(std::span<std::uint8_t> counters) : counters_(counters) {}
  std::span<std::uint8_t> counters_;
};

}  // namespace wirelaw::campaign
