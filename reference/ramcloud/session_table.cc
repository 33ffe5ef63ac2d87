// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/session_table.h"

#include <algorithm>

#include "reference/ramcloud/options.h"

namespace wirelaw::ramcloud {

std::uint32_t SessionTable::lowest_free_hint() {
  while (sessions_.contains(next_hint_)) ++next_hint_;
  return freed_hints_.empty() ? next_hint_ : *freed_hints_.begin();
}

ServerSession* SessionTable::open(PeerId peer, std::uint64_t token, std::uint32_t client_hint, Instant now) {
  return add(peer, token, client_hint, lowest_free_hint(), now);
}

ServerSession* SessionTable::add(PeerId peer, std::uint64_t token, std::uint32_t client_hint, std::uint32_t server_hint,
                                 Instant now) {
  if (full()) return nullptr;
  if (const auto former = sessions_.find(server_hint); former != sessions_.end()) forget(former);
  freed_hints_.erase(server_hint);
  auto session = std::make_unique<ServerSession>();
  session->token = token;
  session->client_hint = client_hint;
  session->server_hint = server_hint;
  session->peer = peer;
  session->last_used = session->filed = now;
  used_tokens_.insert(token);
  unused_.emplace(now, server_hint);
  auto& slot = sessions_[server_hint];
  slot = std::move(session);
  return slot.get();
}

SessionTable::Sessions::iterator SessionTable::forget(Sessions::iterator session) {
  const ServerSession& gone = *session->second;
  if (const auto token = used_tokens_.find(gone.token); token != used_tokens_.end()) used_tokens_.erase(token);
  unused_.erase({gone.filed, gone.server_hint});
  if (gone.server_hint < next_hint_) freed_hints_.insert(gone.server_hint);
  return sessions_.erase(session);
}

ServerSession* SessionTable::find(std::uint32_t server_hint) {
  const auto found = sessions_.find(server_hint);
  return found == sessions_.end() ? nullptr : found->second.get();
}

// A session's last use only gets later, so none can expire before the time found by the last search.
void SessionTable::expire(Instant now) {
  if (now < none_expires_before_) return;
  none_expires_before_ = now + expiry_;
  for (auto one = sessions_.begin(); one != sessions_.end();) {
    const Instant until = one->second->last_used + expiry_;
    if (until < now) {
      one = forget(one);
      continue;
    }
    none_expires_before_ = std::min(none_expires_before_, until);
    ++one;
  }
}

bool SessionTable::make_room() {
  while (!unused_.empty()) {
    const auto [time, hint] = *unused_.begin();
    unused_.erase(unused_.begin());
    const auto found = sessions_.find(hint);
    ServerSession& first = *found->second;
    if (!first.channels.empty()) continue;
    if (first.last_used == time) {
      forget(found);
      return true;
    }
    first.filed = first.last_used;  // its packets were for none of its channels
    unused_.emplace(first.filed, hint);
  }
  return false;
}

std::uint64_t SessionTable::fresh_token() {
  std::uint64_t token = tokens_.next();
  while (token == 0 || token == kNoToken || used_tokens_.contains(token)) token = tokens_.next();
  return token;
}

}  // namespace wirelaw::ramcloud
