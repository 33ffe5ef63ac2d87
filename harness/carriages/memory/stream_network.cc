// SPDX-License-Identifier: Apache-2.0
#include "harness/carriages/memory/stream_network.h"

#include <algorithm>

namespace wirelaw {
namespace {

constexpr bool kToPeer = true;
constexpr bool kToTester = !kToPeer;

constexpr StreamEvent event_of(Ending ending) {
  return ending == Ending::reset ? StreamEvent::reset : StreamEvent::closed;
}

}  // namespace

PeerId StreamNetwork::open(bool by_peer) {
  connections_.emplace_back();
  const PeerId id = connections_.size() - 1;
  carry_event(by_peer ? kToTester : kToPeer, id, StreamEvent::opened);
  return id;
}

PeerId StreamNetwork::connect() {
  return open(false);
}

bool StreamNetwork::trigger(const TriggerRequest& request) {
  const PeerId id = connections_.size();
  if (!peer().trigger(id, request, now())) return false;
  open(true);
  drain_peer();
  return true;
}

void StreamNetwork::serve_peer() {
  // A peer that never has enough is stopped here: each round costs it a connection, and a case only has so many.
  constexpr std::size_t kConnections = 4096;
  while (connections_.size() < kConnections && peer().next_connection()) open(true);
}

tl::expected<std::optional<PeerId>, CarriageError> StreamNetwork::accept(Instant deadline) {
  const auto made = run_until(deadline, [&] { return !made_by_peer_.empty(); });
  if (!made) return tl::unexpected(made.error());
  if (!*made) return std::nullopt;
  const PeerId id = made_by_peer_.front();
  made_by_peer_.pop_front();
  return id;
}

void StreamNetwork::carry(bool to_peer, PeerId id, Octets octets) {
  while (!octets.empty()) {
    const auto most = static_cast<double>(std::max<std::size_t>(impairments().cut, 1));
    const std::size_t length = std::min(octets.size(), 1 + static_cast<std::size_t>(draw() * most));
    Instant& last = connections_[id].last_arrival[to_peer];
    last = std::max(last, now() + draw_delay());
    put({last, next_order(), to_peer, id,
         OctetBuffer(octets.begin(), octets.begin() + static_cast<std::ptrdiff_t>(length))});
    octets = octets.subspan(length);
  }
}

void StreamNetwork::carry_event(bool to_peer, PeerId id, StreamEvent event) {
  Instant& last = connections_[id].last_arrival[to_peer];
  last = std::max(last, now() + draw_delay());
  put({last, next_order(), to_peer, id, {}, event});
}

void StreamNetwork::send(PeerId at, Octets octets) {
  const Connection& connection = connections_[at];
  if (connection.sent[kToPeer] == Ending::none && !connection.gone()) carry(kToPeer, at, octets);
}

void StreamNetwork::end(PeerId at, Ending ending) {
  finish(kToPeer, at, ending);
  if (ending != Ending::reset) return;
  connections_[at].inbox.clear();
  connections_[at].arrived = Ending::reset;
}

void StreamNetwork::finish(bool to_peer, PeerId id, Ending ending) {
  Connection& connection = connections_[id];
  // A direction ends once; a reset may still follow its orderly end.
  if (ending == Ending::none || connection.gone() || connection.sent[to_peer] == ending) return;
  connection.sent[to_peer] = ending;
  carry_event(to_peer, id, event_of(ending));
}

void StreamNetwork::leave(Outgoing& out) {
  if (out.to >= connections_.size()) return;
  const Connection& connection = connections_[out.to];
  if (connection.sent[kToTester] == Ending::none && !connection.gone()) carry(kToTester, out.to, out.octets);
  finish(kToTester, out.to, out.ending);
}

// Octets that arrive together may be read together, as those of a socket are.
void StreamNetwork::join(InFlight& what) {
  while (const InFlight* more = next()) {
    if (more->arrival != what.arrival || more->to_peer != what.to_peer || more->tester != what.tester ||
        more->event != StreamEvent::octets || what.octets.size() + more->octets.size() > impairments().cut)
      return;
    if (draw() < 0.5) return;
    const InFlight joined = take_next();
    what.octets.insert(what.octets.end(), joined.octets.begin(), joined.octets.end());
  }
}

void StreamNetwork::arrive(InFlight& what) {
  if (what.event == StreamEvent::octets) join(what);
  Connection& connection = connections_[what.tester];
  // Who has reset a connection receives nothing more of it.
  if (connection.sent[!what.to_peer] == Ending::reset) return;
  if (what.to_peer) return arrive_at_peer(what);
  switch (what.event) {
    case StreamEvent::opened:
      made_by_peer_.push_back(what.tester);
      carry_event(kToPeer, what.tester, StreamEvent::opened);
      return;
    case StreamEvent::octets:
      connection.inbox.push_back(std::move(what.octets));
      return;
    case StreamEvent::closed:
      connection.arrived = Ending::closed;
      return;
    case StreamEvent::reset:
      connection.arrived = Ending::reset;
      return;
    case StreamEvent::gap:
      return;  // a network loses nothing
  }
}

void StreamNetwork::arrive_at_peer(const InFlight& what) {
  switch (what.event) {
    case StreamEvent::opened:
      return peer().opened(what.tester, now());
    case StreamEvent::octets:
      return peer().receive(what.tester, what.octets, now());
    case StreamEvent::closed:
      return peer().ended(what.tester, Ending::closed, now());
    case StreamEvent::reset:
      return peer().ended(what.tester, Ending::reset, now());
    case StreamEvent::gap:
      return;
  }
}

tl::expected<std::optional<OctetBuffer>, CarriageError> StreamNetwork::receive(PeerId at, Instant deadline) {
  const auto came =
      run_until(deadline, [&] { return !connections_[at].inbox.empty() || connections_[at].arrived != Ending::none; });
  if (!came) return tl::unexpected(came.error());
  std::deque<OctetBuffer>& inbox = connections_[at].inbox;
  if (!*came || inbox.empty()) return std::nullopt;
  OctetBuffer octets = std::move(inbox.front());
  inbox.pop_front();
  return octets;
}

Ending StreamNetwork::ending(PeerId at) const {
  return connections_[at].inbox.empty() ? connections_[at].arrived : Ending::none;
}

}  // namespace wirelaw
