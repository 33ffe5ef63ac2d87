// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/exchange_account.h"

#include <utility>

namespace wirelaw::umsp {
namespace {

constexpr std::uint64_t key_of(std::uint32_t session, std::uint32_t req_id) {
  return std::uint64_t{session} << 32 | req_id;
}

}  // namespace

bool ExchangeAccount::ask(Side asker, std::uint32_t session, std::uint32_t req_id, const std::optional<Asked>& asked) {
  bool& overflown = overflown_[asker == Side::a ? 0 : 1];
  BySession& waiting = of(asker);
  if (overflown) return false;
  if (waiting.size() >= kMostAsked) {
    overflown = true;
    waiting.clear();
    return false;
  }
  Waiting& one = waiting[key_of(session, req_id)];
  one.asked = one.count == 0 ? asked : std::nullopt;
  ++one.count;
  return true;
}

Answered ExchangeAccount::answer(Side asker, std::uint32_t session, std::uint32_t req_id) {
  BySession& waiting = of(asker);
  const auto found = waiting.find(key_of(session, req_id));
  if (found == waiting.end()) return {};
  const Answered answered{.waited = true, .asked = std::exchange(found->second.asked, std::nullopt)};
  if (--found->second.count == 0) waiting.erase(found);
  return answered;
}

void ExchangeAccount::forget(Side asker, std::uint32_t session) {
  BySession& waiting = of(asker);
  waiting.erase(waiting.lower_bound(key_of(session, 0)), waiting.upper_bound(key_of(session, ~std::uint32_t{0})));
}

void ExchangeAccount::clear() {
  for (BySession& waiting : waiting_) waiting.clear();
  overflown_ = {};
}

std::size_t ExchangeAccount::memory() const {
  constexpr std::size_t kNode = 4 * sizeof(void*);  // overhead of a map node
  return size() * (sizeof(BySession::value_type) + kNode);
}

}  // namespace wirelaw::umsp
