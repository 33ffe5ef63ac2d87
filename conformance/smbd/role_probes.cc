// SPDX-License-Identifier: Apache-2.0
// The parts of a probe that depend on the role of the IUT: opening a connection, and the negotiation.
#include <algorithm>
#include <utility>

#include "conformance/smbd/probe.h"

namespace wirelaw::smbd {

ListenerProbe::ListenerProbe(CaseRun& run) : Probe(run, kIut) {
  post_receives();
  begin();
}

NegotiateRequest ListenerProbe::good_request() {
  return {.credits_requested = kTarget,
          .preferred_send_size = kPreferredSize,
          .max_receive_size = kReceiveSize,
          .max_fragmented_size = kFragmentedSize};
}

void ListenerProbe::send_request(const NegotiateRequest& request) {
  request_ = request;
  request_.trailing = {};
  Probe::send(encode(request));
}

Response ListenerProbe::await_response() {
  Response response = next();
  if (!response.is_message()) return response;
  const auto decoded = decode_negotiate_response(response.octets);
  if (!decoded) return response;
  response_ = *decoded;
  response_.trailing = {};
  // Whatever it could receive, no message is longer than our PreferredSendSize (3.1.5.4, 3.1.5.6).
  const std::uint32_t most = std::max(request_.preferred_send_size, kLeastMaxReceiveSize);
  if (response_.status == status::kSuccess)
    establish(response_.credits_granted, 0, std::min(response_.max_receive_size, most), response_.max_fragmented_size);
  return response;
}

void ListenerProbe::negotiate(const NegotiateRequest& request) {
  send_request(request);
  const Response response = await_response();
  if (!ok() || most_to_send() >= kLeastMaxReceiveSize) return;
  inconclusive("the negotiation failed: " + to_text(response));
}

bool ListenerProbe::expect_served_anew(const Rule& rule, std::string_view explanation) {
  constexpr int kTries = 3;  // attempts before silence counts: a peer that is slow once is not dead
  for (int attempt = 1; ok(); ++attempt) {
    ListenerProbe other(run());
    other.send_request(good_request());
    const Response response = other.await_response();
    if (!other.ok()) return false;
    if (other.most_to_send() > 0) return other.expect_alive(rule, explanation);
    if (response.is_message() || attempt == kTries)
      return require(rule, false, "a new connection is negotiated", to_text(response), explanation);
  }
  return false;
}

InitiatorProbe::InitiatorProbe(CaseRun& run, const TriggerRequest& trigger, Unread) : Probe(run, kIut) {
  if (!ok()) return;
  static_cast<void>(run.trigger(trigger));
  post_receives();
  if (begin()) static_cast<void>(below().accept());
  // A connection that ends before its first message may come from an earlier request of the initiator's upper layer
  // that was cancelled, such as a mount that has just failed. The connection requested now follows it.
  constexpr int kTries = 3;
  for (int attempt = 1; ok(); ++attempt) {
    first_ = next();
    if (!first_->ended() || attempt == kTries || !begin_another(in(run.answer_time()))) return;
    if (begin()) static_cast<void>(below().accept());
  }
}

InitiatorProbe::InitiatorProbe(CaseRun& run, const TriggerRequest& trigger) : InitiatorProbe(run, trigger, Unread{}) {
  const Response response = await_request();
  if (!response.is_message() || !decode_negotiate_request(response.octets))
    inconclusive("no Negotiate Request comes: " + to_text(response));
}

Response InitiatorProbe::await_request() {
  Response response = first_ ? *std::exchange(first_, std::nullopt) : next();
  if (const auto decoded = decode_negotiate_request(response.octets)) {
    request_ = *decoded;
    request_.trailing = {};
  }
  return response;
}

NegotiateResponse InitiatorProbe::good_response() {
  return {.negotiated_version = kVersion1,
          .credits_requested = kTarget,
          .credits_granted = kTarget,
          .max_read_write_size = kFragmentedSize,
          .preferred_send_size = kReceiveSize,
          .max_receive_size = kReceiveSize,
          .max_fragmented_size = kFragmentedSize};
}

void InitiatorProbe::send_response(const NegotiateResponse& response) {
  response_ = response;
  response_.trailing = {};
  Probe::send(encode(response));
}

void InitiatorProbe::negotiate(const NegotiateResponse& response) {
  if (!ok()) return;
  NegotiateResponse fitting = response;
  fitting.preferred_send_size = std::min(response.preferred_send_size, request().max_receive_size);
  send_response(fitting);
  // The initiator lowers its MaxReceiveSize to the tester's PreferredSendSize (3.1.5.7).
  const std::uint32_t receive_size = std::max(std::min(request().max_receive_size, fitting.preferred_send_size),
                                              std::min(request().max_receive_size, kLeastMaxReceiveSize));
  establish(0, fitting.credits_granted, receive_size, request().max_fragmented_size);
}

// Sometimes its upper layer cancels a new connection, for example after a failed mount.
bool InitiatorProbe::expect_served_anew(const Rule& rule, std::string_view explanation) {
  constexpr int kTries = 3;
  for (int attempt = 1; ok(); ++attempt) {
    InitiatorProbe other(run());
    other.negotiate();
    if (!ok()) return false;
    std::string actual;
    const Answer answer = other.serve_a_turn(actual);
    if (answer != Answer::refused || attempt == kTries) return other.require_taken(rule, answer, actual, explanation);
  }
  return false;
}

}  // namespace wirelaw::smbd
