// SPDX-License-Identifier: Apache-2.0
#include "conformance/ramcloud/tracker/trace_state.h"

#include <algorithm>

namespace wirelaw::ramcloud {

void Exchange::begin(std::uint32_t id) {
  rpc_id = id;
  is_swapped = false;
  request.clear();
  response.clear();
  acknowledged = false;
  is_asked_again = false;
  from_client = {};
  begun = 0;
  latest_ns = 0;
}

Exchange* Channel::find(std::uint32_t rpc_id) {
  if (kept_.empty()) return nullptr;
  if (kept_[newest_].rpc_id == rpc_id) return &kept_[newest_];
  const auto found = std::ranges::find(kept_, rpc_id, &Exchange::rpc_id);
  return found == kept_.end() ? nullptr : &*found;
}

Exchange& Channel::begin(std::uint32_t rpc_id) {
  if (kept_.size() < kKept) {
    newest_ = kept_.size();
    kept_.emplace_back();
  } else {
    newest_ = (newest_ + 1) % kKept;  // a ring: the one after the newest is the oldest
    forgotten_ = true;
  }
  Exchange& exchange = kept_[newest_];
  exchange.begin(rpc_id);
  if (may_have_forgotten(rpc_id))
    for (Transfer* const transfer : {&exchange.request, &exchange.response}) transfer->forget_earlier();
  highest_ = std::max(highest_, rpc_id);
  return exchange;
}

bool Channel::has_answered_beyond(std::uint32_t rpc_id) const {
  return answered_unasked_ && static_cast<std::int32_t>(*answered_unasked_ - rpc_id) > 0;
}

void Channel::note_answered_unasked(std::uint32_t rpc_id) {
  if (!answered_unasked_ || static_cast<std::int32_t>(rpc_id - *answered_unasked_) > 0) answered_unasked_ = rpc_id;
}

std::size_t Channel::memory() const {
  std::size_t octets = kept_.capacity() * sizeof(Exchange);
  for (const Exchange& exchange : kept_) octets += exchange.memory();
  return octets;
}

std::optional<Side> Session::adopted_from() const {
  if (state == State::adopted_from_client) return client;
  if (state == State::adopted_from_server) return server();
  return std::nullopt;
}

Channel* Session::find_channel(std::uint8_t id) {
  return index_[id] == 0 ? nullptr : &channels_[index_[id] - 1u];
}

Channel& Session::channel(std::uint8_t id) {
  if (index_[id] == 0) {
    channels_.emplace_back();
    index_[id] = static_cast<std::uint16_t>(channels_.size());
  }
  return channels_[index_[id] - 1u];
}

void Session::note_asked_anew() {
  owed = Owed::by_none;
  if (!channels_.empty()) happen(Event::asked_anew);
}

void Session::forget_channels() {
  index_.fill(0);
  channels_ = {};
  happen(Event::forgotten);
}

std::size_t Session::memory() const {
  std::size_t octets = sizeof(Session) + channels_.capacity() * sizeof(Channel);
  for (const Channel& channel : channels_) octets += channel.memory();
  return octets;
}

Session* TraceState::find(const Header& header, Side sender) {
  const auto best = [&](const Session& session) {
    const bool role_fits = (sender == session.server()) == header.flags.direction;
    return 4 * (role_fits ? 1 : 0) + 2 * (session.hints.client == header.client_session_hint ? 1 : 0) +
           (session.hints.server == header.server_session_hint ? 1 : 0);
  };
  constexpr int kPerfect = 7;
  // Mostly it is that of the packet before.
  if (!sessions_.empty() && sessions_.front().token == header.session_token && best(sessions_.front()) == kPerfect)
    return &sessions_.front();
  auto found = sessions_.end();
  int found_fit = -1;
  for (auto at = sessions_.begin(); at != sessions_.end() && found_fit < kPerfect; ++at) {
    if (at->token != header.session_token || best(*at) <= found_fit) continue;
    found = at;
    found_fit = best(*at);
  }
  if (found == sessions_.end()) return nullptr;
  if (found != sessions_.begin()) sessions_.splice(sessions_.begin(), sessions_, found);
  return &sessions_.front();
}

Session* TraceState::find_by_client_hint(Side client, std::uint32_t hint) {
  const auto found = std::ranges::find_if(
      sessions_, [&](const Session& session) { return session.client == client && session.hints.client == hint; });
  return found == sessions_.end() ? nullptr : &*found;
}

Session* TraceState::find_by_hints(Side client, const Hints& hints) {
  const auto found = std::ranges::find_if(
      sessions_, [&](const Session& session) { return session.client == client && session.hints == hints; });
  return found == sessions_.end() ? nullptr : &*found;
}

bool TraceState::has_sessions_of(Side client) const {
  return std::ranges::any_of(sessions_, [&](const Session& session) { return session.client == client; });
}

Session& TraceState::open(const SessionIdentity& identity) {
  sessions_.emplace_front(identity);
  keep_within_limits();
  return sessions_.front();
}

PendingOpen* TraceState::find_open(Side client, std::uint32_t hint) {
  const auto found = std::ranges::find_if(
      opens_, [&](const PendingOpen& open) { return open.client == client && open.client_hint == hint; });
  return found == opens_.end() ? nullptr : &*found;
}

bool TraceState::has_opens_of(Side client) const {
  return std::ranges::any_of(opens_, [&](const PendingOpen& open) { return open.client == client; });
}

void TraceState::note_open_request(const Message& message, const Header& header) {
  const Side client = message.sender;
  const std::uint32_t hint = header.client_session_hint;
  for (Session& session : sessions_)
    if (session.client == client && session.hints.client == hint) session.note_asked_anew();
  PendingOpen* open = find_open(client, hint);
  if (open == nullptr) {
    if (opens_.size() >= kOpens) {
      opens_.erase(opens_.begin());
      note_partial("more open requests with hints of their own than are kept: the oldest were forgotten");
    }
    open = &opens_.emplace_back(PendingOpen{.client = client, .client_hint = hint});
  }
  const bool is_sound = header.payload_type == PayloadType::session_open && !header.flags.direction;
  if (!is_sound) ++open->unsound;
  if (is_sound && header.flags.please_drop) ++open->dropped;
  if (!is_sound || header.flags.please_drop) return;  // its receiver may ignore it
  ++open->requests;
  open->latest.note(message);
}

void TraceState::note_client_hint(Side client, std::uint32_t hint) {
  auto& hints = hints_[static_cast<std::size_t>(client)];
  if (!hints.empty() && hints.back() == hint) return;
  const auto found = std::ranges::find(hints, hint);
  if (found != hints.end()) {
    std::rotate(found, found + 1, hints.end());
    return;
  }
  if (hints.size() >= kHints) {
    hints.erase(hints.begin());
    hints_forgotten_[static_cast<std::size_t>(client)] = true;
  }
  hints.push_back(hint);
}

std::optional<bool> TraceState::has_used_client_hint(Side client, std::uint32_t hint) const {
  const auto side = static_cast<std::size_t>(client);
  if (std::ranges::find(hints_[side], hint) != hints_[side].end()) return true;
  if (hints_forgotten_[side] || !from_start_) return std::nullopt;
  return false;
}

void TraceState::begin_in_midstream() {
  note_partial("the flow does not begin with a session open request");
}

void TraceState::note_partial(std::string_view reason) {
  from_start_ = false;
  if (partial_.empty()) partial_ = reason;
}

void TraceState::keep_within_limits() {
  constexpr auto kReason = "more state than the limits allow: the least recently used sessions were forgotten";
  while (sessions_.size() > kSessions || (sessions_.size() > 1 && memory() > most_octets_)) {
    sessions_.pop_back();
    note_partial(kReason);
  }
  if (!sessions_.empty() && memory() > most_octets_) {
    sessions_.front().forget_channels();
    note_partial(kReason);
  }
}

std::size_t TraceState::memory() const {
  std::size_t octets = sizeof(*this);
  for (const Session& session : sessions_) octets += session.memory();
  return octets;
}

}  // namespace wirelaw::ramcloud
