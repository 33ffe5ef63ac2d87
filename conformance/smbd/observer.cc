// SPDX-License-Identifier: Apache-2.0
// Applies the checks of the sections to the facts of the tracker, in the order of a message's layout and then of the
// state.
#include "conformance/smbd/observer.h"

#include "conformance/smbd/2.2-syntax/syntax.h"
#include "conformance/smbd/2.2.1-negotiate-request/negotiate_request.h"
#include "conformance/smbd/2.2.2-negotiate-response/negotiate_response.h"
#include "conformance/smbd/2.2.3-data-transfer/data_transfer.h"
#include "conformance/smbd/3.1.4.2-send/send.h"
#include "conformance/smbd/3.1.4.5-write/write.h"
#include "conformance/smbd/3.1.4.6-read/read.h"
#include "conformance/smbd/3.1.5.1-sending/sending.h"
#include "conformance/smbd/3.1.5.2-sending-request/sending_request.h"
#include "conformance/smbd/3.1.5.3-sending-response/sending_response.h"
#include "conformance/smbd/3.1.5.4-segments/segments.h"
#include "conformance/smbd/3.1.5.6-receiving-request/receiving_request.h"
#include "conformance/smbd/3.1.5.7-receiving-response/receiving_response.h"
#include "conformance/smbd/3.1.5.8-receiving-data/receiving_data.h"
#include "conformance/smbd/3.1.5.9-credits/credits.h"
#include "conformance/smbd/3.1.7.2-arrival/arrival.h"
#include "conformance/smbd/fields.h"
#include "conformance/smbd/promptness.h"
#include "conformance/smbd/tracker/tracker.h"

namespace wirelaw::smbd {
namespace {

class SmbdObserver final : public Observer {
 public:
  void observe(const Delivery& delivery, Judge& judge) override;
  void finish(Judge& judge) override {
    for (const OwedFact& fact : tracker_.finish(judge.now_ns())) check_owed(judge, fact);
  }
  std::uint64_t messages() const override { return tracker_.messages(); }
  std::string partial() const override { return std::string(tracker_.partial()); }
  std::size_t memory() const override { return tracker_.memory(); }

 private:
  Tracker tracker_;
};

void check_move(Judge& judge, const MoveFact& move) {
  check_read_write_size(judge, move);
  if (!move.is_lent) return;
  if (move.is_write)
    check_write(judge, move);
  else
    check_read(judge, move);
}

void check_after_failure(Judge& judge, const Facts& facts) {
  const bool is_end = facts.delivery.event == Delivery::Event::ended;
  if (facts.sender == Role::responder) check_failure_is_last(judge, is_end);
  if (facts.sender == Role::initiator) check_silent_after_failure(judge, is_end);
}

void check_request(Judge& judge, const Facts& facts) {
  const Message& message = facts.message();
  const auto request = decode_negotiate_request(message.octets);
  if (!check_request_whole(judge, message) || !request) return;
  if (!check_version_order(judge, request->min_version, request->max_version)) return;
  if (check_request_range(judge, *request)) check_request_versions(judge, *request);
  check_request_reserved(judge, *request);
  check_request_values(judge, *request);
  check_trailing(judge, request->trailing, message.octets.size());
}

void check_success(Judge& judge, const NegotiateResponse& response, const ResponseFact& fact) {
  check_response_values(judge, response, fact);
  check_negotiated_version(judge, response);
  check_response_limits(judge, response, fact);
  if (fact.owed_refusal) check_request_refused(judge, *fact.owed_refusal);
  check_grant_within_target(judge, fact.grant, response.credits_granted, in_response(Field::credits_granted));
}

void check_failure(Judge& judge, const NegotiateResponse& response, const ResponseFact& fact) {
  check_failure_fields(judge, response);
  check_failure_status(judge, response);
  if (fact.owed_refusal) check_failure_after_request(judge, *fact.owed_refusal, response);
}

void check_response(Judge& judge, const Facts& facts) {
  const Message& message = facts.message();
  const auto response = decode_negotiate_response(message.octets);
  if (!check_response_answers(judge, *facts.response) || !check_response_whole(judge, message) || !response) return;
  if (!check_version_order(judge, response->min_version, response->max_version)) return;
  if (check_response_range(judge, *response)) check_response_versions(judge, *response);
  check_response_reserved(judge, *response);
  check_trailing(judge, response->trailing, message.octets.size());
  if (response->status == status::kSuccess)
    check_success(judge, *response, *facts.response);
  else
    check_failure(judge, *response, *facts.response);
}

void check_payload(Judge& judge, const Facts& facts, const TransferFact& transfer) {
  const DataTransfer& data = transfer.data;
  check_data_fields(judge, data);
  const bool has_length = check_length_of_none(judge, data, facts.length());
  if (has_length && data.is_empty()) {
    check_within_receive(judge, facts, transfer);
    return check_empty(judge, facts, transfer);
  }
  if (has_length) check_data_place(judge, data, facts.length());
  if (!transfer.segment) return;
  check_within_receive(judge, facts, transfer);
  check_segment(judge, data, *transfer.segment);
  check_fragments(judge, data, *transfer.segment);
  check_trailing(judge, data.trailing, facts.message().octets.size());
}

void check_transfer(Judge& judge, const Facts& facts) {
  if (facts.accepted) check_transfer_refused(judge, *facts.accepted);
  if (!check_data_order(judge, facts.message().octets) || !check_data_whole(judge, facts.message())) return;
  if (!facts.transfer) return;
  const TransferFact& transfer = *facts.transfer;
  if (transfer.token_invalidated_twice) check_invalidated_once(judge, *transfer.token_invalidated_twice);
  check_payload(judge, facts, transfer);
  if (transfer.is_listener_granted) check_first_grant(judge, *transfer.is_listener_granted);
  if (transfer.credit) check_send_credit(judge, transfer.data, *transfer.credit);
  if (transfer.asking) check_flag_once(judge, transfer.data, *transfer.asking);
  check_grant(judge, transfer.data, transfer.grant);
}

void check_message(Judge& judge, const Facts& facts) {
  if (facts.begins_with_data) {
    if (facts.sender == Role::initiator)
      check_request_first(judge, *facts.begins_with_data);
    else
      check_response_first(judge, *facts.begins_with_data);
  }
  if (facts.ignored_refusal) check_response_refused(judge, *facts.ignored_refusal);
  if (facts.is_another_negotiation) check_negotiates_once(judge, *facts.is_another_negotiation);
  if (facts.is_established) check_only_established(judge, *facts.is_established);
  if (facts.missing_refusal)
    if (const auto response = decode_negotiate_response(facts.message().octets))
      check_short_request_unanswered(judge, *facts.missing_refusal, *response);
  switch (facts.kind) {
    case Kind::request:
      return check_request(judge, facts);
    case Kind::response:
      return check_response(judge, facts);
    case Kind::transfer:
      return check_transfer(judge, facts);
    case Kind::after_failure:
      return check_after_failure(judge, facts);
    case Kind::unread:
      return;
  }
}

void SmbdObserver::observe(const Delivery& delivery, Judge& judge) {
  const Facts facts = tracker_.follow(delivery);
  for (const OwedFact& fact : facts.owed) check_owed(judge, fact);
  if (delivery.event == Delivery::Event::message)
    judge.found(delivery.message);
  else if (facts.move || facts.kind == Kind::after_failure)
    judge.at(delivery.message);
  if (facts.move) {
    if (facts.accepted) check_transfer_refused(judge, *facts.accepted);
    check_move(judge, *facts.move);
  }
  check_message(judge, facts);
  if (facts.answer) check_owed(judge, *facts.answer);
}

}  // namespace

std::unique_ptr<Observer> make_observer(const ObserverLimits&) {
  return std::make_unique<SmbdObserver>();
}

}  // namespace wirelaw::smbd
