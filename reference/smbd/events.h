// SPDX-License-Identifier: Apache-2.0
// The events that an endpoint reports to its upper layer, in order.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "reference/endpoint.h"
#include "reference/smbd/work.h"

namespace wirelaw::smbd {

using MessageId = std::uint64_t;
using TransferId = std::uint64_t;

// 3.1.4.7
struct Parameters {
  std::uint32_t max_send_size = 0;
  std::uint32_t max_fragmented_send_size = 0;
  std::uint32_t max_receive_size = 0;
  std::uint32_t max_read_write_size = 0;
  Instant keepalive_interval{};
};

// Why an endpoint ends the connection. describe() gives the sections.
enum class Reason : std::uint8_t {
  negotiation_timeout,
  request_too_short,
  version_not_supported,
  no_credits_requested,
  receive_size_too_small,
  fragmented_size_too_small,
  no_receives,
  response_too_short,
  wrong_version,
  no_credits_granted,
  preferred_send_size_too_large,
  negotiation_failed,
  message_too_short,
  data_not_aligned,
  data_beyond_message,
  message_too_long_for_reassembly,
  fragments_end_early,
  fragments_exceed_announcement,
  message_longer_than_receive,
  no_receive_posted,
  keepalive_unanswered,
  send_failed,
  transfer_failed,
  close_timeout,
  closed_by_upper_layer,
};
inline constexpr std::size_t kReasons = static_cast<std::size_t>(Reason::closed_by_upper_layer) + 1;

struct ReasonInfo {
  Reason reason;
  std::string_view section;
  std::string_view text;
};
const ReasonInfo& describe(Reason reason);

// The negotiation has succeeded.
struct Established {
  Parameters parameters;
};

// A whole message from the peer's upper layer.
struct Received {
  OctetBuffer data;
};

// The peer has invalidated a local token. Reported before the message that invalidated it (3.1.5.8).
struct Invalidated {
  Token token = 0;
};

// Our message has been sent, as far as the RDMA layer knows. If not ok, the connection failed before.
struct Sent {
  MessageId id = 0;
  bool ok = true;
};

// An RDMA Read or Write of the upper layer is complete (3.1.4.5, 3.1.4.6).
struct Transferred {
  TransferId id = 0;
  bool ok = true;
};

// This end ends the connection.
struct Terminated {
  Reason reason = Reason::closed_by_upper_layer;
  std::uint32_t status = 0;  // from the peer's Negotiate Response, or from our own
};

// The connection is lost, whichever end caused that (3.1.7.1); the last event.
struct Disconnected {};

using Event = std::variant<Established, Received, Invalidated, Sent, Transferred, Terminated, Disconnected>;

}  // namespace wirelaw::smbd
