// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/faults/faulty_client.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "reference/ramcloud/faults/faulty_outbox.h"
#include "reference/ramcloud/faults/faulty_receiver.h"
#include "reference/ramcloud/faults/packet_faults.h"

namespace wirelaw::ramcloud {
namespace {

using enum Deviation;

class FaultyClient final : public Client {
 public:
  FaultyClient(const Options& options, std::uint64_t seed, const Deviations& deviations, PeerId server)
      : Client(options, seed, server, std::make_unique<FaultyOutbox>(deviations)), deviations_(deviations) {}

  void receive(Octets octets, Instant now) override;
  void advance(Instant now) override;
  std::optional<Instant> deadline() const override;

 private:
  bool deviates(Deviation deviation) const { return deviations_.has(deviation); }

  bool admits(const Packet& packet) override;
  bool has_token(const Header& header) const override;
  void open(Instant now) override;
  void send_open() override;
  void on_open_response(const Packet& packet, Instant now) override;
  void on_bad_session(Instant now) override;
  bool reopens() const override { return Client::reopens() || deviates(reopens_for_ever); }
  void forget_session() override;

  std::size_t free_channel() const override;
  std::uint8_t wire_channel(std::size_t index) const override;
  std::uint32_t first_rpc(std::size_t index) const override;
  Header header_for(std::size_t index) override;
  void start(std::size_t index, Call call, Instant now) override;
  MessageSender::Acked take_ack(Channel& channel, const Ack& ack, Instant now) override;
  void resend_missing(std::size_t index, Instant now) override;

  std::size_t addressed_channel(const Header& header) const override;
  std::unique_ptr<MessageReceiver> make_receiver() override;
  bool is_whole(const MessageReceiver& response) const override;

  bool tries_again(unsigned silent_intervals) const override;
  void resend(std::size_t index, Instant now) override;
  std::vector<std::uint16_t> overdue(const MessageSender& request, Instant now) const override;
  void report_missing(std::size_t index) override;

  bool dies_of(const Header& header, Octets payload) const;
  void send_early_request(Instant now);

  Deviations deviations_;
  bool dead_ = false;
  std::optional<std::uint64_t> other_token_;         // token-alternates
  std::uint64_t packets_ = 0;                        // token-alternates
  std::vector<std::uint32_t> rpcs_of_last_session_;  // rpc-id-not-reset-on-reopen
  OctetBuffer latest_request_, request_before_;      // old-octets-in-repeated-request
};

// ------------------------------------------------------------------------------------------- packets and the session

// Renumbers a fragment whose number is not below its total as the last one.
void take_for_last(OctetBuffer& octets) {
  const auto packet = decode(octets);
  if (!packet || packet->header.total_frags == 0 || packet->header.frag_number < packet->header.total_frags) return;
  Header header = packet->header;
  header.frag_number = static_cast<std::uint16_t>(header.total_frags - 1);
  octets = encode(header, OctetBuffer(packet->payload.begin(), packet->payload.end()));
}

void FaultyClient::receive(Octets octets, Instant now) {
  if (dead_) return;
  dead_ = octets.size() < layout::kHeader && deviates(short_packet_dies);
  const bool misread = deviates(big_endian_header) || deviates(response_beyond_end_taken);
  if (octets.size() < layout::kHeader || !misread) return Client::receive(octets, now);
  OctetBuffer changed(octets.begin(), octets.end());
  if (deviates(big_endian_header)) reverse_header_fields(changed);
  if (deviates(response_beyond_end_taken)) take_for_last(changed);
  Client::receive(changed, now);
}

void FaultyClient::advance(Instant now) {
  if (!dead_) Client::advance(now);
}

std::optional<Instant> FaultyClient::deadline() const {
  return dead_ ? std::nullopt : Client::deadline();
}

bool FaultyClient::admits(const Packet& packet) {
  const Header& header = packet.header;
  if (header.flags.please_drop && !deviates(please_drop_ignored)) return false;
  if (!header.flags.direction && !deviates(direction_ignored_on_receipt)) return false;
  dead_ = dies_of(header, packet.payload);
  return !dead_;
}

bool FaultyClient::dies_of(const Header& header, Octets payload) const {
  return (!is_assigned(header.payload_type) && deviates(reserved_type_dies)) ||
         (header.flags.reserved1 && deviates(reserved1_dies)) ||
         (header.payload_type == PayloadType::ack && payload.size() < layout::kAck && deviates(short_ack_dies));
}

bool FaultyClient::has_token(const Header& header) const {
  return Client::has_token(header) || deviates(wrong_token_response_accepted);
}

void FaultyClient::open(Instant now) {
  Client::open(now);
  if (deviates(token_alternates)) send_open();
  if (deviates(data_before_open_response)) send_early_request(now);
}

void FaultyClient::send_early_request(Instant now) {
  MessageSender early(waiting_.front().request, options_);
  token_ = kNoToken;
  server_hint_ = kNoServerHint;
  outbox_->send_fragment(
      server_, {.session_token = kNoToken, .client_session_hint = hint_, .server_session_hint = kNoServerHint},
      *early.next_new(now));
}

void FaultyClient::send_open() {
  if (open_tries_ <= 1 || !deviates(never_retransmits)) Client::send_open();
}

void FaultyClient::on_open_response(const Packet& packet, Instant now) {
  if (packet.payload.empty()) {
    dead_ = deviates(empty_open_response_dies);
    return;
  }
  if (state_ == State::open && packet.header.session_token != token_) other_token_ = packet.header.session_token;
  Client::on_open_response(packet, now);
}

void FaultyClient::on_bad_session(Instant now) {
  if (deviates(old_session_after_bad_session)) return;
  Client::on_bad_session(now);
  if (waiting_.empty() || !deviates(old_octets_in_repeated_request)) return;
  OctetBuffer& repeated = waiting_.front().request;
  const std::size_t left = std::min((repeated.size() + 1) / 2, request_before_.size());
  std::copy_n(request_before_.begin(), left, repeated.begin());
}

void FaultyClient::forget_session() {
  rpcs_of_last_session_.clear();
  for (const Channel& channel : channels_) rpcs_of_last_session_.push_back(channel.next_rpc);
  Client::forget_session();
}

// ---------------------------------------------------------------------------------------------------------- requests

std::size_t FaultyClient::free_channel() const {
  return deviates(next_rpc_before_response) && !channels_.empty() ? 0 : Client::free_channel();
}

std::uint8_t FaultyClient::wire_channel(std::size_t index) const {
  return static_cast<std::uint8_t>(deviates(channel_beyond_max) ? index + announced_ + 1 : index);
}

std::uint32_t FaultyClient::first_rpc(std::size_t index) const {
  if (deviates(rpc_id_not_reset_on_reopen) && index < rpcs_of_last_session_.size()) return rpcs_of_last_session_[index];
  return deviates(rpc_id_starts_at_one) ? 1 : 0;
}

Header FaultyClient::header_for(std::size_t index) {
  Header header = Client::header_for(index);
  if (other_token_ && deviates(token_alternates) && ++packets_ % 2 == 0) header.session_token = *other_token_;
  return header;
}

void FaultyClient::start(std::size_t index, Call call, Instant now) {
  const Channel& channel = channels_[index];
  if (channel.active())
    finish(channel.call, {CallError::Reason::unanswered, "the next call took its channel (a deviation)"});
  request_before_ = std::exchange(latest_request_, call.request);
  Client::start(index, std::move(call), now);
  if (deviates(rpc_id_steps_by_two)) ++channels_[index].next_rpc;
}

MessageSender::Acked FaultyClient::take_ack(Channel& channel, const Ack& ack, Instant now) {
  const MessageSender::Acked acked = Client::take_ack(channel, ack, now);
  dead_ = (acked == MessageSender::Acked::past_end || acked == MessageSender::Acked::past_sent) &&
          deviates(ack_past_end_dies);
  return acked;
}

void FaultyClient::resend_missing(std::size_t index, Instant now) {
  if (!deviates(never_retransmits)) Client::resend_missing(index, now);
}

// ------------------------------------------------------------------------------------------------------ the response

std::size_t FaultyClient::addressed_channel(const Header& header) const {
  std::size_t wrong = kNone;
  for (std::size_t index = 0; index < channels_.size(); ++index) {
    const Channel& channel = channels_[index];
    if (!channel.active() && !channel.response) continue;
    const bool here = header.channel_id == wire_channel(index);
    const bool current = header.rpc_id == channel.rpc_id;
    if (here && current) return index;
    if (here ? deviates(wrong_rpc_response_accepted) : current && deviates(wrong_channel_response_accepted))
      wrong = index;
  }
  return wrong;
}

std::unique_ptr<MessageReceiver> FaultyClient::make_receiver() {
  const ReassemblyFaults faults{.append_duplicates = deviates(duplicate_response_fragment_appended),
                                .in_arrival_order = deviates(response_reorder_not_tolerated)};
  return std::make_unique<FaultyReceiver>(budget_, options_.max_message_octets, faults);
}

bool FaultyClient::is_whole(const MessageReceiver& response) const {
  return Client::is_whole(response) || deviates(partial_response_accepted);
}

// ----------------------------------------------------------------------------------------------------------- silence

bool FaultyClient::tries_again(unsigned silent_intervals) const {
  return Client::tries_again(silent_intervals) || deviates(never_gives_up);
}

void FaultyClient::resend(std::size_t index, Instant now) {
  const bool acknowledged = channels_[index].request->acknowledged();
  if (!deviates(never_retransmits) && !(acknowledged && deviates(silent_once_acknowledged))) Client::resend(index, now);
}

std::vector<std::uint16_t> FaultyClient::overdue(const MessageSender& request, Instant now) const {
  return deviates(resends_everything) ? request.all_sent() : Client::overdue(request, now);
}

void FaultyClient::report_missing(std::size_t index) {
  if (!deviates(no_unsolicited_ack)) Client::report_missing(index);
}

}  // namespace

std::unique_ptr<Client> make_client(const Options& options, std::uint64_t seed, const Deviations& deviations,
                                    PeerId server) {
  const Deviations own = deviations.of(Role::initiator);
  if (own.empty()) return std::make_unique<Client>(options, seed, server);
  return std::make_unique<FaultyClient>(options, seed, own, server);
}

}  // namespace wirelaw::ramcloud
