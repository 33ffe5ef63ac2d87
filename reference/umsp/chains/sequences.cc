// SPDX-License-Identifier: Apache-2.0
// Sequences (RFC 3018 7.1), and the execution of instructions of chains.
#include "reference/umsp/chains/receiver.h"

namespace wirelaw::umsp {

void ChainReceiver::run(Number number, Chain& chain, const Piece& piece) {
  adopt_base(chain, piece.link);
  const bool executed = execute(piece.instruction, circumstances(chain, piece.link), chain.answer);
  if (!executed && stops_at_refusal()) {
    conclude(number, false);
    if (!piece.link.ends) dropped_.add(number);
    return;
  }
  if (piece.link.ends) conclude(number, true);
}

// The base of a sequence may change, and applies from the instruction that sets it (7.6).
void ChainReceiver::adopt_base(Chain& chain, const ChainLink& link) {
  if (link.base) chain.base = link.base;
  chain.bases += link.bases;
}

Circumstances ChainReceiver::circumstances(const Chain& chain, const ChainLink& link) const {
  Circumstances at = session_;
  at.base = chain.base;
  at.chained = true;
  at.life_time = link.life_time;
  return at;
}

// Returns false if it was refused. If the chain needs an answer, the VM responds to each instruction with the chain's
// REQ_ID.
bool ChainReceiver::execute(const Instruction& instruction, const Circumstances& at, Answer& answer) {
  if (is_response(instruction.opcode())) {
    take_response(instruction, at);
    return true;
  }
  Instruction asked = instruction;
  const auto req_id = answer.asks();
  if (req_id && !asked.header.ask) {
    asked.header.ask = true;
    asked.header.req_id = *req_id;
  }
  Execution execution = executor_.execute(asked, at, now_);
  const bool of_chain = req_id && asked.header.req_id == *req_id;
  if (execution.response) {
    if (of_chain)
      answer.add(std::move(*execution.response));
    else
      respond(std::move(*execution.response));
  } else if (execution.kind == Execution::Kind::under_way) {
    if (of_chain) ++answer.outstanding;
  } else if (execution.kind == Execution::Kind::refused) {
    if (of_chain)
      answer.add(make_response(Opcode::rsp, *req_id, codes_of(ChainRefusal::not_executed)));
    else
      refuse_request(asked, ChainRefusal::not_executed);
  }
  return execution.kind != Execution::Kind::refused;
}

}  // namespace wirelaw::umsp
