// SPDX-License-Identifier: Apache-2.0
// What the observer of one protocol has found for a protocol that stands on it: RDMAP's delivered Sends for SMB Direct.
// The messages keep the way back to the frames and octets of the capture (Message::places), across segments and FPDUs.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "conformance/trace.h"
#include "reference/octets/octets.h"

namespace wirelaw {

class Judge;

// Memory of a side, as the other side names it (RFC 5040: STag, tagged offset).
struct RemoteRange {
  std::uint32_t stag = 0;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

struct Delivery {
  enum class Event : std::uint8_t {
    established,     // the connection below is there; without it, the trace begins in the middle
    message,         // `sender` has sent it, and it is delivered
    written,         // a Write of `sender` is complete in the other side's `remote`
    read_requested,  // `sender` asks for the other side's `remote`
    read_completed,  // `sender` has answered the oldest request of the other side, which named its `remote`
    lost,            // of what `sender` sends, some is not known: the trace does not hold it, or it could not be read
    ended,           // `sender` sends nothing more
  };

  Event event = Event::message;
  Side sender = Side::a;
  // Its octets live for the length of the call. Other events have none, but the index, frame and time of where they
  // were seen.
  Message message = {};
  bool whole = true;                                   // the octets of a message are all that was sent of it
  bool solicited = false;                              // a message with Solicited Event
  std::optional<std::uint32_t> invalidated_stag = {};  // a message with Invalidate
  RemoteRange remote = {};
  // So many of the other side's messages, its latest, may not have reached the sender when it sent this. What is below
  // proves that the others had, by its acknowledgments; it is not a matter of time.
  std::uint64_t may_miss = kNothingProven;
  static constexpr std::uint64_t kNothingProven = static_cast<std::uint64_t>(-1);
  // Of `established`: who has asked for the connection, and what each side sent with it.
  Side initiator = Side::a;
  std::array<Octets, 2> private_data = {};
  std::optional<std::uint16_t> service_port = {};  // that was asked for, where no port below says it
  bool uncaptured = false;                         // of `lost`: it was sent, and the source does not hold it
  bool abortive = false;                           // of `ended`: by a reset, or by an error below
};

// Takes what the observer below has found, as it finds it.
class DeliverySink {
 public:
  virtual ~DeliverySink() = default;
  virtual void deliver(const Delivery& delivery, Judge& judge) = 0;
};

}  // namespace wirelaw
