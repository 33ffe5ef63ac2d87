// SPDX-License-Identifier: Apache-2.0
// `wirelaw interop` with the reference against itself, with and without a deviation.
#include <gmock/gmock.h>
#include <test_paths.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/commands/program_test.h"

namespace wirelaw {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

class Interop : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  ProgramRun interop(const std::string& toml, std::vector<std::string> words = {}) {
    write_file(plan_, toml);
    words.insert(words.begin(), {"interop", plan_, "--out", out_, "--jobs", "2"});
    const ProgramRun run = run_wirelaw(words);
    results_ = json::parse(for_tests::read_file(out_ + "/results.json"), nullptr, false);
    return run;
  }
  // "pass", or why the cell is not there.
  std::string state(const std::string& initiator, const std::string& responder, const std::string& scenario) const {
    for (const json& one : results_["cells"])
      if (one["initiator"] == initiator && one["responder"] == responder && one["scenario"] == scenario)
        return one["state"].get<std::string>() + (one["reason"] == "" ? "" : ": " + one["reason"].get<std::string>());
    return "no such cell";
  }

  const std::string folder_ = testing::TempDir() + "wirelaw_interop_" + std::to_string(::getpid());
  const std::string plan_ = folder_ + "/plan.toml", out_ = folder_ + "/out";
  json results_;
};

const std::string kHead = "schema = \"wirelaw-interop-plan-1\"\n";
const std::string kReferencePeer =
    "[[peer]]\nname = \"reference\"\ninitiator = \"reference\"\nresponder = \"reference\"\n";

TEST_F(Interop, IsGreenIfBothKeepTheRulesAndTheDataArrives) {
  const auto run = interop(kHead + "protocol = \"ramcloud\"\n" + kReferencePeer + R"(
[[peer]]
name = "faulty"
initiator = "reference"
responder = "reference"
options = "--deviate reserved1-sent"
[peer.unsupported]
restart = "not today"
[[scenario]]
name = "loss"
requests = 3
octets = 5000
network = "loss=0.02,reordering=0.1"
[[scenario]]
name = "sessions"
sessions = 3
[[scenario]]
name = "restart"
restart = "responder"
)");
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  for (const char* const scenario : {"loss", "sessions", "restart"})
    EXPECT_EQ(state("reference", "reference", scenario), "pass") << run.err;
  EXPECT_THAT(state("faulty", "reference", "loss"),
              AllOf(HasSubstr("fail: "), HasSubstr("RAMCLOUD-reserved1-1 (initiator)")));
  EXPECT_THAT(state("reference", "faulty", "loss"),
              AllOf(HasSubstr("fail: "), HasSubstr("RAMCLOUD-reserved1-1 (responder)")));
  EXPECT_THAT(state("faulty", "faulty", "loss"), HasSubstr("RAMCLOUD-reserved1-1 (both)"));
  EXPECT_EQ(state("faulty", "reference", "restart"), "unsupported: faulty: not today");
  EXPECT_THAT(run.out, HasSubstr("FAIL: 3 of 9 cells are green; 3 unsupported (exit status 1)"));
  const std::string page = for_tests::read_file(out_ + "/index.html");
  EXPECT_THAT(page, AllOf(HasSubstr("href=\"loss/faulty--reference/report.html\""),
                          HasSubstr("href=\"loss/faulty--reference/both.pcapng\"")));
  EXPECT_TRUE(fs::exists(out_ + "/loss/faulty--reference/report.html"));
  EXPECT_EQ(run_wirelaw({"check", out_ + "/loss/reference--reference/both.pcapng"}).status, 0);
  EXPECT_THAT(for_tests::read_file(out_ + "/junit.xml"),
              HasSubstr("tests=\"12\" failures=\"6\" errors=\"0\" skipped=\"3\""));
}

TEST_F(Interop, OverTcpPlaysFaultsOnTheWayAndTheEndOfConnections) {
  write_file(folder_ + "/crc.faults", "on a FPDU nth 2: crc^=1\n");
  const auto run = interop(kHead + "protocol = \"rdmap\"\n" + kReferencePeer + R"(
[[scenario]]
name = "large"
requests = 2
octets = 100000
network = "cut=700"
[[scenario]]
name = "crc"
faults = "crc.faults"
completes = false
[[scenario]]
name = "teardown"
network = "close=300"
)");
  EXPECT_EQ(state("reference", "reference", "large"), "pass") << run.err;
  EXPECT_THAT(state("reference", "reference", "crc"), HasSubstr("pass")) << run.err;
  EXPECT_THAT(state("reference", "reference", "teardown"), HasSubstr("data-lost: the initiator ended with status"));
  EXPECT_EQ(run.status, 1) << run.out;
}

TEST_F(Interop, RunsCommandsWithTheValuesOfTheCell) {
  const std::string program = WIRELAW_BINARY_DIR "/harness/commands/wirelaw";
  const auto run = interop(kHead + "protocol = \"ramcloud\"\n[[peer]]\nname = \"mine\"\ninitiator = \"exec " + program +
                           " serve ramcloud udp://{address}:{port} --role client --requests {requests}\"\n" +
                           "responder = \"exec " + program + " serve ramcloud {uri}\"\n" + R"(
[[scenario]]
name = "three"
requests = 3
)");
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_EQ(state("mine", "mine", "three"), "pass");
  EXPECT_THAT(for_tests::read_file(out_ + "/three/mine--mine/initiator.sh"), HasSubstr("--requests 3"));
}

TEST_F(Interop, ShowsBothPeersTheFolderOfTheirCell) {
  const std::string program = WIRELAW_BINARY_DIR "/harness/commands/wirelaw";
  const auto run =
      interop(kHead + "protocol = \"ramcloud\"\n[[peer]]\nname = \"mine\"\ninitiator = \"" +
              "grep -q {uri} $WIRELAW_FOLDER/ready && exit 1; grep -q ramcloud $WIRELAW_FOLDER/ready || " +
              "exit 2; exec " + program + " serve ramcloud --role client\"\nresponder = \"exec " + program +
              " serve ramcloud {uri} | tee $WIRELAW_FOLDER/ready\"\n[[scenario]]\nname = \"any\"\n");
  EXPECT_EQ(run.status, 0) << run.out << run.err;
}

TEST_F(Interop, PutsTheWireBetweenThePeersOfATransparentPlan) {
  const auto run = interop(kHead + "protocol = \"efa\"\ntransparent = true\n" + kReferencePeer +
                           "[[scenario]]\nname = \"plain\"\nrequests = 2\n");
  const std::string said = state("reference", "reference", "plain");
  if (said.find("--transparent needs") != said.npos || said.find("--transparent makes") != said.npos)
    GTEST_SKIP() << said;
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  const auto decoded = run_wirelaw({"decode", out_ + "/plain/reference--reference/both.pcapng"});
  EXPECT_THAT(decoded.out, AllOf(HasSubstr("192.0.2.1:"), HasSubstr("192.0.2.2:")));
}

TEST_F(Interop, SaysIfAResponderDoesNotStart) {
  const auto run = interop(kHead +
                           "protocol = \"ramcloud\"\n[[peer]]\nname = \"dead\"\ninitiator = \"true\"\n"
                           "responder = \"echo my licence has expired >&2; exit 7\"\n[[scenario]]\nname = \"any\"\n");
  EXPECT_EQ(run.status, 3) << run.out << run.err;
  EXPECT_THAT(state("dead", "dead", "any"), AllOf(HasSubstr("peer-lost: my licence has expired / wirelaw: --start: "),
                                                  HasSubstr("ended before it said that it listens")));
}

TEST_F(Interop, RefusesAPlanInOneLine) {
  const auto run = interop(kHead + "protocol = \"nfs\"\n");
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("plan.toml: line 2: unknown protocol 'nfs'"));
  EXPECT_EQ(run_wirelaw({"interop", folder_ + "/none.toml"}).status, 2);
}

TEST_F(Interop, RefusesAPlanThatTheReferenceOrTheRelayWouldRefuse) {
  write_file(folder_ + "/c.faults", "on c DATA: lose\n");
  struct Row {
    const char *options, *scenario, *says;
  };
  for (const Row& row : {
           Row{"--devate no-ack", "",
               "line 7: the peer reference: options: unknown option '--devate'; did you mean "
               "'--deviate'?"},
           Row{"--deviate no-akc", "",
               "line 7: the peer reference: options: --deviate: no deviation is called 'no-akc'; did you mean "
               "'no-ack'?"},
           Row{"--application cuont", "",
               "options: --application: 'cuont' is not one of echo, count, smb2, none; did you mean "
               "'count'?"},
           Row{"--seed 7", "", "line 7: the peer reference: options: --seed: "},
           Row{"--requests many", "", "line 7: the peer reference: options: "},
           Row{"", "network = \"los=0.1\"",
               "line 10: the scenario any: network: 'los' is no fault of a network; known: loss, duplication, "
               "reordering, delay; did you mean 'loss'?"},
           Row{"", "network = \"cut=7\"", "line 10: the scenario any: network: cut: the protocol travels over UDP"},
           Row{"", "faults = \"c.faults\"", "c.faults:1:4: expected the side whose message it is, not 'c'"},
           Row{"", "faults = \"none.faults\"", "none.faults: cannot be opened: No such file or directory"},
       }) {
    const auto run = interop(kHead + "protocol = \"ramcloud\"\n" + kReferencePeer + "options = \"" + row.options +
                             "\"\n[[scenario]]\nname = \"any\"\n" + row.scenario + "\n");
    EXPECT_EQ(run.status, 2) << row.says;
    EXPECT_THAT(run.err, AllOf(HasSubstr("plan.toml: line "), HasSubstr(row.says)));
    EXPECT_FALSE(fs::exists(out_)) << "no cell has run";
  }
}

TEST_F(Interop, LeavesOptionsToTheShellThatOnlyTheShellCanRead) {
  const auto run = interop(kHead + "protocol = \"ramcloud\"\n" + kReferencePeer +
                           "options = \"--idle $((5 + 5))\"\n[[scenario]]\nname = \"any\"\n");
  EXPECT_EQ(run.status, 0) << run.out << run.err;
}

}  // namespace
}  // namespace wirelaw
