// SPDX-License-Identifier: Apache-2.0
// The interface over which the observer of a protocol delivers messages to the protocol above it, for example RDMAP's
// Sends to SMB Direct. Messages keep their frames and octets of the capture (Message::places), across segments and
// FPDUs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "conformance/trace.h"
#include "reference/octets/octets.h"

namespace wirelaw {

class Judge;

// Memory of one side, as the other side names it (RFC 5040: STag, tagged offset).
struct RemoteRange {
  std::uint32_t stag = 0;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

struct Delivery {
  enum class Event : std::uint8_t {
    established,     // the connection below was seen to open; without this event, the trace begins in the middle
    message,         // a message from `sender` was delivered
    written,         // a Write from `sender` into the other side's `remote` is complete
    read_requested,  // `sender` asks to read the other side's `remote`
    read_completed,  // `sender` has answered the oldest read request of the other side, which named its `remote`
    lost,            // some octets of `sender` are unknown: the trace lacks them, or they could not be decoded
    ended,           // `sender` sends nothing more
  };

  Event event = Event::message;
  Side sender = Side::a;
  // The octets are valid during the call. Other events have no octets, but the index, frame and time at which they
  // were seen.
  Message message = {};
  bool whole = true;                                   // the message is complete
  bool solicited = false;                              // the message has a Solicited Event
  std::optional<std::uint32_t> invalidated_stag = {};  // set if the message invalidates an STag
  RemoteRange remote = {};
  // The number of the other side's latest messages that may not have reached the sender when it sent this. The layer
  // below proves by its acknowledgments, not by time, that all earlier ones had.
  std::uint64_t may_miss = kNothingProven;
  static constexpr std::uint64_t kNothingProven = static_cast<std::uint64_t>(-1);
  // For `established`: the side that asked for the connection, and the private data of each side.
  Side initiator = Side::a;
  std::array<Octets, 2> private_data = {};
  std::optional<std::uint16_t> service_port = {};  // the requested service port, if the layer below has no ports
  bool uncaptured = false;                         // for `lost`: it was sent, but the source does not hold it
  bool abortive = false;                           // for `ended`: by a reset, or by an error below
};

// Receives the deliveries of the observer below as they are found.
class DeliverySink {
 public:
  virtual ~DeliverySink() = default;
  virtual void deliver(const Delivery& delivery, Judge& judge) = 0;
};

}  // namespace wirelaw
