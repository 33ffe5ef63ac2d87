// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/probes/initiator_probe.h"

#include <algorithm>
#include <utility>

namespace wirelaw::rdmap {

mpa::StartFrame InitiatorProbe::await_request(const TriggerRequest& trigger) {
  if (!ok()) return {};
  if (!run().trigger(trigger)) {
    stop();
    return {};
  }
  return next_request();
}

mpa::StartFrame InitiatorProbe::next_request() {
  if (!ok()) return {};
  const Response answer = next();
  const auto frame = answer.frame();
  if (!frame || frame->kind() != mpa::FrameKind::request) {
    inconclusive("the initiator sent no Request, so the case could not begin");
    return {};
  }
  request_octets_ = answer.octets;
  request_ = *mpa::decode_start_frame(request_octets_);
  const auto asked = request_.enhanced_data();
  indication_may_come_ = asked && asked->peer_to_peer && asked->rtr_send;
  return request_;
}

StartOptions InitiatorProbe::good_reply() const {
  StartOptions options{.revision = request_.revision};
  const auto asked = request_.enhanced_data();
  if (!asked) return options;
  // Chooses one of the kinds that it offers: a Write before a Send, because a Write takes no buffer; a Read last,
  // because it needs an answer.
  const bool write = asked->rtr_write;
  const bool send = !write && asked->rtr_send;
  const bool left_to_ulp_ird = asked->ird == mpa::kNoNegotiation, left_to_ulp_ord = asked->ord == mpa::kNoNegotiation;
  constexpr std::uint16_t kMost = 16;
  options.enhanced =
      mpa::EnhancedData{.peer_to_peer = asked->peer_to_peer,
                        .rtr_send = asked->peer_to_peer && send,
                        .ird = left_to_ulp_ord ? mpa::kNoNegotiation : std::max<std::uint16_t>(asked->ord, 1),
                        .rtr_write = asked->peer_to_peer && write,
                        .rtr_read = asked->peer_to_peer && !write && !send,
                        .ord = left_to_ulp_ird ? mpa::kNoNegotiation : std::min(asked->ird, kMost)};
  return options;
}

void InitiatorProbe::accept(const StartOptions& options) {
  const mpa::StartFrame reply = frame_of(mpa::FrameKind::reply, options);
  operate(reply, request_);
  indication_may_come_ = reply.enhanced && options.enhanced && options.enhanced->rtr_send;
  if (options != good_reply()) stimulates_own_rule();
  send_good_start(reply, private_data_of(options));
}

OctetBuffer InitiatorProbe::await_send() {
  while (ok()) {
    const auto message = next_send();
    if (std::exchange(indication_may_come_, false) && message && message->empty()) continue;
    if (message) return *message;
    inconclusive("the initiator sent no Send, so the case could not continue");
  }
  return {};
}

OctetBuffer InitiatorProbe::first_send(const TriggerRequest& trigger) {
  await_request(trigger);
  accept();
  return await_send();
}

void InitiatorProbe::echo(Octets data, const HeaderEdit& edit, const Faults& faults) {
  send(data, Opcode::send, edit, faults);
}

bool InitiatorProbe::expect_taken(const Rule& rule, std::string_view explanation) {
  if (!ok()) return false;
  const bool sent = next_send().has_value();
  const bool went_on = sent || last().is(Response::Kind::closed);
  return require(rule, went_on, "the next Send, or the connection closed in order", to_text(last()), explanation);
}

bool InitiatorProbe::expect_alive(const Rule& rule, std::string_view explanation) {
  if (!ok()) return false;
  // One failure may be due to the initiator's machine, for example a local port in use.
  constexpr int kTries = 2;
  for (int left = kTries; ok(); --left) {
    reconnect();
    if (!run().trigger({})) break;
    const Response answer = next();
    const auto frame = answer.frame();
    const bool came = frame && frame->kind() == mpa::FrameKind::request;
    if (came || left == 1) return require(rule, came, "a Request on a new connection", to_text(answer), explanation);
  }
  stop();
  return false;
}

}  // namespace wirelaw::rdmap
