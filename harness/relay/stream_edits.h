// SPDX-License-Identifier: Apache-2.0
// One direction of a TCP connection whose messages are edited on the way, though TCP stays between the peers. The edits
// are kept by their place in the stream, so each transmission of an octet carries the same edit. Sans I/O.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "conformance/script/triggers.h"
#include "harness/relay/relay_counts.h"

namespace wirelaw {

class StreamEdits {
 public:
  // `first` is the sequence number of the first octet. The run, of RelayKind::forwards_frames, outlives this object.
  StreamEdits(script::TriggerRun& run, Side sender, std::uint32_t first)
      : run_(run), sender_(sender), next_((std::uint64_t{1} << 32) + first), ready_(next_), acknowledged_(next_) {}

  // The place of an octet in the stream. It does not wrap. `seq` is less than 2^31 octets from next().
  std::uint64_t place_of(std::uint32_t seq) const {
    const auto distance = static_cast<std::int32_t>(seq - static_cast<std::uint32_t>(next_));
    return next_ + static_cast<std::uint64_t>(std::int64_t{distance});
  }
  // The first octet that the triggers have not seen.
  std::uint64_t next() const { return next_; }
  // What happens to the octets before this one is known. Later ones are of a message that is not whole.
  bool is_ready(std::uint64_t end) const { return end <= ready_ || has_given_up_; }
  bool has_given_up() const { return has_given_up_; }
  // Too many edits wait for an acknowledgment.
  bool is_full() const;

  // Shows octets from `begin`, at most next(), to the triggers; they have seen those before next(). After give_up() the
  // triggers see nothing, and any octets are possible. Returns comments about lines that changed nothing.
  std::vector<std::string> take(std::uint64_t begin, Octets octets, RelayCounts& counts);
  // Edits octets that pass, and adds a comment for each edit. Returns false if there is none.
  bool apply(std::uint64_t begin, std::span<Octet> octets, std::vector<std::string>& comments) const;
  // The receiver has all octets before `end`.
  void acknowledge(std::uint64_t end);
  // The stream ends here: a message that is not whole passes.
  void finish();
  // The triggers see no more octets. The edits made so far are kept.
  void give_up();

 private:
  struct Edit {
    OctetBuffer octets;
    std::vector<std::string> comments;
  };
  void keep(Octets original, Octets edited, std::vector<std::string>& comments);
  void forget();

  script::TriggerRun& run_;
  const Side sender_;
  std::uint64_t next_, ready_, acknowledged_;
  OctetBuffer open_;                     // octets from ready_ to next_
  std::map<std::uint64_t, Edit> edits_;  // by the place of their first octet; they do not overlap
  std::size_t kept_ = 0;                 // memory for them, in octets
  bool has_given_up_ = false;
};

}  // namespace wirelaw
