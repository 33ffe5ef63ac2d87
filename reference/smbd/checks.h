// SPDX-License-Identifier: Apache-2.0
// The checks of an endpoint for a received message: tables, in the order of the checks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reference/smbd/events.h"

namespace wirelaw::smbd {

// The values with which a message is compared.
struct Limits {
  std::size_t octets = 0;  // length of the message
  std::uint32_t max_receive_size = 0;
  std::uint32_t max_fragmented_recv_size = 0;
};

// If the condition does not hold, the connection ends for the reason.
template <class Message>
struct Check {
  Reason reason;
  bool (*holds)(const Message& message, const Limits& limits);
};

}  // namespace wirelaw::smbd
