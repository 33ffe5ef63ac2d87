// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/memory/stream_network.h"

#include <algorithm>
#include <utility>

namespace wirelaw {
namespace {

constexpr bool kToPeer = true;
constexpr bool kToTester = !kToPeer;

constexpr std::size_t kConnections = 4096;

constexpr StreamEvent event_of(Ending ending) {
  return ending == Ending::reset ? StreamEvent::reset : StreamEvent::closed;
}

}  // namespace

void StreamNetwork::locate(const pcap::Endpoint& peer, std::uint32_t& dials) {
  peer_at_ = peer;
  dials_ = &dials;
}

PeerId StreamNetwork::add(const Link& link) {
  connections_.push_back({.link = link});
  return connections_.size() - 1;
}

PeerId StreamNetwork::open(bool by_peer, const Link& link) {
  const PeerId id = add(link);
  carry_event(by_peer ? kToTester : kToPeer, id, StreamEvent::opened);
  return id;
}

PeerId StreamNetwork::connect(const Link& link) {
  return link.datagrams ? add(link) : open(false, link);
}

bool StreamNetwork::trigger(const TriggerRequest& request) {
  const PeerId id = connections_.size();
  if (!peer().trigger(id, request, now())) return false;
  open(true, meeting_);
  drain_peer();
  return true;
}

void StreamNetwork::serve_peer() {
  // Stops a peer that never stops connecting: each round uses a connection, and a case has a limited number.
  while (connections_.size() < kConnections && peer().next_connection()) open(true, meeting_);
  for (std::size_t i = 0; i < kConnections && connections_.size() < kConnections; ++i) {
    const auto wanted = peer().next_dial();
    if (!wanted) return;
    dial(*wanted);
    for (Outgoing out; peer().next_datagram(out); out = {}) leave(out);
  }
}

tl::expected<std::optional<PeerId>, TransportError> StreamNetwork::next_of(std::deque<PeerId>& made, Instant deadline) {
  const auto any = run_until(deadline, [&] { return !made.empty(); });
  if (!any) return tl::unexpected(any.error());
  if (!*any) return std::nullopt;
  const PeerId id = made.front();
  made.pop_front();
  return id;
}

tl::expected<std::optional<PeerId>, TransportError> StreamNetwork::accept(Instant deadline) {
  return next_of(made_by_peer_, deadline);
}

// -------------------------------------------------------------------------------------------------------------- dials

std::optional<StreamNetwork::ListenerId> StreamNetwork::find_listener(const pcap::Endpoint& at, bool datagrams) const {
  const auto found = std::ranges::find_if(
      listening_, [&](const Listening& one) { return one.at == at && one.datagrams == datagrams; });
  if (found == listening_.end()) return std::nullopt;
  return static_cast<ListenerId>(found - listening_.begin());
}

StreamNetwork::ListenerId StreamNetwork::listen(const pcap::Endpoint& at, bool datagrams) {
  if (const auto known = find_listener(at, datagrams)) return *known;
  listening_.push_back({at, datagrams});
  return listening_.size() - 1;
}

tl::expected<std::optional<PeerId>, TransportError> StreamNetwork::accept(ListenerId at, Instant deadline) {
  return next_of(listening_[at].made, deadline);
}

// If nobody listens there, the network's answer takes as long as any other.
void StreamNetwork::dial(const Dial& dial) {
  const auto listener = find_listener(dial.to, dial.datagrams);
  if (dial.datagrams) return dial_datagrams(dial, listener);
  Link link{.local = peer_at_, .remote = dial.to};
  link.local.port = kFirstDialledFrom + (dials_ == nullptr ? own_dials_ : *dials_)++ % kDialledFrom;
  const PeerId id = add(link);
  connections_[id].dialled = listener;
  connections_[id].refused = !listener;
  carry_event(listener ? kToTester : kToPeer, id, listener ? StreamEvent::opened : StreamEvent::reset);
}

// Two addresses share one link, so dialling again returns the same one.
void StreamNetwork::dial_datagrams(const Dial& dial, std::optional<ListenerId> listener) {
  const auto known = std::ranges::find_if(connections_, [&](const Connection& one) {
    return one.link.datagrams && one.link.remote == dial.to && (!one.refused || !listener);
  });
  const bool is_new = known == connections_.end();
  const PeerId id = is_new ? add({.local = peer_at_, .remote = dial.to, .datagrams = true})
                           : static_cast<PeerId>(known - connections_.begin());
  Connection& line = connections_[id];
  if (is_new) {
    line.dialled = listener;
    line.refused = !listener;
  }
  line.is_linked = true;
  peer().linked(id, line.link);
}

void StreamNetwork::make_link(PeerId id) {
  Connection& connection = connections_[id];
  if (!std::exchange(connection.is_linked, true)) peer().linked(id, connection.link);
}

// ------------------------------------------------------------------------------------------------------------- octets

void StreamNetwork::carry_datagram(bool to_peer, PeerId id, Octets octets) {
  if (connections_[id].goes_nowhere()) return;
  Instant& last = connections_[id].last_arrival[to_peer];
  last = std::max(last, now() + draw_delay());
  put({last, next_order(), to_peer, id, OctetBuffer(octets.begin(), octets.end())});
}

void StreamNetwork::carry(bool to_peer, PeerId id, Octets octets) {
  if (connections_[id].link.datagrams) return carry_datagram(to_peer, id, octets);
  while (!octets.empty()) {
    const auto most = static_cast<double>(std::max<std::size_t>(faults().cut, 1));
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
  if (ending != Ending::reset || connections_[at].link.datagrams) return;
  connections_[at].inbox.clear();
  connections_[at].arrived = Ending::reset;
}

void StreamNetwork::finish(bool to_peer, PeerId id, Ending ending) {
  Connection& connection = connections_[id];
  if (connection.link.datagrams) return;
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
        more->event != StreamEvent::octets || what.octets.size() + more->octets.size() > faults().cut)
      return;
    if (draw() < 0.5) return;
    const InFlight joined = take_next();
    what.octets.insert(what.octets.end(), joined.octets.begin(), joined.octets.end());
  }
}

void StreamNetwork::arrive(InFlight& what) {
  const Connection& connection = connections_[what.tester];
  if (what.event == StreamEvent::octets && !connection.link.datagrams) join(what);
  // A side that has reset a connection receives nothing more on it.
  if (connection.sent[!what.to_peer] == Ending::reset) return;
  what.to_peer ? arrive_at_peer(what) : arrive_at_tester(what);
}

void StreamNetwork::arrive_at_tester(InFlight& what) {
  Connection& connection = connections_[what.tester];
  const auto offer = [&] {
    (connection.dialled ? listening_[*connection.dialled].made : made_by_peer_).push_back(what.tester);
  };
  switch (what.event) {
    case StreamEvent::opened:
      offer();
      carry_event(kToPeer, what.tester, StreamEvent::opened);
      return;
    case StreamEvent::octets:
      if (connection.dialled && connection.link.datagrams && !std::exchange(connection.is_offered, true)) offer();
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
  if (connections_[what.tester].refused)
    return peer().not_reached({.to = connections_[what.tester].link.remote}, now());
  make_link(what.tester);
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

tl::expected<std::optional<OctetBuffer>, TransportError> StreamNetwork::receive(PeerId at, Instant deadline) {
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
