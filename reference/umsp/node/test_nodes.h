// SPDX-License-Identifier: Apache-2.0
// Nodes for the tests of jobs and tasks, each with its control point and its tasks. A network between them encodes and
// decodes one instruction at a time, and records each as a line.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "reference/octets/hex.h"
#include "reference/umsp/make_parts.h"
#include "reference/umsp/opcode.h"

namespace wirelaw::umsp {

constexpr NodeAddress node_at(Octet last) {
  return {{10, 0, 0, last}};
}

// Octets that were sent.
struct Sent {
  NodeAddress from, to;
  Draft draft;
  std::optional<LinkId> on;
  bool is(Opcode opcode) const { return draft.is(opcode); }
};

class TestOutbox final : public Outbox {
 public:
  TestOutbox(NodeAddress own, std::deque<Sent>& wire) : own_(own), wire_(wire) {}
  void send(NodeAddress to, Draft draft, std::optional<LinkId> on) override {
    wire_.push_back({own_, to, std::move(draft), on});
  }
  void send_datagram(NodeAddress to, Draft draft, std::optional<LinkId> on) override { send(to, std::move(draft), on); }
  std::uint32_t new_request() override { return next_++; }

 private:
  NodeAddress own_;
  std::deque<Sent>& wire_;
  std::uint32_t next_ = 1;
};

struct TestNode {
  NodeAddress address;
  TestOutbox outbox;
  std::unique_ptr<ControlPoint> control;
  std::unique_ptr<Tasks> tasks;
  bool reachable = true;
};

class TestNet {
 public:
  Instant now{};
  std::deque<Sent> wire;
  std::vector<Sent> sent;  // all octets so far
  std::string log;
  std::map<NodeAddress, std::unique_ptr<TestNode>> nodes;
  JobDeviations deviations;
  FormerControl former;

  TestNode& add(Octet last, ControlOptions control = {}, TaskOptions tasks = {}) {
    const NodeAddress address = node_at(last);
    control.address = tasks.address = address;
    auto node = std::make_unique<TestNode>(TestNode{address, TestOutbox(address, wire), nullptr, nullptr});
    node->control = make_control_point(control, node->outbox, deviations, former, now);
    node->tasks = make_tasks(tasks, node->outbox, *node->control, deviations);
    return *(nodes[address] = std::move(node));
  }
  TestNode& at(Octet last) { return *nodes.at(node_at(last)); }

  // Delivers everything in flight, and everything that is sent as a result.
  void deliver() {
    for (std::size_t count = 0; !wire.empty() && count < 10'000; ++count) {
      const Sent one = std::move(wire.front());
      wire.pop_front();
      pass(one);
    }
  }
  // Delivers an instruction that no part of a node has sent.
  void inject(Octet from, Octet to, Draft draft) { pass({node_at(from), node_at(to), std::move(draft), {}}); }

  void wait(std::chrono::nanoseconds time) {
    now += time;
    for (auto& [address, node] : nodes) {
      node->control->advance(now);
      node->tasks->advance(now);
    }
    deliver();
  }
  std::vector<TaskEvent> events(Octet last) {
    std::vector<TaskEvent> all;
    TaskEvent event;
    while (at(last).tasks->next_event(event)) {
      log += line(last, event);
      all.push_back(event);
    }
    return all;
  }
  std::vector<Sent> of(Opcode opcode) const {
    std::vector<Sent> some;
    for (const Sent& one : sent)
      if (one.is(opcode)) some.push_back(one);
    return some;
  }

 private:
  void pass(const Sent& one) {
    const OctetBuffer octets = write(one.draft);
    log += std::to_string(one.from.ip[3]) + " > " + std::to_string(one.to.ip[3]) + " " + to_hex(octets) + "\n";
    sent.push_back(one);
    const auto instruction = decode(octets);
    const auto to = nodes.find(one.to);
    if (!instruction || to == nodes.end() || !to->second->reachable) return;
    constexpr LinkId kLink = 7;
    to->second->control->receive(one.from, kLink, *instruction, now);
    to->second->tasks->receive(one.from, kLink, *instruction, now);
  }
  static std::string line(Octet last, const TaskEvent& event) {
    std::string text = std::to_string(last) + " event " + std::to_string(static_cast<int>(event.kind));
    for (const std::uint64_t value :
         {event.gjid.task, event.ltid, std::uint64_t{event.codes.basic}, static_cast<std::uint64_t>(event.end),
          std::uint64_t{event.abends}, event.ended ? event.ended->task : 0, event.opening})
      text += " " + std::to_string(value);
    return text + " " + event.name + "\n";
  }
};

inline const TaskEvent* find_event(const std::vector<TaskEvent>& events, TaskEvent::Kind kind) {
  for (const TaskEvent& event : events)
    if (event.kind == kind) return &event;
  return nullptr;
}

}  // namespace wirelaw::umsp
