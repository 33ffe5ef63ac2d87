// SPDX-License-Identifier: Apache-2.0
#include "conformance/umsp/tracker/pair.h"

#include <algorithm>
#include <utility>

#include "conformance/umsp/tracker/requests.h"

namespace wirelaw::umsp {
namespace {

constexpr std::size_t kMostKept = 4;  // connections that have ended
constexpr std::size_t kMostKeptOctets = std::size_t{16} << 10;

// Swaps the sides of the session.
void turn(ObservedSession& session) {
  std::swap(session.halves[0], session.halves[1]);
  session.initiator = other(session.initiator);
  session.latest_open = other(session.latest_open);
  if (session.ended_by) session.ended_by = other(*session.ended_by);
  if (session.replaced_by) session.replaced_by = other(*session.replaced_by);
}

// The state of a session that a connection takes from another one: without chains, because one may have begun there.
ObservedSession copy_of(const ObservedSession& session, bool is_turned) {
  ObservedSession copy = session;
  if (is_turned) turn(copy);
  copy.stage_is_here = false;
  copy.replaced_by.reset();
  for (SessionHalf& half : copy.halves) {
    half.chains.clear();
    half.finished.clear();
    half.chains_forgotten = false;
    half.carried.clear();
    half.carried_forgotten = false;
    half.buffers_asked.clear();
    half.buffers_granted.clear();
    half.grants = half.later_executed = half.above_window = 0;
    half.buffers_forgotten = false;
  }
  return copy;
}

bool has_in_use(Connection& here, Side owner, std::uint32_t id) {
  const ObservedSession* const own = here.find_session(owner, id);
  return own != nullptr && own->stage != SessionStage::over;
}

ObservedSession& add(Connection& here, ObservedSession session) {
  const std::uint64_t number = here.next_session++;
  for (const Side side : {Side::a, Side::b})
    if (const auto& id = session.half(side).id; id && !has_in_use(here, side, *id))
      name_session(here, side, *id, number);  // a session of this connection is preferred unless it is over
  if (session.gjid) here.sessions_of_job[job_key(*session.gjid)].push_back(number);
  return here.sessions[number] = std::move(session);
}

// Returns true if both sides use the same identifiers for the two sessions: one was opened after the other had ended.
bool has_names_of(const ObservedSession& here, const ObservedSession& there, bool is_turned) {
  return here.half(Side::a).id == there.half(turned(Side::a, is_turned)).id &&
         here.half(Side::b).id == there.half(turned(Side::b, is_turned)).id;
}

// Notes identifiers of the session that this connection uses for other sessions. Each is ambiguous and finds neither
// session from then on.
bool takes_doubled(Connection& here, const ObservedSession& session) {
  bool any = false;
  for (const Side side : {Side::a, Side::b}) {
    const std::size_t of = side == Side::a ? 0 : 1;
    const auto& id = session.half(side).id;
    if (!id || !has_in_use(here, side, *id)) continue;
    here.doubled[of].insert(*id);
    here.session_by_id[of].erase(*id);
    any = true;
  }
  if (any) here.sessions_forgotten = true;
  if (any && here.partial.empty()) here.partial = "an identifier was given to two sessions";
  return any;
}

}  // namespace

void Pair::enter(Connection& one, bool turned) {
  ++entered_;
  if (joined_.size() >= kMostJoined) {
    has_forgotten_ = true;
    return;
  }
  one.pair = this;
  one.turned = turned;
  joined_.push_back(&one);
}

void Pair::leave(Connection& one) {
  std::erase(joined_, &one);
  one.pair = nullptr;
  for (Direction& direction : one.directions) direction.held = {};
  has_lost_ |= one.is_broken();
  has_forgotten_ |= one.memory() > kMostKeptOctets || kept_.size() == kMostKept;
  if (one.is_broken() || one.memory() > kMostKeptOctets) return;
  if (kept_.size() == kMostKept) kept_.pop_back();
  kept_.push_front(std::move(one));
}

bool Pair::is_broken() const {
  return has_lost_ || std::ranges::any_of(joined_, [](const Connection* one) { return one->is_broken(); });
}

bool Pair::is_all_seen() const {
  // A connection of which nothing was seen yet has carried nothing.
  const auto is_whole = [](const Connection& one) {
    const bool is_one_sided = one.messages > 0 && one.directions[0].seen != one.directions[1].seen;
    return !one.datagrams && !one.sessions_forgotten && !one.is_broken() && !is_one_sided;
  };
  return !has_lost_ && !has_forgotten_ && std::ranges::all_of(kept_, is_whole) &&
         std::ranges::all_of(joined_, [&](const Connection* one) { return is_whole(*one); });
}

bool Pair::has_another_open(const Connection& here) const {
  return std::ranges::any_of(joined_, [&](const Connection* one) {
    return one != &here && !(one->directions[0].ended && one->directions[1].ended);
  });
}

std::size_t Pair::memory() const {
  std::size_t octets = 0;
  for (const Connection& one : kept_) octets += one.memory();
  return octets;
}

bool is_all_seen(const Connection& here) {
  return here.pair != nullptr && here.is_all_seen() && here.pair->is_all_seen();
}

bool is_only_one(const Connection& here) {
  return is_all_seen(here) && here.pair->is_first();
}

bool is_all_here(const Connection& here, const ObservedSession& session) {
  return is_all_seen(here, session) && here.pair->is_first() && !session.is_several;
}

bool is_all_seen(const Connection& here, const ObservedSession& session) {
  return session.from_start && is_all_seen(here);
}

bool has_chain_elsewhere(const Connection& here, const ObservedSession& session, Side sender, std::uint16_t number) {
  return look_for_session_elsewhere(here, session, [&](Connection&, const ObservedSession& there, bool is_turned) {
    const SessionHalf& half = there.half(turned(sender, is_turned));
    return half.chains_forgotten || half.chains.contains(number);
  });
}

ObservedSession* import_session(Connection& here, Side owner, std::uint32_t id) {
  if (here.pair == nullptr || here.pair->is_broken()) return nullptr;
  if (here.datagrams || here.sessions.size() >= kMostSessions) return nullptr;
  if (here.doubled[owner == Side::a ? 0 : 1].contains(id)) return nullptr;
  const ObservedSession* const own = here.find_session(owner, id);
  ObservedSession* found = nullptr;
  bool is_turned = false;
  // Uses an ended session only if there is no other.
  look_elsewhere(here, [&](Connection& there, bool other_way) {
    ObservedSession* const one = there.find_session(turned(owner, other_way), id);
    if (one == nullptr || (found != nullptr && one->stage == SessionStage::over)) return false;
    if (own != nullptr && (one->stage == SessionStage::over || has_names_of(*own, *one, other_way))) return false;
    found = one;
    is_turned = other_way;
    return one->stage != SessionStage::over;
  });
  if (found == nullptr) return nullptr;
  found->is_several = true;
  ObservedSession copy = copy_of(*found, is_turned);
  if (takes_doubled(here, copy)) return nullptr;
  return &add(here, std::move(copy));
}

void share_stage(Connection& here, const ObservedSession& session) {
  look_for_session_elsewhere(here, session, [&](Connection&, ObservedSession& one, bool is_turned) {
    if (one.stage != session.stage) one.stage_is_here = false;
    one.stage = session.stage;
    one.stage_ns = session.stage_ns;
    one.closing_accepted = session.closing_accepted;
    one.rejected = session.rejected;
    one.ended_by = session.ended_by;
    if (is_turned && one.ended_by) one.ended_by = other(*one.ended_by);
    return false;
  });
}

}  // namespace wirelaw::umsp
