// SPDX-License-Identifier: Apache-2.0
// A Job Control Point watches its nodes (RFC 3018 5.7), and handles its other timers.
#include <algorithm>

#include "reference/umsp/node/control_point.h"

namespace wirelaw::umsp {
namespace {

std::chrono::nanoseconds half_seconds(std::uint16_t count) {
  return std::chrono::milliseconds(500) * count;
}

void take_earlier(std::optional<Instant>& earliest, std::optional<Instant> other) {
  if (other && (!earliest || *other < *earliest)) earliest = other;
}

}  // namespace

void ControlPoint::noted(NodeAddress node, Instant now) {
  now_ = now;
  if (const auto known = nodes_.find(node); known != nodes_.end()) known->second.active = now;
}

void ControlPoint::unlinked(NodeAddress, Instant now) {
  now_ = now;
}

// ---------------------------------------------------------------------------------------------------------- questions

// The oldest task answers for its node. A node that does not know its CTID cannot answer for it.
const ControlPoint::Task* ControlPoint::choose_asked(const Node& node) const {
  const Task* oldest = nullptr;
  for (const std::uint64_t ctid : node.tasks) {
    const Task& task = tasks_.at(ctid);
    if (task.ltid && task.knows_ctid && (oldest == nullptr || task.begun < oldest->begun)) oldest = &task;
  }
  return oldest;
}

std::optional<Instant> ControlPoint::question_due(const Node& node) const {
  if (node.period == 0 || node.reload || first_answer_due(node) || choose_asked(node) == nullptr) return std::nullopt;
  return node.active + half_seconds(node.period);
}

Instant ControlPoint::answer_due(const Node& node, Instant asked) const {
  return asked + half_seconds(node.period);
}

std::optional<Instant> ControlPoint::first_answer_due(const Node& node) const {
  std::optional<Instant> earliest;
  for (const std::uint64_t ctid : node.tasks)
    if (const auto asked = tasks_.at(ctid).asked) take_earlier(earliest, answer_due(node, *asked));
  return earliest;
}

void ControlPoint::ask(std::uint64_t ctid) {
  Task& task = tasks_.at(ctid);
  task.asked = now_;
  send(task.node, StateReq{task.ltid.value_or(TaskId{})}.draft(), {});
}

void ControlPoint::forget_questions(NodeAddress address) {
  const auto node = nodes_.find(address);
  if (node == nodes_.end()) return;
  for (const std::uint64_t ctid : node->second.tasks) tasks_.at(ctid).asked.reset();
}

// Skips tasks that are being asked already.
void ControlPoint::ask_between(const Node& node, Order after, Order before) {
  for (const std::uint64_t ctid : node.tasks) {
    const Task& task = tasks_.at(ctid);
    if (task.ltid && task.knows_ctid && !task.asked && task.begun > after && task.begun < before) ask(ctid);
  }
}

// ------------------------------------------------------------------------------------------------------------ answers

void ControlPoint::on_task_state(NodeAddress from, const TaskState& answer) {
  const auto task = tasks_.find(answer.ctid.number);
  if (task == tasks_.end() || task->second.node != from || !task->second.asked) return;
  task->second.asked.reset();
  if (answer.state == static_cast<std::uint8_t>(TaskCondition::completed))
    end_task(answer.ctid.number, codes_of(JobCode::task_completed));
}

ControlPoint::Task* ControlPoint::find_asked(NodeAddress node, const TaskId& ltid) {
  const auto known = nodes_.find(node);
  if (known == nodes_.end()) return nullptr;
  for (const std::uint64_t ctid : known->second.tasks) {
    Task& task = tasks_.at(ctid);
    if (task.asked && task.ltid && task.ltid->number == ltid.number) return &task;
  }
  return nullptr;
}

void ControlPoint::on_node_reload(NodeAddress from, const NodeReload& answer) {
  const Task* const task = find_asked(from, answer.ltid);
  if (task == nullptr) return;
  end_task(task->ctid, codes_of(JobCode::node_reloaded));
  const auto node = nodes_.find(from);
  if (node != nodes_.end() && !node->second.reload) begin_reload(node->second);
}

// Items 1 and 2: tasks from before the last question but one are asked now, those between the last two questions one
// inaction period after the last. Later tasks belong to the reloaded node.
void ControlPoint::begin_reload(Node& node) {
  node.reload = Reload{node.last_at + half_seconds(node.period), node.last_but_one, node.last};
  ask_between(node, 0, node.last_but_one);
}

// Item 3.
void ControlPoint::finish_reload(Node& node) {
  const Reload reload = *node.reload;
  node.reload.reset();
  ask_between(node, reload.after, reload.before);
}

// --------------------------------------------------------------------------------------------------------------- time

void ControlPoint::watch(NodeAddress address) {
  const auto overdue = [&](const Node& node) {
    const auto due = first_answer_due(node);
    return due && *due <= now_;
  };
  auto node = nodes_.find(address);
  if (node != nodes_.end() && overdue(node->second)) {
    on_no_answer(address);
    node = nodes_.find(address);
  }
  if (node == nodes_.end()) return;
  if (node->second.reload && node->second.reload->at <= now_) finish_reload(node->second);
  const auto due = question_due(node->second);
  if (!due || *due > now_) return;
  node->second.last_but_one = node->second.last;
  node->second.last = ++order_;
  node->second.last_at = now_;
  ask(choose_asked(node->second)->ctid);
}

void ControlPoint::advance(Instant now) {
  now_ = now;
  std::vector<std::uint64_t> over;
  for (const auto& [ctid, job] : jobs_)
    if (job.ends && *job.ends <= now) over.push_back(ctid);
  for (const std::uint64_t ctid : over) on_life_over(ctid);
  std::vector<NodeAddress> nodes;
  for (const auto& [address, node] : nodes_) nodes.push_back(address);
  for (const NodeAddress address : nodes) watch(address);
}

std::optional<Instant> ControlPoint::deadline() const {
  std::optional<Instant> earliest;
  for (const auto& [ctid, job] : jobs_) take_earlier(earliest, job.ends);
  for (const auto& [address, node] : nodes_) {
    take_earlier(earliest, question_due(node));
    take_earlier(earliest, first_answer_due(node));
    if (node.reload) take_earlier(earliest, node.reload->at);
  }
  return earliest;
}

}  // namespace wirelaw::umsp
