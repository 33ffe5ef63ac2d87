// SPDX-License-Identifier: Apache-2.0
// Transactions (RFC 3018 7.2): collected, and executed all at once or not at all.
#include <algorithm>

#include "reference/umsp/chains/receiver.h"
#include "reference/umsp/chains/time.h"

namespace wirelaw::umsp {

void ChainReceiver::collect(Number number, Chain& chain, const Piece& piece) {
  if (piece.link.bases > 0 && !may_set_base(chain)) return refuse(number, ChainRefusal::base);
  adopt_base(chain, piece.link);
  if (chain.bases > 1 && !may_set_base(chain)) return refuse(number, ChainRefusal::base);
  hold(chain.collected, encode(piece.instruction));
  if (piece.link.ends) on_transaction_complete(number, chain);
}

// Any one of the instructions may set the base, once, for all of them.
bool ChainReceiver::may_set_base(const Chain& chain) const {
  return chain.bases < 1;
}

void ChainReceiver::on_transaction_complete(Number number, Chain& chain) {
  chain.complete = true;
  if (chain.terms.after_sending || chain.answer.executed) return execute_transaction(number);
  set_due(number, chain, time_of(chain));
}

// The time begins when the transaction is complete.
std::optional<Instant> ChainReceiver::time_of(const Chain& chain) const {
  if (chain.terms.time == 0) return std::nullopt;
  return now_ + chain.terms.time * kTransactionUnit;
}

// EXEC_TR can overtake the transaction on another connection.
void ChainReceiver::on_exec(Number number, const Instruction& request) {
  Chain* const chain = find(number);
  if (chain == nullptr || chain->kind != ChainKind::transaction || chain->terms.after_sending)
    return refuse_request(request, ChainRefusal::unknown_chain);
  const bool overtakes = arrival_.connection != chain->connection && !chain->answer.executed;
  if (!chain->complete && !overtakes) return refuse_request(request, ChainRefusal::not_complete);
  if (request.header.ask) chain->answer.executed = request.header.req_id;
  if (chain->complete) execute_transaction(number);
}

void ChainReceiver::on_cancel(Number number) {
  const Chain* const chain = find(number);
  if (chain == nullptr || chain->kind != ChainKind::transaction) return;
  if (chain->complete)
    drop(number);
  else
    drop_rest(number);
}

void ChainReceiver::on_transaction_over(Number number) {
  if (find(number)->terms.obligatory) return execute_transaction(number);
  refuse(number, ChainRefusal::time_over);
}

bool ChainReceiver::may_execute(const std::vector<Collected>& all, const Chain& chain) const {
  return std::ranges::all_of(all, [&](const Collected& one) {
    return is_response(one.instruction.opcode()) ||
           executor_.can_execute(one.instruction, circumstances(chain, one.link));
  });
}

void ChainReceiver::execute_transaction(Number number) {
  Chain& chain = *find(number);
  OctetBuffer octets = std::move(chain.collected);
  std::vector<Collected> all;
  for (Octets rest = octets; !rest.empty();) {
    auto instruction = decode(rest, kUnlimited);
    if (!instruction) break;  // they were encoded from instructions
    rest = rest.subspan(static_cast<std::size_t>(instruction->octets()));
    const ChainLink link = read_link(*instruction, static_cast<std::uint16_t>(all.size()), options_.address_octets);
    all.push_back({std::move(*instruction), link});
  }
  const bool may = may_execute(all, chain);
  if (may)
    for (const Collected& one : all) execute(one.instruction, circumstances(chain, one.link), chain.answer);
  forget(octets);
  if (!may) return refuse(number, ChainRefusal::not_executed);
  conclude(number, true);
}

}  // namespace wirelaw::umsp
