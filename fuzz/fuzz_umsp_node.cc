// SPDX-License-Identifier: Apache-2.0
// Conversations of the reference node with two nodes that a script plays, over several connections and datagrams:
// records (corpora/formats/records.h), each a piece of what one of them sends, time that passes, or something that the
// node's application does. Oracles: the node
// breaks no rule on any connection, and keeps to its bounds.
#include <array>

#include "conformance/judge.h"
#include "conformance/umsp/umsp.h"
#include "corpora/formats/records.h"
#include "corpora/formats/umsp_steps.h"
#include "fuzz/record_mutator.h"
#include "fuzz/report_finding.h"
#include "fuzz/target.h"
#include "reference/umsp/exchange.h"
#include "reference/umsp/node/node.h"

namespace wirelaw::fuzz {
namespace {

using namespace corpora::umsp_steps;
using umsp::Node;
using umsp::NodeAddress;

constexpr std::size_t kMostSteps = 256;
constexpr std::uint64_t kMemory = 0x1000;
constexpr std::size_t kLong = 4000;
constexpr NodeAddress kSelf{{192, 0, 2, 2}};
constexpr NodeAddress kRemotes[kLinks] = {{{192, 0, 2, 1}}, {{192, 0, 2, 1}}, {{192, 0, 2, 3}}, {{192, 0, 2, 1}}};

// Those that begin the octets.
void print_instructions(Side sender, Octets octets, Instant now) {
  while (const auto instruction = umsp::decode(octets)) {
    const Message message = message_of(octets.first(static_cast<std::size_t>(instruction->octets())), sender,
                                       static_cast<std::uint64_t>(now.count() / 1'000'000));
    print(umsp::kProtocol, message);
    octets = octets.subspan(message.octets.size());
  }
}

// What goes over one connection, or in datagrams, and what judges it.
class JudgedLink {
 public:
  JudgedLink() { judge_.enter_flow("link", "the script", "the node"); }

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
    for (unsigned link = 0; link < kLinks; ++link) node_.linked(link, kRemotes[link], link == kDatagrams, now_);
  }
  void take(const corpora::Record& step) {
    const unsigned link = step.control & kLink;
    if ((step.control & kTime) != 0) {
      now_ += time_of(step.octets);
      node_.advance(now_);
    } else if ((step.control & kApplication) != 0) {
      act(step.octets);
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
  void on(const umsp::NodeEvent& event) {
    if (const auto* const started = std::get_if<umsp::JobStarted>(&event)) job_ = started->gjid;
    if (const auto* const of_session = std::get_if<umsp::SessionEvent>(&event))
      if (const auto* const opened = std::get_if<umsp::SessionOpened>(of_session)) session_ = opened->id;
  }
  void act(Octets octets) {
    if (octets.empty()) return;
    const auto what = static_cast<Act>(octets[0] % kActs);
    const Octets data = octets.subspan(1, std::min<std::size_t>(octets.size() - 1, 64) / 4 * 4);
    switch (what) {
      case Act::begin_job:
      case Act::register_job:
        static_cast<void>(node_.begin_job(what == Act::begin_job ? kSelf : kRemotes[kControl], 0, {}, now_));
        break;
      case Act::open_session:
        if (job_) session_ = node_.open_session(kRemotes[0], *job_, {}, now_).value_or(session_);
        break;
      case Act::close_session:
        node_.close_session(session_, now_);
        break;
      case Act::go_on:
        node_.go_on(session_, now_);
        break;
      case Act::complete_job:
        if (job_) node_.complete_job(*job_, {}, now_);
        break;
      case Act::terminate_task:
        if (job_) node_.terminate_task(*job_, {1, 0}, now_);
        break;
      default:
        write(what, data);
    }
  }
  void write(Act how, Octets data) {
    umsp::ChainSender* const sender = node_.chains(session_);
    if (sender == nullptr) return;
    const umsp::Session* const session = find_session();
    if (session == nullptr || session->peer_profile != umsp::kWholeProfile) return plain_write(data);
    umsp::Draft plain = umsp::write_data(umsp::MemoryAddress{kMemory, 4}, data), asked = plain;
    asked.req_id = ++requests_;
    if (how == Act::write_sequence) {
      const auto sequence = sender->begin_sequence(now_);
      if (sequence && sender->add(*sequence, asked, now_) && sender->add(*sequence, plain, now_))
        static_cast<void>(sender->end(*sequence, now_));
    } else if (how == Act::write_transaction) {
      static_cast<void>(sender->send_transaction({}, {asked, plain}, now_));
    } else if (how == Act::write_later) {
      const auto later = sender->send_transaction({.after_sending = false}, {plain, plain}, now_);
      if (later) static_cast<void>(sender->execute(*later, requests_, now_));
    } else {
      if (how == Act::write_long) asked.operands.resize(asked.operands.size() + kLong);
      static_cast<void>(sender->send(asked, now_));
    }
    node_.moved(now_);
  }
  const umsp::Session* find_session() const {
    const auto found = node_.sessions().all().find(session_);
    return found == node_.sessions().all().end() ? nullptr : &found->second;
  }
  // What the other side takes is the node's affair.
  void plain_write(Octets data) {
    umsp::Draft draft = umsp::write_data(umsp::MemoryAddress{kMemory, 4}, data);
    draft.req_id = ++requests_;
    node_.request(session_, std::move(draft), now_);
  }
  void settle() {
    for (umsp::NodeEvent event; node_.next_event(event);) on(event);
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
  std::array<JudgedLink, kLinks> links_;
  std::optional<umsp::Identifier> job_;
  std::uint32_t session_ = 0;
  std::uint32_t requests_ = 0;
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

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned seed) {
  return wirelaw::fuzz::mutate(wirelaw::fuzz::kTraceShape, {data, max_size}, size, seed);
}
