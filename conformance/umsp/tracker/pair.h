// SPDX-License-Identifier: Apache-2.0
// Two nodes and all their connections (RFC 3018 3, 3.4, UMSP/B31). Each connection is judged by its own instructions.
// If they do not explain an instruction, the other connections are searched for a session that was opened there, or a
// request that was sent there. TCP keeps no order between two connections, so rules on the order of instructions are
// not judged for a session that uses several.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "conformance/association.h"
#include "conformance/umsp/tracker/seen.h"

namespace wirelaw::umsp {

class Pair final : public Association {
 public:
  static constexpr std::size_t kMostJoined = 32;  // connections at once; further ones are judged alone

  bool has_flows() const override { return !joined_.empty(); }
  // `one` must live until leave(), and has no pair yet.
  void enter(Connection& one, bool turned);
  // The connection has ended. Its state is kept for later connections.
  void leave(Connection& one);

  // Calls `look(there, turned)` with each of the others until it returns true, and then returns true. `turned`: side a
  // there is side b here.
  template <class Look>
  bool look(const Connection& here, const Look& look) {
    for (Connection* const there : joined_)
      if (there != &here && look(*there, there->turned != here.turned)) return true;
    for (Connection& there : kept_)
      if (look(there, there.turned != here.turned)) return true;
    return false;
  }
  // Returns true if one of the connections has a gap, so the state that another one shows may be out of date.
  bool is_broken() const;
  // Returns true if the two nodes have another open connection.
  bool has_another_open(const Connection& here) const;
  bool is_alone() const { return joined_.size() + kept_.size() < 2; }
  // Returns true if the nodes have had only one connection so far, counting those of which nothing is kept.
  bool is_first() const { return entered_ < 2; }
  // Returns true if all connections of the two nodes so far were seen completely and are kept.
  bool is_all_seen() const;
  std::size_t memory() const;  // octets of the connections kept

 private:
  std::uint64_t entered_ = 0;  // number of connections so far
  std::vector<Connection*> joined_;
  std::deque<Connection> kept_;  // ended connections, the latest first
  bool has_lost_ = false;        // an ended connection had a gap
  bool has_forgotten_ = false;   // an ended connection was dropped, or there was no room for one
};

constexpr Side turned(Side side, bool is_turned) {
  return is_turned ? other(side) : side;
}

// Returns true if `look` does for one of the other connections. Searches none if this connection has a gap, and skips
// those with a gap, because their state may be out of date.
template <class Look>
bool look_elsewhere(const Connection& here, const Look& look) {
  if (here.pair == nullptr || here.pair->is_alone() || here.is_broken()) return false;
  return here.pair->look(here,
                         [&](Connection& there, bool turned) { return !there.is_broken() && look(there, turned); });
}

// Returns true if all connections of the two nodes were seen completely (UMSP/B31). If the capture is complete, an
// instruction that none of them has shown was not sent.
bool is_all_seen(const Connection& here);
// Same, and one of them has shown the beginning of the session.
bool is_all_seen(const Connection& here, const ObservedSession& session);
// Same, and the two nodes have had no other connection so far. TCP does not order two connections.
bool is_only_one(const Connection& here);
// Returns true if no earlier instruction of the session can have used another connection: it began on this one, and the
// capture has shown no other connection of the two nodes so far (UMSP/B31).
bool is_all_here(const Connection& here, const ObservedSession& session);
// Finds the session to which `owner` has assigned this identifier on another connection, and adds it to this one;
// nullptr if there is none. Call it if this connection has no session with this identifier, or an ended one; in the
// latter case only a session that has not ended counts.
ObservedSession* import_session(Connection& here, Side owner, std::uint32_t id);
// Calls `look(there, session, turned)` with the session on each other connection that has it, until that returns true,
// and then returns true.
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
// Returns true if another connection has carried an instruction of this chain, or may have, because TCP does not order
// the two.
bool has_chain_elsewhere(const Connection& here, const ObservedSession& session, Side sender, std::uint16_t number);
// Copies the stage of the session, and the side that ended it, to all connections that have the session.
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
