// SPDX-License-Identifier: Apache-2.0
// The state of a connection for both sides, as its messages so far show it ([MS-SMBD] 3.1.1.1): the negotiated values,
// the account of each sender's credits, the upper-layer message that has begun, and the messages still due.
//
// Credits: a grant is added, and a message's credit subtracted, when the message passes the capture point. A sender
// cannot use a grant that has not passed there, so its account here is never lower than its own count.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "conformance/delivery.h"
#include "conformance/rule.h"
#include "conformance/smbd/tracker/facts.h"
#include "conformance/smbd/tracker/lent.h"
#include "conformance/smbd/tracker/receipts.h"
#include "conformance/transitions.h"
#include "reference/smbd/message.h"

namespace wirelaw::smbd {

// The time that a connection may take from the initiator to its listener, in nanoseconds.
inline constexpr std::int64_t kInFlight = 1'000'000'000;

// The values of a negotiate message that limit the rest of the connection.
struct Negotiated {
  std::uint16_t min_version = 0;
  std::uint16_t max_version = 0;
  std::uint32_t preferred_send_size = 0;
  std::uint32_t max_receive_size = 0;
  std::uint32_t max_fragmented_size = 0;
  std::uint32_t max_read_write_size = 0;  // set in a response only
  OctetBuffer octets = {};                // the message without octets after its fields
};

// A Data Transfer for which its receiver must end the connection.
struct RefusedTransfer {
  std::optional<TransferRefusal> why = {};
  std::uint64_t proof = 0;  // number of the message whose receipt shows that this one was accepted
};

// The upper-layer message that has begun.
struct Fragments {
  bool open = false;
  std::uint64_t left = 0;    // octets that the latest segment left to be sent
  bool invalidated = false;  // a segment of it has invalidated a token
};

// Connection.FragmentReassemblyRemaining of the receiver, computed from the messages sent to it (3.1.5.8).
struct ReassemblyRemaining {
  bool known = true;
  std::uint64_t remaining = 0;
};

// The messages that one side sends.
struct Way {
  Side side = Side::a;
  Role role = Role::any;  // any: unknown
  std::optional<Negotiated> negotiated = {};
  std::uint64_t transfers = 0;           // Data Transfers
  bool has_sent_payload = false;         // it has sent payload, or may have
  bool ended = false;                    // it sends nothing more
  std::optional<Refusal> must_end = {};  // defect of the other side's negotiate message: it must end
  AskingFact asking = {};                // its requests for a response since a message of the other side passed
  // --- the credits that this side has to send
  bool account_known = false;
  std::uint64_t credits = 0;
  bool was_granted = false;  // it was ever granted a credit
  Receipts receipts = {};    // the other side's messages
  Fragments fragments = {};
  ReassemblyRemaining reassembly = {};  // at the other side
  RefusedTransfer refused = {};         // the other side's first refused Data Transfer
  Lent lent = {};                       // memory that this side has lent
};

class Connection {
 public:
  enum class Stage : std::uint8_t {
    unknown,      // the negotiation was not seen, or cannot be read: sizes and credits are not judged
    connected,    // a Negotiate Request is due
    requested,    // a Negotiate Response is due
    established,  // Data Transfers
    refused,      // the response was a failure
    count_
  };
  enum class Event : std::uint8_t {
    begun,           // the first message has come, of any type
    response_first,  // the trace begins with the Negotiate Response
    requested,
    accepted,  // a successful response has come
    refused,
    lost,  // a part of the negotiation is missing or cannot be decoded
    count_
  };
  static constexpr Transition<Stage, Event> kRows[] = {
      {Stage::unknown, Event::begun, Stage::connected},
      {Stage::connected, Event::response_first, Stage::requested},
      {Stage::connected, Event::requested, Stage::requested},
      {Stage::connected, Event::lost, Stage::unknown},
      {Stage::requested, Event::accepted, Stage::established},
      {Stage::requested, Event::refused, Stage::refused},
      {Stage::requested, Event::lost, Stage::unknown},
      {Stage::refused, Event::lost, Stage::unknown},
  };

  Stage stage() const { return stage_; }
  void happen(Event event) { stage_ = kTransitions.after(stage_, event); }

  bool from_start = false;  // its beginning was seen, and nothing is missing since
  std::array<Way, 2> ways = {Way{.side = Side::a}, Way{.side = Side::b}};

  Way& of(Side side) { return ways[side == Side::a ? 0 : 1]; }
  const Way& of(Side side) const { return ways[side == Side::a ? 0 : 1]; }

  void begin(Side initiator, bool nothing_missing);
  // Later messages are judged without context.
  void forget_credits();
  void forget_lent();
  void forget_negotiation();
  // MaxSendSize of a sender, as far as the negotiation shows it; empty if it was not seen.
  std::optional<std::uint32_t> max_send_size(const Way& from) const;

 private:
  static constexpr Transitions<Stage, Event> kTransitions{kRows};
  Stage stage_ = Stage::unknown;
};

// --- which message octets can only be, or may well be
bool is_request(Octets octets);   // a Negotiate Request in order
bool is_response(Octets octets);  // a Negotiate Response in order, of success
bool is_failure(Octets octets);   // a Negotiate Response in order, of failure
bool is_transfer(Octets octets);  // a Data Transfer in order
// Returns true if the first two fields are 0x0100: the versions of a negotiate message, or the credits of a Data
// Transfer (256 twice). If a negotiate message is due, it is one.
bool has_negotiated_versions(Octets octets);
bool is_swapped_transfer(Octets octets);  // a Data Transfer in order whose fields are in network order
// Returns true if both versions of a negotiate message are 0x0100 in big-endian order.
bool has_swapped_versions(std::uint16_t min_version, std::uint16_t max_version);
// Returns true if DataOffset and DataLength describe octets of a message of this length.
bool is_payload_placed(const DataTransfer& data, std::size_t octets);

}  // namespace wirelaw::smbd
