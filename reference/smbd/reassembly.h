// SPDX-License-Identifier: Apache-2.0
// Reassembles the peer's messages from their fragments (3.1.5.8). It never holds more than a message of the announced
// maximum length: faults that the text's counter does not detect (rulings SMBD/A15 and SMBD/A16) end the connection.
#pragma once

#include <cstdint>
#include <optional>
#include <tl/expected.hpp>
#include <utility>

#include "reference/octets/octets.h"
#include "reference/smbd/events.h"

namespace wirelaw::smbd {

class Reassembly {
 public:
  explicit Reassembly(std::uint32_t most) : most_(most) {}

  // Adds octets; returns the message if they complete it.
  tl::expected<std::optional<OctetBuffer>, Reason> add(Octets data, std::uint32_t remaining_data_length) {
    if (remaining_ != 0 && data.size() > remaining_) return tl::unexpected(Reason::fragments_exceed_announcement);
    if (buffer_.size() + data.size() > most_) return tl::unexpected(Reason::message_too_long_for_reassembly);
    buffer_.insert(buffer_.end(), data.begin(), data.end());
    remaining_ = remaining_ == 0 ? remaining_data_length : remaining_ - static_cast<std::uint32_t>(data.size());
    if (remaining_data_length != 0) return std::nullopt;
    if (remaining_ != 0) return tl::unexpected(Reason::fragments_end_early);
    return std::exchange(buffer_, {});
  }

  // Returns and removes the octets received so far.
  OctetBuffer take() {
    remaining_ = 0;
    return std::exchange(buffer_, {});
  }

  std::size_t octets() const { return buffer_.size(); }
  bool under_way() const { return remaining_ != 0 || !buffer_.empty(); }

 private:
  std::uint32_t most_;           // Connection.MaxFragmentedRecvSize
  std::uint32_t remaining_ = 0;  // Connection.FragmentReassemblyRemaining
  OctetBuffer buffer_;           // Connection.FragmentReassemblyBuffer
};

}  // namespace wirelaw::smbd
