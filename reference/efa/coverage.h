// SPDX-License-Identifier: Apache-2.0
// Which octets of a message have come: segments arrive in any order and, on a transport that doubles, more than once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace wirelaw::efa {

class Coverage {
 public:
  // Octets from `begin` up to `end` have come. How many of them are new; nothing, and nothing noted, if that would
  // leave more than `most_gaps` gaps: a sender that splinters a message does not get memory for it.
  std::optional<std::uint64_t> add(std::uint64_t begin, std::uint64_t end, std::size_t most_gaps);
  std::uint64_t octets() const { return octets_; }
  bool has(std::uint64_t begin, std::uint64_t end) const;
  std::size_t memory() const { return ranges_.capacity() * sizeof(Range); }

 private:
  struct Range {
    std::uint64_t begin, end;
  };
  std::vector<Range> ranges_;  // in order, never touching
  std::uint64_t octets_ = 0;
};

}  // namespace wirelaw::efa
