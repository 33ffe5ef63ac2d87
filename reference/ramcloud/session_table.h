// SPDX-License-Identifier: Apache-2.0
// The sessions of a server ("Sessions and Channels"), found by serverSessionHint, forgotten when idle and limited in
// number. The cost of an open request does not depend on their number, so that a flood of them delays other requests
// less.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include "reference/endpoint.h"
#include "reference/ramcloud/message_receiver.h"
#include "reference/ramcloud/message_sender.h"
#include "reference/ramcloud/tokens.h"

namespace wirelaw::ramcloud {

// The server's state for a channel of a session: its current RPC.
struct ServerChannel {
  enum class State : std::uint8_t { unused, receiving, processing, answered };

  explicit ServerChannel(OctetBudget& budget) : stored(budget) {}

  State state = State::unused;
  std::uint32_t rpc_id = 0xffffffff;  // the next one is 0 ("rpcId")
  std::uint64_t generation = 0;       // identifies the current RPC; no two RPCs of a server share one
  bool queued = false;                // complete, but not fetched by the upper layer
  std::unique_ptr<MessageReceiver> request;
  std::optional<MessageSender> response;
  OctetCharge stored;  // for the response
};

struct ServerSession {
  std::uint64_t token = 0;
  std::uint32_t client_hint = 0;
  std::uint32_t server_hint = 0;
  PeerId peer = 0;
  Instant last_used{};
  Instant filed{};                                 // for the table: place in unused_
  std::map<std::uint8_t, ServerChannel> channels;  // only those that have been used
};

class SessionTable {
 public:
  SessionTable(std::uint64_t seed, Instant expiry, std::size_t max_sessions)
      : tokens_(seed), expiry_(expiry), max_sessions_(max_sessions) {}

  // Returns a token that no session has, and that differs from the value in an open request.
  std::uint64_t fresh_token();
  // Opens a session with the lowest free hint. Returns null if the table is full.
  ServerSession* open(PeerId peer, std::uint64_t token, std::uint32_t client_hint, Instant now);
  // Opens a session with this hint. Returns null if the table is full.
  ServerSession* add(PeerId peer, std::uint64_t token, std::uint32_t client_hint, std::uint32_t server_hint,
                     Instant now);

  ServerSession* find(std::uint32_t server_hint);
  ServerSession* first() { return sessions_.empty() ? nullptr : sessions_.begin()->second.get(); }
  std::size_t size() const { return sessions_.size(); }
  bool full() const { return sessions_.size() >= max_sessions_; }
  // Removes the oldest session that has received nothing since it was opened. Returns false if all are in use.
  bool make_room();
  // Forgets every session that has been idle for too long.
  void expire(Instant now);

 private:
  using Sessions = std::map<std::uint32_t, std::unique_ptr<ServerSession>>;

  std::uint32_t lowest_free_hint();
  Sessions::iterator forget(Sessions::iterator session);

  TokenSource tokens_;
  Instant expiry_;
  std::size_t max_sessions_;
  Sessions sessions_;
  std::unordered_multiset<std::uint64_t> used_tokens_;
  std::set<std::uint32_t> freed_hints_;  // below next_hint_
  std::uint32_t next_hint_ = 0;
  // Ordered by ServerSession::filed: the sessions that have received nothing since then, and some that are in use.
  std::set<std::pair<Instant, std::uint32_t>> unused_;
  Instant none_expires_before_{0};
};

}  // namespace wirelaw::ramcloud
