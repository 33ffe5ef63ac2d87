// SPDX-License-Identifier: Apache-2.0
// Follows one UDP flow of RAMCloud RPC, and states facts about each of its packets. It judges nothing.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/ramcloud/tracker/facts.h"
#include "conformance/ramcloud/tracker/trace_state.h"

namespace wirelaw::ramcloud {

class Tracker {
 public:
  // `most_octets`: limit of memory in octets. The least recently used session is forgotten first.
  explicit Tracker(std::size_t most_octets) : state_(most_octets) {}

  // Must be called first for each message of the flow. Returns false if the flow belongs to another protocol.
  bool admit(const Message& message);
  // Follows the message that was admitted last, if it holds a header. The facts refer to both arguments.
  PacketFacts follow(const Message& message, const Packet& packet);
  // The capture cuts the message that was admitted last inside its header.
  void pass_over_cut() { state_.note_partial("the capture cuts packets inside the header"); }
  // The facts that only the end of the flow shows.
  EndFacts finish();

  const std::string& partial() const { return state_.partial(); }
  std::size_t memory() const { return state_.memory(); }

 private:
  Kind classify(const PacketFacts& facts) const;
  Kind classify_open(const PacketFacts& facts) const;
  bool is_swapped_open_request(const PacketFacts& facts) const;
  bool is_swapped_open_response(const PacketFacts& facts) const;

  void follow_open_request(PacketFacts& facts);
  void follow_open_response(PacketFacts& facts);
  // Opens the session of an open response, unless it is known.
  void open_session(PacketFacts& facts, PendingOpen* open);
  void follow_bad_session(PacketFacts& facts);
  void follow_session_packet(PacketFacts& facts);

  // The session of a DATA or ACK packet; nullptr if it has none whose packets can be followed.
  Session* settle_session(PacketFacts& facts);
  Session* settle_stray(PacketFacts& facts);
  Session& adopt(const PacketFacts& facts);
  Session* settle_misnamed(PacketFacts& facts, const Session& session);
  void hold_stray(PacketFacts& facts, Session* named);
  bool began_before(const StrayFact& stray) const;
  void note_early(Side sender, std::uint64_t token);
  bool may_be_early(Side server, std::uint64_t token) const;

  void follow_request(PacketFacts& facts, Session& session);
  Exchange* exchange_of_request(PacketFacts& facts, Session& session, Channel& channel);
  void follow_response(PacketFacts& facts, Session& session);
  void follow_ack(PacketFacts& facts, Session& session);

  bool outlived(Side side, std::int64_t since_ns) const;
  std::optional<LastRpcFact> last_rpc(const Session& session, const Exchange& exchange) const;

  TraceState state_;
  // A token that one side used before an open response brought it.
  struct EarlyToken {
    Side sender = Side::a;
    std::uint64_t token = 0;
    bool operator==(const EarlyToken&) const = default;
  };
  std::deque<EarlyToken> early_tokens_;
  bool early_tokens_forgotten_ = false;
  // Packets with a token that no open response brought, each the first of its side. They are stated at the end, because
  // later packets may show that the capture began late.
  std::vector<StrayFact> strays_;
  std::array<std::int64_t, 2> alive_ns_{};  // time of the latest packet of each side
  std::array<bool, 2> spoke_as_client_{};   // each side: it has sent a packet with a clear direction flag
  std::uint64_t messages_ = 0;
  bool is_sibling_ = false;  // the flow is BasicTransport
};

}  // namespace wirelaw::ramcloud
