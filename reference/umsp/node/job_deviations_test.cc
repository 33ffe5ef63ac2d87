// SPDX-License-Identifier: Apache-2.0
// Each deviation changes the instructions sent, or the node's events, compared with the honest parts in the same
// scripts.
#include "reference/umsp/node/faults/job_deviations.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "reference/umsp/node/test_nodes.h"

namespace wirelaw::umsp {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Octet kJcp = 1, kA = 2, kB = 3, kC = 4;
constexpr NodeFormat kShort{kIpv4Memory16};

OctetBuffer with_reserved(OctetBuffer operands) {
  operands[1] = 1;
  return operands;
}

// A network in which every part commits the same faults, and the actions of the scripts.
struct Stage : TestNet {
  explicit Stage(const JobDeviations& committed) { deviations = committed; }

  std::string result() {
    for (const auto& [address, node] : nodes) {
      events(address.ip[3]);
      log += std::to_string(address.ip[3]) + " has " + std::to_string(node->control->jobs()) + " jobs, " +
             std::to_string(node->control->tasks()) + " tasks\n";
    }
    return log;
  }
  // --- whole nodes
  std::optional<Identifier> start(Octet node, std::uint16_t life_time, std::string_view name,
                                  std::optional<std::uint16_t> inaction) {
    at(node).tasks->begin_job(node_at(kJcp), life_time, name, inaction, now);
    deliver();
    const auto all = events(node);
    const TaskEvent* const started = find_event(all, TaskEvent::Kind::job_started);
    if (started == nullptr) return std::nullopt;
    return started->gjid;
  }
  void session(const Identifier& gjid, Octet from, Octet to, bool again = false) {
    const Tasks::Task* const task = at(from).tasks->find(gjid);
    const TaskId ltid{task == nullptr ? 1 : task->ltid, 4};
    const Admission admission = at(to).tasks->admit({gjid, node_at(from), ltid, again}, now);
    log += "admission " + std::to_string(static_cast<int>(admission.kind)) + "\n";
    deliver();
    events(to);
  }
  void pass(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) wait(milliseconds(500));
  }
  // --- instructions from nodes that do not exist
  std::uint32_t req_id = 900;
  static Draft with(Draft draft, HeadCode head_code) {
    draft.extensions.push_back(head_code == HeadCode::inaction_time ? inaction_extension(10)
                                                                    : text_extension(head_code, "text"));
    return draft;
  }
  void ask(Octet from, Draft draft) {
    draft.req_id = ++req_id;
    to_jcp(from, std::move(draft));
  }
  void to_jcp(Octet from, Draft draft) {
    inject(from, kJcp, std::move(draft));
    deliver();
  }
  // Sends an answer from the JCP to B.
  void answer(Draft draft) {
    const Sent request = wire.empty() ? Sent{} : wire.back();
    wire.clear();
    draft.req_id = request.draft.req_id;
    log += "asked " + std::to_string(request.to.ip[3]) + " " + to_hex(write(request.draft)) + "\n";
    inject(kJcp, kB, std::move(draft));
    show();
  }
  void notify(Draft draft) {
    inject(kJcp, kB, std::move(draft));
    show();
  }
  void show() {
    events(kB);
    deliver();
  }
};

using ScriptFunction = std::string (*)(const JobDeviations&);

// ------------------------------------------------------------------------------------------------------ whole nodes

std::string job_of_three_nodes(const JobDeviations& deviations) {
  Stage net(deviations);
  net.add(kJcp, {.inaction = 10});
  net.add(kA);
  net.add(kB, {}, {.inaction = 12, .checks = true, .watches_jcp = true});
  net.add(kC);
  const auto gjid = net.start(kA, 0, "sum", 20);
  const auto other = net.start(kA, 0, "", {});
  if (!gjid || !other) return net.result();
  net.session(*gjid, kA, kB);
  net.session(*gjid, kB, kC);
  net.session(*gjid, kC, kB);
  net.session(*gjid, kA, kB, true);
  net.session(*other, kA, kB);
  net.at(kB).tasks->set_resources(1, true);
  net.at(kC).tasks->set_sessions(1, true);
  net.pass(60);
  net.at(kC).tasks->terminate_task(*gjid, {5, 6}, net.now);
  net.deliver();
  net.session(*gjid, kB, kC);
  net.at(kA).tasks->complete_job(*gjid, {3, 4}, net.now);
  net.deliver();
  return net.result();
}

std::string silent_nodes(const JobDeviations& deviations) {
  Stage net(deviations);
  net.add(kJcp, {.inaction = 10});
  for (const Octet node : {kA, kB, kC}) net.add(node);
  const auto gjid = net.start(kA, 0, "", {});
  if (!gjid) return net.result();
  net.session(*gjid, kA, kB);
  net.session(*gjid, kA, kC);
  for (const Octet node : {kC, kA}) {
    net.at(node).reachable = false;
    net.pass(30);
  }
  return net.result();
}

std::string ends_of_the_jcp(const JobDeviations& deviations) {
  Stage net(deviations);
  net.add(kJcp);
  for (const Octet node : {kA, kB, kC}) net.add(node);
  const auto first = net.start(kC, 3, "", {});
  if (first) net.session(*first, kC, kA);
  const auto second = net.start(kC, 0, "", {});
  if (second) net.session(*second, kC, kA);
  if (second) net.session(*second, kA, kB);
  net.pass(10);
  net.at(kJcp).control->shut_down(net.now);
  net.deliver();
  return net.result();
}

std::string restart(const JobDeviations& deviations) {
  Stage net(deviations);
  net.former = {1, 5, 20};
  net.add(kJcp);
  net.add(kA);
  net.start(kA, 0, "", {});
  return net.result();
}

std::string nodes_with_short_addresses(const JobDeviations& deviations) {
  Stage net(deviations);
  net.add(kJcp, {.format = kShort, .inaction = 10, .ltid_octets = 2});
  for (const Octet node : {kA, kB}) net.add(node, {.format = kShort}, {.format = kShort});
  const auto gjid = net.start(kA, 0, "", {});
  if (!gjid) return net.result();
  net.session(*gjid, kA, kB);
  net.pass(12);
  net.at(kB).tasks->terminate_task(*gjid, {1, 0}, net.now);
  net.deliver();
  return net.result();
}

// ------------------------------------------------------------------------------------------------ the JCP by itself

TaskReg registration(std::uint64_t job, Octet opener, std::uint64_t opener_ltid, std::uint64_t ltid) {
  return {{job, 4}, gtid_of(node_at(opener), {opener_ltid, 4}), {ltid, 4}};
}

// A's job 1 with B's task 2 and C's task 3; A's job 4.
void jobs_of_a(Stage& net) {
  net.add(kJcp, {.inaction = 10});
  net.ask(kA, ControlReq{{}, {0x11, 4}}.draft());
  net.ask(kB, registration(1, kA, 0x11, 0x21).draft());
  net.ask(kC, registration(1, kA, 0x11, 0x31).draft());
  net.ask(kA, Stage::with(ControlReq{{}, {0x12, 4}}.draft(), HeadCode::name));
}

std::string requests(const JobDeviations& deviations) {
  Stage net(deviations);
  jobs_of_a(net);
  net.ask(kA, ControlReq{{.cmt = true}, {0x13, 4}}.draft());
  net.ask(kA, Stage::with(ControlReq{{}, {0x14, 4}}.draft(), HeadCode::inaction_time));
  net.ask(kA, Stage::with(ControlReq{{}, {0x15, 4}}.draft(), HeadCode::msg));
  net.ask(9, registration(77, kA, 0x11, 0x91).draft());
  net.ask(9, registration(1, kA, 0x99, 0x91).draft());
  net.ask(kB, registration(4, kA, 0x12, 0x21).draft());
  net.ask(9, Stage::with(registration(1, kA, 0x11, 0x92).draft(), HeadCode::msg));
  net.ask(kB, registration(1, kC, 0x31, 0x21).draft(true));
  net.ask(kB, Stage::with(registration(1, kC, 0x31, 0x21).draft(true), HeadCode::msg));
  net.ask(kB, registration(1, kC, 0x99, 0x21).draft(true));
  net.ask(kB, registration(1, kC, 0x31, 0x99).draft(true));
  return net.result();
}

std::string repetitions(const JobDeviations& deviations) {
  Stage net(deviations);
  jobs_of_a(net);
  net.to_jcp(kB, Stage::with(TaskTerminate{{5, 6}, {2, 4}}.draft(), HeadCode::msg));
  net.ask(kB, registration(1, kA, 0x11, 0x21).draft());
  net.ask(kB, Stage::with(registration(1, kA, 0x11, 0x21).draft(), HeadCode::inaction_time));
  net.ask(kB, Stage::with(registration(1, kA, 0x11, 0x25).draft(), HeadCode::inaction_time));
  net.ask(kA, ControlReq{{}, {0x11, 4}}.draft());
  net.to_jcp(kA, Stage::with(JobCompleted{{3, 4}, {4, 4}}.draft(), HeadCode::msg));
  for (const std::uint64_t ltid : {0x16u, 0x17u}) net.ask(kA, ControlReq{{}, {ltid, 4}}.draft());
  net.at(kJcp).control->unlinked(node_at(kA), net.now);
  net.deliver();
  return net.result();
}

std::string states(const JobDeviations& deviations) {
  Stage net(deviations);
  jobs_of_a(net);
  net.at(kJcp).control->advance(net.now = seconds(5));
  net.deliver();
  Draft state = TaskState{2, {2, 4}}.draft();
  state.operands = with_reserved(state.operands);
  net.to_jcp(kB, state);
  net.ask(kC, registration(4, kA, 0x12, 0x32).draft());
  net.to_jcp(kA, TaskState{1, {1, 4}}.draft());
  net.pass(16);
  return net.result();
}

std::string reload(const JobDeviations& deviations) {
  Stage net(deviations);
  jobs_of_a(net);
  const auto pass = [&] {
    net.at(kJcp).control->advance(net.now += seconds(5));
    net.deliver();
  };
  net.ask(kB, registration(4, kA, 0x12, 0x22).draft());
  pass();
  net.to_jcp(kB, TaskState{2, {2, 4}}.draft());
  net.to_jcp(kA, TaskState{2, {1, 4}}.draft());
  net.ask(kA, ControlReq{{}, {0x13, 4}}.draft());
  net.ask(kB, registration(6, kA, 0x13, 0x23).draft());
  pass();
  net.to_jcp(kA, TaskState{2, {1, 4}}.draft());
  net.now += seconds(1);
  net.to_jcp(kB, NodeReload{{0x21, 4}}.draft());
  net.to_jcp(kB, TaskState{2, {5, 4}}.draft());
  pass();
  return net.result();
}

// ------------------------------------------------------------------------------------------------- a node by itself

constexpr std::uint64_t kCtid = 5;

Identifier job(std::uint64_t ctid) {
  return identifier_of({}, node_at(kJcp), ctid);
}

void open(Stage& net, Octet opener, std::uint64_t ctid, bool again = false) {
  const Admission admission = net.at(kB).tasks->admit({job(ctid), node_at(opener), {0x11, 4}, again}, net.now);
  net.log += "admission " + std::to_string(static_cast<int>(admission.kind)) + "\n";
  net.events(kB);
}

std::string jobs_of_a_node(const JobDeviations& deviations) {
  Stage net(deviations);
  net.add(kB);
  const auto begin = [&] { net.at(kB).tasks->begin_job(node_at(kJcp), 7, "sum", 9, net.now); };
  const Draft reject = ControlReject{{1, 0}}.draft();
  Draft as_confirm = reject;
  as_confirm.opcode = static_cast<std::uint8_t>(Opcode::control_confirm);
  for (const Draft& draft : {reject, Stage::with(reject, HeadCode::msg), as_confirm, ControlConfirm{job(1)}.draft(),
                             Stage::with(ControlConfirm{job(2)}.draft(), HeadCode::msg)}) {
    begin();
    net.answer(draft);
  }
  net.at(kB).tasks->complete_job(job(1), {1, 2}, net.now);
  net.show();
  begin();
  net.deliver();
  net.at(kB).tasks->advance(net.now += seconds(10));
  net.show();
  return net.result();
}

std::string tasks_of_a_node(const JobDeviations& deviations) {
  Stage net(deviations);
  net.add(kB, {}, {.inaction = 10, .watches_jcp = true});
  open(net, kA, 1);
  net.answer(TaskReject{{1, 0}}.draft());
  open(net, kA, 2);
  net.answer(Stage::with(TaskReject{{1, 0}}.draft(), HeadCode::msg));
  open(net, kA, 3);
  net.answer(TaskConfirm{{kCtid, 4}}.draft());
  open(net, kA, 4);
  net.answer(Stage::with(TaskConfirm{{kCtid + 1, 4}}.draft(), HeadCode::name));
  open(net, kJcp, 5);
  open(net, kA, 3, true);
  open(net, kJcp, 3, true);
  net.show();
  for (const std::uint64_t ltid : {3u, 4u, 99u}) net.notify(StateReq{{ltid, 4}}.draft());
  net.at(kB).tasks->terminate_task(job(4), {1, 2}, net.now);
  net.show();
  net.notify(StateReq{{4, 4}}.draft());
  return net.result();
}

std::string notices_to_a_node(const JobDeviations& deviations) {
  Stage net(deviations);
  net.add(kB, {}, {.inaction = 10, .watches_jcp = true});
  for (const std::uint64_t ctid : {1u, 2u, 3u, 4u}) {
    open(net, kA, ctid);
    net.answer(TaskConfirm{{ctid + 10, 4}}.draft());
  }
  const Draft notice = TaskTerminateInfo{{1, 0}, gtid_of(node_at(kA), {0x11, 4})}.draft();
  net.notify(Stage::with(notice, HeadCode::msg));
  net.notify(notice);
  net.notify(JobCompletedInfo{{}, job(1)}.draft());
  net.notify(JobCompletedInfo{Codes{1, 1}, job(2)}.draft());
  net.notify(Stage::with(JobCompletedInfo{Codes{1, 1}, job(3)}.draft(), HeadCode::msg));
  net.pass(11);
  return net.result();
}

// ------------------------------------------------------------------------------------------------------------- tests

constexpr ScriptFunction kScripts[] = {
    job_of_three_nodes, silent_nodes,     ends_of_the_jcp, restart, nodes_with_short_addresses,
    requests,           repetitions,      states,          reload,  jobs_of_a_node,
    tasks_of_a_node,    notices_to_a_node};

std::string everything(const JobDeviations& deviations) {
  std::string text;
  for (const ScriptFunction script : kScripts) text += script(deviations);
  return text;
}

TEST(JobDeviation, ShowsAndIsUnlikeEveryOther) {
  std::map<std::string, std::string_view> transcripts{{everything({}), "honest"}};
  for (const JobDeviationInfo& info : all_job_deviations()) {
    const auto [same, is_new] = transcripts.insert({everything({info.deviation}), info.name});
    EXPECT_TRUE(is_new) << info.name << " is like " << same->second;
  }
}

TEST(JobDeviation, HasANameASectionAndAText) {
  for (const JobDeviationInfo& info : all_job_deviations()) {
    EXPECT_EQ(JobDeviations::named(info.name), info.deviation);
    EXPECT_TRUE(info.rule.starts_with("5")) << info.name;
    EXPECT_TRUE(info.text.ends_with(".")) << info.name;
  }
  EXPECT_EQ(JobDeviations::named("no-such"), std::nullopt);
}

}  // namespace
}  // namespace wirelaw::umsp
