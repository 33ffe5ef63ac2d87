// SPDX-License-Identifier: Apache-2.0
// The sessions of a server ("Sessions and Channels"), found by serverSessionHint, forgotten when idle and bounded in
// number.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "reference/endpoint.h"
#include "reference/ramcloud/message_receiver.h"
#include "reference/ramcloud/message_sender.h"
#include "reference/ramcloud/tokens.h"

namespace wirelaw::ramcloud {

// A channel of a session as the server sees it: its current RPC.
struct ServerChannel {
  enum class State : std::uint8_t { unused, receiving, processing, answered };

  explicit ServerChannel(OctetBudget& budget) : stored(budget) {}

  State state = State::unused;
  std::uint32_t rpc_id = 0xffffffff;  // so that the next one is 0 ("rpcId")
  std::uint64_t generation = 0;       // of the current RPC; no two RPCs of a server share one
  bool queued = false;                // complete, and not fetched by the upper layer
  std::unique_ptr<MessageReceiver> request;
  std::optional<MessageSender> response;
  OctetCharge stored;  // the octets of the response
};

struct ServerSession {
  std::uint64_t token = 0;
  std::uint32_t client_hint = 0;
  std::uint32_t server_hint = 0;
  PeerId peer = 0;
  Instant last_used{};
  std::map<std::uint8_t, ServerChannel> channels;  // those that were used
};

class SessionTable {
 public:
  SessionTable(std::uint64_t seed, Instant expiry, std::size_t max_sessions)
      : tokens_(seed), expiry_(expiry), max_sessions_(max_sessions) {}

  // A token that no session has, and that no idle field of an open request equals.
  std::uint64_t fresh_token();
  // A new session under the lowest free hint. Null where the table is full.
  ServerSession* open(PeerId peer, std::uint64_t token, std::uint32_t client_hint, Instant now);
  // A new session under this hint. Null where the table is full.
  ServerSession* add(PeerId peer, std::uint64_t token, std::uint32_t client_hint, std::uint32_t server_hint,
                     Instant now);

  ServerSession* find(std::uint32_t server_hint);
  ServerSession* first() { return sessions_.empty() ? nullptr : sessions_.begin()->second.get(); }
  std::size_t size() const { return sessions_.size(); }
  bool full() const { return sessions_.size() >= max_sessions_; }
  // Forgets the session that was opened first of those that nothing has come in since. False where each is in use.
  bool make_room();
  // Forgets every session that has been idle for too long.
  void expire(Instant now);

 private:
  bool token_in_use(std::uint64_t token) const;

  TokenSource tokens_;
  Instant expiry_;
  std::size_t max_sessions_;
  std::map<std::uint32_t, std::unique_ptr<ServerSession>> sessions_;
};

}  // namespace wirelaw::ramcloud
