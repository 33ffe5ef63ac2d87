// SPDX-License-Identifier: Apache-2.0
#include "conformance/smbd/observer.h"

#include <algorithm>

#include "conformance/smbd/2.2-syntax/syntax.h"
#include "conformance/smbd/2.2.1-negotiate-request/negotiate_request.h"
#include "conformance/smbd/2.2.2-negotiate-response/negotiate_response.h"
#include "conformance/smbd/2.2.3-data-transfer/data_transfer.h"
#include "conformance/smbd/3.1.4.5-write/write.h"
#include "conformance/smbd/3.1.4.6-read/read.h"
#include "conformance/smbd/3.1.5.1-sending/sending.h"
#include "conformance/smbd/3.1.5.2-sending-request/sending_request.h"
#include "conformance/smbd/3.1.5.3-sending-response/rules.h"
#include "conformance/smbd/3.1.5.3-sending-response/sending_response.h"
#include "conformance/smbd/3.1.5.4-segments/segments.h"
#include "conformance/smbd/3.1.5.6-receiving-request/receiving_request.h"
#include "conformance/smbd/3.1.5.6-receiving-request/rules.h"
#include "conformance/smbd/3.1.5.7-receiving-response/receiving_response.h"
#include "conformance/smbd/3.1.5.8-receiving-data/rules.h"
#include "conformance/smbd/3.1.5.9-credits/credits.h"
#include "conformance/smbd/3.1.6-timer-events/rules.h"
#include "conformance/smbd/3.1.7.2-arrival/arrival.h"
#include "conformance/smbd/connection.h"
#include "conformance/smbd/duties.h"
#include "conformance/smbd/fields.h"

namespace wirelaw::smbd {
namespace {

class SmbdObserver final : public Observer {
 public:
  void observe(const Delivery& delivery, Judge& judge) override;
  void finish(Judge& judge) override { duties_.finish(judge.now_ns(), judge); }
  std::uint64_t messages() const override { return messages_; }
  std::string partial() const override { return std::string(partial_); }
  std::size_t memory() const override;

 private:
  void on_established(const Delivery& delivery);
  void on_message(const Delivery& delivery, Judge& judge);
  void on_moved(const Delivery& delivery, Judge& judge);
  void on_lost(std::string_view why);
  // The negotiation tells nothing of what follows.
  void give_up_negotiation();
  void on_ended(const Delivery& delivery, Judge& judge);

  // Where the trace shows no beginning, a message that can only be a negotiate message is one.
  void find_beginning(const Message& message);
  void on_first(const Delivery& delivery, Judge& judge);
  void on_request(const Message& message, Judge& judge);
  void on_response(const Message& message, Judge& judge);
  void on_success(const Message& message, const NegotiateResponse& response, Judge& judge);
  void on_failure(const Message& message, const NegotiateResponse& response, Judge& judge);
  void on_transfer(const Delivery& delivery, Judge& judge);
  void on_refused(const Message& message, Judge& judge);
  void judge_transfer(Seen& seen, Judge& judge);
  void keep_account(const Seen& seen, Judge& judge);
  void keep_alive(const Seen& seen, Judge& judge);

  Connection connection_;
  Duties duties_;
  std::uint64_t messages_ = 0;
  std::string_view partial_ = "it begins behind the negotiation";
};

std::size_t SmbdObserver::memory() const {
  std::size_t octets = sizeof *this;
  for (const Way& way : connection_.ways)
    octets += way.lent.memory() + (way.negotiated ? way.negotiated->octets.capacity() : 0);
  return octets;
}

void SmbdObserver::observe(const Delivery& delivery, Judge& judge) {
  duties_.look(delivery.message.time_ns, judge);
  switch (delivery.event) {
    case Delivery::Event::established:
      return on_established(delivery);
    case Delivery::Event::message:
      return on_message(delivery, judge);
    case Delivery::Event::written:
    case Delivery::Event::read_requested:
      return on_moved(delivery, judge);
    case Delivery::Event::read_completed:
      return;
    case Delivery::Event::lost:
      return on_lost("messages are missing");
    case Delivery::Event::ended:
      return on_ended(delivery, judge);
  }
}

void SmbdObserver::on_established(const Delivery& delivery) {
  if (messages_ > 0 || delivery.message.index > 0) return;
  connection_.begin(delivery.initiator, true);
  partial_ = {};
  duties_.owe({.rule = &rule<"SMBD-3.1.6-1">,
               .debtor = other(delivery.initiator),
               .due = delivery.message.time_ns + kListenerWaits + kInFlight,
               .because = delivery.message,
               .expected = "the end of the connection",
               .why = "no Negotiate Request has come in time, or neither it nor that end was captured"});
}

void SmbdObserver::on_lost(std::string_view why) {
  partial_ = why;
  duties_.drop_all();
  if (connection_.stage == Stage::established)
    connection_.forget_credits();
  else
    connection_.forget_negotiation();
}

void SmbdObserver::give_up_negotiation() {
  partial_ = "the negotiation cannot be read";
  duties_.drop_all();
  connection_.forget_negotiation();
}

void SmbdObserver::on_ended(const Delivery& delivery, Judge& judge) {
  connection_.of(delivery.sender).ended = true;
  for (const Side side : {Side::a, Side::b}) {
    duties_.settle(rule<"SMBD-3.1.6-1">, side, judge);
    duties_.settle(rule<"SMBD-3.1.5.3-8">, side, judge);
  }
  duties_.finish(delivery.message.time_ns, judge);
  if (connection_.stage != Stage::refused) return;
  Message at = delivery.message;
  judge.at(at);
  if (connection_.of(delivery.sender).role == wirelaw::Role::responder) judge_failure_is_last(judge, true);
  if (connection_.of(delivery.sender).role == wirelaw::Role::initiator) judge_silent_after_failure(judge, true);
}

// RDMA operations. MPA begins with one without octets (RFC 6581), which is none of SMB Direct's.
void SmbdObserver::on_moved(const Delivery& delivery, Judge& judge) {
  if (delivery.remote.length == 0) return;
  judge.at(delivery.message);
  judge_read_write_size(judge, connection_.of(delivery.sender), delivery.remote.length);
  if (delivery.event == Delivery::Event::written)
    judge_write(judge, connection_, delivery);
  else
    judge_read(judge, connection_, delivery);
}

// -------------------------------------------------------------------------------------------------------- messages

void SmbdObserver::on_message(const Delivery& delivery, Judge& judge) {
  const Message& message = delivery.message;
  judge.found(message);
  if (!delivery.whole || message.is_cut()) on_lost("messages are not whole");
  find_beginning(message);
  ++messages_;
  Way& from = connection_.of(message.sender);
  const bool negotiates = connection_.stage == Stage::connected || connection_.stage == Stage::requested;
  if (negotiates && from.negotiated == std::nullopt) return on_first(delivery, judge);
  if (connection_.stage == Stage::refused) return on_refused(message, judge);
  if (delivery.whole && !message.is_cut()) on_transfer(delivery, judge);
}

void SmbdObserver::find_beginning(const Message& message) {
  if (messages_ > 0) return;
  if (message.index > 0) connection_.forget_negotiation();
  if (connection_.stage != Stage::unknown) return;
  if (is_request(message.octets)) {
    connection_.begin(message.sender, true);
    partial_ = {};
  } else if (is_response(message.octets)) {
    connection_.begin(other(message.sender), true);
    connection_.stage = Stage::requested;
    partial_ = "it begins with the Negotiate Response";
  }
}

// The first message of a side whose first message is due to be a negotiate message.
void SmbdObserver::on_first(const Delivery& delivery, Judge& judge) {
  const Message& message = delivery.message;
  const bool initiates = connection_.of(message.sender).role == wirelaw::Role::initiator;
  const bool is_data = is_transfer(message.octets) && !has_negotiated_versions(message.octets);
  initiates ? judge_request_first(judge, is_data) : judge_response_first(judge, is_data);
  if (!is_data) return initiates ? on_request(message, judge) : on_response(message, judge);
  give_up_negotiation();
  on_transfer(delivery, judge);
}

void SmbdObserver::on_request(const Message& message, Judge& judge) {
  const Side listener = other(message.sender);
  duties_.settle(rule<"SMBD-3.1.6-1">, listener, judge);
  judge.at(message);
  const auto request = decode_negotiate_request(message.octets);
  const bool is_whole = judge_request_whole(judge, message) && request;
  if (!is_whole || !judge_octet_order(judge, request->min_version, request->max_version)) {
    give_up_negotiation();
    if (!is_whole && !message.is_cut()) connection_.of(listener).must_end = &rule<"SMBD-3.1.5.6-3">;
    return;
  }
  const bool range = judge_request_range(judge, *request);
  if (range) judge_request_versions(judge, *request);
  judge_request_reserved(judge, *request);
  const bool taken = judge_request_values(judge, *request) && range;
  judge_trailing(judge, request->trailing, message.octets.size());
  Way& from = connection_.of(message.sender);
  const Octets fields = message.octets.first(describe(MessageType::negotiate_request).octets);
  from.negotiated = {.min_version = request->min_version,
                     .max_version = request->max_version,
                     .preferred_send_size = request->preferred_send_size,
                     .max_receive_size = request->max_receive_size,
                     .max_fragmented_size = request->max_fragmented_size,
                     .octets = {fields.begin(), fields.end()}};
  connection_.of(listener).receipts.begin(0, request->credits_requested);
  connection_.of(listener).must_end = rule_that_ends(*request);
  connection_.stage = Stage::requested;
  if (!taken || !connection_.from_start) return;
  duties_.owe(
      {.rule = &rule<"SMBD-3.1.5.6-19">,
       .debtor = listener,
       .due = message.time_ns + kPromptly,
       .because = message,
       .expected = "a Negotiate Response within 5 seconds",
       .why = "the connection goes on without one; or a long way, on which messages are repeated, explains it"});
}

void SmbdObserver::on_response(const Message& message, Judge& judge) {
  const bool requested = connection_.stage == Stage::requested;
  duties_.settle(rule<"SMBD-3.1.5.6-19">, message.sender, judge, message.time_ns);
  judge.at(message);
  const auto response = decode_negotiate_response(message.octets);
  const bool readable = judge_response_answers(judge, requested) && judge_response_whole(judge, message) && response &&
                        judge_octet_order(judge, response->min_version, response->max_version);
  if (!readable) return give_up_negotiation();
  if (judge_response_range(judge, *response)) judge_response_versions(judge, *response);
  judge_response_reserved(judge, *response);
  judge_trailing(judge, response->trailing, message.octets.size());
  response->status == status::kSuccess ? on_success(message, *response, judge) : on_failure(message, *response, judge);
}

void SmbdObserver::on_failure(const Message& message, const NegotiateResponse& response, Judge& judge) {
  judge_failure_fields(judge, response);
  judge_failure_status(judge, response);
  connection_.stage = Stage::refused;
  connection_.of(message.sender).negotiated.emplace();
  duties_.owe({.rule = &rule<"SMBD-3.1.5.3-8">,
               .debtor = message.sender,
               .due = message.time_ns + kPromptly,
               .because = message,
               .expected = "the end of the connection within 5 seconds",
               .why = "the connection is still there, unless its end was not captured"});
}

void SmbdObserver::on_success(const Message& message, const NegotiateResponse& response, Judge& judge) {
  Way& from = connection_.of(message.sender);
  Way& to = connection_.of(other(message.sender));
  const Negotiated* const request = to.negotiated ? &*to.negotiated : nullptr;
  judge_response_values(judge, response, request);
  judge_negotiated_version(judge, response);
  judge_response_limits(judge, response, request);
  judge_request_refused(judge, from);
  judge_grant_within_target(judge, from, to, response.credits_granted, in_response(Field::credits_granted));
  const Octets fields = message.octets.first(describe(MessageType::negotiate_response).octets);
  from.negotiated = {.min_version = response.min_version,
                     .max_version = response.max_version,
                     .preferred_send_size = response.preferred_send_size,
                     .max_receive_size = response.max_receive_size,
                     .max_fragmented_size = response.max_fragmented_size,
                     .max_read_write_size = response.max_read_write_size,
                     .octets = {fields.begin(), fields.end()}};
  to.receipts.begin(response.credits_granted, response.credits_requested);
  to.must_end = rule_that_ends(response, request);
  to.credits = response.credits_granted;
  to.was_granted = true;
  connection_.stage = Stage::established;
}

void SmbdObserver::on_refused(const Message& message, Judge& judge) {
  const wirelaw::Role role = connection_.of(message.sender).role;
  if (role == wirelaw::Role::responder) judge_failure_is_last(judge, false);
  if (role == wirelaw::Role::initiator) judge_silent_after_failure(judge, false);
}

void SmbdObserver::on_transfer(const Delivery& delivery, Judge& judge) {
  const Message& message = delivery.message;
  Way& from = connection_.of(message.sender);
  judge_response_refused(judge, from);
  if (!judge_negotiates_once(judge, from, message.octets)) return connection_.forget_credits();
  if (from.role == wirelaw::Role::initiator && from.transfers == 0 && connection_.stage != Stage::unknown)
    judge_only_established(judge, connection_.stage == Stage::established);
  if (from.role == wirelaw::Role::responder && from.must_end == &rule<"SMBD-3.1.5.6-3"> && is_response(message.octets))
    judge_request_refused(judge, from);
  // It may be a negotiate message with a fault, or a Negotiate Request that the trace has behind its Response.
  const bool may_negotiate =
      connection_.stage == Stage::unknown || (from.role == wirelaw::Role::initiator && !from.negotiated.has_value());
  if (may_negotiate && from.transfers == 0 && !is_transfer(message.octets)) return;
  if (connection_.stage == Stage::requested) {  // its credits are not those of this account
    connection_.forget_credits();
    ++from.transfers;
    return;
  }
  if (!judge_data_order(judge, message.octets)) return connection_.forget_credits();
  const auto data = decode_data_transfer(message.octets);
  if (!judge_data_whole(judge, message) || !data) {
    if (from.credits > 0) --from.credits;
    Way& to = connection_.of(other(message.sender));
    from.receipts.spend();
    to.receipts.pass(0, to.receipts.target());
    to.awaits_response = false;
    return;
  }
  Seen seen{.delivery = delivery, .data = *data, .connection = connection_};
  judge_transfer(seen, judge);
  keep_account(seen, judge);
  keep_alive(seen, judge);
  ++from.transfers;
  from.has_sent_payload |= data->data_length > 0;
}

void SmbdObserver::judge_transfer(Seen& seen, Judge& judge) {
  judge_data_fields(judge, seen);
  const bool has_length = judge_length_of_none(judge, seen);
  if (has_length && seen.data.is_empty()) return judge_empty(judge, seen);
  if (!has_length || !judge_data_place(judge, seen)) {
    seen.from().fragments = {};
    connection_.forget_lent();
    return;
  }
  judge_within_receive(judge, seen);
  judge_segment(judge, seen);
  judge_fragments(judge, seen);
  judge_trailing(judge, seen.data.trailing, seen.message().octets.size());
  seen.from().lent.take(seen.data.buffer, seen.data.remaining_data_length > 0, seen.to().lent);
  if (const auto token = seen.delivery.invalidated_stag) seen.to().lent.invalidate(*token);
}

void SmbdObserver::keep_account(const Seen& seen, Judge& judge) {
  Way& from = seen.from();
  Way& to = seen.to();
  from.receipts.spend();
  if (seen.delivery.may_miss == 0) from.receipts.prove_all();
  judge_first_grant(judge, seen);
  judge_send_credit(judge, seen);
  judge_flag_once(judge, seen);
  judge_grant(judge, seen);
  if (from.credits == 0)
    from.account_known = false;  // more were granted than the trace shows
  else
    --from.credits;
  to.receipts.pass(seen.data.credits_granted, seen.data.credits_requested);
  to.awaits_response = false;
  if (seen.data.requests_response()) {
    from.awaits_response = true;
    from.had_all_before = from.receipts.has_all();
  }
  if (seen.data.credits_granted == 0) return;
  to.credits += seen.data.credits_granted;
  to.was_granted = true;
}

// Any message answers; who has no credit cannot. An answer may ask again (SMBD/A4).
void SmbdObserver::keep_alive(const Seen& seen, Judge& judge) {
  const Way& to = seen.to();
  duties_.settle(rule<"SMBD-3.1.5.8-12">, seen.message().sender, judge, seen.message().time_ns);
  judge.at(seen.message());
  if (!seen.data.requests_response() || !to.account_known || to.credits == 0 || to.ended) return;
  duties_.owe({.rule = &rule<"SMBD-3.1.5.8-12">,
               .debtor = to.side,
               .due = seen.message().time_ns + kPromptly,
               .because = seen.message(),
               .expected = "a message within 5 seconds",
               .why = "the other side has asked for one; or a long way, on which messages are repeated, explains it"});
}

}  // namespace

std::unique_ptr<Observer> make_observer(const ObserverLimits&) {
  return std::make_unique<SmbdObserver>();
}

}  // namespace wirelaw::smbd
