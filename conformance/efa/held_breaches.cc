// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/held_breaches.h"

#include <algorithm>

namespace wirelaw::efa {
namespace {

constexpr std::size_t kMostHeld = 64;             // breaches of each kind that wait
constexpr std::int64_t kTransitNs = 100'000'000;  // nothing is in transit for this long (EFA/A-40)

using Awaited = std::optional<PresenceFact::Awaited>;
struct Row {
  std::string_view rule;
  // The endpoint whose replacement would explain a breach of the rule. for_sender: it has shown two connids. for_peer:
  // it may have announced something else. for_either: a new sender has not received the HANDSHAKE. nullptr: the rule is
  // broken by two packets with one message ID, and by nothing else.
  Awaited PresenceFact::*awaited = nullptr;
  bool may_be_doubled = false;  // a duplicate of one packet also breaks it
};
constexpr Row kRows[] = {
    {"EFA-1.4-4", &PresenceFact::for_sender},
    {"EFA-4.4-1", &PresenceFact::for_sender},
    {"EFA-4.4-2", &PresenceFact::for_sender},
    {"EFA-2.1-21", &PresenceFact::for_peer},
    {"EFA-2.1-22", &PresenceFact::for_peer},
    {"EFA-2.1-23", &PresenceFact::for_peer},
    {"EFA-2.1-24", &PresenceFact::for_peer},
    {"EFA-2.2-2", &PresenceFact::for_either},
    {"EFA-4.3-1", &PresenceFact::for_either},
    {"EFA-4.4-4", &PresenceFact::for_either},
    {"EFA-4.4-5", &PresenceFact::for_either},
    {"EFA-4.4-6", &PresenceFact::for_either},
    {"EFA-3.2-1", nullptr, true},
    {"EFA-3.2-40"},
    {"EFA-3.2-43", nullptr, true},
    {"EFA-3.2-44"},
    {"EFA-3.2-45"},
    {"EFA-4.2-6"},
    {"EFA-4.5-4"},
    {"EFA-4.5-5"},
    {"EFA-4.5-6"},
    {"EFA-4.5-7"},
    {"EFA-4.5-9", nullptr, true},
    {"EFA-4.5-10"},
};

}  // namespace

void HeldBreaches::hold(std::span<const HeldBack> all_held, const PresenceFact& fact) {
  for (const HeldBack& held : all_held) {
    const auto row = std::ranges::find(kRows, held.rule->id, &Row::rule);
    if (row == std::end(kRows)) continue;
    if (row->awaited == nullptr) {
      if (fact.is_of_one_sender && !(fact.may_be_doubled && row->may_be_doubled) && of_messages_.size() < kMostHeld)
        of_messages_.push_back({held, fact.sender});
    } else if (const Awaited& awaited = fact.*row->awaited; awaited && of_endpoints_.size() < kMostHeld) {
      of_endpoints_.push_back({held, fact.time_ns, *awaited});
    }
  }
}

void HeldBreaches::settle(Judge& judge, std::span<const HeldBack> all_held, const PresenceFact& fact) {
  if (beginnings_ != fact.beginnings) of_messages_.clear();
  beginnings_ = fact.beginnings;
  hold(all_held, fact);
  if (!fact.connid) return;
  for (const OfMessage& one : of_messages_)
    if (one.sender != fact.sender && fact.is_kept)
      judge.settle(one.held, "both sides have shown the same connids before and since: neither has been replaced");
  std::erase_if(of_messages_, [&](const OfMessage& one) { return one.sender != fact.sender; });
  const auto is_settled = [](const OfEndpoint& one) { return !one.awaited[0] && !one.awaited[1]; };
  for (OfEndpoint& one : of_endpoints_) {
    auto& own = one.awaited[static_cast<std::size_t>(fact.sender)];
    if (own != fact.connid || fact.time_ns - one.time_ns < kTransitNs) continue;
    own.reset();
    if (is_settled(one)) settle_of_same_endpoint(judge, {&one.held, 1});
  }
  std::erase_if(of_endpoints_, is_settled);
}

void settle_of_same_endpoint(Judge& judge, std::span<const HeldBack> all_held) {
  for (const HeldBack& held : all_held)
    judge.settle(held, "long before and long since the same connid was shown: no endpoint has been replaced");
}

}  // namespace wirelaw::efa
