// SPDX-License-Identifier: Apache-2.0
#include "fuzz/umsp_delayed.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <optional>

#include "conformance/association.h"
#include "conformance/umsp/umsp.h"
#include "corpora/formats/umsp_steps.h"
#include "fuzz/umsp_calls.h"
#include "harness/flow/judged_flow.h"
#include "pcap/tcp_connection.h"
#include "reference/umsp/node/node.h"

namespace wirelaw::fuzz {
namespace {

using namespace std::chrono_literals;
using corpora::umsp_steps::Act;
using umsp::Node;
using umsp::NodeAddress;

constexpr std::array<NodeAddress, 2> kNodes{{{{192, 0, 2, 1}}, {{192, 0, 2, 2}}}};
constexpr std::uint32_t kFirstPort = 40'000;
constexpr std::size_t kMostEvents = 20'000;

// The actions selected by a step's bits: mostly exchanges in the session.
constexpr Act kActs[16] = {Act::write,       Act::write,        Act::write_sequence,    Act::write_sequence,
                           Act::write_later, Act::write_later,  Act::write_transaction, Act::write_transaction,
                           Act::write_long,  Act::write_long,   Act::open_session,      Act::close_session,
                           Act::go_on,       Act::register_job, Act::complete_job,      Act::terminate_task};

struct CapturedSegment {
  std::size_t connection = 0;
  bool from_maker = false;
  pcap::Segment segment;
  OctetBuffer payload;
};

// One captured connection of the two nodes, opened by side a.
class JudgedConnection {
 public:
  JudgedConnection(std::size_t number, unsigned maker, Associations& all) {
    flow_.set_number(number + 1);
    flow_.name_sides("delayed", fmt::format("node {}", maker), fmt::format("node {}", 1 - maker), {});
    const std::array<Endpoint, 2> ends{
        Endpoint{Address::ipv4(kNodes[maker].ip.data()), kFirstPort + static_cast<std::uint32_t>(number)},
        Endpoint{Address::ipv4(kNodes[1 - maker].ip.data()), umsp::kPort}};
    flow_.begin(umsp::kProtocol, protocols(), {.addresses = ends}, &umsp::kProtocol);
    flow_.join(all);
  }
  void see(const CapturedSegment& one, Judge& judge) {
    judge.enter_flow(flow_.names());
    judge.set_now(one.segment.time_ns);
    pcap::Segment segment = one.segment;
    segment.payload = one.payload;
    tcp_.take(segment, one.from_maker, [&](const StreamPiece& piece) { flow_.observe(piece, judge); });
  }
  void finish(Judge& judge) {
    judge.enter_flow(flow_.names());
    tcp_.finish([&](const StreamPiece& piece) { flow_.observe(piece, judge); });
    flow_.finish(judge);
  }

 private:
  JudgedFlow flow_;
  pcap::TcpConnection tcp_;
};

}  // namespace

class UmspDelayed::Run {
 public:
  explicit Run(const UmspDelayedConversation& said) : said_(said), random_(said.path.seed + 1) {
    act(0, said.remote_control ? Act::register_job : Act::begin_job);
    pass(20s);
    act(0, Act::open_session);
    pass(40s);
    for (const Octet step : said.steps) {
      pass(std::chrono::milliseconds((step & 7) * 500));
      act(step >> 7, kActs[step >> 3 & 15], step);
    }
    pass(120s);
  }

  const std::vector<CapturedSegment>& captured() const { return captured_; }
  std::uint64_t instructions() const { return instructions_; }
  unsigned maker(std::size_t connection) const { return connections_[connection]->maker; }
  std::size_t connections() const { return connections_.size(); }

 private:
  struct Party {
    Party(unsigned self, bool remote_control)
        : node(options(self)),
          application(node, kNodes[self], kNodes[remote_control ? 1 - self : self], kNodes[1 - self]) {}
    static umsp::NodeOptions options(unsigned self) {
      umsp::NodeOptions options{.address = kNodes[self]};
      options.sessions.open_timeout = 60s;  // longer than the delays of a handshake with its registration
      return options;
    }
    Node node;
    UmspCalls application;
  };
  struct Connection {
    unsigned maker = 0;
    std::int64_t made_ns = 0;              // time at which both sides certainly know the connection
    std::array<umsp::Context, 2> in, out;  // per node: for instructions written, and for instructions sent
    std::unique_ptr<DelayedStream> stream;
  };

  Instant now() const { return Instant(queue_.now()); }

  void act(unsigned who, Act what, Octet data = 1) {
    const OctetBuffer octets{static_cast<Octet>(what), data, data, data, data};
    parties_[who].application.act(octets, now());
    settle();
  }

  void pass(Instant time) {
    const std::int64_t until = queue_.now() + time.count();
    for (std::size_t i = 0; i < kMostEvents; ++i) {
      std::optional<std::int64_t> due = queue_.next();
      bool is_event = due.has_value();
      for (Party& one : parties_)
        if (const auto next = one.node.deadline(); next && (!due || next->count() < *due)) {
          due = next->count();
          is_event = false;
        }
      if (!due || *due > until) break;
      if (is_event) {
        queue_.run_next();
        continue;
      }
      queue_.pass_to(*due);
      for (Party& one : parties_) one.node.advance(now());
      settle();
    }
    queue_.pass_to(until);
  }

  void settle() {
    for (bool moved = true; moved;) {
      moved = false;
      for (unsigned i = 0; i < 2; ++i) moved = settle(i) || moved;
    }
  }
  bool settle(unsigned which) {
    Party& party = parties_[which];
    bool moved = false;
    for (umsp::NodeEvent event; party.node.next_event(event); moved = true) party.application.on(event);
    for (; party.node.next_dial(); moved = true) connect(which);
    for (Outgoing out; party.node.next_output(out); moved = true)
      if (out.to < connections_.size()) send(which, *connections_[out.to], out.octets);
    return moved;
  }

  void connect(unsigned maker) {
    const std::size_t number = connections_.size();
    Path path = said_.path;
    path.seed += static_cast<std::uint32_t>(number) * 1000;
    auto connection = std::make_unique<Connection>();
    connection->maker = maker;
    connection->made_ns = queue_.now() + 3 * path.most_ns;
    connection->stream = std::make_unique<DelayedStream>(
        queue_, path,
        [this, number](const pcap::Segment& segment, bool from_maker) {
          CapturedSegment one{.connection = number,
                              .from_maker = from_maker,
                              .segment = segment,
                              .payload = {segment.payload.begin(), segment.payload.end()}};
          one.segment.frame = captured_.size() + 1;
          one.segment.payload = {};
          captured_.push_back(std::move(one));
        },
        [this, number, maker](Side to, Octets octets) {
          const unsigned node = to == Side::a ? maker : 1 - maker;
          ++instructions_;
          parties_[node].node.receive(number, octets, now());
          settle();
        });
    connection->stream->open();
    connections_.push_back(std::move(connection));
    parties_[maker].node.linked(number, kNodes[1 - maker], false, now());
    parties_[1 - maker].node.linked(number, kNodes[maker], false, now());
  }

  // An instruction between VMs may use any connection; its responses, and further instructions of the other node, use
  // the same one.
  void send(unsigned from, Connection& chosen, Octets octets) {
    while (const auto instruction = umsp::decode(octets)) {
      const umsp::Membership membership = follow(instruction->header, chosen.in[from]);
      const umsp::Draft draft = draft_of(*instruction, membership);
      const bool may_move = instruction->opcode() >= 128 && draft.session_id.value_or(0) != 0;
      Connection& one = may_move ? any_connection(from, chosen) : chosen;
      OctetBuffer written;
      write(draft, one.out[from], written);
      one.stream->write(from == one.maker ? Side::a : Side::b, written);
      octets = octets.subspan(static_cast<std::size_t>(instruction->octets()));
    }
  }
  // Returns an existing connection; also opens a further one for later.
  Connection& any_connection(unsigned from, Connection& chosen) {
    const std::size_t any = random_() % said_.connections;
    if (any < connections_.size()) return is_made(*connections_[any]) ? *connections_[any] : chosen;
    connect(from);
    return chosen;
  }
  bool is_made(const Connection& one) const { return queue_.now() >= one.made_ns; }

  UmspDelayedConversation said_;
  std::minstd_rand random_;
  EventQueue queue_;
  std::array<Party, 2> parties_{Party(0, said_.remote_control), Party(1, said_.remote_control)};
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<CapturedSegment> captured_;
  std::uint64_t instructions_ = 0;
};

UmspDelayed::UmspDelayed(const UmspDelayedConversation& conversation) : run_(std::make_unique<Run>(conversation)) {}
UmspDelayed::~UmspDelayed() = default;

std::size_t UmspDelayed::frames() const {
  return run_->captured().size();
}
std::uint64_t UmspDelayed::instructions() const {
  return run_->instructions();
}

std::vector<std::string> UmspDelayed::failed_musts(std::size_t first_frame) const {
  Judge judge(umsp::kProtocol.catalogue(), {.findings_per_rule_and_flow = JudgeLimits::kUnlimited});
  judge.begin_source(Completeness::complete);
  Associations all;
  std::vector<std::unique_ptr<JudgedConnection>> connections(run_->connections());
  for (std::size_t i = first_frame; i < run_->captured().size(); ++i) {
    const CapturedSegment& one = run_->captured()[i];
    auto& connection = connections[one.connection];
    if (!connection) connection = std::make_unique<JudgedConnection>(one.connection, run_->maker(one.connection), all);
    connection->see(one, judge);
  }
  for (const auto& connection : connections)
    if (connection) connection->finish(judge);
  judge.end_source(Completeness::complete);
  std::vector<std::string> failed;
  for (const Finding& one : judge.findings())
    if (one.severity == Severity::violation && (one.rule->level == Level::must || one.rule->level == Level::must_not))
      failed.push_back(fmt::format("{} by {} in frame {}: expected {}, actual {} ({})", one.rule->id, one.sender,
                                   one.frame, one.expected, one.actual, one.explanation));
  return failed;
}

}  // namespace wirelaw::fuzz
