// SPDX-License-Identifier: Apache-2.0
// A chain gets one answer, which is for all of its instructions (RFC 3018 7.5).
#include "reference/umsp/chains/receiver.h"

namespace wirelaw::umsp {

void ChainReceiver::respond(Draft response) {
  if (over_) return;
  actions_.push_back({Action::Kind::respond, std::move(response)});
}

// The peer's response to a request of this side's VM.
void ChainReceiver::take_response(const Instruction& response, const Circumstances& at) {
  executor_.on_response(response, at);
  actions_.push_back({Action::Kind::answered, draft_of(response, {})});
}

// Sends RSP_P for the layer's own reasons (4.1).
void ChainReceiver::refuse_request(const Instruction& request, ChainRefusal refusal) {
  if (!request.header.ask || is_response(request.opcode())) return;
  const Opcode name = class_of(request.opcode()) == OpcodeClass::management ? Opcode::rsp_p : Opcode::rsp;
  respond(make_response(name, request.header.req_id, codes_of(refusal)));
}

// The layer acknowledges chains that were in the window.
Draft ChainReceiver::answer_of(const Room& room, Draft response) const {
  if (room.buffer == Buffer::window && response.is(Opcode::rsp))
    response.opcode = static_cast<std::uint8_t>(Opcode::rsp_p);
  return response;
}

void ChainReceiver::give(const Room& room, const Answer& answer) {
  if (!answer.is_asked()) return;
  Draft best = answer.best ? *answer.best : make_response(Opcode::rsp, 0);
  best.req_id = answer.asks();
  const ReturnCodes codes = codes_of(best);
  respond(answer.req_id ? answer_of(room, std::move(best)) : std::move(best));
  if (answer.req_id && answer.executed && answer.executed != answer.req_id)
    respond(make_response(Opcode::rsp, *answer.executed, codes));
}

// Room in the window is free once the execution has been acknowledged.
void ChainReceiver::settle(Finishing& one, bool waits) {
  if (one.answer.given || (waits && one.answer.outstanding > 0)) return;
  one.answer.given = true;
  give(one.room, one.answer);
  release(one.room);
}

void ChainReceiver::conclude(Number number, bool waits) {
  Chain* const chain = find(number);
  if (chain == nullptr) return;
  Finishing one{std::exchange(chain->room, {}), std::exchange(chain->answer, {})};
  drop(number);
  settle(one, waits);
  if (one.answer.outstanding > 0) finishing_.push_back(std::move(one));
}

// Chains that are subordinated to another chain fail with it.
void ChainReceiver::refuse(Number number, ChainRefusal refusal) {
  Chain* const chain = find(number);
  if (chain == nullptr) return;
  const bool more = !chain->complete;
  const auto parent = chain->parent;
  Answer& answer = chain->answer;
  if (const auto req_id = answer.asks()) answer.add(make_response(Opcode::rsp, *req_id, codes_of(refusal)));
  conclude(number, false);
  if (more) dropped_.add(number);
  if (parent) refuse(parent->chain_number, refusal);
}

// ------------------------------------------------------------------------------------------------- later responses

bool ChainReceiver::add_late(Answer& answer, const Draft& response) {
  if (answer.outstanding == 0 || response.req_id != answer.asks()) return false;
  --answer.outstanding;
  answer.add(response);
  return true;
}

bool ChainReceiver::executed(const Draft& response, Instant now) {
  now_ = now;
  if (!response.req_id || over_) return false;
  for (auto one = finishing_.begin(); one != finishing_.end(); ++one) {
    if (!add_late(one->answer, response)) continue;
    settle(*one, true);
    if (one->answer.outstanding == 0) finishing_.erase(one);
    return true;
  }
  for (auto& [number, chain] : chains_) {
    if (!add_late(chain.answer, response)) continue;
    if (!codes_of(response).positive() && stops_at_refusal()) {
      dropped_.add(number);
      conclude(number, false);
    }
    return true;
  }
  return false;
}

}  // namespace wirelaw::umsp
