// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/client.h"

#include <algorithm>
#include <utility>

#include "reference/ramcloud/packet_faults.h"

namespace wirelaw::ramcloud {
namespace {

using enum Deviation;

constexpr std::size_t kNone = ~std::size_t{0};

// Opaque to the server, so any value does ("clientSessionHint"); one that uses all of its bits shows who alters them.
std::uint32_t fresh_hint(TokenSource& source) {
  return static_cast<std::uint32_t>(source.next() >> 32);
}

}  // namespace

Client::Client(const Options& options, std::uint64_t seed, const Deviations& deviations, PeerId server)
    : options_(options),
      deviations_(deviations.of(Role::client)),
      server_(server),
      budget_(options.reassembly_octets),
      outbox_(deviations_),
      hints_(seed),
      hint_(fresh_hint(hints_)) {}

bool Client::next_datagram(Outgoing& out) {
  return outbox_.next(out);
}

bool Client::next_result(CallResult& out) {
  if (results_.empty()) return false;
  out = std::move(results_.front());
  results_.pop_front();
  return true;
}

CallId Client::call(OctetBuffer request, Instant now) {
  const CallId id = calls_++;
  if (!MessageSender::can_send(request.size(), options_)) {
    results_.push_back(
        {id, tl::unexpected(CallError{CallError::Reason::request_too_long,
                                      "the request has " + std::to_string(request.size()) +
                                          " octets, more than 65535 fragments of " +
                                          std::to_string(options_.fragment_octets) + " octets can carry"})});
    return id;
  }
  waiting_.push_back({id, std::move(request)});
  if (state_ == State::closed) open(now);
  assign(now);
  return id;
}

// ------------------------------------------------------------------------------------------------ the session

void Client::open(Instant now) {
  state_ = State::opening;
  open_tries_ = 0;
  open_timer_ = now;
  advance_open(now);
  if (deviates(token_alternates)) send_open();
  if (deviates(data_before_open_response)) {
    MessageSender early(waiting_.front().request, options_);
    token_ = kNoToken;
    server_hint_ = kNoServerHint;
    outbox_.send_fragment(
        server_, {.session_token = kNoToken, .client_session_hint = hint_, .server_session_hint = kNoServerHint},
        *early.next_new(now));
  }
}

void Client::send_open() {
  outbox_.send(server_, {.session_token = kNoToken,
                         .client_session_hint = hint_,
                         .server_session_hint = kNoServerHint,
                         .payload_type = PayloadType::session_open});
}

void Client::advance_open(Instant now) {
  if (now < open_timer_) return;
  open_timer_ = now + options_.interval;
  const bool again = open_tries_ > 0;
  if (open_tries_ >= options_.silent_intervals && !deviates(never_gives_up)) {
    forget_session();
    return fail_all(CallError::Reason::session_unanswered,
                    "no answer to " + std::to_string(open_tries_) + " session open requests; gave up");
  }
  ++open_tries_;
  if (!again || !deviates(never_retransmits)) send_open();
}

// Ends the session, or the attempt at one. The next has another hint, so that late packets cannot be taken for its own.
void Client::forget_session() {
  rpcs_of_last_session_.clear();
  for (const Channel& channel : channels_) rpcs_of_last_session_.push_back(channel.next_rpc);
  state_ = State::closed;
  channels_.clear();
  hint_ = fresh_hint(hints_);
}

void Client::fail_all(CallError::Reason reason, const std::string& text) {
  for (const Call& call : std::exchange(waiting_, {}))
    results_.push_back({call.id, tl::unexpected(CallError{reason, text})});
}

void Client::on_open_response(const Packet& packet, Instant now) {
  const std::optional<std::uint8_t> announced = decode_open_response(packet.payload);
  if (!announced) {
    dead_ = deviates(empty_open_response_dies);
    return;
  }
  if (state_ == State::open && packet.header.session_token != token_) other_token_ = packet.header.session_token;
  if (state_ != State::opening) return;
  state_ = State::open;
  token_ = packet.header.session_token;
  server_hint_ = packet.header.server_session_hint;
  announced_ = *announced;
  // Safe whether the octet is the largest id or the number of channels (R1).
  channels_.resize(std::clamp(announced_, 1u, std::max(1u, options_.channels)));
  for (std::size_t index = 0; index < channels_.size(); ++index) {
    channels_[index].next_rpc = first_rpc();
    if (deviates(rpc_id_not_reset_on_reopen) && index < rpcs_of_last_session_.size())
      channels_[index].next_rpc = rpcs_of_last_session_[index];
  }
  assign(now);
}

// PT_BAD_SESSION: every RPC without a response starts anew in a new session (R27), up to a limit.
void Client::on_bad_session(Instant now) {
  if (state_ != State::open || deviates(old_session_after_bad_session)) return;
  std::vector<Call> unfinished;
  for (Channel& channel : channels_)
    if (channel.active()) unfinished.push_back({channel.call, channel.request->release()});
  std::sort(unfinished.begin(), unfinished.end(), [](const Call& one, const Call& two) { return one.id < two.id; });
  waiting_.insert(waiting_.begin(), std::make_move_iterator(unfinished.begin()),
                  std::make_move_iterator(unfinished.end()));
  forget_session();
  if (waiting_.empty()) return;
  if (reopens_ >= options_.max_reopens && !deviates(reopens_for_ever)) {
    const std::string times = std::to_string(std::exchange(reopens_, 0) + 1);
    return fail_all(CallError::Reason::session_refused,
                    "the server called " + times + " sessions invalid in a row; gave up");
  }
  ++reopens_;
  open(now);
}

// ------------------------------------------------------------------------------------------------ the channels

std::uint8_t Client::wire_channel(std::size_t index) const {
  return static_cast<std::uint8_t>(deviates(channel_beyond_max) ? index + announced_ + 1 : index);
}

std::uint32_t Client::first_rpc() const {
  return deviates(rpc_id_starts_at_one) ? 1 : 0;
}

Header Client::header_for(std::size_t index) {
  const bool other = other_token_ && deviates(token_alternates) && ++packets_ % 2 == 0;
  return {.session_token = other ? *other_token_ : token_,
          .rpc_id = channels_[index].rpc_id,
          .client_session_hint = hint_,
          .server_session_hint = server_hint_,
          .channel_id = wire_channel(index)};
}

std::size_t Client::free_channel() const {
  if (deviates(next_rpc_before_response) && !channels_.empty()) return 0;
  for (std::size_t index = 0; index < channels_.size(); ++index)
    if (channels_[index].state == Channel::State::idle) return index;
  return kNone;
}

void Client::assign(Instant now) {
  const bool all_retired = state_ == State::open &&
                           std::all_of(channels_.begin(), channels_.end(),
                                       [](const Channel& channel) { return channel.state == Channel::State::retired; });
  if (all_retired && !waiting_.empty()) {
    forget_session();
    return open(now);
  }
  for (std::size_t index = 0; !waiting_.empty() && (index = free_channel()) != kNone;) {
    Call call = std::move(waiting_.front());
    waiting_.pop_front();
    start(index, std::move(call), now);
  }
}

void Client::start(std::size_t index, Call call, Instant now) {
  Channel& channel = channels_[index];
  if (channel.active())
    results_.push_back({channel.call, tl::unexpected(CallError{CallError::Reason::overtaken,
                                                               "the next call took its channel (a deviation)"})});
  channel.state = Channel::State::sending;
  channel.rpc_id = channel.next_rpc;
  channel.next_rpc += deviates(rpc_id_steps_by_two) ? 2 : 1;
  channel.call = call.id;
  channel.request.emplace(std::move(call.request), options_);
  channel.response.reset();
  channel.heard(now + options_.interval);
  send_new(index, now);
}

void Client::send_new(std::size_t index, Instant now) {
  while (const std::optional<Fragment> fragment = channels_[index].request->next_new(now))
    send_fragment(index, *fragment);
}

void Client::send_fragment(std::size_t index, const Fragment& fragment) {
  outbox_.send_fragment(server_, header_for(index), fragment);
}

// -------------------------------------------------------------------------------------------- receiving a packet

void Client::receive(Octets octets, Instant now) {
  if (dead_) return;
  if (octets.size() < layout::kHeader) {
    dead_ = deviates(short_packet_dies);
    return;
  }
  if (!deviates(big_endian_header)) return on_packet(*decode(octets), now);
  OctetBuffer reversed(octets.begin(), octets.end());
  reverse_header_fields(reversed);
  on_packet(*decode(reversed), now);
}

void Client::on_packet(const Packet& packet, Instant now) {
  const Header& header = packet.header;
  if (header.flags.please_drop && !deviates(please_drop_ignored)) return;
  if (!header.flags.direction && !deviates(direction_ignored_on_receipt)) return;
  dead_ = dies_of(header, packet.payload);
  if (dead_ || header.client_session_hint != hint_) return;
  if (header.payload_type == PayloadType::session_open) return on_open_response(packet, now);
  if (state_ != State::open) return;
  if (header.session_token != token_ && !deviates(wrong_token_response_accepted)) return;
  if (header.payload_type == PayloadType::bad_session) return on_bad_session(now);
  const std::size_t index = addressed_channel(header);
  if (index == kNone) return;
  if (header.payload_type == PayloadType::data) on_data(index, packet, now);
  if (header.payload_type == PayloadType::ack) on_ack(index, packet, now);
  assign(now);
}

bool Client::dies_of(const Header& header, Octets payload) const {
  return (!is_assigned(header.payload_type) && deviates(reserved_type_dies)) ||
         (header.flags.reserved1 && deviates(reserved1_dies)) ||
         (header.payload_type == PayloadType::ack && payload.size() < layout::kAck && deviates(short_ack_dies));
}

// The channel whose current RPC, or last one until the next, the packet belongs to.
std::size_t Client::addressed_channel(const Header& header) const {
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

void Client::on_data(std::size_t index, const Packet& packet, Instant now) {
  Channel& channel = channels_[index];
  const Header& header = packet.header;
  if (header.frag_number >= header.total_frags) return;
  if (channel.state == Channel::State::sending) {  // the response acknowledges the whole request
    channel.state = Channel::State::receiving;
    channel.response.emplace(budget_, options_.max_message_octets,
                             ReassemblyFaults{.append_duplicates = deviates(duplicate_response_fragment_appended),
                                              .in_arrival_order = deviates(response_reorder_not_tolerated)});
  }
  if (!channel.response) return;
  const MessageReceiver::Outcome outcome =
      channel.response->take(header.frag_number, header.total_frags, packet.payload);
  using Outcome = MessageReceiver::Outcome;
  // What there is no room for counts as lost, so that a call which cannot complete is given up.
  if (outcome == Outcome::other_total || outcome == Outcome::over_budget) return;
  channel.heard(now + options_.interval);
  if (header.flags.request_ack) outbox_.send_ack(server_, header_for(index), *channel.response);
  if (channel.active() && (channel.response->complete() || deviates(partial_response_accepted))) complete(channel);
}

void Client::complete(Channel& channel) {
  channel.state = Channel::State::idle;
  channel.request.reset();
  reopens_ = 0;
  results_.push_back({channel.call, channel.response->release()});
}

void Client::on_ack(std::size_t index, const Packet& packet, Instant now) {
  Channel& channel = channels_[index];
  const std::optional<Ack> ack = decode_ack(packet.payload);
  if (!ack || channel.state != Channel::State::sending) return;
  const MessageSender::Acked acked = channel.request->acknowledge(*ack, now);
  dead_ = acked == MessageSender::Acked::past_end && deviates(ack_past_end_dies);
  if (acked != MessageSender::Acked::taken || dead_) return;
  channel.heard(now + options_.interval);
  if (!deviates(never_retransmits))
    for (const std::uint16_t number : channel.request->missing(now))
      send_fragment(index, channel.request->resend(number, now));
  send_new(index, now);
}

// ------------------------------------------------------------------------------------------------------- timers

std::optional<Instant> Client::deadline() const {
  if (dead_) return std::nullopt;
  std::optional<Instant> first;
  if (state_ == State::opening) first = open_timer_;
  for (const Channel& channel : channels_)
    if (channel.active() && (!first || channel.timer < *first)) first = channel.timer;
  return first;
}

void Client::advance(Instant now) {
  if (dead_) return;
  if (state_ == State::opening) advance_open(now);
  for (std::size_t index = 0; index < channels_.size(); ++index) advance_channel(index, now);
  assign(now);
}

void Client::advance_channel(std::size_t index, Instant now) {
  Channel& channel = channels_[index];
  if (!channel.active() || now < channel.timer) return;
  channel.timer = now + options_.interval;
  ++channel.silence;
  if (channel.silence > options_.silent_intervals && !deviates(never_gives_up)) return give_up(channel);
  if (channel.state == Channel::State::sending) return resend(index, now);
  if (channel.silence >= options_.intervals_before_ack && !deviates(no_unsolicited_ack))
    outbox_.send_ack(server_, header_for(index), *channel.response);
}

// What is missing of a request after a silent interval; where nothing is, its last fragment, so that a lost answer
// comes back.
void Client::resend(std::size_t index, Instant now) {
  if (deviates(never_retransmits)) return;
  MessageSender& request = *channels_[index].request;
  std::vector<std::uint16_t> numbers = deviates(resends_everything) ? request.all_sent() : request.overdue(now);
  if (numbers.empty())
    numbers.push_back(request.acknowledged() ? static_cast<std::uint16_t>(request.total() - 1)
                                             : request.first_unacknowledged());
  for (const std::uint16_t number : numbers) send_fragment(index, request.resend(number, now));
}

// The channel is not used again: the server may never have seen the RPC, and would then refuse the next one (R13).
void Client::give_up(Channel& channel) {
  const bool partial = channel.state == Channel::State::receiving;
  results_.push_back(
      {channel.call,
       tl::unexpected(
           CallError{CallError::Reason::unanswered,
                     std::string(partial ? "the rest of the response did not come" : "the request was not answered") +
                         " after " + std::to_string(options_.silent_intervals) + " silent intervals; gave up"})});
  channel.state = Channel::State::retired;
  channel.request.reset();
  channel.response.reset();
}

}  // namespace wirelaw::ramcloud
