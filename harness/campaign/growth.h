// SPDX-License-Identifier: Apache-2.0
// A process that serves many inputs may use more and more of a resource. A limit finds that late, and only if the user
// knows a good limit. So this class looks for steady growth, which the measurements show.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/campaign/trial.h"

namespace wirelaw::campaign {

struct Growth {
  std::uint64_t first = 0, last = 0;  // use of memory
  std::uint64_t inputs = 0;           // between
  double each() const { return inputs == 0 ? 0 : static_cast<double>(last - first) / static_cast<double>(inputs); }
};

// Watches one resource that one process uses.
class GrowthWatch {
 public:
  // `inputs` that it is to serve: the first quarter of them is its warm-up. Less than `least` is no growth.
  GrowthWatch(std::uint64_t inputs, std::uint64_t least);

  // Called after each input. `served` counts the inputs of this process; 1 is the first input of a new process.
  void sample(std::uint64_t served, std::uint64_t used);
  // Returns, once, the growth of memory if the lowest use has repeatedly risen from one part of the process's lifetime
  // to the next.
  std::optional<Growth> take();

 private:
  static constexpr std::size_t kParts = 16, kWarmUp = 4, kRising = 8;

  std::uint64_t part_, least_;
  std::vector<std::uint64_t> lowest_;  // lowest use in each part
  std::uint64_t served_ = 0;
  bool taken_ = false;
};

// The resources of a process that can grow.
struct Grower {
  std::string_view signature;  // "growth of memory"
  std::string_view what;       // "octets of memory"
  std::uint64_t least;         // the least growth that counts
  std::uint64_t Trial::*used;
};
std::span<const Grower> growers();
const Grower* grower_of(std::string_view signature);  // nullptr: it is another kind of finding

// Measures the growth that this input alone causes: starts a process and sends the input again and again. Empty if the
// process does not grow steadily.
std::optional<Growth> growth_by(Tester& tester, const Input& input, const Grower& grower, const Pace& pace);

// "from 3481600 to 7700480 octets of memory over 2048 inputs, 2060.0 each"
std::string to_text(const Growth& growth, std::string_view of_what);

}  // namespace wirelaw::campaign
