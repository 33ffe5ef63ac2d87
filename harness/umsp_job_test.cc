// SPDX-License-Identifier: Apache-2.0
// Complete jobs with three UMSP nodes: one that initiates, one that executes, and the job's control point, each a
// separate node. What they send one another is judged on each connection.
#include "harness/umsp_job.h"

#include <gmock/gmock.h>

#include "harness/umsp_world.h"

namespace wirelaw::umsp {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;
using testing::IsSupersetOf;

constexpr NodeAddress kInitiator{{192, 0, 2, 1}}, kExecutor{{192, 0, 2, 2}}, kControl{{192, 0, 2, 3}};

struct Job {
  explicit Job(const NetworkFaults& faults, std::uint64_t seed, double breaks = 0) : world(faults, seed, breaks) {
    for (const NodeAddress one : {kInitiator, kExecutor, kControl}) world.add(one);
  }
  void run(Node& initiator) {
    ASSERT_TRUE(initiator.begin_job(kControl, 0, "whole", world.now()));
    world.run(world.now() + 120s, [this](NodeAddress address, Node& node, const NodeEvent& event) {
      if (address == kInitiator) application.on(node, event, world.now());
    });
  }
  World world;
  Application application{kExecutor};
};

TEST(UmspJob, OfThreeNodesIsCleanFromBeginningToEnd) {
  Job job({}, 1);
  Node& initiator = job.world.node(kInitiator);
  job.run(initiator);
  expect_whole(job.application, "whole");
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
    Job job({.cut = 1 + seed % 7 * 40, .delay_min = {}, .delay_max = std::chrono::milliseconds(seed)}, seed);
    job.run(job.world.node(kInitiator));
    expect_whole(job.application, fmt::format("seed {}", seed));
    EXPECT_THAT(job.world.findings(), IsEmpty()) << seed;
  }
}

// Messages sent on a closed connection explain what arrives on the next one (UMSP/B31).
TEST(UmspJob, IsCleanThoughConnectionsEndUnderIt) {
  std::size_t broken = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Job job({.cut = 500, .delay_min = {}, .delay_max = std::chrono::milliseconds(2)}, seed, 0.2);
    job.run(job.world.node(kInitiator));
    expect_whole(job.application, fmt::format("seed {}", seed));
    EXPECT_THAT(job.world.findings(), IsEmpty()) << seed;
    broken += job.world.broken();
  }
  EXPECT_GT(broken, 20u);
}

}  // namespace
}  // namespace wirelaw::umsp
