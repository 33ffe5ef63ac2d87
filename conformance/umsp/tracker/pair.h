// SPDX-License-Identifier: Apache-2.0
// Two nodes and all their connections (RFC 3018 3, 3.4, UMSP/B31). Each connection is judged by what it shows itself;
// where that does not explain an instruction, the others are asked: a session that was opened there, a request that was
// sent there. TCP keeps no order between two connections, so that what rests on the order of instructions is not judged
// of a session that several carry.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "conformance/association.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

class Pair final : public Association {
 public:
  static constexpr std::size_t kMostJoined = 32;  // connections at once; more are judged alone

  bool has_flows() const override { return !joined_.empty(); }
  // `one` outlives its time here, and has no pair yet.
  void enter(Connection& one, bool turned);
  // It has ended: what it has shown is kept for later connections.
  void leave(Connection& one);

  // Calls `look(there, turned)` with each of the others until it gives true, which is given back. `turned`: side a
  // there is side b here.
  template <class Look>
  bool look(const Connection& here, const Look& look) {
    for (Connection* const there : joined_)
      if (there != &here && look(*there, there->turned != here.turned)) return true;
    for (Connection& there : kept_)
      if (look(there, there.turned != here.turned)) return true;
    return false;
  }
  // Something that one of them has carried is missing: what another one shows may be over.
  bool is_broken() const;
  // The two nodes have a connection beside this one.
  bool has_another_open(const Connection& here) const;
  bool is_alone() const { return joined_.size() + kept_.size() < 2; }
  // The nodes have had no other connection than one so far, not even one of which nothing is kept.
  bool is_first() const { return entered_ < 2; }
  // All connections that the two nodes have had so far were seen whole, and are remembered.
  bool is_all_seen() const;
  std::size_t memory() const;  // of what is kept

 private:
  std::uint64_t entered_ = 0;  // connections
  std::vector<Connection*> joined_;
  std::deque<Connection> kept_;  // that have ended, the latest first
  bool has_lost_ = false;        // something of one that has ended
  bool has_forgotten_ = false;   // one that has ended, or that there was no room for
};

constexpr Side turned(Side side, bool is_turned) {
  return is_turned ? other(side) : side;
}

// Gives whether one of the other connections has it. None is asked where anything of this one is missing, and none of
// which anything is: what they show may be over.
template <class Look>
bool look_elsewhere(const Connection& here, const Look& look) {
  if (here.pair == nullptr || here.pair->is_alone() || here.is_broken()) return false;
  return here.pair->look(here,
                         [&](Connection& there, bool turned) { return !there.is_broken() && look(there, turned); });
}

// All connections of the two nodes were seen whole (UMSP/B31). What none of them has shown is missing, as far as the
// capture is complete.
bool is_all_seen(const Connection& here);
// The same, and one of them has shown the session's beginning.
bool is_all_seen(const Connection& here, const ObservedSession& session);
// A rule that is broken if something of the instruction's session is absent on all connections: a breach if the capture
// has the session from its beginning and all of these connections whole, a warning otherwise. The caller has looked for
// it on the others.
template <class... Evidence>
bool require_anywhere(Judge& judge, const Seen& seen, const Rule& rule, bool holds, const Evidence&... evidence) {
  return seen.session != nullptr && is_all_seen(seen.connection, *seen.session)
             ? judge.require(rule, holds, evidence...)
             : judge.advise(rule, holds, evidence...);
}
// A rule that is broken if what the capture has shown of a job or task has not ended: likewise.
template <class... Evidence>
bool require_if_all_seen(Judge& judge, const Seen& seen, const Rule& rule, bool holds, const Evidence&... evidence) {
  return is_all_seen(seen.connection) ? judge.require(rule, holds, evidence...)
                                      : judge.advise(rule, holds, evidence...);
}

// Nothing that the session's instructions sent before this one can be on another connection: it began on this one, and
// the capture has had no other one of the two nodes so far (UMSP/B31).
bool is_all_here(const Connection& here, const ObservedSession& session);
// A rule that is broken if the sender of the instruction has not sent something before it: a breach if that can be on
// no other connection, as TCP does not order two; a warning otherwise.
template <class... Evidence>
bool require_here(Judge& judge, const Seen& seen, const Rule& rule, bool holds, const Evidence&... evidence) {
  return seen.session != nullptr && is_all_here(seen.connection, *seen.session)
             ? judge.require(rule, holds, evidence...)
             : judge.advise(rule, holds, evidence...);
}

// The session that `owner` calls so on another connection, which this one has from now on too; nullptr where there is
// none. This connection has no session of that name, or one that is over: then only another one that is not over.
ObservedSession* import_session(Connection& here, Side owner, std::uint32_t id);
// Calls `look(there, session, turned)` with the session on each other connection that has it, until that gives true,
// which is given back.
template <class Look>
bool look_for_session_elsewhere(const Connection& here, const ObservedSession& session, const Look& look) {
  if (!session.is_several) return false;
  return look_elsewhere(here, [&](Connection& there, bool is_turned) {
    for (const Side side : {Side::a, Side::b}) {
      const auto& id = session.half(side).id;
      ObservedSession* const one = id ? there.find_session(turned(side, is_turned), *id) : nullptr;
      if (one != nullptr && one->is_several) return look(there, *one, is_turned);
    }
    return false;
  });
}
// Another connection has carried an instruction of this chain, or may have: TCP does not order the two.
bool has_chain_elsewhere(const Connection& here, const ObservedSession& session, Side sender, std::uint16_t number);
// Whether it is open, and who has ended it, goes for all connections that have it.
void share_stage(Connection& here, const ObservedSession& session);

// Calls `act(node, is_here)` with the account of this side's node on each connection.
template <class Act>
void for_each_account(const Seen& seen, Side side, const Act& act) {
  act(seen.connection.management.of(side), true);
  look_elsewhere(seen.connection, [&](Connection& there, bool is_turned) {
    act(there.management.of(turned(side, is_turned)), false);
    return false;
  });
}

}  // namespace wirelaw::umsp
