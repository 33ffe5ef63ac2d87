// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/server.h"

#include <algorithm>
#include <utility>

namespace wirelaw::ramcloud {
namespace {

using State = ServerChannel::State;

constexpr unsigned kMostChannels = 255;  // maximum count in one octet

Options bounded(Options options) {
  options.channels = std::clamp(options.channels, 1u, kMostChannels);
  return options;
}

}  // namespace

Server::Server(const Options& options, std::uint64_t seed, std::unique_ptr<Outbox> outbox)
    : options_(bounded(options)),
      budget_(options.reassembly_octets),
      sessions_(seed, options.session_expiry, options.max_sessions),
      outbox_(std::move(outbox)) {}

void Server::advance(Instant) {}

bool Server::next_datagram(Outgoing& out) {
  return outbox_->next(out);
}

// ------------------------------------------------------------------------------------------- receiving a packet

void Server::receive(PeerId from, Octets octets, Instant now) {
  const auto packet = decode(octets);
  if (!packet || !admits(from, *packet)) return;
  const PayloadType type = packet->header.payload_type;
  ServerSession* const session = session_of(packet->header);
  if (session == nullptr && type == PayloadType::session_open) return on_open(from, packet->header, now);
  if (session == nullptr) return on_invalid_session(from, *packet, now);
  session->last_used = now;
  if (type == PayloadType::data) on_data(*session, *packet, now);
  if (type == PayloadType::ack) on_ack(*session, *packet, now);
}

bool Server::admits(PeerId, const Packet& packet) {
  return !packet.header.flags.please_drop && !packet.header.flags.direction;
}

// Returns the session that hint and token identify (RAMCLOUD/R9).
ServerSession* Server::session_of(const Header& header) {
  ServerSession* const session = sessions_.find(header.server_session_hint);
  return session != nullptr && has_token(*session, header.session_token) ? session : nullptr;
}

void Server::on_open(PeerId from, const Header& header, Instant now) {
  sessions_.expire(now);
  if (sessions_.full() && !sessions_.make_room()) return;
  const ServerSession* const session = sessions_.open(from, fresh_token(), header.client_session_hint, now);
  outbox_->send(from,
                {.session_token = session->token,
                 .client_session_hint = session->client_hint,
                 .server_session_hint = session->server_hint,
                 .payload_type = PayloadType::session_open,
                 .flags = {.direction = true}},
                {announcement()});
}

std::uint8_t Server::announcement() const {
  const bool inclusive = options_.announces == OpenReading::inclusive_maximum;
  return static_cast<std::uint8_t>(inclusive ? options_.channels - 1 : options_.channels);
}

void Server::on_invalid_session(PeerId from, const Packet& packet, Instant) {
  send_bad_session(from, packet.header);
}

// PT_BAD_SESSION: copies all fields that identify the offending packet (RAMCLOUD/R6).
void Server::send_bad_session(PeerId to, Header header) {
  header.payload_type = PayloadType::bad_session;
  header.frag_number = 0;
  header.total_frags = 0;
  header.flags = {.direction = true};
  outbox_->send(to, header);
}

// ----------------------------------------------------------------------------------------------- channels and RPCs

ServerChannel* Server::channel_of(ServerSession& session, std::uint8_t id) {
  if (!has_channel(id)) return nullptr;
  return &session.channels.try_emplace(id, budget_).first->second;
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
  return rpc_id == channel.rpc_id + 1;
}

std::unique_ptr<MessageReceiver> Server::make_receiver() {
  return std::make_unique<MessageReceiver>(budget_, options_.max_message_octets);
}

// A new RPC on a channel ends the previous one and discards its response.
void Server::start_rpc(ServerChannel& channel, std::uint32_t rpc_id) {
  channel.state = State::receiving;
  channel.rpc_id = rpc_id;
  channel.generation = ++generations_;
  channel.queued = false;
  channel.request = make_receiver();
  channel.response.reset();
  channel.stored.release_all();
}

void Server::on_data(ServerSession& session, const Packet& packet, Instant now) {
  const Header& header = packet.header;
  ServerChannel* const channel = exists(header) ? channel_of(session, header.channel_id) : nullptr;
  if (channel == nullptr) return;
  if (starts_rpc(*channel, header.rpc_id)) start_rpc(*channel, header.rpc_id);
  if (channel->state == State::unused || channel->rpc_id != header.rpc_id) return;
  if (channel->state == State::receiving) return on_fragment(session, *channel, packet, now);
  on_repeat(session, *channel, packet, now);
}

void Server::on_fragment(ServerSession& session, ServerChannel& channel, const Packet& packet, Instant now) {
  const Header& header = packet.header;
  using Outcome = MessageReceiver::Outcome;
  Outcome outcome = channel.request->take(header.frag_number, header.total_frags, packet.payload);
  if (outcome == Outcome::over_budget) {
    sessions_.expire(now);  // `session` was used just now and stays
    outcome = channel.request->take(header.frag_number, header.total_frags, packet.payload);
  }
  // A fragment without room counts as lost: after an ACK, a client would keep trying in vain.
  if (outcome == Outcome::other_total || outcome == Outcome::over_budget) return;
  acknowledge(session, channel, header);
  if (is_due(channel, header)) hand_up(session, channel, header.channel_id);
}

void Server::acknowledge(const ServerSession& session, const ServerChannel& channel, const Header& header) {
  if (!header.flags.request_ack) return;
  outbox_->send_ack(session.peer, header_for(session, channel, header.channel_id), *channel.request);
}

bool Server::is_due(const ServerChannel& channel, const Header&) const {
  return channel.request->complete();
}

// Handles a fragment of a complete request: the response may be lost, or not there yet.
void Server::on_repeat(ServerSession& session, ServerChannel& channel, const Packet& packet, Instant now) {
  const Header& header = packet.header;
  if (header.total_frags != channel.request->total()) return;
  if (!channel.response || channel.response->acknowledged()) return acknowledge(session, channel, header);
  std::vector<std::uint16_t> numbers = channel.response->overdue(now);
  if (numbers.empty()) numbers.push_back(channel.response->first_unacknowledged());
  for (const std::uint16_t number : numbers) resend(session, channel, header.channel_id, number, now);
}

void Server::hand_up(ServerSession& session, ServerChannel& channel, std::uint8_t id) {
  channel.state = State::processing;
  channel.queued = true;
  // A channel is in the queue once, so its earlier entry is stale.
  std::erase_if(complete_,
                [&](const RpcHandle& old) { return old.session == session.server_hint && old.channel == id; });
  complete_.push_back({session.server_hint, id, channel.generation});
}

// ------------------------------------------------------------------------------------------------ the upper layer

bool Server::next_request(Request& out) {
  while (!complete_.empty()) {
    const RpcHandle handle = complete_.front();
    complete_.pop_front();
    ServerSession* const session = sessions_.find(handle.session);
    ServerChannel* const channel = session == nullptr ? nullptr : channel_of(*session, handle.channel);
    if (channel == nullptr || channel->generation != handle.generation || !channel->queued) continue;
    channel->queued = false;
    out = {handle, channel->request->release()};
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
  send_new(*session, *channel, handle.channel, now);
  return true;
}

// ------------------------------------------------------------------------------------------- sending the response

void Server::on_ack(ServerSession& session, const Packet& packet, Instant now) {
  const std::uint8_t id = packet.header.channel_id;
  ServerChannel* const channel = channel_of(session, id);
  const std::optional<Ack> ack = decode_ack(packet.payload);
  if (!ack || channel == nullptr || !channel->response || packet.header.rpc_id != channel->rpc_id) return;
  if (take_ack(*channel, *ack, now) != MessageSender::Acked::taken) return;
  for (const std::uint16_t number : missing(*channel->response, now)) resend(session, *channel, id, number, now);
  send_new(session, *channel, id, now);
}

MessageSender::Acked Server::take_ack(ServerChannel& channel, const Ack& ack, Instant now) {
  return channel.response->acknowledge(ack, now);
}

std::vector<std::uint16_t> Server::missing(const MessageSender& response, Instant now) const {
  return response.missing(now);
}

void Server::resend(const ServerSession& session, ServerChannel& channel, std::uint8_t id, std::uint16_t number,
                    Instant now) {
  outbox_->send_fragment(session.peer, header_for(session, channel, id), channel.response->resend(number, now));
}

void Server::send_new(const ServerSession& session, ServerChannel& channel, std::uint8_t id, Instant now) {
  while (const std::optional<Fragment> fragment = channel.response->next_new(now))
    outbox_->send_fragment(session.peer, header_for(session, channel, id), *fragment);
}

}  // namespace wirelaw::ramcloud
