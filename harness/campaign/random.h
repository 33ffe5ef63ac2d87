// SPDX-License-Identifier: Apache-2.0
// A campaign's random choices. They are the same on every machine, and those of one run do not depend on earlier runs:
// a campaign that was stopped resumes as if it had not been.
#pragma once

#include <cstddef>
#include <cstdint>

namespace wirelaw::campaign {

class Random {
 public:
  // The seed is that of the campaign, and the run is the present one.
  Random(std::uint64_t seed, std::uint64_t run) : state_(mixed(seed) ^ mixed(~run)) {}

  std::uint64_t next() { return mixed(state_ += kStep); }
  // Returns a number below `end`, which is not 0. The bias of the remainder is too small for a campaign to notice.
  std::size_t below(std::size_t end) { return static_cast<std::size_t>(next() % end); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class Some>
  auto& any(Some& some) {
    return some[below(some.size())];
  }

 private:
  static constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15u;
  static constexpr std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
    return value ^ (value >> 31);
  }

  std::uint64_t state_;
};

}  // namespace wirelaw::campaign
