// SPDX-License-Identifier: Apache-2.0
#include "reports/run_tally.h"

#include <fmt/format.h>

namespace wirelaw {
namespace {

std::string clock_of(std::chrono::seconds time) {
  return fmt::format("{}:{:02}", time.count() / 60, time.count() % 60);
}

}  // namespace

std::string to_text(const RunTally& tally) {
  std::string text = fmt::format("{} of {} cases in {}", tally.done, tally.all, clock_of(tally.elapsed));
  if (tally.done > 0 && tally.done < tally.all) {
    const auto left =
        tally.elapsed * static_cast<std::int64_t>(tally.all - tally.done) / static_cast<std::int64_t>(tally.done);
    text += fmt::format(", about {} left", clock_of(left));
  }
  return tally.failed == 0 ? text : text + fmt::format(", {} failed", tally.failed);
}

}  // namespace wirelaw
