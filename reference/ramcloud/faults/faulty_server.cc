// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/faults/faulty_server.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "reference/ramcloud/faults/faulty_outbox.h"
#include "reference/ramcloud/faults/faulty_receiver.h"

namespace wirelaw::ramcloud {
namespace {

using enum Deviation;
using State = ServerChannel::State;

class FaultyServer final : public Server {
 public:
  FaultyServer(const Options& options, std::uint64_t seed, const Deviations& deviations)
      : Server(options, seed, std::make_unique<FaultyOutbox>(deviations)), deviations_(deviations) {}

  void receive(PeerId from, Octets octets, Instant now) override;
  bool next_request(Request& out) override;
  bool respond(const RpcHandle& handle, Octets response, Instant now) override;

 private:
  bool deviates(Deviation deviation) const { return deviations_.has(deviation); }

  bool admits(PeerId from, const Packet& packet) override;
  bool has_token(const ServerSession& session, std::uint64_t token) const override;
  std::uint64_t fresh_token() override;
  void on_open(PeerId from, const Header& header, Instant now) override;
  std::uint8_t announcement() const override;
  void on_invalid_session(PeerId from, const Packet& packet, Instant now) override;
  void send_bad_session(PeerId to, Header header) override;

  bool has_channel(std::uint8_t id) const override;
  ServerChannel* channel_of(ServerSession& session, std::uint8_t id) override;
  bool starts_rpc(const ServerChannel& channel, std::uint32_t rpc_id) const override;
  std::unique_ptr<MessageReceiver> make_receiver() override;
  void on_data(ServerSession& session, const Packet& packet, Instant now) override;
  bool exists(const Header& header) const override;
  void acknowledge(const ServerSession& session, const ServerChannel& channel, const Header& header) override;
  bool is_due(const ServerChannel& channel, const Header& header) const override;
  void on_repeat(ServerSession& session, ServerChannel& channel, const Packet& packet, Instant now) override;

  MessageSender::Acked take_ack(ServerChannel& channel, const Ack& ack, Instant now) override;
  std::vector<std::uint16_t> missing(const MessageSender& response, Instant now) const override;

  bool dies_of(const Header& header, Octets payload) const;
  bool is_held_up(ServerSession& session, const Header& header);
  bool overtakes_execution(ServerSession& session, const Header& header, Instant now);

  Deviations deviations_;
  bool dead_ = false;
  std::uint64_t opened_ = 0;  // tokens-count-up
  std::map<std::uint64_t, unsigned>
      asking_;                    // executes-twice-when-asked: number of fragments that requested an ACK, by RPC
  std::optional<Request> again_;  // executes-twice-when-asked
  Instant answered_at_{-1};       // next-rpc-dies: time of the latest response,
  std::uint64_t answered_ = 0;    // and its RPC
};

// ---------------------------------------------------------------------------------------------- packets and sessions

void FaultyServer::receive(PeerId from, Octets octets, Instant now) {
  if (dead_) return;
  dead_ = octets.size() < layout::kHeader && deviates(short_packet_dies);
  Server::receive(from, octets, now);
}

bool FaultyServer::admits(PeerId from, const Packet& packet) {
  const Header& header = packet.header;
  if (header.flags.please_drop) {
    if (deviates(please_drop_acked) && header.payload_type == PayloadType::data && header.flags.request_ack) {
      Header answer = header;
      answer.flags.direction = true;
      outbox().send_ack(from, answer, Ack{}, header.total_frags);
    }
    const bool is_open = header.payload_type == PayloadType::session_open;
    if (!deviates(please_drop_ignored) && !(is_open && deviates(please_drop_ignored_on_open))) return false;
  }
  if (header.flags.direction && !deviates(direction_ignored_on_receipt)) return false;
  dead_ = dies_of(header, packet.payload);
  return !dead_;
}

bool FaultyServer::dies_of(const Header& header, Octets payload) const {
  return (header.flags.reserved1 && deviates(reserved1_dies)) ||
         (header.payload_type == PayloadType::bad_session && deviates(bad_session_dies)) ||
         (header.payload_type == PayloadType::session_open && !payload.empty() && deviates(open_payload_dies)) ||
         (header.payload_type == PayloadType::ack && payload.size() > layout::kAck && deviates(long_ack_dies)) ||
         (!is_assigned(header.payload_type) && deviates(reserved_type_dies)) ||
         (header.payload_type == PayloadType::ack && payload.size() < layout::kAck && deviates(short_ack_dies));
}

bool FaultyServer::has_token(const ServerSession& session, std::uint64_t token) const {
  const std::uint64_t expected = session.token + (deviates(token_not_accepted) ? 1 : 0);
  return token == expected || deviates(wrong_token_accepted);
}

std::uint64_t FaultyServer::fresh_token() {
  ++opened_;
  if (deviates(tokens_count_up)) return opened_;
  if (deviates(tokens_repeat) && table().size() > 0) return table().first()->token;
  return Server::fresh_token();
}

void FaultyServer::on_open(PeerId from, const Header& header, Instant now) {
  if (deviates(session_open_no_answer)) return table().expire(now);
  Server::on_open(from, header, now);
}

std::uint8_t FaultyServer::announcement() const {
  return static_cast<std::uint8_t>(Server::announcement() + (deviates(bound_too_high) ? 8 : 0));
}

void FaultyServer::on_invalid_session(PeerId from, const Packet& packet, Instant now) {
  const Header& header = packet.header;
  if (!deviates(executes_bad_session) || header.payload_type != PayloadType::data)
    return Server::on_invalid_session(from, packet, now);
  ServerSession* const session =
      table().add(from, header.session_token, header.client_session_hint, header.server_session_hint, now);
  if (session != nullptr) on_data(*session, packet, now);
}

void FaultyServer::send_bad_session(PeerId to, Header header) {
  if (!deviates(bad_session_not_sent)) Server::send_bad_session(to, header);
}

// ---------------------------------------------------------------------------------------------------------- requests

bool FaultyServer::has_channel(std::uint8_t id) const {
  if (id + 1u == options().channels && deviates(highest_channel_refused)) return false;
  return Server::has_channel(id) || deviates(channel_out_of_range_executed);
}

ServerChannel* FaultyServer::channel_of(ServerSession& session, std::uint8_t id) {
  if (!deviates(sessions_share_channels) || !has_channel(id)) return Server::channel_of(session, id);
  ServerSession& owner = *table().first();
  owner.last_used = session.last_used;
  return Server::channel_of(owner, id);
}

bool FaultyServer::starts_rpc(const ServerChannel& channel, std::uint32_t rpc_id) const {
  if (Server::starts_rpc(channel, rpc_id)) return true;
  if (channel.state == State::unused) return deviates(skipped_rpc_executed) && rpc_id != channel.rpc_id;
  return (rpc_id < channel.rpc_id && deviates(old_rpc_executed)) ||
         (rpc_id > channel.rpc_id && deviates(skipped_rpc_executed));
}

std::unique_ptr<MessageReceiver> FaultyServer::make_receiver() {
  const ReassemblyFaults faults{.keep_beyond_total = deviates(frag_number_beyond_total_stored),
                                .follow_total = deviates(total_mismatch_accepted),
                                .append_duplicates = deviates(duplicate_fragment_appended),
                                .in_arrival_order = deviates(reorder_not_tolerated)};
  return std::make_unique<FaultyReceiver>(budget(), options().max_message_octets, faults);
}

void FaultyServer::on_data(ServerSession& session, const Packet& packet, Instant now) {
  Packet data = packet;
  if (deviates(bad_session_for_valid)) return send_bad_session(session.peer, data.header);
  if (data.header.total_frags == 0 && deviates(total_zero_executed)) data.header.total_frags = 1;
  if (deviates(one_rpc_at_a_time) && is_held_up(session, data.header)) return;
  if (deviates(total_zero_acknowledged) && data.header.total_frags == 0 && data.header.flags.request_ack) {
    Header answer = data.header;
    answer.flags.direction = true;
    outbox().send_ack(session.peer, answer, Ack{.first_missing_frag = 1}, 0);
  }
  dead_ = deviates(next_rpc_dies) && overtakes_execution(session, data.header, now);
  if (dead_) return;
  Server::on_data(session, data, now);
}

// An execution takes no time here. For this fault, a packet that was sent before a response could have arrived counts
// as received during the execution.
bool FaultyServer::overtakes_execution(ServerSession& session, const Header& header, Instant now) {
  constexpr Instant kExecution = std::chrono::microseconds{10};
  const ServerChannel* const channel = exists(header) ? channel_of(session, header.channel_id) : nullptr;
  return channel != nullptr && channel->state == State::answered && channel->generation == answered_ &&
         starts_rpc(*channel, header.rpc_id) && now < answered_at_ + kExecution;
}

// True if the request on another channel is incomplete.
bool FaultyServer::is_held_up(ServerSession& session, const Header& header) {
  const ServerChannel* const channel = exists(header) ? channel_of(session, header.channel_id) : nullptr;
  return channel != nullptr && std::ranges::any_of(session.channels, [&](const auto& entry) {
           return &entry.second != channel && entry.second.state == State::receiving;
         });
}

bool FaultyServer::exists(const Header& header) const {
  return Server::exists(header) || deviates(frag_number_beyond_total_stored);
}

void FaultyServer::acknowledge(const ServerSession& session, const ServerChannel& channel, const Header& header) {
  Header asking = header;
  asking.flags.request_ack = header.flags.request_ack || deviates(ack_unasked);
  if (header.flags.request_ack && channel.state == State::receiving && deviates(executes_twice_when_asked))
    ++asking_[channel.generation];
  Server::acknowledge(session, channel, asking);
}

bool FaultyServer::is_due(const ServerChannel& channel, const Header& header) const {
  return Server::is_due(channel, header) || deviates(response_before_request_complete) ||
         (header.flags.request_ack && deviates(response_for_incomplete_after_ack));
}

void FaultyServer::on_repeat(ServerSession& session, ServerChannel& channel, const Packet& packet, Instant now) {
  const bool same_total = packet.header.total_frags == channel.request->total();
  if (same_total && deviates(re_executes_duplicate)) {
    start_rpc(channel, packet.header.rpc_id);
    return on_fragment(session, channel, packet, now);
  }
  if (channel.response && deviates(no_stored_response)) return;
  Server::on_repeat(session, channel, packet, now);
}

bool FaultyServer::next_request(Request& out) {
  if (again_) {
    out = *std::exchange(again_, std::nullopt);
    return true;
  }
  if (!Server::next_request(out)) return false;
  const auto asking = asking_.extract(out.handle.generation);
  if (!asking.empty() && asking.mapped() > 1) again_ = out;
  return true;
}

// ------------------------------------------------------------------------------------------------------ the response

bool FaultyServer::respond(const RpcHandle& handle, Octets response, Instant now) {
  if (!Server::respond(handle, response, now)) return false;
  answered_at_ = now;
  answered_ = handle.generation;
  if (!deviates(stored_response_one_per_session)) return true;
  for (auto& [id, channel] : table().find(handle.session)->channels)
    if (id != handle.channel) channel.response.reset();
  return true;
}

MessageSender::Acked FaultyServer::take_ack(ServerChannel& channel, const Ack& ack, Instant now) {
  using Acked = MessageSender::Acked;
  if (deviates(ignores_unsolicited_ack) && !channel.response->awaits_ack(now)) return Acked::stale;
  const Acked acked = Server::take_ack(channel, ack, now);
  dead_ = (acked == Acked::past_end || acked == Acked::past_sent) && deviates(ack_past_end_dies);
  return acked;
}

std::vector<std::uint16_t> FaultyServer::missing(const MessageSender& response, Instant now) const {
  const bool everything = deviates(resends_everything_on_ack) && !response.acknowledged();
  return everything ? response.all_sent() : Server::missing(response, now);
}

}  // namespace

std::unique_ptr<Server> make_server(const Options& options, std::uint64_t seed, const Deviations& deviations) {
  const Deviations own = deviations.of(Role::responder);
  if (own.empty()) return std::make_unique<Server>(options, seed);
  return std::make_unique<FaultyServer>(options, seed, own);
}

}  // namespace wirelaw::ramcloud
