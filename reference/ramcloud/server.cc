// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/server.h"

#include <algorithm>
#include <utility>

namespace wirelaw::ramcloud {
namespace {

using enum Deviation;
using State = ServerChannel::State;

constexpr unsigned kMostChannels = 255;  // that a count in one octet can say

Options bounded(Options options) {
  options.channels = std::clamp(options.channels, 1u, kMostChannels);
  return options;
}

}  // namespace

Server::Server(const Options& options, std::uint64_t seed, const Deviations& deviations)
    : options_(bounded(options)),
      deviations_(deviations.of(Role::server)),
      budget_(options.reassembly_octets),
      sessions_(seed, options.session_expiry, options.max_sessions, deviations_),
      outbox_(deviations_) {}

void Server::advance(Instant) {}

bool Server::next_datagram(Outgoing& out) {
  return outbox_.next(out);
}

// ------------------------------------------------------------------------------------------- receiving a packet

void Server::receive(PeerId from, Octets octets, Instant now) {
  if (dead_) return;
  const auto packet = decode(octets);
  if (!packet) {
    dead_ = deviates(short_packet_dies);
    return;
  }
  if (!admits(from, *packet)) return;
  ServerSession* const session = session_of(packet->header);
  if (session == nullptr) return on_no_session(from, *packet, now);
  session->last_used = now;
  if (packet->header.payload_type == PayloadType::data) on_data(*session, *packet, now);
  if (packet->header.payload_type == PayloadType::ack) on_ack(*session, *packet, now);
}

// Whether the server looks at a packet at all: pleaseDrop goes before everything else, and flags.direction says that
// the packet is meant for a server.
bool Server::admits(PeerId from, const Packet& packet) {
  const Header& header = packet.header;
  if (header.flags.please_drop) {
    const bool open = header.payload_type == PayloadType::session_open;
    if (deviates(please_drop_acked) && header.payload_type == PayloadType::data && header.flags.request_ack) {
      Header answer = header;
      answer.flags.direction = true;
      outbox_.send_ack(from, answer, Ack{}, header.total_frags);
    }
    if (!deviates(please_drop_ignored) && !(open && deviates(please_drop_ignored_on_open))) return false;
  }
  if (header.flags.direction && !deviates(direction_ignored_on_receipt)) return false;
  dead_ = dies_of(header, packet.payload);
  return !dead_;
}

bool Server::dies_of(const Header& header, Octets payload) const {
  return (header.flags.reserved1 && deviates(reserved1_dies)) ||
         (header.payload_type == PayloadType::bad_session && deviates(bad_session_dies)) ||
         (header.payload_type == PayloadType::session_open && !payload.empty() && deviates(open_payload_dies)) ||
         (header.payload_type == PayloadType::ack && payload.size() > layout::kAck && deviates(long_ack_dies)) ||
         (!is_assigned(header.payload_type) && deviates(reserved_type_dies)) ||
         (header.payload_type == PayloadType::ack && payload.size() < layout::kAck && deviates(short_ack_dies));
}

// The session that hint and token name together (R9).
ServerSession* Server::session_of(const Header& header) {
  ServerSession* const session = sessions_.find(header.server_session_hint);
  if (session == nullptr) return nullptr;
  const std::uint64_t expected = session->token + (deviates(token_not_accepted) ? 1 : 0);
  return header.session_token == expected || deviates(wrong_token_accepted) ? session : nullptr;
}

void Server::on_no_session(PeerId from, const Packet& packet, Instant now) {
  const Header& header = packet.header;
  if (header.payload_type == PayloadType::session_open) return on_open(from, header, now);
  if (deviates(executes_bad_session) && header.payload_type == PayloadType::data) {
    ServerSession* const adopted =
        sessions_.adopt(from, header.session_token, header.client_session_hint, header.server_session_hint, now);
    if (adopted != nullptr) on_data(*adopted, packet, now);
    return;
  }
  send_bad_session(from, header);
}

void Server::on_open(PeerId from, const Header& header, Instant now) {
  sessions_.expire(now);
  if (deviates(session_open_no_answer)) return;
  const ServerSession* const session = sessions_.open(from, header.client_session_hint, now);
  if (session == nullptr) return;
  const bool inclusive = options_.announces == OpenReading::inclusive_maximum;
  outbox_.send(from,
               {.session_token = session->token,
                .client_session_hint = session->client_hint,
                .server_session_hint = session->server_hint,
                .payload_type = PayloadType::session_open,
                .flags = {.direction = true}},
               {static_cast<Octet>((inclusive ? options_.channels - 1 : options_.channels) +
                                   (deviates(bound_too_high) ? 8 : 0))});
}

// PT_BAD_SESSION: everything that names the offending packet is copied from it (R6).
void Server::send_bad_session(PeerId to, Header header) {
  if (deviates(bad_session_not_sent)) return;
  header.payload_type = PayloadType::bad_session;
  header.frag_number = 0;
  header.total_frags = 0;
  header.flags = {.direction = true};
  outbox_.send(to, header);
}

// ----------------------------------------------------------------------------------------------- channels and RPCs

// Null where the session has no such channel ("channelId").
ServerChannel* Server::channel_of(ServerSession& session, std::uint8_t id) {
  if (id >= options_.channels && !deviates(channel_out_of_range_executed)) return nullptr;
  if (id + 1u == options_.channels && deviates(highest_channel_refused)) return nullptr;
  ServerSession& owner = deviates(sessions_share_channels) ? *sessions_.first() : session;
  owner.last_used = session.last_used;
  return &owner.channels.try_emplace(id, budget_).first->second;
}

Header Server::header_for(const ServerSession& session, const ServerChannel& channel, std::uint8_t id) const {
  return {.session_token = session.token,
          .rpc_id = channel.rpc_id,
          .client_session_hint = session.client_hint,
          .server_session_hint = session.server_hint,
          .channel_id = id,
          .flags = {.direction = true}};
}

bool Server::starts_rpc(const ServerChannel& channel, std::uint32_t rpc_id) const {
  if (rpc_id == channel.rpc_id + 1) return true;
  if (channel.state == State::unused) return deviates(skipped_rpc_executed) && rpc_id != channel.rpc_id;
  return (rpc_id < channel.rpc_id && deviates(old_rpc_executed)) ||
         (rpc_id > channel.rpc_id && deviates(skipped_rpc_executed));
}

// A new RPC on a channel ends the one before it, and lets go of its response.
void Server::start_rpc(ServerChannel& channel, std::uint32_t rpc_id) {
  const ReassemblyFaults faults{.keep_beyond_total = deviates(frag_number_beyond_total_stored),
                                .follow_total = deviates(total_mismatch_accepted),
                                .append_duplicates = deviates(duplicate_fragment_appended),
                                .in_arrival_order = deviates(reorder_not_tolerated)};
  channel.state = State::receiving;
  channel.rpc_id = rpc_id;
  channel.generation = ++generations_;
  channel.queued = false;
  channel.asked = 0;
  channel.request.emplace(budget_, options_.max_message_octets, faults);
  channel.response.reset();
  channel.stored.release_all();
}

void Server::on_data(ServerSession& session, const Packet& packet, Instant now) {
  Packet data = packet;
  if (deviates(bad_session_for_valid)) return send_bad_session(session.peer, data.header);
  if (data.header.total_frags == 0 && deviates(total_zero_executed)) data.header.total_frags = 1;
  const bool exists = data.header.frag_number < data.header.total_frags;
  if (!exists && !deviates(frag_number_beyond_total_stored)) return;
  ServerChannel* const channel = channel_of(session, data.header.channel_id);
  if (channel == nullptr) return;
  if (deviates(one_rpc_at_a_time) && another_is_receiving(session, *channel)) return;

  if (starts_rpc(*channel, data.header.rpc_id)) start_rpc(*channel, data.header.rpc_id);
  if (channel->state == State::unused || channel->rpc_id != data.header.rpc_id) return;
  if (channel->state == State::receiving) return on_fragment(session, *channel, data, now);
  on_repeat(session, *channel, data, now);
}

void Server::on_fragment(ServerSession& session, ServerChannel& channel, const Packet& packet, Instant now) {
  const Header& header = packet.header;
  using Outcome = MessageReceiver::Outcome;
  Outcome outcome = channel.request->take(header.frag_number, header.total_frags, packet.payload);
  if (outcome == Outcome::over_budget) {
    sessions_.expire(now);  // `session` was used just now and stays
    outcome = channel.request->take(header.frag_number, header.total_frags, packet.payload);
  }
  // What there is no room for counts as lost: an ACK would keep a client trying that cannot succeed.
  if (outcome == Outcome::other_total || outcome == Outcome::over_budget) return;
  const bool asked = header.flags.request_ack;
  channel.asked += asked ? 1 : 0;
  if (asked || deviates(ack_unasked))
    outbox_.send_ack(session.peer, header_for(session, channel, header.channel_id), *channel.request);
  if (channel.request->complete() || deviates(response_before_request_complete) ||
      (asked && deviates(response_for_incomplete_after_ack)))
    hand_up(session, channel, header.channel_id);
}

// A fragment of a request that is complete: the answer may be lost, or not there yet.
void Server::on_repeat(ServerSession& session, ServerChannel& channel, const Packet& packet, Instant now) {
  const Header& header = packet.header;
  if (header.total_frags != channel.request->total()) return;
  if (deviates(re_executes_duplicate)) {
    start_rpc(channel, header.rpc_id);
    return on_fragment(session, channel, packet, now);
  }
  if (channel.response && deviates(no_stored_response)) return;
  if (channel.response && !channel.response->acknowledged()) {
    std::vector<std::uint16_t> numbers = channel.response->overdue(now);
    if (numbers.empty()) numbers.push_back(channel.response->first_unacknowledged());
    for (const std::uint16_t number : numbers) resend(session, channel, header.channel_id, number, now);
  } else if (header.flags.request_ack || deviates(ack_unasked)) {
    outbox_.send_ack(session.peer, header_for(session, channel, header.channel_id), *channel.request);
  }
}

void Server::hand_up(ServerSession& session, ServerChannel& channel, std::uint8_t id) {
  channel.state = State::processing;
  channel.queued = true;
  // A channel stands in the queue once: whatever it had there is stale.
  std::erase_if(complete_,
                [&](const RpcHandle& old) { return old.session == session.server_hint && old.channel == id; });
  complete_.push_back({session.server_hint, id, channel.generation});
}

bool Server::another_is_receiving(const ServerSession& session, const ServerChannel& channel) const {
  return std::any_of(session.channels.begin(), session.channels.end(), [&](const auto& entry) {
    return &entry.second != &channel && entry.second.state == State::receiving;
  });
}

// ------------------------------------------------------------------------------------------------ the upper layer

bool Server::next_request(Request& out) {
  if (again_) {
    out = *std::exchange(again_, std::nullopt);
    return true;
  }
  while (!complete_.empty()) {
    const RpcHandle handle = complete_.front();
    complete_.pop_front();
    ServerSession* const session = sessions_.find(handle.session);
    ServerChannel* const channel = session == nullptr ? nullptr : channel_of(*session, handle.channel);
    if (channel == nullptr || channel->generation != handle.generation || !channel->queued) continue;
    channel->queued = false;
    out = {handle, channel->request->release()};
    if (channel->asked > 1 && deviates(executes_twice_when_asked)) again_ = out;
    return true;
  }
  return false;
}

bool Server::respond(const RpcHandle& handle, Octets response, Instant now) {
  ServerSession* const session = sessions_.find(handle.session);
  if (session == nullptr) return false;
  session->last_used = now;
  ServerChannel* const channel = channel_of(*session, handle.channel);
  if (channel == nullptr || channel->generation != handle.generation || channel->state != State::processing)
    return false;
  if (response.size() > options_.max_message_octets || !MessageSender::can_send(response.size(), options_))
    return false;
  if (!channel->stored.take(response.size())) {
    sessions_.expire(now);
    if (!channel->stored.take(response.size())) return false;
  }
  channel->state = State::answered;
  channel->response.emplace(OctetBuffer(response.begin(), response.end()), options_);
  if (deviates(stored_response_one_per_session)) drop_other_responses(*session, *channel);
  send_new(*session, *channel, handle.channel, now);
  return true;
}

void Server::drop_other_responses(ServerSession& session, const ServerChannel& kept) {
  for (auto& [id, channel] : session.channels)
    if (&channel != &kept) channel.response.reset();
}

// ------------------------------------------------------------------------------------------- sending the response

void Server::on_ack(ServerSession& session, const Packet& packet, Instant now) {
  const std::uint8_t id = packet.header.channel_id;
  ServerChannel* const channel = channel_of(session, id);
  const std::optional<Ack> ack = decode_ack(packet.payload);
  if (!ack || channel == nullptr || !channel->response || packet.header.rpc_id != channel->rpc_id) return;
  if (deviates(ignores_unsolicited_ack) && !channel->response->awaits_ack(now)) return;
  const MessageSender::Acked acked = channel->response->acknowledge(*ack, now);
  dead_ = acked == MessageSender::Acked::past_end && deviates(ack_past_end_dies);
  if (acked != MessageSender::Acked::taken || dead_) return;
  const std::vector<std::uint16_t> missing = channel->response->missing(now);
  const bool everything = deviates(resends_everything_on_ack) && !channel->response->acknowledged();
  for (const std::uint16_t number : everything ? channel->response->all_sent() : missing)
    resend(session, *channel, id, number, now);
  send_new(session, *channel, id, now);
}

void Server::resend(const ServerSession& session, ServerChannel& channel, std::uint8_t id, std::uint16_t number,
                    Instant now) {
  outbox_.send_fragment(session.peer, header_for(session, channel, id), channel.response->resend(number, now));
}

void Server::send_new(const ServerSession& session, ServerChannel& channel, std::uint8_t id, Instant now) {
  while (const std::optional<Fragment> fragment = channel.response->next_new(now))
    outbox_.send_fragment(session.peer, header_for(session, channel, id), *fragment);
}

}  // namespace wirelaw::ramcloud
