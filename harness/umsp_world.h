// SPDX-License-Identifier: Apache-2.0
// For tests: UMSP nodes that connect to one another over TCP in memory. Octets arrive cut and delayed as the seed
// decides, connections may break between instructions, and all connections are judged as in a capture.
#pragma once

#include <fmt/format.h>

#include <deque>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "conformance/association.h"
#include "conformance/judge.h"
#include "conformance/umsp/umsp.h"
#include "reference/network/network_faults.h"
#include "reference/umsp/make_node.h"
#include "reference/umsp/node/node.h"

namespace wirelaw::umsp {

class World {
 public:
  // `breaks`: probability that a connection is closed once all its octets have arrived.
  World(const NetworkFaults& faults, std::uint64_t seed, double breaks = 0)
      : faults_(faults), breaks_(breaks), random_(seed) {}

  Node& add(NodeAddress address, NodeOptions options = {}, const Deviations& deviations = {}) {
    options.address = address;
    return *(nodes_[address] = make_node(options, deviations));
  }
  Node& node(NodeAddress address) { return *nodes_.at(address); }
  Instant now() const { return now_; }

  // Lets time pass until nothing is in flight, or until `deadline`. `on` is called with the events of each node's
  // application.
  template <class On>
  void run(Instant deadline, const On& on) {
    for (;;) {
      serve(on);
      break_some();
      const auto next = next_event();
      if (!next || *next > deadline) break;
      now_ = std::max(now_, *next);
      arrive();
      for (auto& [address, node] : nodes_) node->advance(now_);
    }
    now_ = std::max(now_, deadline);
  }

  // Findings of this severity, or all findings.
  std::vector<std::string> findings(std::optional<Severity> wanted = {}) {
    std::vector<std::string> all;
    for (const auto& connection : connections_) {
      connection->judge.set_now(now_.count());
      connection->observer->finish(connection->judge);
      for (const Finding& one : connection->judge.findings())
        if (!wanted || one.severity == *wanted)
          all.push_back(fmt::format("{} {}: message {} from {}: expected {}, got {}", one.rule->id,
                                    to_string(one.severity), one.message, one.sender, one.expected, one.actual));
    }
    return all;
  }
  std::size_t connections() const { return connections_.size(); }
  std::size_t broken() const { return broken_; }
  // Rules that were exercised on any connection.
  std::set<std::string_view> exercised() const {
    std::set<std::string_view> ids;
    for (const auto& connection : connections_)
      for (const Rule* const rule : kProtocol.catalogue().rules())
        if (connection->judge.exercised(*rule) > 0) ids.insert(rule->id);
    return ids;
  }
  // OPCODEs that were seen anywhere.
  const std::set<std::uint8_t>& seen() const { return seen_; }

 private:
  struct Piece {
    Instant at;
    OctetBuffer octets;
  };
  struct Connection {
    LinkId id;
    NodeAddress ends[2];         // [0] opened the connection
    std::deque<Piece> queue[2];  // from ends[i]
    std::uint64_t offset[2] = {};
    bool over = false;
    std::unique_ptr<Observer> observer = kProtocol.observer({});
    Judge judge{kProtocol.catalogue()};
  };

  template <class On>
  void serve(const On& on) {
    for (bool moved = true; moved;) {
      moved = false;
      for (auto& [address, node] : nodes_) {
        for (NodeEvent event; node->next_event(event); moved = true) on(address, *node, event);
        while (const auto to = node->next_dial()) {
          moved = true;
          dial(address, *to);
        }
        for (Outgoing out; node->next_output(out); moved = true) leave(address, out);
      }
    }
  }
  void dial(NodeAddress from, NodeAddress to) {
    if (!nodes_.contains(to)) return nodes_.at(from)->not_reached(to, now_);
    auto connection = std::make_unique<Connection>();
    connection->id = connections_.size();
    connection->ends[0] = from;
    connection->ends[1] = to;
    dynamic_cast<JoiningObserver&>(*connection->observer).join(associations_, {endpoint_of(from), endpoint_of(to)});
    connection->judge.enter_flow(fmt::format("connection {}", connection->id), "the first", "the second");
    nodes_.at(from)->linked(connection->id, to, false, now_);
    nodes_.at(to)->linked(connection->id, from, false, now_);
    connections_.push_back(std::move(connection));
  }
  static Endpoint endpoint_of(NodeAddress node) { return {wirelaw::Address::ipv4(node.ip.data()), kPort}; }
  void leave(NodeAddress from, const Outgoing& out) {
    Connection& connection = *connections_[static_cast<std::size_t>(out.to)];
    const unsigned side = connection.ends[0] == from ? 0 : 1;
    for (std::size_t at = 0; at < out.octets.size();) {
      const std::size_t length = std::min(out.octets.size() - at, 1 + random_() % faults_.cut);
      const Octets octets = Octets(out.octets).subspan(at, length);
      const Instant earliest = connection.queue[side].empty() ? now_ : connection.queue[side].back().at;
      const auto spread = static_cast<std::uint64_t>((faults_.delay_max - faults_.delay_min).count());
      const Instant delay = faults_.delay_min + Instant(random_() % (spread + 1));
      connection.queue[side].push_back({std::max(earliest, now_ + delay), OctetBuffer(octets.begin(), octets.end())});
      at += length;
    }
  }
  std::optional<Instant> next_event() const {
    std::optional<Instant> first;
    const auto offer = [&first](std::optional<Instant> one) {
      if (one && (!first || *one < *first)) first = one;
    };
    for (const auto& [address, node] : nodes_) offer(node->deadline());
    for (const auto& connection : connections_)
      for (const auto& queue : connection->queue)
        if (!queue.empty()) offer(queue.front().at);
    return first;
  }
  void arrive() {
    for (std::size_t i = 0; i < connections_.size(); ++i)
      for (unsigned side = 0; side < 2; ++side)
        while (!connections_[i]->queue[side].empty() && connections_[i]->queue[side].front().at <= now_)
          arrive_piece(*connections_[i], side);
  }
  void arrive_piece(Connection& connection, unsigned side) {
    const Piece piece = std::move(connection.queue[side].front());
    connection.queue[side].pop_front();
    const Side sender = side == 0 ? Side::a : Side::b;
    connection.observer->observe(StreamPiece{.sender = sender,
                                             .octets = piece.octets,
                                             .offset = connection.offset[side],
                                             .frame = ++frames_,
                                             .time_ns = now_.count()},
                                 connection.judge);
    connection.offset[side] += piece.octets.size();
    note(piece.octets);
    nodes_.at(connection.ends[1 - side])->receive(connection.id, piece.octets, now_);
  }
  // Breaks connections when nothing is in flight. Neither sessions nor tasks may suffer (2.3).
  void break_some() {
    for (auto& connection : connections_) {
      if (connection->over || !connection->queue[0].empty() || !connection->queue[1].empty()) continue;
      if (static_cast<double>(random_() % 1000) >= breaks_ * 1000) continue;
      for (const NodeAddress end : connection->ends) nodes_.at(end)->ended(connection->id, now_);
      for (const Side side : {Side::a, Side::b})
        connection->observer->observe(StreamPiece{.event = StreamEvent::closed,
                                                  .sender = side,
                                                  .offset = connection->offset[side == Side::a ? 0 : 1],
                                                  .frame = ++frames_,
                                                  .time_ns = now_.count()},
                                      connection->judge);
      connection->over = true;
      ++broken_;
    }
  }
  // Records the complete instructions in a piece that begins with one.
  void note(Octets octets) {
    while (const auto instruction = decode(octets)) {
      seen_.insert(instruction->opcode());
      octets = octets.subspan(static_cast<std::size_t>(instruction->octets()));
    }
  }

  NetworkFaults faults_;
  double breaks_;
  std::mt19937_64 random_;
  Instant now_{};
  std::map<NodeAddress, std::unique_ptr<Node>> nodes_;
  Associations associations_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::set<std::uint8_t> seen_;
  std::uint64_t frames_ = 0;
  std::size_t broken_ = 0;
};

}  // namespace wirelaw::umsp
