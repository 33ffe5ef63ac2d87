// SPDX-License-Identifier: Apache-2.0
// Findings that are made after the line of their message: an absence is known only at the end, and a message may be put
// together from several frames. A first reading of the captures collects them, so that a second one can print each in
// its place.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/verdict.h"

namespace wirelaw {

// A line that was printed: a message, or the frame that holds it.
struct PrintedLine {
  std::size_t file = 0;
  std::uint64_t frame = 0;
  std::uint64_t number = 0;  // number of the message in its flow, from 1
  std::string flow;

  bool is_of(const Finding& finding) const {
    return finding.frame == frame || (number > 0 && finding.message == number && finding.flow == flow);
  }
};

class LateFindings {
 public:
  // --- the first reading
  void collect(std::size_t file, const Finding& finding) {
    if (kept_.size() >= kMost) return;
    if (finding.frame > 0) by_frame_.emplace(std::pair(file, finding.frame), kept_.size());
    kept_.push_back({finding, false});
  }

  // --- the second, in the same order
  // Takes the findings for this line. If the next line is of another frame, takes all that are left for the frame.
  std::vector<Finding> take(const PrintedLine& line, bool is_last_of_frame) {
    std::vector<Finding> taken;
    const auto [first, last] = by_frame_.equal_range(std::pair(line.file, line.frame));
    for (auto one = first; one != last; ++one) {
      Kept& kept = kept_[one->second];
      const bool is_its = kept.finding.message == line.number && kept.finding.flow == line.flow;
      if (kept.printed || !(is_its || is_last_of_frame)) continue;
      kept.printed = true;
      taken.push_back(kept.finding);
    }
    return taken;
  }
  // A finding made during its line, in the order of the first reading. True if it is printed there, or will be: if its
  // frame is still to come, it waits for that frame.
  bool is_placed(const Finding& finding, const std::optional<PrintedLine>& last) {
    if (next_ == kept_.size()) return false;  // more than are kept
    const std::size_t at = next_++;
    if (kept_[at].printed) return true;
    if (finding.frame > (last ? last->frame : 0)) {
      waiting_.push_back(at);
      return true;
    }
    kept_[at].printed = true;
    return false;
  }
  // Returns the findings that waited in vain for a line of their frame. The next line is of `frame`.
  std::vector<Finding> waited_in_vain(std::uint64_t frame) {
    std::vector<Finding> taken;
    std::erase_if(waiting_, [&](std::size_t at) {
      Kept& kept = kept_[at];
      if (!kept.printed && kept.finding.frame >= frame) return false;
      if (!std::exchange(kept.printed, true)) taken.push_back(kept.finding);
      return true;
    });
    return taken;
  }

 private:
  static constexpr std::size_t kMost = 100'000;  // further findings are printed as they are made
  struct Kept {
    Finding finding;
    bool printed = false;
  };
  std::vector<Kept> kept_;
  std::multimap<std::pair<std::size_t, std::uint64_t>, std::size_t> by_frame_;
  std::vector<std::size_t> waiting_;
  std::size_t next_ = 0;
};

}  // namespace wirelaw
