// SPDX-License-Identifier: Apache-2.0
// Nodes with any number of connections between them, for tests of the facts that the connections show together. The
// instructions are in the order in which a tap sees them. The initiator 192.0.2.1 has its job under the JCP 192.0.2.3
// and opens a session at the executor 192.0.2.2, which registers its task at the JCP.
#pragma once

#include <gmock/gmock.h>

#include <map>
#include <tuple>

#include "conformance/judge.h"
#include "conformance/umsp/observer.h"
#include "conformance/umsp/tracker/jobs.h"
#include "conformance/umsp/umsp.h"
#include "reference/umsp/management.h"

namespace wirelaw::umsp::world {

inline constexpr std::int64_t kSecond = 1'000'000'000;
enum Who : std::uint8_t { kInitiator = 1, kExecutor = 2, kJcp = 3, kOther = 4, kInitiatorOfOthers = 5 };

inline Octet last_octet(Who who) {
  return static_cast<Octet>(who);
}
inline JobNode node(Who who) {
  const Octet octets[] = {192, 0, 2, last_octet(who)};
  return JobNode::ipv4(octets);
}
inline Identifier identifier(Who who, std::uint64_t task) {
  const Octet octets[] = {192, 0, 2, last_octet(who)};
  return *make_identifier(kIpv4Memory32, octets, task);
}

inline constexpr std::uint64_t kFirstCtid = 0x3001, kFirstLtid = 0x2001, kCtid = 0x3002, kLtid = 0x5001;

class World {
 public:
  explicit World(Completeness completeness = Completeness::complete) { judge_.begin_source(completeness); }

  void say(Who from, Who to, Draft draft, std::optional<std::uint32_t> req_id = {},
           std::optional<std::uint32_t> session = {}) {
    draft.req_id = req_id;
    draft.session_id = session;
    put(from, to, write(draft), 0);
  }
  // Sends the first half of the instruction, with which the capture ends.
  void say_half(Who from, Who to, Draft draft, std::optional<std::uint32_t> session = {}) {
    draft.session_id = session;
    OctetBuffer octets = write(draft);
    octets.resize(octets.size() / 2);
    put(from, to, octets, 0);
  }
  // Sends the instruction as a separate datagram.
  void say_by_udp(Who from, Who to, Draft draft, std::optional<std::uint32_t> req_id = {}) {
    constexpr unsigned kDatagrams = 1000;  // no connection has this number
    const unsigned before = std::exchange(connection_, kDatagrams);
    draft.req_id = req_id;
    const OctetBuffer octets = write(draft);
    Flow& flow = flow_of(from, to);
    connection_ = before;
    enter(flow);
    now_ += kSecond / 100;
    Message message{.octets = octets, .sender = flow.side_of(from), .frame = ++frames_, .time_ns = now_};
    message.wire_length = octets.size();
    flow.observer->observe(message, judge_);
  }
  // From now on the segments of no node acknowledge anything in time, so nothing proves what it had received.
  void acknowledge_late() { acknowledges_ = false; }
  // From now on two nodes use this one of their connections.
  void over(unsigned connection) { connection_ = connection; }
  // Both nodes close the connection that they use.
  void close(Who one, Who other) {
    Flow& flow = flow_of(one, other);
    enter(flow);
    for (const Side side : {Side::a, Side::b})
      flow.observer->observe(StreamPiece{.event = StreamEvent::closed,
                                         .sender = side,
                                         .offset = flow.sent[index(side)],
                                         .frame = ++frames_,
                                         .time_ns = now_},
                             judge_);
  }
  // So many octets from one node to the other are not in the capture.
  void lose(Who from, Who to, std::uint64_t octets) {
    Flow& flow = flow_of(from, to);
    const Side side = flow.side_of(from);
    enter(flow);
    flow.observer->observe(StreamPiece{.event = StreamEvent::gap,
                                       .sender = side,
                                       .offset = flow.sent[index(side)],
                                       .missing = octets,
                                       .frame = ++frames_,
                                       .time_ns = now_},
                           judge_);
    flow.sent[index(side)] += octets;
  }
  void pause(std::int64_t ns) { now_ += ns; }
  // The handshake of a new connection: its SYN and the answer.
  void connect(Who from, Who to) {
    Flow& flow = flow_of(from, to);
    enter(flow);
    for (const Side side : {flow.side_of(from), flow.side_of(to)})
      flow.observer->observe(
          StreamPiece{.event = StreamEvent::opened, .sender = side, .frame = ++frames_, .time_ns = now_}, judge_);
  }

  // --- a job in its steps, as it ought to be
  void control() {
    say(kInitiator, kJcp, ControlReq{.ltid = {kFirstLtid, 4}}.draft(), 1);
    say(kJcp, kInitiator, ControlConfirm{identifier(kJcp, kFirstCtid)}.draft(), 1);
  }
  void open(std::uint32_t id = 5) {
    say(kInitiator, kExecutor,
        SessionOpen{.required_vm = {50000, 1},
                    .required_profile = 0xfbff'17fe,
                    .sender_vm = {50000, 1},
                    .sender_profile = 0xfbff'07fe,
                    .gjid = identifier(kJcp, kFirstCtid),
                    .ltid = {kFirstLtid, 4}}
            .draft(),
        id);
  }
  void accept() { say(kExecutor, kInitiator, draft_of(Opcode::session_accept), 1, 5); }
  static TaskReg registration() {
    return {.ctid = {kFirstCtid, 4}, .gtid = identifier(kInitiator, kFirstLtid), .ltid = {kLtid, 4}};
  }
  void enrol(const TaskReg& registration = World::registration()) { say(kExecutor, kJcp, registration.draft(), 7); }
  void confirm() { say(kJcp, kExecutor, TaskConfirm{{kCtid, 4}}.draft(), 7); }
  void run() {
    control();
    open();
    enrol();
    confirm();
    accept();
  }
  // The node ends the session that open() and accept() have opened.
  void leave(Who who) {
    const bool initiates = who == kInitiator;
    say(who, initiates ? kExecutor : kInitiator, draft_of(Opcode::session_abend), {}, initiates ? 1 : 5);
  }
  void terminate(Codes codes = {1, 0}) {
    say(kExecutor, kJcp, TaskTerminate{.codes = codes, .ctid = {kCtid, 4}}.draft());
  }

  std::vector<std::string> findings() {
    for (auto& [between, flow] : flows_) {
      enter(flow);
      flow.observer->finish(judge_);
    }
    std::vector<std::string> all;
    for (const Finding& one : judge_.findings())
      all.push_back(fmt::format("{} {}", one.rule->id, one.severity == Severity::warning ? "warning" : "violation"));
    return all;
  }

 private:
  struct Flow {
    std::array<Who, 2> ends;
    std::unique_ptr<Observer> observer;
    std::array<std::uint64_t, 2> sent{};
    std::array<std::int64_t, 2> sent_ns{};
    Side side_of(Who who) const { return ends[0] == who ? Side::a : Side::b; }
  };
  static std::size_t index(Side side) { return side == Side::a ? 0 : 1; }

  void enter(const Flow& flow) {
    judge_.enter_flow(fmt::format("{}-{}", last_octet(flow.ends[0]), last_octet(flow.ends[1])), "a", "b",
                      {.a = true, .b = true});
    judge_.set_now(now_);
  }
  Flow& flow_of(Who one, Who other) {
    const std::tuple key{std::min(one, other), std::max(one, other), connection_};
    const auto found = flows_.find(key);
    if (found != flows_.end()) return found->second;
    Flow& flow = flows_[key];
    flow = {.ends = {one, other}, .observer = make_observer({})};
    dynamic_cast<JoiningObserver&>(*flow.observer)
        .join(all_,
              {Endpoint{node(one), static_cast<std::uint16_t>(40000 + connection_)}, Endpoint{node(other), kPort}});
    return flow;
  }
  void put(Who from, Who to, const OctetBuffer& octets, std::uint64_t skipped) {
    Flow& flow = flow_of(from, to);
    const Side side = flow.side_of(from);
    enter(flow);
    now_ += kSecond / 100;
    const std::size_t here = index(side), there = index(wirelaw::other(side));
    const bool is_acknowledged = acknowledges_ && now_ - flow.sent_ns[there] >= kSecond;
    flow.observer->observe(StreamPiece{.sender = side,
                                       .octets = octets,
                                       .offset = flow.sent[here] + skipped,
                                       .frame = ++frames_,
                                       .time_ns = now_,
                                       .received = is_acknowledged ? flow.sent[there] : 0},
                           judge_);
    flow.sent[here] += octets.size() + skipped;
    flow.sent_ns[here] = now_;
  }

  Judge judge_{kProtocol.catalogue()};
  Associations all_;
  std::map<std::tuple<Who, Who, unsigned>, Flow> flows_;
  bool acknowledges_ = true;
  unsigned connection_ = 0;
  std::uint64_t frames_ = 0;
  std::int64_t now_ = 100 * kSecond;
};

}  // namespace wirelaw::umsp::world
