// SPDX-License-Identifier: Apache-2.0
// Conversations of the reference node with two scripted nodes, over several connections and datagrams. Each record
// (corpora/formats/records.h) is a piece that one of them sends, a time that passes, or an action of the node's
// application. Oracles: the node breaks no rule on any connection, and keeps to its limits.
#include <array>

#include "conformance/association.h"
#include "conformance/judge.h"
#include "conformance/umsp/umsp.h"
#include "corpora/formats/records.h"
#include "corpora/formats/umsp_steps.h"
#include "fuzz/report_finding.h"
#include "fuzz/target.h"
#include "fuzz/umsp_calls.h"
#include "reference/umsp/node/node.h"

namespace wirelaw::fuzz {
namespace {

using namespace corpora::umsp_steps;
using umsp::Node;
using umsp::NodeAddress;

constexpr std::size_t kMostSteps = 256;
constexpr std::uint32_t kPort = 2110;
constexpr NodeAddress kSelf{{192, 0, 2, 2}};
constexpr NodeAddress kRemotes[kLinks] = {{{192, 0, 2, 1}}, {{192, 0, 2, 1}}, {{192, 0, 2, 3}}, {{192, 0, 2, 1}}};

// Prints the instructions at the beginning of the octets.
void print_instructions(Side sender, Octets octets, Instant now) {
  while (const auto instruction = umsp::decode(octets)) {
    const Message message = message_of(octets.first(static_cast<std::size_t>(instruction->octets())), sender,
                                       static_cast<std::uint64_t>(now.count() / 1'000'000));
    print(umsp::kProtocol, message);
    octets = octets.subspan(message.octets.size());
  }
}

// The traffic of one connection, or of the datagrams, and its judge.
class JudgedLink {
 public:
  JudgedLink() { judge_.enter_flow("link", "the conversation", "the node"); }
  // Associates the connections of the same two nodes. Called before the first octet.
  void join(Associations& all, const NodeAddress& remote, std::uint32_t port) {
    dynamic_cast<JoiningObserver&>(*observer_)
        .join(all, {Endpoint{Address::ipv4(remote.ip.data()), port}, Endpoint{Address::ipv4(kSelf.ip.data()), kPort}});
  }

  void observe(bool datagrams, Side sender, Octets octets, Instant now) {
    if (octets.empty()) return;
    if (tracing()) print_instructions(sender, octets, now);
    const std::uint64_t at = ++frames_;
    if (datagrams) {
      observer_->observe(message_of(octets, sender, at, now.count()), judge_);
    } else {
      std::uint64_t& offset = offsets_[sender == Side::a ? 0 : 1];
      observer_->observe(
          StreamPiece{.sender = sender, .octets = octets, .offset = offset, .frame = at, .time_ns = now.count()},
          judge_);
      offset += octets.size();
    }
    expect_no_blame();
  }
  void finish() {
    observer_->finish(judge_);
    expect_no_blame();
  }

 private:
  void expect_no_blame() {
    const auto& findings = judge_.findings();
    for (; seen_ < findings.size(); ++seen_)
      if (findings[seen_].severity == Severity::violation && findings[seen_].sender == "the node")
        report(findings[seen_]);
  }

  std::unique_ptr<Observer> observer_ = umsp::kProtocol.observer({});
  Judge judge_{umsp::kProtocol.catalogue()};
  std::array<std::uint64_t, 2> offsets_{};
  std::uint64_t frames_ = 0;
  std::size_t seen_ = 0;
};

class NodeRun {
 public:
  NodeRun() {
    for (unsigned link = 0; link < kLinks; ++link) {
      node_.linked(link, kRemotes[link], link == kDatagrams, now_);
      links_[link].join(associations_, kRemotes[link], kPort + 1 + link);
    }
  }
  void take(const corpora::Record& step) {
    const unsigned link = step.control & kLink;
    if ((step.control & kTime) != 0) {
      now_ += time_of(step.octets);
      node_.advance(now_);
    } else if ((step.control & kApplication) != 0) {
      application_.act(step.octets, now_);
    } else {
      links_[link].observe(link == kDatagrams, Side::a, step.octets, now_);
      node_.receive(link, step.octets, now_);
    }
    settle();
  }
  void finish() {
    for (JudgedLink& link : links_) link.finish();
  }

 private:
  void settle() {
    for (umsp::NodeEvent event; node_.next_event(event);) application_.on(event);
    while (const auto to = node_.next_dial()) node_.not_reached(*to, now_);
    for (Outgoing out; node_.next_output(out);) {
      require(out.to < kLinks, "a node sends on connections that it has");
      links_[out.to].observe(out.to == kDatagrams, Side::b, out.octets, now_);
    }
    require(node_.sessions().all().size() <= node_.options().sessions.most, "a node keeps to its number of sessions");
    require(node_.control_point().tasks() <= node_.options().control.tasks, "a control point keeps to its tasks");
    require(node_.search().known().size() <= node_.options().search.most_known, "a node keeps to the VMs it knows");
  }

  Instant now_{};
  Node node_{{.address = kSelf}};
  Associations associations_;
  std::array<JudgedLink, kLinks> links_;
  UmspCalls application_{node_, kSelf, kRemotes[kControl], kRemotes[0]};
};

}  // namespace
}  // namespace wirelaw::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace wirelaw::fuzz;
  NodeRun run;
  std::size_t steps = 0;
  for (const wirelaw::corpora::Record& step : wirelaw::corpora::read_records({data, size})) {
    if (++steps > kMostSteps) break;
    run.take(step);
  }
  run.finish();
  return 0;
}
