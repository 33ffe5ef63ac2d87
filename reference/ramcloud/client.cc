// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/client.h"

#include <algorithm>
#include <utility>

namespace wirelaw::ramcloud {
namespace {

// Any value is valid, since it is opaque to the server ("clientSessionHint"). One that uses all bits reveals
// alterations.
std::uint32_t fresh_hint(TokenSource& source) {
  return static_cast<std::uint32_t>(source.next() >> 32);
}

}  // namespace

Client::Client(const Options& options, std::uint64_t seed, PeerId server, std::unique_ptr<Outbox> outbox)
    : options_(options), budget_(options.reassembly_octets), server_(server), outbox_(std::move(outbox)), hints_(seed) {
  hint_ = fresh_hint(hints_);
}

bool Client::next_datagram(Outgoing& out) {
  return outbox_->next(out);
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
    finish(id, {CallError::Reason::request_too_long,
                "the request has " + std::to_string(request.size()) + " octets, more than 65535 fragments of " +
                    std::to_string(options_.fragment_octets) + " octets can carry"});
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
}

void Client::send_open() {
  outbox_->send(server_, {.session_token = kNoToken,
                          .client_session_hint = hint_,
                          .server_session_hint = kNoServerHint,
                          .payload_type = PayloadType::session_open});
}

void Client::advance_open(Instant now) {
  if (now < open_timer_) return;
  open_timer_ = now + options_.interval;
  if (!tries_again(open_tries_)) {
    forget_session();
    return fail_all(CallError::Reason::session_unanswered,
                    "no answer to " + std::to_string(open_tries_) + " session open requests; gave up");
  }
  ++open_tries_;
  send_open();
}

// The next session has another hint, so that late packets cannot be mistaken for its own.
void Client::forget_session() {
  state_ = State::closed;
  channels_.clear();
  hint_ = fresh_hint(hints_);
}

void Client::fail_all(CallError::Reason reason, const std::string& text) {
  for (const Call& call : std::exchange(waiting_, {})) finish(call.id, {reason, text});
}

void Client::on_open_response(const Packet& packet, Instant now) {
  const std::optional<std::uint8_t> announced = decode_open_response(packet.payload);
  if (!announced || state_ != State::opening) return;
  state_ = State::open;
  token_ = packet.header.session_token;
  server_hint_ = packet.header.server_session_hint;
  announced_ = *announced;
  // Safe whether the octet is the largest id or the number of channels (RAMCLOUD/R1).
  channels_.resize(std::clamp(announced_, 1u, std::max(1u, options_.channels)));
  for (std::size_t index = 0; index < channels_.size(); ++index) channels_[index].next_rpc = first_rpc(index);
  assign(now);
}

// PT_BAD_SESSION: every RPC without a response is restarted in a new session (RAMCLOUD/R27), up to a limit.
void Client::on_bad_session(Instant now) {
  if (state_ != State::open) return;
  std::vector<Call> unfinished;
  for (Channel& channel : channels_)
    if (channel.active()) unfinished.push_back({channel.call, channel.request->release()});
  std::sort(unfinished.begin(), unfinished.end(), [](const Call& one, const Call& two) { return one.id < two.id; });
  waiting_.insert(waiting_.begin(), std::make_move_iterator(unfinished.begin()),
                  std::make_move_iterator(unfinished.end()));
  forget_session();
  if (waiting_.empty()) return;
  if (!reopens()) {
    const std::string times = std::to_string(std::exchange(reopens_, 0) + 1);
    return fail_all(CallError::Reason::session_refused,
                    "the server called " + times + " sessions invalid in a row; gave up");
  }
  ++reopens_;
  open(now);
}

// ------------------------------------------------------------------------------------------------ the channels

Header Client::header_for(std::size_t index) {
  return {.session_token = token_,
          .rpc_id = channels_[index].rpc_id,
          .client_session_hint = hint_,
          .server_session_hint = server_hint_,
          .channel_id = wire_channel(index)};
}

std::size_t Client::free_channel() const {
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
  channel.state = Channel::State::sending;
  channel.rpc_id = channel.next_rpc++;
  channel.call = call.id;
  channel.request.emplace(std::move(call.request), options_);
  channel.response.reset();
  channel.end_silence(now + options_.interval);
  send_new(index, now);
}

void Client::send_new(std::size_t index, Instant now) {
  while (const std::optional<Fragment> fragment = channels_[index].request->next_new(now))
    send_fragment(index, *fragment);
}

void Client::send_fragment(std::size_t index, const Fragment& fragment) {
  outbox_->send_fragment(server_, header_for(index), fragment);
}

// -------------------------------------------------------------------------------------------- receiving a packet

void Client::receive(Octets octets, Instant now) {
  const auto packet = decode(octets);
  if (packet && admits(*packet)) on_packet(*packet, now);
}

bool Client::admits(const Packet& packet) {
  return !packet.header.flags.please_drop && packet.header.flags.direction;
}

void Client::on_packet(const Packet& packet, Instant now) {
  const Header& header = packet.header;
  if (header.client_session_hint != hint_) return;
  if (header.payload_type == PayloadType::session_open) return on_open_response(packet, now);
  if (state_ != State::open || !has_token(header)) return;
  if (header.payload_type == PayloadType::bad_session) return on_bad_session(now);
  const std::size_t index = addressed_channel(header);
  if (index == kNone) return;
  if (header.payload_type == PayloadType::data) on_data(index, packet, now);
  if (header.payload_type == PayloadType::ack) on_ack(index, packet, now);
  assign(now);
}

std::size_t Client::addressed_channel(const Header& header) const {
  for (std::size_t index = 0; index < channels_.size(); ++index) {
    const Channel& channel = channels_[index];
    const bool in_use = channel.active() || channel.response;
    if (in_use && header.channel_id == wire_channel(index) && header.rpc_id == channel.rpc_id) return index;
  }
  return kNone;
}

std::unique_ptr<MessageReceiver> Client::make_receiver() {
  return std::make_unique<MessageReceiver>(budget_, options_.max_message_octets);
}

void Client::on_data(std::size_t index, const Packet& packet, Instant now) {
  Channel& channel = channels_[index];
  const Header& header = packet.header;
  if (header.frag_number >= header.total_frags) return;
  if (channel.state == Channel::State::sending) {  // the response acknowledges the whole request
    channel.state = Channel::State::receiving;
    channel.response = make_receiver();
  }
  if (!channel.response) return;
  const MessageReceiver::Outcome outcome =
      channel.response->take(header.frag_number, header.total_frags, packet.payload);
  using Outcome = MessageReceiver::Outcome;
  // A fragment without room counts as lost, so that a call that cannot complete is given up.
  if (outcome == Outcome::other_total || outcome == Outcome::over_budget) return;
  channel.end_silence(now + options_.interval);
  if (header.flags.request_ack) outbox_->send_ack(server_, header_for(index), *channel.response);
  if (channel.active() && is_whole(*channel.response)) complete(channel);
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
  if (take_ack(channel, *ack, now) != MessageSender::Acked::taken) return;
  channel.end_silence(now + options_.interval);
  resend_missing(index, now);
  send_new(index, now);
}

MessageSender::Acked Client::take_ack(Channel& channel, const Ack& ack, Instant now) {
  return channel.request->acknowledge(ack, now);
}

void Client::resend_missing(std::size_t index, Instant now) {
  MessageSender& request = *channels_[index].request;
  for (const std::uint16_t number : request.missing(now)) send_fragment(index, request.resend(number, now));
}

// ------------------------------------------------------------------------------------------------------- timers

std::optional<Instant> Client::deadline() const {
  std::optional<Instant> first;
  if (state_ == State::opening) first = open_timer_;
  for (const Channel& channel : channels_)
    if (channel.active() && (!first || channel.timer < *first)) first = channel.timer;
  return first;
}

void Client::advance(Instant now) {
  if (state_ == State::opening) advance_open(now);
  for (std::size_t index = 0; index < channels_.size(); ++index) advance_channel(index, now);
  assign(now);
}

void Client::advance_channel(std::size_t index, Instant now) {
  Channel& channel = channels_[index];
  if (!channel.active() || now < channel.timer) return;
  channel.timer = now + options_.interval;
  if (!tries_again(channel.silence++)) return give_up(channel);
  if (channel.state == Channel::State::sending) return resend(index, now);
  if (channel.silence >= options_.intervals_before_ack) report_missing(index);
}

void Client::report_missing(std::size_t index) {
  outbox_->send_ack(server_, header_for(index), *channels_[index].response);
}

// After a silent interval, resends the missing fragments of a request; if none is missing, its last fragment, to which
// the server repeats a lost response.
void Client::resend(std::size_t index, Instant now) {
  MessageSender& request = *channels_[index].request;
  std::vector<std::uint16_t> numbers = overdue(request, now);
  if (numbers.empty())
    numbers.push_back(request.acknowledged() ? static_cast<std::uint16_t>(request.total() - 1)
                                             : request.first_unacknowledged());
  for (const std::uint16_t number : numbers) send_fragment(index, request.resend(number, now));
}

std::vector<std::uint16_t> Client::overdue(const MessageSender& request, Instant now) const {
  return request.overdue(now);
}

// Does not use the channel again: the server may never have seen the RPC, and would then refuse the next one
// (RAMCLOUD/R13).
void Client::give_up(Channel& channel) {
  const bool partial = channel.state == Channel::State::receiving;
  const std::string what = partial ? "the rest of the response did not come" : "the request was not answered";
  finish(channel.call, {CallError::Reason::unanswered,
                        what + " after " + std::to_string(options_.silent_intervals) + " silent intervals; gave up"});
  channel.state = Channel::State::retired;
  channel.request.reset();
  channel.response.reset();
}

}  // namespace wirelaw::ramcloud
