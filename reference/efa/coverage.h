// SPDX-License-Identifier: Apache-2.0
// The octets of a message that have arrived: segments arrive in any order and, if the transport duplicates, more than
// once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace wirelaw::efa {

class Coverage {
 public:
  // Records the octets from `begin` up to `end`, and returns how many of them are new. Records and returns nothing if
  // that would leave more than `most_gaps` gaps: a sender that splinters a message gets no memory for it.
  std::optional<std::uint64_t> add(std::uint64_t begin, std::uint64_t end, std::size_t most_gaps);
  std::uint64_t octets() const { return octets_; }
  bool has(std::uint64_t begin, std::uint64_t end) const;
  std::size_t memory() const { return ranges_.capacity() * sizeof(Range); }

 private:
  struct Range {
    std::uint64_t begin, end;
  };
  std::vector<Range> ranges_;  // in order, and never adjacent
  std::uint64_t octets_ = 0;
};

}  // namespace wirelaw::efa
