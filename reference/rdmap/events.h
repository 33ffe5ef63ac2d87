// SPDX-License-Identifier: Apache-2.0
// The events that an endpoint reports to its upper layer, in order.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "reference/mpa/start_frame.h"
#include "reference/rdmap/buffers.h"
#include "reference/rdmap/message.h"
#include "reference/rdmap/terminate.h"

namespace wirelaw::rdmap {

using WorkId = std::uint64_t;
using ReceiveId = std::uint64_t;

// On a responder: a valid MPA Request has arrived. It waits for accept() or reject().
struct ConnectionRequest {
  std::uint8_t revision = 0;
  std::optional<mpa::EnhancedData> enhanced;  // as the initiator sent it
  OctetBuffer private_data;                   // the upper layer's part
};

// Full Operation has begun: on an initiator with the reply, on a responder with accept().
struct Established {
  std::uint8_t revision = 0;
  std::optional<mpa::EnhancedData> enhanced;  // as the peer sent it
  OctetBuffer private_data;                   // on an initiator: the upper layer's part of the reply
};

// On an initiator: the responder has rejected the connection. MPA has ended; the transport is open (RFC 5044, 7.1.2,
// rule 3).
struct Rejected {
  std::optional<mpa::EnhancedData> enhanced;
  OctetBuffer private_data;
};

// A Send of any form, or immediate data, has been delivered into the receive that was posted first.
struct Received {
  ReceiveId id = 0;
  Opcode opcode = Opcode::send;
  OctetBuffer data;
  std::optional<Stag> invalidated;
  bool solicited() const {
    return opcode == Opcode::send_se || opcode == Opcode::send_se_invalidate || opcode == Opcode::immediate_data_se;
  }
};

// One of our operations is complete, in the order of posting. If it is not ok, the stream failed before its completion,
// and the peer may have any part of it.
struct Completed {
  WorkId id = 0;
  Opcode opcode = Opcode::send;
  bool ok = true;
  std::uint64_t original = 0;  // for an atomic operation: the old value
};

// The peer has sent a Terminate, which ends the stream.
struct RemoteTerminate {
  bool decoded = true;  // false: it is shorter than its header
  ErrorCode error;
  OctetBuffer message;  // the Terminate header and everything after it
};

// The stream has failed at this end. A Terminate is sent if possible.
struct LocalError {
  ErrorCode error;
  std::string text;
  bool terminates = false;  // a Terminate is sent
  // The peer has closed on an enhanced request; it may understand revision 1 on a new connection (RFC 6581, 10).
  bool fall_back = false;
};

// The peer has ended its direction in order, and leaves nothing unfinished. Our direction is still open.
struct PeerEnded {};

// Both directions have ended; the last event.
struct Closed {
  bool reset = false;
};

using Event = std::variant<ConnectionRequest, Established, Rejected, Received, Completed, RemoteTerminate, LocalError,
                           PeerEnded, Closed>;

}  // namespace wirelaw::rdmap
