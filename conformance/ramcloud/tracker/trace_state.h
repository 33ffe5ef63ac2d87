// SPDX-License-Identifier: Apache-2.0
// The state that the tracker keeps for one UDP flow: its sessions, their channels, and the RPCs on them.
//
// The receiver may have seen another sequence than the trace: any packet may have been lost, duplicated, delayed or
// overtaken on its way. So the state here is only what has been SEEN, and rules are judged so that they hold wherever
// the capture was taken.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/ramcloud/tracker/facts.h"
#include "conformance/ramcloud/tracker/transfer.h"
#include "conformance/trace.h"
#include "conformance/transitions.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::ramcloud {

// One RPC on a channel.
struct Exchange {
  std::uint32_t rpc_id = 0;
  bool is_swapped = false;  // the client has sent the rpcId in network order
  Transfer request;
  Transfer response;
  bool acknowledged = false;    // the server has reported every fragment of the request
  bool is_asked_again = false;  // the client has repeated itself since anything new came
  LatestPacket from_client;
  std::uint64_t begun = 0;     // Message::index of the request's first packet
  std::int64_t latest_ns = 0;  // time of the latest packet of either side

  std::size_t memory() const { return request.memory() + response.memory(); }
  void begin(std::uint32_t id);
};

// The RPCs of one channel, of which the latest few are kept, so that late packets are matched with their RPC.
class Channel {
 public:
  static constexpr std::size_t kKept = 4;

  bool used() const { return !kept_.empty(); }
  std::uint32_t latest() const { return kept_.empty() ? 0 : kept_[newest_].rpc_id; }
  const Exchange* latest_exchange() const { return kept_.empty() ? nullptr : &kept_[newest_]; }
  Exchange* find(std::uint32_t rpc_id);
  // Begins to follow an RPC, and forgets the oldest one if there is no room. An RPC that may have been forgotten before
  // is unsettled: its fragments may have been seen.
  Exchange& begin(std::uint32_t rpc_id);
  // True if an RPC was forgotten: an unknown rpcId below the latest may then be an old one.
  bool has_forgotten() const { return forgotten_; }
  // True if this RPC may be among the forgotten ones.
  bool may_have_forgotten(std::uint32_t rpc_id) const { return forgotten_ && rpc_id <= highest_; }
  // Records that the server has answered an RPC without a captured request. A client that accepts the answer continues
  // after that RPC: its request existed, although it is not in the trace.
  void note_answered_unasked(std::uint32_t rpc_id);
  bool has_answered_beyond(std::uint32_t rpc_id) const;
  std::size_t memory() const;

 private:
  std::vector<Exchange> kept_;
  std::size_t newest_ = 0;
  std::uint32_t highest_ = 0;
  std::optional<std::uint32_t> answered_unasked_;  // the highest
  bool forgotten_ = false;
};

// The identity of a session, and the way in which it became known.
struct SessionIdentity {
  enum class State : std::uint8_t {
    witnessed,            // its opening was seen, and no sign of missing packets since
    incomplete,           // its opening was seen in part; only facts that later packets prove by themselves count
    opened_late,          // likewise, and an unseen or forgotten session may have the same token
    adopted_from_client,  // found in mid-stream; a client's packet alone gives its roles and hints
    adopted_from_server,  // same, with a server's packet
    ambiguous,            // another session of the client has its token: their packets cannot be distinguished
    count_
  };
  enum class Event : std::uint8_t {
    answered_unasked,  // the server has answered an RPC whose request was not seen
    forgotten,         // its channels were forgotten to keep within limits
    token_repeated,    // an open response has given its token to another session
    asked_anew,        // the client, which has used it, has asked for a session under its hint again
    misnamed,          // the client has sent its hints with another token: a server may answer that all the same
    count_
  };
  static constexpr Transition<State, Event> kRows[] = {
      {State::witnessed, Event::answered_unasked, State::incomplete},
      {State::witnessed, Event::forgotten, State::incomplete},
      {State::witnessed, Event::misnamed, State::incomplete},
      {State::witnessed, Event::token_repeated, State::ambiguous},
      {State::incomplete, Event::token_repeated, State::ambiguous},
      {State::witnessed, Event::asked_anew, State::ambiguous},
      {State::incomplete, Event::asked_anew, State::ambiguous},
      {State::opened_late, Event::asked_anew, State::ambiguous},
      {State::adopted_from_client, Event::asked_anew, State::ambiguous},
      {State::adopted_from_server, Event::asked_anew, State::ambiguous},
      {State::opened_late, Event::token_repeated, State::ambiguous},
      {State::adopted_from_client, Event::token_repeated, State::ambiguous},
      {State::adopted_from_server, Event::token_repeated, State::ambiguous},
  };
  // The sides that still have to send something in the session when the flow ends.
  enum class Owed : std::uint8_t {
    by_both,
    by_client,  // only the client: the server does not accept its requests, and perhaps none of the later ones
    by_none,    // the session was called bad, or the client has opened another in its place
  };

  Side client = Side::a;
  std::uint64_t token = 0;
  Hints hints = {};
  std::optional<std::uint8_t> max_channel_id = {};  // as announced in the open response
  State state = State::witnessed;
  Owed owed = Owed::by_both;
  std::optional<std::uint64_t> refused_at = {};  // Message::index of the first BAD_SESSION that can only mean it
  bool is_reopened = false;                      // the client had a session under the same hint before
  std::int64_t met_ns = 0;                       // when it became known
};

class Session : public SessionIdentity {
 public:
  explicit Session(const SessionIdentity& identity) : SessionIdentity(identity) {}

  Side server() const { return other(client); }
  bool is_witnessed() const { return state == State::witnessed; }
  // The side whose packet made the session known in mid-stream; empty: the opening was seen.
  std::optional<Side> adopted_from() const;
  void happen(Event event) { state = kTransitions.after(state, event); }
  Channel* find_channel(std::uint8_t id);
  Channel& channel(std::uint8_t id);
  std::span<Channel> channels() { return channels_; }
  std::span<const Channel> channels() const { return channels_; }
  // The client has asked for a session under this hint again. The client takes a late copy of the former open response
  // for the answer (RAMCLOUD/R7), and then restarts all channels.
  void note_asked_anew();
  // Releases the memory of the channels.
  void forget_channels();
  std::size_t memory() const;

 private:
  static constexpr Transitions<State, Event> kTransitions{kRows};
  std::array<std::uint16_t, 256> index_{};  // 1 + position in channels_; 0 if the channel was never used
  std::vector<Channel> channels_;
};

// The open requests of one client under one hint.
struct PendingOpen {
  Side client = Side::a;
  std::uint32_t client_hint = 0;
  std::uint64_t requests = 0;  // requests that a server must answer; `latest` is the latest of them
  LatestPacket latest = {};
  std::uint64_t responses = 0;
  std::uint64_t dropped = 0;  // requests with pleaseDrop, which are not among those above
  std::uint64_t unsound = 0;  // requests whose flags a server may take for something else
};

class TraceState {
 public:
  explicit TraceState(std::size_t most_octets) : most_octets_(most_octets) {}

  // --- sessions
  // The session that a packet belongs to by its token; if several share a token, the one that fits best.
  Session* find(const Header& header, Side sender);
  // The latest session of this client with this hint; nullptr if there is none.
  Session* find_by_client_hint(Side client, std::uint32_t hint);
  // Same, with both hints.
  Session* find_by_hints(Side client, const Hints& hints);
  bool has_sessions_of(Side client) const;
  Session& open(const SessionIdentity& identity);
  std::list<Session>& sessions() { return sessions_; }
  const std::list<Session>& sessions() const { return sessions_; }

  // --- open requests
  PendingOpen* find_open(Side client, std::uint32_t hint);
  bool has_opens_of(Side client) const;
  void note_open_request(const Message& message, const Header& header);
  std::span<const PendingOpen> opens() const { return opens_; }

  // --- hints that a client has used, in any packet
  void note_client_hint(Side client, std::uint32_t hint);
  // Empty if hints have been forgotten, so that the answer is unknown.
  std::optional<bool> has_used_client_hint(Side client, std::uint32_t hint) const;

  // --- how far the flow is known
  bool from_start() const { return from_start_; }  // it began with an open request, and nothing was forgotten since
  void begin_in_midstream();
  const std::string& partial() const { return partial_; }
  void note_partial(std::string_view reason);

  // Forgets the least recently used sessions while there is more than the limits allow.
  void keep_within_limits();
  std::size_t memory() const;

 private:
  static constexpr std::size_t kSessions = 256;
  static constexpr std::size_t kOpens = 64;
  static constexpr std::size_t kHints = 64;

  std::size_t most_octets_;
  std::list<Session> sessions_;  // the most recently used first
  std::vector<PendingOpen> opens_;
  std::array<std::vector<std::uint32_t>, 2> hints_;
  std::array<bool, 2> hints_forgotten_{};
  bool from_start_ = true;
  std::string partial_;
};

}  // namespace wirelaw::ramcloud
