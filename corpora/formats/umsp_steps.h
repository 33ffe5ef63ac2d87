// SPDX-License-Identifier: Apache-2.0
// The steps of fuzz_umsp_node and fuzz_umsp_job: records (records.h) whose control octet selects what happens. The
// input of fuzz_umsp_job begins with an octet that selects the connection to capture.
#pragma once

#include <algorithm>
#include <chrono>

#include "reference/endpoint.h"
#include "reference/octets/octets.h"

namespace wirelaw::corpora::umsp_steps {

// The sender of the octets: node A on its first or second connection, the control point C, or node A in a datagram.
inline constexpr unsigned kLinks = 4;
inline constexpr Octet kLink = 0x03;
inline constexpr unsigned kSecond = 1, kControl = 2, kDatagrams = 3;
// For a job: the node whose application acts. The nodes are the initiator, the executor and the control point. A record
// that is neither an application's nor a time delivers pieces of a connection. It gives the side (bit 0) and the
// connection (the other bits), the number of pieces (1 octet), and their maximum length less one (1 octet).
inline constexpr unsigned kJobNodes = 3;
inline constexpr unsigned kJobExecutor = 1, kJobControl = 2;
// The octets are a time that passes, in milliseconds, little-endian.
inline constexpr Octet kTime = 0x04;
// The node's application acts; the first octet selects the call, the others are its data.
inline constexpr Octet kApplication = 0x08;
enum class Act : Octet {
  begin_job,          // the node is the control point
  register_job,       // at the control point C
  open_session,       // with A
  write,              // the data
  write_sequence,     // twice
  write_transaction,  // twice, executed once complete
  write_later,        // twice, and EXEC_TR
  write_long,         // the data many times over: fragments
  close_session,
  go_on,  // cancels the closing of the session
  complete_job,
  terminate_task,
};
inline constexpr Octet kActs = static_cast<Octet>(Act::terminate_task) + 1;

inline Instant time_of(Octets octets) {
  std::uint32_t value = 0;
  for (std::size_t i = std::min<std::size_t>(octets.size(), 3); i-- > 0;) value = value << 8 | octets[i];
  return std::chrono::milliseconds(value);
}

}  // namespace wirelaw::corpora::umsp_steps
