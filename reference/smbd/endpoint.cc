// SPDX-License-Identifier: Apache-2.0
// The beginning and the end of a connection, its timers, and the upper layer's queue.
#include "reference/smbd/endpoint.h"

#include <algorithm>
#include <utility>

namespace wirelaw::smbd {
namespace {

// Memory for an event in addition to its octets.
constexpr std::size_t kEventOctets = 64;

std::size_t octets_of(const Event& event) {
  const auto* const received = std::get_if<Received>(&event);
  return kEventOctets + (received == nullptr ? 0 : received->data.size());
}

}  // namespace

Endpoint::Endpoint(Role role, const Options& options, Registrar& registrar)
    : role_(role),
      options_(options),
      registrar_(registrar),
      max_send_size_(options.max_send_size),
      max_receive_size_(options.max_receive_size),
      max_read_write_size_(role == Role::responder ? options.max_read_write_size : 0),
      credits_(options.receive_credit_max, options.keeps_last_credit),
      reassembly_(options.max_fragmented_recv_size) {}

// 3.1.4.1, 3.1.7.2
void Endpoint::begin(Instant now) {
  if (phase_ != Phase::idle) return;
  now_ = now;
  phase_ = Phase::negotiating;
  negotiation_due_ = now + (role_ == Role::initiator ? options_.initiator_negotiation : options_.listener_negotiation);
  work_.emplace_back(PostReceive{first_receive()});
}

void Endpoint::connected(Instant now) {
  begin(now);
  now_ = now;
  if (phase_ == Phase::negotiating && role_ == Role::initiator && !std::exchange(requested_, true)) send_request();
}

// ------------------------------------------------------------------------------------------------------------- timers

std::optional<Instant> Endpoint::deadline() const {
  if (ended()) return std::nullopt;
  std::optional<Instant> first;
  for (const auto& due : {negotiation_due_, idle_due_, grant_due_, close_due_})
    if (due && (!first || *due < *first)) first = due;
  return first;
}

void Endpoint::advance(Instant now) {
  now_ = now;
  const auto expired = [&](std::optional<Instant>& due) {
    if (ended() || !due || *due > now) return false;
    due.reset();
    return true;
  };
  if (expired(negotiation_due_)) on_negotiation_timeout();
  if (expired(close_due_)) terminate(Reason::close_timeout);
  if (expired(idle_due_)) on_idle();
  if (expired(grant_due_)) grant_wanted_ = true;
  flush();
}

// ------------------------------------------------------------------------------------------------------------ the end

void Endpoint::terminate(Reason reason, std::uint32_t nt_status) {
  if (ended()) return;
  report(Terminated{reason, nt_status});
  end(true);
}

void Endpoint::end(bool abortive) {
  phase_ = Phase::ended;
  queue_.clear();
  queued_octets_ = 0;
  work_.emplace_back(Disconnect{abortive});
}

void Endpoint::close(Instant now) {
  if (ended()) return;
  now_ = now;
  if (phase_ != Phase::established) {
    report(Terminated{Reason::closed_by_upper_layer, 0});
    return end(false);
  }
  closing_ = true;
  if (!close_due_) close_due_ = now + options_.close_timeout;
  settle_close();
}

void Endpoint::settle_close() {
  if (!closing_ || phase_ != Phase::established || !queue_.empty() || !transfers_.empty()) return;
  report(Terminated{Reason::closed_by_upper_layer, 0});
  end(false);
}

void Endpoint::abort(Instant now) {
  now_ = now;
  terminate(Reason::closed_by_upper_layer);
}

// 3.1.7.1
void Endpoint::disconnected(Instant now) {
  now_ = now;
  if (std::exchange(lost_, true)) return;
  phase_ = Phase::ended;
  work_.clear();
  fail_all();
  report(Disconnected{});
}

// Everything for which the upper layer waits fails with the connection.
void Endpoint::fail_all() {
  std::vector<MessageId> messages;
  for (const auto& [work, message] : sends_)
    if (message) messages.push_back(*message);
  for (const Queued& one : queue_) messages.push_back(one.id);
  std::ranges::sort(messages);
  for (const MessageId id : messages) report(Sent{id, false});
  std::vector<TransferId> transfers;
  for (const auto& entry : transfers_) transfers.push_back(entry.first);
  std::ranges::sort(transfers);
  for (const TransferId id : transfers) report(Transferred{id, false});
  sends_.clear();
  queue_.clear();
  queued_octets_ = 0;
  pieces_.clear();
  transfers_.clear();
}

// --------------------------------------------------------------------------------------------- work, events, messages

bool Endpoint::next_work(Work& out) {
  if (work_.empty()) return false;
  out = std::move(work_.front());
  work_.pop_front();
  return true;
}

void Endpoint::report(Event event) {
  backlog_ += octets_of(event);
  events_.push_back(std::move(event));
}

bool Endpoint::next_event(Event& out) {
  if (events_.empty()) return false;
  out = std::move(events_.front());
  events_.pop_front();
  backlog_ -= octets_of(out);
  flush();  // credits may have been withheld
  return true;
}

void Endpoint::completed(WorkId id, bool ok, Instant now) {
  now_ = now;
  if (const auto piece = pieces_.find(id); piece != pieces_.end()) {
    const TransferId transfer = piece->second;
    pieces_.erase(piece);
    complete_piece(transfer, ok);
    if (!ok) terminate(Reason::transfer_failed);
    return settle_close();
  }
  const auto send = sends_.find(id);
  if (send == sends_.end()) return;
  if (send->second) report(Sent{*send->second, ok});
  sends_.erase(send);
  if (!ok) terminate(Reason::send_failed);
}

void Endpoint::post_send(OctetBuffer octets, std::optional<Token> invalidate, std::optional<MessageId> completes) {
  const WorkId id = next_work_id_++;
  sends_.emplace(id, completes);
  work_.emplace_back(PostSend{id, std::move(octets), invalidate});
}

// 3.1.4.2
tl::expected<MessageId, SendError> Endpoint::send(OctetBuffer message, std::optional<Token> invalidate) {
  if (phase_ != Phase::established || closing_) return tl::unexpected(SendError::not_established);
  if (message.size() > max_fragmented_send_size_) return tl::unexpected(SendError::too_long);
  if (!message.empty() && fragment_octets(message.size()) == 0) return tl::unexpected(SendError::no_room);
  if (queued_octets_ + message.size() > options_.queue_octets) return tl::unexpected(SendError::queue_full);
  const MessageId id = next_message_++;
  queued_octets_ += message.size();
  queue_.push_back({.id = id, .data = std::move(message), .invalidate = invalidate});
  flush();
  return id;
}

// 3.1.4.7
Parameters Endpoint::parameters() const {
  return {.max_send_size = max_send_size_,
          .max_fragmented_send_size = max_fragmented_send_size_,
          .max_receive_size = max_receive_size_,
          .max_read_write_size = max_read_write_size_,
          .keepalive_interval = options_.keepalive_interval};
}

}  // namespace wirelaw::smbd
