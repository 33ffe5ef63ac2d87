// SPDX-License-Identifier: Apache-2.0
// Features that a protocol gets with its row: each subcommand, in memory and over UDP and TCP. fuzz.fuzz_toy_trace
// replays its traces, and toy_traces_test is the test of every catalogue and trace.
#include "harness/toy/toy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <test_paths.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "corpora/traces/trace.h"
#include "harness/commands/program_test.h"

namespace wirelaw::toy {
namespace {

using testing::HasSubstr;

ProgramRun run_toy(const std::vector<std::string>& words) {
  return run_program(WIRELAW_TOY, words);
}

// A port of loopback that is free now.
std::string free_port(int type) {
  const int descriptor = ::socket(AF_INET, type, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(descriptor, generic, length) == 0) ::getsockname(descriptor, generic, &length);
  ::close(descriptor);
  return std::to_string(ntohs(address.sin_port));
}

TEST(Toy, HasItsLineInTheHelp) {
  EXPECT_THAT(run_toy({"--help"}).out, testing::ContainsRegex("\n  toy +Ping and pong [(]udp tcp[)]\n"));
  for (const char* command : {"test", "serve"}) EXPECT_THAT(run_toy({command, "--help"}).out, HasSubstr("toy"));
}

TEST(Toy, HasItsRulesCasesAndDeviationsListed) {
  EXPECT_THAT(run_toy({"rules"}).out, HasSubstr("4 rules\n"));
  EXPECT_THAT(run_toy({"rules", "--format", "json"}).out, HasSubstr("\"protocol\":\"toy\""));
  EXPECT_THAT(run_toy({"test", "toy", "--list"}).out, HasSubstr("exchange/client-counts  client\n"));
  EXPECT_THAT(run_toy({"serve", "toy", "--list-deviations"}).out, HasSubstr("repeats-a-number  client\n"));
}

TEST(Toy, PassesInMemoryInEitherRole) {
  for (const char* role : {"server", "client"}) {
    const ProgramRun run = run_toy({"test", "toy", "memory:", "--role", role});
    EXPECT_EQ(run.status, 0) << run.out << run.err;
  }
}

TEST(Toy, PassesInMemoryOverEachOfItsTransports) {
  for (const char* uri : {"memory:?over=udp", "memory:?over=tcp&cut=4"}) {
    const ProgramRun run = run_toy({"test", "toy", uri, "--format", "json"});
    EXPECT_EQ(run.status, 0) << run.out << run.err;
    EXPECT_THAT(run.out, HasSubstr(std::string(uri).substr(13, 3) + " 192.0.2.1:31201 - "));
  }
  const ProgramRun refused = run_toy({"test", "toy", "memory:?over=srd"});
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.err, HasSubstr("toy travels over udp tcp"));
}

TEST(Toy, IsServedOverTcpAndOverUdpAtOnePort) {
  const ProgramRun run = run_toy({"serve", "toy", "tcp://127.0.0.9", "--idle", "0.01"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, testing::MatchesRegex("toy server at tcp://127.0.0.9:([0-9]+) and udp://127.0.0.9:([0-9]+)\n"));
}

TEST(Toy, EachDeviationBreaksItsRules) {
  for (const auto& row : all_deviations()) {
    const char* const role = row.role == Role::initiator ? "client" : "server";
    const ProgramRun run = run_toy({"test", "toy", "memory:", "--role", role, "--deviate", std::string(row.name)});
    EXPECT_EQ(run.status, 1) << run.out << run.err;
    for (const Breach& breach : breaches()[0])
      if (breach.deviation == static_cast<unsigned>(row.deviation)) {
        EXPECT_THAT(run.out, HasSubstr(breach.rule->id)) << row.name;
      }
  }
}

class OverEach : public testing::TestWithParam<const char*> {
 protected:
  // The cases pass; the capture of the run is judged alike, and decoded.
  void expect_pass(std::vector<std::string> words) {
    const std::string capture = testing::TempDir() + "toy_" + std::to_string(::getpid()) + ".pcapng";
    words.insert(words.end(), {"--record", capture});
    const ProgramRun live = run_toy(words);
    EXPECT_EQ(live.status, 0) << live.out << live.err;
    const ProgramRun check = run_toy({"check", capture});
    EXPECT_EQ(check.status, 0) << check.out << check.err;
    EXPECT_THAT(check.out, HasSubstr("1 judged"));
    const ProgramRun decoded = run_toy({"decode", "-V", capture});
    EXPECT_THAT(decoded.out, HasSubstr(" toy 6 PING 3\n"));
    EXPECT_THAT(decoded.out, HasSubstr("toy.number "));
    std::filesystem::remove(capture);
  }
  std::string scheme() const { return GetParam(); }
  std::string uri() const {
    return scheme() + "://127.0.0.1:" + free_port(scheme() == "tcp" ? SOCK_STREAM : SOCK_DGRAM);
  }
};

INSTANTIATE_TEST_SUITE_P(Schemes, OverEach, testing::Values("udp", "tcp"),
                         [](const auto& scheme) { return std::string(scheme.param); });

TEST_P(OverEach, AServerIsServedAndTested) {
  expect_pass({"test", "toy", uri(), "--start", WIRELAW_TOY " serve toy \"$WIRELAW_URI\""});
}

TEST_P(OverEach, AClientIsTriggeredAndTested) {
  expect_pass({"test", "toy", "--listen", scheme() + "://127.0.0.1:0", "--trigger",
               WIRELAW_TOY " serve toy \"$WIRELAW_URI\" --role client --requests \"$WIRELAW_REQUESTS\""});
}

TEST(Toy, ItsTracesAreJudgedFromTheirFiles) {
  const std::filesystem::path folder = WIRELAW_BINARY_DIR "/harness/toy/corpora/toy";
  std::ifstream manifest(folder / "EXPECTED.tsv");
  std::size_t files = 0;
  for (std::string line; std::getline(manifest, line);) {
    if (line.starts_with('#')) continue;
    std::string file, rule;
    std::istringstream(line) >> file >> rule;
    const ProgramRun run = run_toy({"check", (folder / file).string()});
    EXPECT_EQ(run.status, rule == "-" ? 0 : 1) << run.out << run.err;
    if (rule != "-") {
      EXPECT_THAT(run.out, HasSubstr(rule));
    }
    ++files;
  }
  EXPECT_EQ(files, corpora::traces_of("toy").traces.size());
}

}  // namespace
}  // namespace wirelaw::toy
