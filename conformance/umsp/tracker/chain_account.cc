// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/chain_account.h"

#include <algorithm>

#include "conformance/umsp/tracker/pair.h"

namespace wirelaw::umsp {

ObservedChain* add_chain(const Seen& seen, SessionHalf& half, std::uint16_t number) {
  Connection& connection = seen.connection;
  const auto found = half.chains.find(number);
  if (found != half.chains.end()) return &(found->second = {});
  if (connection.chains >= kMostObservedChains) {
    half.chains_forgotten = true;
    if (connection.partial.empty()) connection.partial = "more chains than are looked after";
    return nullptr;
  }
  ++connection.chains;
  return &half.chains[number];
}

void pass_fragmented(ObservedChain& chain) {
  auto& numbers = chain.fragmented;
  for (; !numbers.empty() && *numbers.begin() <= chain.next; numbers.erase(numbers.begin()))
    chain.next = std::max(chain.next, *numbers.begin() + std::uint32_t{1});
}

void note_fragmented(ObservedChain& chain, std::uint16_t number) {
  if (number >= chain.next) chain.fragmented.insert(number);
  if (chain.fragmented.size() > kMostFragmented) chain.next = *chain.fragmented.begin();
  pass_fragmented(chain);
}

bool waits_for_exec(const ObservedChain& chain) {
  return chain.execute_later && !chain.executed && !chain.revoked;
}

void remember_finished(Connection& connection, SessionHalf& half, std::uint16_t number) {
  half.finished.push_back(number);
  if (half.finished.size() <= kMostFinishedChains) return;
  const auto oldest = half.chains.find(half.finished.front());
  half.finished.erase(half.finished.begin());
  half.chains_forgotten = true;
  if (oldest == half.chains.end()) return;
  const bool over = (oldest->second.ended && !waits_for_exec(oldest->second)) || oldest->second.cancelled;
  if (!over) return;
  half.chains.erase(oldest);
  --connection.chains;
}

CarriedChain* carried_of(const Seen& seen, SessionHalf& half, std::uint16_t number) {
  const auto found = half.carried.find(number);
  if (found != half.carried.end()) return &found->second;
  // With one connection, there is nothing to combine.
  if (seen.connection.pair == nullptr || seen.connection.pair->is_alone()) return nullptr;
  if (half.carried.size() >= kMostCarried) {
    half.carried_forgotten = true;
    return nullptr;
  }
  CarriedChain& chain = half.carried[number];
  const auto before = half.chains.find(number);
  // The chain may be left from the time when there was one connection.
  chain.is_unknown = half.chains_forgotten || before != half.chains.end();
  return &chain;
}

void forget_carried(const Seen& seen, SessionHalf& half, std::uint16_t chain_number) {
  if (CarriedChain* const chain = carried_of(seen, half, chain_number)) chain->is_unknown = true;
}

bool is_without_more(const SeenInstruction& seen, std::size_t index) {
  const ExtensionHeader& header = seen.instruction.extensions[index];
  const OperandView view = locate(header);
  const Octets rest = header.data.subspan(std::min(view.padding_offset, header.data.size()));
  if (rest.empty()) return true;
  return rest.size() <= 3 && seen.before.may_have_border &&
         std::ranges::all_of(rest, [](Octet octet) { return octet == 0; });
}

}  // namespace wirelaw::umsp
