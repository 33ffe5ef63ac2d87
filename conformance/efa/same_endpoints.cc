// SPDX-License-Identifier: Apache-2.0
#include "conformance/efa/same_endpoints.h"

#include <algorithm>

namespace wirelaw::efa {
namespace {

constexpr std::string_view kSameEndpoint =
    "long before and long since the same connid was shown: no endpoint has been replaced";

constexpr std::size_t kMost = 64;                 // waiting findings kept
constexpr std::int64_t kTransitNs = 100'000'000;  // nothing is in transit for this long (EFA/A-40)

// The endpoint whose replacement would explain a breach of the rule. `sender`: it has shown two connids. `peer`: it may
// have announced something else. `either`: a new sender has not received the HANDSHAKE.
enum class Replaced : std::uint8_t { sender, peer, either };
struct Row {
  std::string_view rule;
  Replaced who;
};
constexpr Row kRows[] = {
    {"EFA-1.4-4", Replaced::sender}, {"EFA-4.4-1", Replaced::sender}, {"EFA-4.4-2", Replaced::sender},
    {"EFA-2.1-21", Replaced::peer},  {"EFA-2.1-22", Replaced::peer},  {"EFA-2.1-23", Replaced::peer},
    {"EFA-2.1-24", Replaced::peer},  {"EFA-2.2-2", Replaced::either}, {"EFA-4.3-1", Replaced::either},
    {"EFA-4.4-4", Replaced::either}, {"EFA-4.4-5", Replaced::either}, {"EFA-4.4-6", Replaced::either},
};

bool is_past_transit(std::int64_t earlier_ns, std::int64_t later_ns) {
  return later_ns - earlier_ns >= kTransitNs;
}

std::size_t index_of(Side side) {
  return side == Side::a ? 0 : 1;
}

}  // namespace

void SameEndpoints::note_held(const HeldBack& held, const SeenPacket& seen, const TraceState& state, Connid said) {
  const auto row = std::ranges::find(kRows, held.rule->id, &Row::rule);
  if (row == std::end(kRows) || waiting_.size() == kMost) return;
  const std::size_t self = index_of(seen.sender()), peer = 1 - self;
  const std::int64_t now = seen.message.time_ns;
  Waiting one{held, now, {}};
  if (row->who == Replaced::sender) {
    // The packet contains another connid than its sender has long shown.
    const auto& first = endpoints_[self].first;
    if (!first || !said || *said == first->connid || !is_past_transit(first->time_ns, now)) return;
    one.awaited[self] = first->connid;
  } else {
    // It was sent after the only HANDSHAKE, which it contradicts.
    const auto& announced = endpoints_[peer].at_handshake;
    const bool is_behind = announced && is_past_transit(announced->time_ns, now);
    if (!is_behind || state.party(other(seen.sender())).handshakes != 1) return;
    one.awaited[peer] = announced->connid;
  }
  if (row->who == Replaced::either) {
    // The sender that has shown the connid for long has sent the answer itself.
    const auto& first = endpoints_[self].first;
    const auto& answer = state.party(seen.sender()).last_answer;
    if (!first || !answer || !is_past_transit(first->time_ns, answer->time_ns)) return;
    if (said && *said != first->connid) return;
    one.awaited[self] = first->connid;
  }
  waiting_.push_back(one);
}

void SameEndpoints::note_shown(Judge& judge, const SeenPacket& seen, const TraceState& state, std::uint32_t connid) {
  const std::size_t self = index_of(seen.sender());
  const std::int64_t now = seen.message.time_ns;
  for (Waiting& one : waiting_) {
    if (one.awaited[self] != connid || !is_past_transit(one.time_ns, now)) continue;
    one.awaited[self].reset();
    if (!one.awaited[1 - self]) judge.settle(one.held, kSameEndpoint);
  }
  std::erase_if(waiting_, [](const Waiting& one) { return !one.awaited[0] && !one.awaited[1]; });
  const Shown shown{connid, now};
  if (!endpoints_[self].first) endpoints_[self].first = shown;
  if (seen.type() == PacketType::handshake && state.party(seen.sender()).handshakes == 1)
    endpoints_[self].at_handshake = shown;
}

void SameEndpoints::settle_returned(Judge& judge, std::span<const HeldBack> all_held, Side side, std::uint32_t connid,
                                    std::int64_t time_ns) const {
  const auto& first = endpoints_[index_of(side)].first;
  if (!first || first->connid != connid || !is_past_transit(first->time_ns, time_ns)) return;
  for (const HeldBack& held : all_held) judge.settle(held, kSameEndpoint);
}

void SameEndpoints::settle(Judge& judge, std::span<const HeldBack> all_held, const SeenPacket& seen,
                           const TraceState& state, Connid connid) {
  for (const HeldBack& held : all_held) note_held(held, seen, state, connid);
  if (connid) note_shown(judge, seen, state, *connid);
}

}  // namespace wirelaw::efa
