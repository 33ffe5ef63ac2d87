// SPDX-License-Identifier: Apache-2.0
// Proof that a node sent an instruction after a certain time of the capture (UMSP/B60). A side has received what passed
// the tap if it answers it, or if its TCP had acknowledged it before it sent (StreamPiece::received). Time alone proves
// nothing: an instruction may wait before it is sent, or be on its way, for any time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "conformance/trace.h"

namespace wirelaw::umsp {

struct Connection;

// The clocks of two taps may differ. Two connections are compared only if they are further apart than this.
inline constexpr std::int64_t kSkewNs = 1'000'000'000;

// The times at which the octets of one direction passed the tap. The memory is bounded: if the other side proves
// nothing for long, the times of later octets are not kept.
class Passages {
 public:
  static constexpr std::size_t kMost = 64;

  void add(std::uint64_t end, std::int64_t time_ns) {
    if (passed_.size() < kMost) passed_.push_back({end, time_ns});
  }
  // The time at which these first octets had passed, or some of them; empty if it is unknown. Forgets what passed
  // before.
  std::optional<std::int64_t> time_of(std::uint64_t octets) {
    while (passed_.size() > 1 && passed_[1].end <= octets) passed_.pop_front();
    if (passed_.empty() || passed_.front().end > octets) return std::nullopt;
    return passed_.front().time_ns;
  }
  std::size_t memory() const { return passed_.size() * sizeof(Passage); }

 private:
  struct Passage {
    std::uint64_t end = 0;  // offset after the last octet
    std::int64_t time_ns = 0;
  };
  std::deque<Passage> passed_;
};

// From now on, everything that the side sends on the connection was sent after `after_ns`, because it had received
// something that passed then. `is_of_stream`: it had received all that passed on this connection up to then.
void note_sent_after(Connection& connection, Side side, std::int64_t after_ns, std::int64_t now_ns, bool is_of_stream);

}  // namespace wirelaw::umsp
