// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/session_table.h"

#include <algorithm>

#include "reference/ramcloud/options.h"

namespace wirelaw::ramcloud {

ServerSession* SessionTable::open(PeerId peer, std::uint64_t token, std::uint32_t client_hint, Instant now) {
  std::uint32_t hint = 0;
  for (const auto& [used, session] : sessions_) {
    if (used != hint) break;
    ++hint;
  }
  return add(peer, token, client_hint, hint, now);
}

ServerSession* SessionTable::add(PeerId peer, std::uint64_t token, std::uint32_t client_hint, std::uint32_t server_hint,
                                 Instant now) {
  if (full()) return nullptr;
  auto session = std::make_unique<ServerSession>();
  session->token = token;
  session->client_hint = client_hint;
  session->server_hint = server_hint;
  session->peer = peer;
  session->last_used = now;
  auto& slot = sessions_[server_hint];
  slot = std::move(session);
  return slot.get();
}

ServerSession* SessionTable::find(std::uint32_t server_hint) {
  const auto found = sessions_.find(server_hint);
  return found == sessions_.end() ? nullptr : found->second.get();
}

void SessionTable::expire(Instant now) {
  std::erase_if(sessions_, [&](const auto& entry) { return entry.second->last_used + expiry_ < now; });
}

bool SessionTable::make_room() {
  const auto waits_more = [](const auto& one, const auto& other) {
    const bool unused = one.second->channels.empty(), other_unused = other.second->channels.empty();
    return unused != other_unused ? unused : one.second->last_used < other.second->last_used;
  };
  const auto first = std::min_element(sessions_.begin(), sessions_.end(), waits_more);
  if (first == sessions_.end() || !first->second->channels.empty()) return false;
  sessions_.erase(first);
  return true;
}

std::uint64_t SessionTable::fresh_token() {
  std::uint64_t token = tokens_.next();
  while (token == 0 || token == kNoToken || token_in_use(token)) token = tokens_.next();
  return token;
}

bool SessionTable::token_in_use(std::uint64_t token) const {
  return std::any_of(sessions_.begin(), sessions_.end(),
                     [&](const auto& entry) { return entry.second->token == token; });
}

}  // namespace wirelaw::ramcloud
