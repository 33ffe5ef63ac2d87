// SPDX-License-Identifier: Apache-2.0
// Facts that the tracker finds in a connection. The checks of the sections decide rules from them.
//
// A fact is stated whenever its rules apply, whether or not they were obeyed. It holds what the connection so far makes
// one expect. It does not repeat fields of the message.
#pragma once

#include <cstdint>
#include <optional>

#include "conformance/delivery.h"
#include "conformance/obligations.h"
#include "conformance/rule.h"
#include "reference/smbd/message.h"

namespace wirelaw::smbd {

// The longest time that counts as "promptly", and the Negotiation Timer of a listener, in nanoseconds (SMBD/A28;
// 3.1.7.2).
inline constexpr std::int64_t kPromptly = 5'000'000'000;
inline constexpr std::int64_t kListenerWaits = 5'000'000'000;

// A message that a side must send within a time.
enum class Owed : std::uint8_t {
  end_without_request,  // the listener ends a connection on which no Negotiate Request comes
  negotiate_response,
  end_after_failure,  // the listener ends the connection after a Negotiate Response with a failure status
  answer,             // any message, requested by SMB_DIRECT_RESPONSE_REQUESTED
};
using OwedFact = ObligationFact<Owed>;

// Defects of a negotiate message for which the receiver must end the connection.
enum class Refusal : std::uint8_t {
  request_short,
  request_version,
  request_credits,
  request_receive_size,
  request_fragmented_size,
  response_short,
  response_version,
  response_receive_size,
  response_fragmented_size,
  response_granted,
  response_requested,
  response_send_size,
};

// Defects of a Data Transfer for which the receiver must end the connection (3.1.5.8).
enum class TransferRefusal : std::uint8_t { too_short, credits, alignment, bounds, fragmented_size, early_end };

// What shows that a side has received such a message: it knows what it can know only from this message or a later one.
enum class Receipt : std::uint8_t {
  credit,   // it spends a credit that one of them granted, or the layer below has acknowledged them
  token,    // it uses a token that no earlier message held
  request,  // it answers an SMB2 request that no earlier message held
};

// A side continues although it has received a Data Transfer for which it must end the connection.
struct AcceptedFact {
  TransferRefusal why = {};
  Receipt shown_by = Receipt::credit;
};

// The result of comparing an RDMA operation with the memory lent.
enum class Use : std::uint8_t {
  unknown,      // unknown
  fits,         // it fits, or nothing contradicts that
  unnamed,      // no payload holds the token
  undescribed,  // payloads hold the token and seem to describe memory with it, but not all of this memory
  outside,      // a part is outside the buffers lent with this token
  backwards,    // it writes to the buffers of a WRITE, or reads from those of a READ
  too_much,     // the operations of a request have moved more than its buffers hold
  over,         // the request that lent it has been answered
  ended,        // the other side has invalidated the token, and no payload has named it since
};

// An RDMA operation.
struct MoveFact {
  bool is_write = false;
  RemoteRange remote = {};
  std::optional<std::uint32_t> max_read_write_size = {};  // that of a listener that starts the operation
  std::optional<bool> is_lent = {};                       // the other side has sent a payload
  Use use = Use::unknown;
  std::optional<std::uint64_t> moved_before = {};  // octets that earlier operations moved for the same SMB2 request
};

// The credits that a message grants.
struct GrantFact {
  bool is_account_known = false;      // the account of the receiver is known
  std::uint64_t credits = 0;          // credits that the receiver has
  std::uint16_t target = 0;           // credits that the receiver wants; 0: unknown
  bool is_own_account_known = false;  // the account of the sender is known
  std::uint64_t own_credits = 0;      // credits that the sender has before it spends one
  std::uint64_t own_at_least = 0;     // how many of these are proven, before it spends one
  bool has_received_all = false;      // the sender has received everything that the receiver sent
};

// The limits that a Negotiate Request sets for its response.
struct RequestLimits {
  std::uint32_t preferred_send_size = 0;
  std::uint32_t max_receive_size = 0;
};

struct ResponseFact {
  bool is_asked_for = false;
  std::optional<RequestLimits> request = {};
  std::optional<Refusal> owed_refusal = {};  // the defect of the request, if it had one
  GrantFact grant = {};                      // set if the response is successful
};

// The credit that a Data Transfer spends.
struct CreditFact {
  bool was_granted = false;  // any, ever
  std::uint64_t credits = 0;
};

// A Data Transfer that asks for a response.
struct AskingFact {
  std::uint64_t asked_before = 0;  // how often in a row it has asked, while no message has passed
  std::uint64_t may_come = 0;      // messages that may have reached it since it first asked
};

// A segment of an upper-layer message.
struct SegmentFact {
  std::optional<std::uint64_t> left = {};  // announced by the previous segment; empty: this is the first
  bool is_invalidated_again = false;
  std::optional<std::uint32_t> max_send_size = {};        // MaxSendSize of the sender
  std::optional<std::uint32_t> max_fragmented_size = {};  // MaxFragmentedSize of the receiver
};

// A Data Transfer.
struct TransferFact {
  DataTransfer data = {};
  std::optional<std::uint64_t> left = {};  // for an empty message: octets left to be sent after the previous segment
  std::optional<SegmentFact> segment = {};
  std::optional<std::uint32_t> max_receive_size = {};  // MaxReceiveSize of the receiver
  std::optional<bool> is_listener_granted = {};  // before the listener's first message: it had been granted credits
  std::optional<CreditFact> credit = {};
  std::optional<AskingFact> asking = {};
  GrantFact grant = {};
  std::optional<std::uint32_t> token_invalidated_twice = {};  // a token invalidated twice and not lent in between
};

// The type that the tracker assigns to a message.
enum class Kind : std::uint8_t {
  unread,  // no further facts are stated
  request,
  response,
  transfer,
  after_failure,  // any message or end after a Negotiate Response with a failure status
};

// The facts that the tracker finds in one event of the connection.
struct Facts {
  explicit Facts(const Delivery& what) : delivery(what) {}

  const Delivery& delivery;
  Obligations<Owed>::Facts owed = {};   // obligations that ended before this event
  std::optional<OwedFact> answer = {};  // settled by this message
  Role sender = Role::any;
  Kind kind = Kind::unread;
  std::optional<bool> begins_with_data = {};    // for a side's first message, which must be a negotiate message
  std::optional<Refusal> ignored_refusal = {};  // its sender had to end the connection, but continues
  std::optional<Refusal> missing_refusal = {};  // its sender had to end the connection, and sends a response
  std::optional<AcceptedFact> accepted = {};
  std::optional<bool> is_another_negotiation = {};
  std::optional<bool> is_established = {};  // for the initiator's first Data Transfer
  std::optional<MoveFact> move = {};
  std::optional<ResponseFact> response = {};
  std::optional<TransferFact> transfer = {};

  const Message& message() const { return delivery.message; }
  std::size_t length() const { return delivery.message.wire_length; }
};

}  // namespace wirelaw::smbd
