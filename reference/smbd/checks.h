// SPDX-License-Identifier: Apache-2.0
// The checks of an endpoint on a received message: tables, in the order of the checks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reference/smbd/events.h"

namespace wirelaw::smbd {

// The values that a message is checked against.
struct Limits {
  std::size_t octets = 0;  // message length
  std::uint32_t max_receive_size = 0;
  std::uint32_t max_fragmented_recv_size = 0;
};

// The connection ends for the reason if it does not hold.
template <class Message>
struct Check {
  Reason reason;
  bool (*holds)(const Message& message, const Limits& limits);
};

}  // namespace wirelaw::smbd
