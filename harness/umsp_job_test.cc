// SPDX-License-Identifier: Apache-2.0
// Whole jobs of three nodes of UMSP: one that initiates, one that executes, and the control point of the job, each on a
// node of its own. What they send one another is judged on each connection.
#include <gmock/gmock.h>

#include "harness/umsp_world.h"
#include "reference/umsp/exchange.h"
#include "reference/umsp/vm/offered.h"

namespace wirelaw::umsp {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;
using testing::IsSupersetOf;

constexpr NodeAddress kInitiator{{192, 0, 2, 1}}, kExecutor{{192, 0, 2, 2}}, kControl{{192, 0, 2, 3}};
constexpr MemoryAddress kRegion{offered::kRegionAddress, 4};

Draft of_object(Opcode opcode, Octets rest = {}) {
  OctetBuffer operands;
  Writer(operands).big_endian(offered::kObject).big_endian(std::uint16_t{0}).big_endian(std::uint16_t{0}).octets(rest);
  return draft_of(opcode, std::move(operands));
}
Draft named(Draft draft, std::string_view name) {
  draft.extensions.push_back(text_extension(HeadCode::name, name));
  return draft;
}
OctetBuffer words(std::initializer_list<std::uint32_t> numbers) {
  OctetBuffer octets;
  for (const std::uint32_t number : numbers) Writer(octets).big_endian(number);
  return octets;
}

// Requests of every class, with what answers each.
struct Asked {
  Draft draft;
  Opcode answer;
};
std::vector<Asked> requests() {
  const OctetBuffer data = words({0x01020304, 0x05060708});
  const VmKind vm{offered::kVmType, offered::kVmVersion};
  const MemoryAddress echo{offered::kEchoAddress, 4};
  return {{write_data(kRegion, data), Opcode::rsp},
          {req_data(kRegion, 8), Opcode::data},
          {compare_data(kRegion, data), Opcode::rsp},
          {write_ext(kRegion, Octets(data).first(3)), Opcode::rsp},
          {compare_ext(kRegion, Octets(data).first(3)), Opcode::rsp},
          {mem_alloc(64), Opcode::address},
          {mvcode(vm, offered::echo_image()), Opcode::address},
          {mvrun(vm, offered::echo_image(data)), Opcode::return_control},
          {call_to(echo, data), Opcode::return_control},
          {call_to(echo, data, vm), Opcode::return_control},
          {jump_to(echo, data), Opcode::rsp},
          {draft_of(Opcode::nop), Opcode::rsp},
          {of_object(Opcode::obj_req_data_4, words({4, 0})), Opcode::data},
          {of_object(Opcode::obj_write_4, words({8, 7})), Opcode::rsp},
          {of_object(Opcode::obj_data_cmp_4, words({8, 7})), Opcode::rsp},
          {of_object(Opcode::call_bnum, words({offered::kEchoNumber, 9})), Opcode::return_control},
          {named(of_object(Opcode::call_bname, words({9})), offered::kEchoName), Opcode::return_control},
          {named(of_object(Opcode::get_num_proc), offered::kEchoName), Opcode::proc_num},
          {named(draft_of(Opcode::obj_seek), offered::kObjectName), Opcode::object},
          {draft_of(Opcode::obj_get_name, words({offered::kObject})), Opcode::object}};
}

// The application of the initiating node: one request behind the other, then chains, then the end of all.
class Application {
 public:
  void on(Node& node, const NodeEvent& event, Instant now) {
    if (const auto* const started = std::get_if<JobStarted>(&event)) {
      gjid = started->gjid;
      session = node.open_session(kExecutor, gjid, {}, now).value_or(0);
    }
    const auto* const of_session = std::get_if<SessionEvent>(&event);
    if (of_session != nullptr && std::holds_alternative<SessionOpened>(*of_session)) next(node, now);
    if (of_session != nullptr && std::holds_alternative<SessionEnded>(*of_session)) {
      ended = true;
      node.complete_job(gjid, {}, now);
    }
    if (const auto* const responded = std::get_if<Responded>(&event)) {
      answers.push_back(responded->response.opcode);
      next(node, now);
    }
  }
  Identifier gjid;
  std::uint32_t session = 0;
  std::vector<std::uint8_t> answers;
  bool ended = false;

 private:
  void next(Node& node, Instant now) {
    static const std::vector<Asked> kRequests = requests();
    const std::size_t step = answers.size();
    if (step < kRequests.size()) {
      Draft draft = kRequests[step].draft;
      draft.req_id = static_cast<std::uint32_t>(step + 1);
      return node.request(session, std::move(draft), now);
    }
    const std::size_t chain = step - kRequests.size();
    if (chain < 4) return send_chain(node, chain, static_cast<std::uint32_t>(step + 1), now);
    node.close_session(session, now);
  }
  // A sequence, a transaction that is executed when it is whole, one that waits for EXEC_TR, and a long instruction.
  void send_chain(Node& node, std::size_t which, std::uint32_t req_id, Instant now) {
    ChainSender& sender = *node.chains(session);
    Draft first = write_data(kRegion, words({1})), second = write_data(kRegion, words({2}));
    if (which == 0) {
      first.req_id = req_id;
      const auto sequence = sender.begin_sequence(now);
      ASSERT_TRUE(sequence);
      ASSERT_TRUE(sender.add(*sequence, first, now));
      ASSERT_TRUE(sender.add(*sequence, second, now));
      ASSERT_TRUE(sender.end(*sequence, now));
    } else if (which < 3) {
      if (which == 1) first.req_id = req_id;
      const auto transaction = sender.send_transaction({.after_sending = which == 1}, {first, second}, now);
      ASSERT_TRUE(transaction);
      if (which == 2) {
        ASSERT_TRUE(sender.execute(*transaction, req_id, now));
      }
    } else {
      Draft longer = write_data(kRegion, OctetBuffer(3000, 0x55));
      longer.req_id = req_id;
      ASSERT_TRUE(sender.send(longer, now));
    }
    node.moved(now);
  }
};

struct Job {
  explicit Job(const World::Conduct& conduct, std::uint64_t seed) : world(conduct, seed) {
    for (const NodeAddress one : {kInitiator, kExecutor, kControl}) world.add(one);
  }
  void run(Node& initiator) {
    ASSERT_TRUE(initiator.begin_job(kControl, 0, "whole", world.now()));
    world.run(world.now() + 120s, [this](NodeAddress address, Node& node, const NodeEvent& event) {
      if (address == kInitiator) application.on(node, event, world.now());
    });
  }
  World world;
  Application application;
};

void expect_whole(Job& job, std::string_view what) {
  std::vector<std::uint8_t> wanted;
  for (const Asked& one : requests()) wanted.push_back(static_cast<std::uint8_t>(one.answer));
  ASSERT_EQ(job.application.answers.size(), wanted.size() + 4) << what;
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(job.application.answers[i], wanted[i]) << what << ": " << i;
  EXPECT_TRUE(job.application.ended) << what;
}

TEST(UmspJob, OfThreeNodesIsCleanFromBeginningToEnd) {
  Job job({}, 1);
  Node& initiator = job.world.node(kInitiator);
  job.run(initiator);
  expect_whole(job, "whole");
  EXPECT_THAT(job.world.findings(), IsEmpty());
  EXPECT_GE(job.world.connections(), 3u);
  const std::set<std::uint8_t>& seen = job.world.seen();
  for (const Opcode wanted :
       {Opcode::control_req, Opcode::control_confirm, Opcode::task_reg_4, Opcode::task_confirm, Opcode::session_open,
        Opcode::session_accept, Opcode::session_close, Opcode::rsp_p, Opcode::session_abend, Opcode::job_completed,
        Opcode::job_completed_info, Opcode::req_buf, Opcode::exec_tr})
    EXPECT_TRUE(seen.contains(static_cast<std::uint8_t>(wanted))) << static_cast<unsigned>(wanted);
}

TEST(UmspJob, IsCleanHoweverItsStreamsAreCutAndDelayed) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Job job({.cut = 1 + seed % 7 * 40, .delay = std::chrono::milliseconds(seed)}, seed);
    job.run(job.world.node(kInitiator));
    expect_whole(job, fmt::format("seed {}", seed));
    EXPECT_THAT(job.world.findings(), IsEmpty()) << seed;
  }
}

// What was said on a connection that is gone explains what comes on the next (B31).
TEST(UmspJob, IsCleanThoughConnectionsEndUnderIt) {
  std::size_t broken = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Job job({.cut = 500, .delay = std::chrono::milliseconds(2), .breaks = 0.2}, seed);
    job.run(job.world.node(kInitiator));
    expect_whole(job, fmt::format("seed {}", seed));
    EXPECT_THAT(job.world.findings(), IsEmpty()) << seed;
    broken += job.world.broken();
  }
  EXPECT_GT(broken, 20u);
}

}  // namespace
}  // namespace wirelaw::umsp
