// SPDX-License-Identifier: Apache-2.0
#include "fuzz/umsp_job.h"

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "conformance/association.h"
#include "conformance/judge.h"
#include "conformance/umsp/umsp.h"
#include "corpora/formats/records.h"
#include "corpora/formats/umsp_steps.h"
#include "fuzz/report_finding.h"
#include "fuzz/target.h"
#include "fuzz/umsp_calls.h"

namespace wirelaw::fuzz {
namespace {

using namespace corpora::umsp_steps;
using umsp::LinkId;
using umsp::Node;
using umsp::NodeAddress;

constexpr std::size_t kMostSteps = 256;
constexpr std::size_t kMostTimers = 256;  // maximum number of timers that one step waits for
constexpr std::size_t kMostMemory = std::size_t{1} << 20;
constexpr std::array<NodeAddress, kJobNodes> kNodes{{{{192, 0, 2, 1}}, {{192, 0, 2, 2}}, {{192, 0, 2, 3}}}};

Endpoint endpoint_of(unsigned node) {
  return {Address::ipv4(kNodes[node].ip.data()), umsp::kPort};
}

// The traffic between two nodes, and its judge. Side a opened the connection.
class Connection {
 public:
  Connection(LinkId id, unsigned maker, unsigned other, Associations& all, DamagedCapture* capture)
      : id_(id), ends_{maker, other}, capture_(capture) {
    dynamic_cast<JoiningObserver&>(*observer_).join(all, {endpoint_of(maker), endpoint_of(other)});
    judge_.enter_flow("connection", "who has made it", "the other");
    for (const Side side : {Side::a, Side::b}) observe({.event = StreamEvent::opened, .sender = side});
  }

  LinkId id() const { return id_; }
  unsigned end(Side side) const { return ends_[side == Side::a ? 0 : 1]; }
  bool is_empty() const { return pieces_[0].empty() && pieces_[1].empty(); }
  void send(unsigned from, OctetBuffer octets) {
    if (!octets.empty()) pieces_[from == ends_[0] ? 0 : 1].push_back(std::move(octets));
  }
  // Returns the next octets of a side, at most `most`.
  OctetBuffer next(Side sender, std::size_t most, Instant now) {
    auto& pieces = pieces_[sender == Side::a ? 0 : 1];
    if (pieces.empty()) return {};
    OctetBuffer octets = std::move(pieces.front());
    pieces.pop_front();
    if (octets.size() > most) {
      const auto cut = octets.begin() + static_cast<std::ptrdiff_t>(most);
      pieces.emplace_front(cut, octets.end());
      octets.erase(cut, octets.end());
    }
    std::uint64_t& offset = offsets_[sender == Side::a ? 0 : 1];
    observe({.sender = sender, .octets = octets, .offset = offset, .time_ns = now.count()});
    offset += octets.size();
    return octets;
  }
  void finish(Instant now) {
    judge_.set_now(now.count());
    observer_->finish(judge_);
    expect_no_finding();
  }

 private:
  void observe(StreamPiece piece) {
    piece.frame = ++frames_;
    if (capture_ != nullptr) capture_->see(piece);
    observer_->observe(piece, judge_);
    require(observer_->memory() <= kMostMemory, "the observer keeps to its memory");
    expect_no_finding();
  }
  void expect_no_finding() const {
    for (const Finding& finding : judge_.findings())
      if (finding.severity == Severity::violation) report(finding);
  }

  LinkId id_;
  std::array<unsigned, 2> ends_;
  std::array<std::deque<OctetBuffer>, 2> pieces_;
  std::array<std::uint64_t, 2> offsets_{};
  std::unique_ptr<Observer> observer_ = umsp::kProtocol.observer({});
  Judge judge_{umsp::kProtocol.catalogue()};
  std::uint64_t frames_ = 0;
  DamagedCapture* capture_;
};

class Job {
 public:
  Job(DamagedCapture* capture, unsigned captured) : capture_(capture), captured_(captured) {}

  void take(const corpora::Record& step) {
    if ((step.control & kTime) != 0) return pass(time_of(step.octets));
    if ((step.control & kApplication) != 0)
      parties_[(step.control & kLink) % kJobNodes].application.act(step.octets, now_);
    else
      deliver(step.octets);
    settle();
  }
  void finish() {
    pass(std::chrono::minutes(2));
    for (const auto& connection : connections_) connection->finish(now_);
  }

 private:
  struct Party {
    explicit Party(unsigned self)
        : node({.address = kNodes[self]}),
          application(node, kNodes[self], kNodes[kJobControl], kNodes[self == kJobExecutor ? 0 : kJobExecutor]) {}
    Node node;
    UmspCalls application;
  };

  // Delivers at most this many pieces of one side of a connection, each of at most this many octets.
  void deliver(Octets octets) {
    if (octets.size() < 3 || connections_.empty()) return;
    Connection& connection = *connections_[(octets[0] >> 1) % connections_.size()];
    const Side sender = (octets[0] & 1) == 0 ? Side::a : Side::b;
    for (unsigned i = 0; i < octets[1]; ++i) {
      if (!arrive(connection, sender, 1u + octets[2])) break;
      settle();
    }
  }
  bool arrive(Connection& connection, Side sender, std::size_t most) {
    const OctetBuffer octets = connection.next(sender, most, now_);
    if (octets.empty()) return false;
    parties_[connection.end(other(sender))].node.receive(connection.id(), octets, now_);
    return true;
  }
  void come_through() {
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = 0; i < connections_.size(); ++i)
        for (const Side sender : {Side::a, Side::b})
          while (arrive(*connections_[i], sender, static_cast<std::size_t>(-1))) {
            settle();
            more = true;
          }
    }
  }
  void pass(Instant time) {
    const Instant until = now_ + time;
    come_through();
    for (std::size_t i = 0; i < kMostTimers; ++i) {
      std::optional<Instant> due;
      for (const Party& one : parties_)
        if (const auto next = one.node.deadline(); next && (!due || *next < *due)) due = next;
      if (!due || *due > until) break;
      advance(*due);
    }
    advance(until);
  }
  void advance(Instant to) {
    now_ = std::max(now_, to);
    for (Party& one : parties_) one.node.advance(now_);
    settle();
    come_through();
  }

  void settle() {
    for (bool moved = true; moved;) {
      moved = false;
      for (unsigned i = 0; i < kJobNodes; ++i) moved = settle(i) || moved;
    }
  }
  bool settle(unsigned which) {
    Party& party = parties_[which];
    bool moved = false;
    for (umsp::NodeEvent event; party.node.next_event(event); moved = true) party.application.on(event);
    while (const auto to = party.node.next_dial()) {
      moved = true;
      dial(which, *to);
    }
    for (Outgoing out; party.node.next_output(out); moved = true) {
      require(out.to < connections_.size(), "a node sends on connections that it has");
      connections_[out.to]->send(which, std::move(out.octets));
    }
    const Node& node = party.node;
    require(node.sessions().all().size() <= node.options().sessions.most, "a node keeps to its number of sessions");
    require(node.control_point().tasks() <= node.options().control.tasks, "a control point keeps to its tasks");
    return moved;
  }
  void dial(unsigned from, NodeAddress to) {
    const auto found = std::ranges::find(kNodes, to);
    if (found == kNodes.end()) return parties_[from].node.not_reached(to, now_);
    const auto other = static_cast<unsigned>(found - kNodes.begin());
    const LinkId id = connections_.size();
    connections_.push_back(
        std::make_unique<Connection>(id, from, other, associations_, id == captured_ ? capture_ : nullptr));
    parties_[from].node.linked(id, to, false, now_);
    parties_[other].node.linked(id, kNodes[from], false, now_);
  }

  Instant now_{};
  std::array<Party, kJobNodes> parties_{Party(0), Party(1), Party(2)};
  Associations associations_;
  std::vector<std::unique_ptr<Connection>> connections_;
  DamagedCapture* capture_;
  LinkId captured_;
};

}  // namespace

void run_umsp_job(Octets input, DamagedCapture* capture) {
  if (input.empty()) return;
  Job job(capture, input[0] & 3);
  std::size_t steps = 0;
  for (const corpora::Record& step : corpora::read_records(input.subspan(1))) {
    if (++steps > kMostSteps) break;
    job.take(step);
  }
  job.finish();
}

}  // namespace wirelaw::fuzz
