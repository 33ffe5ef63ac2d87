// SPDX-License-Identifier: Apache-2.0
// Facts that the tracker states about a packet, or at the end of a flow. The checks of the sections decide rules from
// them.
//
// A fact is stated whenever its rules apply, whether or not they were obeyed. It holds what was seen and what the flow
// so far makes one expect. It does not repeat fields of the packet. The receiver may have seen another sequence than
// the trace: any packet may have been lost, duplicated, delayed or overtaken on its way. So facts are about what was
// SENT, and hold wherever the capture was taken.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "conformance/rule.h"
#include "conformance/trace.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud {

enum class Kind : std::uint8_t { open_request, open_response, bad_session, data, ack, unknown };

// The role of the sender in its session, for its direction flag.
struct DirectionFact {
  Evidence rests_on = Evidence::octets;
};

struct OpenResponseFact {
  bool is_asked_for = true;
  bool is_to_dropped = false;                   // all open requests under its hint asked to be dropped
  std::optional<bool> is_hint_asked_with = {};  // empty: the hints that the client has used in requests are unknown
};

// The hints of a session.
struct Hints {
  std::uint32_t client = 0;
  std::uint32_t server = 0;

  bool operator==(const Hints&) const = default;
};

// A new session's token.
struct NewTokenFact {
  std::optional<Hints> holder = {};  // hints of another session of the client with the same token
};

// A repeated open response of a known session, with its highest channel.
struct RepeatedResponseFact {
  std::uint8_t announced = 0;
  std::uint8_t before = 0;
};

struct BadSessionFact {
  bool is_from_client = false;
  std::optional<bool> is_hint_used = {};  // the client has used the hint in some packet; empty: unknown
  bool is_other_a_client = true;          // the other side has sent some packet as a client
};

// The token of the session that the packet belongs to, by its token or by its hints.
struct TokenFact {
  bool is_from_client = false;
  std::uint64_t of_session = 0;
};

// The first RPC of a channel.
struct FirstRpcFact {
  bool is_reopened = false;  // the client had a session under the same hint before
};

// A request of an RPC after another on its channel.
struct NextRpcFact {
  std::uint32_t next = 0;
  std::int64_t elapsed_ns = 0;  // time since the latest packet of the previous RPC
  bool is_settled = true;       // the previous RPC is not an old one whose packet came late
};

// The previous RPC, when the client begins another.
struct PreviousRpcFact {
  std::uint32_t rpc_id = 0;
  bool is_repeated = false;  // the client has repeated its request, or has asked for the rest of the response
  bool is_complete = false;  // every fragment of the response was seen
  std::uint32_t response_frags = 0;
  std::uint16_t response_total = 0;  // 0: no response was seen
};

// The RPC that a server answers.
struct AnsweredRpcFact {
  bool is_asked = false;
  std::uint32_t latest = 0;                     // rpcId of the latest RPC of the channel
  std::optional<std::int64_t> elapsed_ns = {};  // time since the latest packet of that RPC
};

// The request, when the server answers it.
struct AnsweredRequestFact {
  std::uint16_t total = 0;
  std::uint32_t sent = 0;
  bool is_complete = false;
};

// A server's DATA or ACK in a session that it has called bad.
struct ServedFact {
  std::uint64_t refused_at = 0;  // Message::index of the BAD_SESSION
  bool is_from_before = false;   // the request had begun before it
};

// A fragment, compared with the earlier fragments of its message.
struct FragmentFact {
  std::optional<std::uint16_t> total_before = {};  // totalFrags of the earlier fragments; empty if this is the first
  std::optional<bool> is_in_network_order = {};    // its numbers are in network order; empty: unknown
  std::optional<bool> is_same_data = {};           // it has the same data as an earlier fragment with this number
};

// The message that an ACK names.
struct AckSubjectFact {
  bool is_known = false;  // some fragment of it was sent
  bool is_asked = false;  // for a response: its request was sent
};

// The message that an ACK acknowledges, as far as it was sent.
struct AckFact {
  std::optional<Ack> ack = {};              // empty: it is too short
  bool is_requested = false;                // an earlier fragment requested it
  std::optional<std::uint16_t> total = {};  // empty: only packets with a total of 0 were seen
  std::uint32_t sent_in_order = 0;          // number of fragments sent without a gap, from fragment 0 on
  std::uint32_t not_sent = 0;               // bits of the staging vector whose fragments were not sent
  std::uint32_t sent_below = 0;             // those of these bits whose preceding fragment was sent
  std::uint32_t sent = 0;                   // number of fragments
  bool is_reportable = false;               // an ACK that reports nothing else can report each of them
  bool is_compared = false;                 // there were earlier ACKs of the message
  std::optional<Ack> contradicted = {};     // one of them, if both cannot be true
};

// The facts about one packet.
struct PacketFacts {
  const Message& message;
  Packet packet;
  Kind kind = Kind::unknown;
  Role sender = Role::any;                   // its role in the session that the packet belongs to
  bool are_nibbles_swapped = false;          // an open packet has payload type and flags in each other's place
  std::optional<bool> is_session_open = {};  // for a client's DATA or ACK: the token was in an open response
  std::optional<DirectionFact> direction = {};
  std::optional<OpenResponseFact> open_response = {};
  std::optional<NewTokenFact> new_token = {};
  std::optional<RepeatedResponseFact> repeated_response = {};
  std::optional<BadSessionFact> bad_session = {};
  std::optional<TokenFact> token = {};
  std::optional<Hints> hints = {};               // the hints in the open response
  std::optional<std::uint8_t> max_channel = {};  // for a client's DATA or ACK: the session's highest channel
  std::optional<bool> is_channel_used = {};      // for a response: the client has sent a request on the channel
  std::optional<FirstRpcFact> first_rpc = {};
  std::optional<NextRpcFact> next_rpc = {};
  std::optional<PreviousRpcFact> previous_rpc = {};
  std::optional<AnsweredRpcFact> answered_rpc = {};
  std::optional<AnsweredRequestFact> answered_request = {};
  std::optional<ServedFact> served = {};
  std::optional<FragmentFact> fragment = {};
  std::optional<AckSubjectFact> ack_subject = {};
  std::optional<AckFact> ack = {};

  const Header& header() const { return packet.header; }
};

// The position of the latest packet of a kind.
struct LatestPacket {
  std::uint64_t index = 0;  // Message::index
  std::uint64_t frame = 0;
  std::int64_t time_ns = 0;

  void note(const Message& message) { *this = {message.index, message.frame, message.time_ns}; }
};

// --- at the end of a flow

// A packet whose token was in no open response. Stated at the end, when nothing shows that the capture began late.
struct StrayFact {
  LatestPacket packet;
  Header header;
  Side sender = Side::a;
  std::optional<TokenFact> token = {};  // the token expected by its hints; empty: no session was opened
};

// Unanswered open requests of a client. The server has sent something long afterwards.
struct OpenFact {
  LatestPacket latest;
  Side server = Side::b;
  std::uint64_t requests = 0;
  std::uint64_t responses = 0;
};

// The last RPC of a channel. The client has sent something long afterwards.
struct LastRpcFact {
  LatestPacket from_client;
  Side client = Side::a;
  std::uint32_t rpc_id = 0;
  bool is_asked_again = false;   // the client has repeated its request without new information
  bool is_acknowledged = false;  // every fragment of the request is acknowledged
  bool is_response_complete = false;
  std::uint32_t response_frags = 0;
  std::uint16_t response_total = 0;  // 0: no response was seen
  bool owes_server = false;  // the server must answer: it has the whole request, and has sent something long afterwards
};

struct EndFacts {
  std::vector<StrayFact> strays;
  std::vector<OpenFact> opens;
  std::vector<LastRpcFact> rpcs;
};

}  // namespace wirelaw::ramcloud
