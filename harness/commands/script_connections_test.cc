// SPDX-License-Identifier: Apache-2.0
// Scripts with several connections, played against a peer.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <filesystem>

#include "harness/commands/program_test.h"
#include "harness/commands/served_test.h"

namespace wirelaw {
namespace {

using testing::HasSubstr;

class ScriptConnections : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& text) {
    write_file(folder_ + "x.wirelaw", text);
    return folder_ + "x.wirelaw";
  }
  int status_of(const std::string& protocol, const std::string& peer, const std::string& text,
                std::vector<std::string> more = {}) {
    std::vector<std::string> words{"test", protocol, peer, "--script", write(text)};
    words.insert(words.end(), more.begin(), more.end());
    const auto run = run_wirelaw(words);
    said_ = run.out + run.err;
    return run.status;
  }

  std::string said_;

 private:
  std::string folder_ = fmt::format("{}script_connections_{}/", testing::TempDir(), getpid());
};

constexpr const char* kOnAnother =
    "protocol umsp\n"
    "case on-another\n"
    "iut b\n"
    "rule UMSP-3.4-11\n"
    "a NOP ask=1 as $one\n"
    "b RSP req_id=$one.req_id | b RSP_P req_id=$one.req_id\n"
    "a#2 NOP ask=1 session_id=$one.session_id as $two\n"
    "b#2 RSP req_id=$two.req_id | RSP_P req_id=$two.req_id | b#1 RSP req_id=$two.req_id\n"
    "control\n";

TEST_F(ScriptConnections, ASessionIsServedOnAnother) {
  EXPECT_EQ(status_of("umsp", "memory:", kOnAnother), 0) << said_;
  for (const char* const fault : {"one-connection-of-node", "session-kept-on-connection"}) {
    EXPECT_EQ(status_of("umsp", "memory:", kOnAnother, {"--deviate", fault}), 1) << said_;
    EXPECT_THAT(said_, HasSubstr("UMSP-3.4-11"));
  }
}

// Nodes are known by their addresses, and here both are on one machine.
TEST_F(ScriptConnections, ANodeOnTheSameMachineIsAnotherNode) {
  const Served node({}, "umsp");
  EXPECT_EQ(status_of("umsp", node.uri_of("tcp"), kOnAnother), 0) << said_;
  const Served faulty({"--deviate", "session-kept-on-connection"}, "umsp");
  EXPECT_EQ(status_of("umsp", faulty.uri_of("tcp"), kOnAnother), 1) << said_;
}

TEST_F(ScriptConnections, OfStreamsAreNotPlayedOverDatagrams) {
  const Served node({}, "umsp");
  EXPECT_EQ(status_of("umsp", node.uri_of("udp"), kOnAnother), 2) << said_;
  EXPECT_THAT(said_, HasSubstr("the script is over a stream, and the IUT was given with datagrams only"));
}

// The second connection begins as the first has, and neither sees what the other carries.
TEST_F(ScriptConnections, EachHasItsOwnStateOfTheProtocol) {
  constexpr const char* kTwoListeners =
      "protocol smbd\n"
      "over iwarp\n"
      "case two\n"
      "iut b\n"
      "rule SMBD-3.1.5.9-2\n"
      "a DataTransfer size=64\n"
      "b DataTransfer\n"
      "a#2 MpaRequest\n"
      "b#2 MpaReply\n"
      "a#2 NegotiateRequest\n"
      "b#2 NegotiateResponse\n"
      "a#2 DataTransfer size=64\n"
      "b#2 DataTransfer\n"
      "a DataTransfer size=64\n"
      "b DataTransfer\n";
  EXPECT_EQ(status_of("smbd", "memory:", kTwoListeners), 0) << said_;
}

TEST_F(ScriptConnections, DatagramsComeFromAnotherPort) {
  constexpr const char* kTwoEndpoints =
      "protocol efa\n"
      "case two\n"
      "iut b\n"
      "rule EFA-3.2-231\n"
      "a EAGER_MSGRTM size=64\n"
      "a#2 LONGCTS_MSGRTM msg_length=300 size=100 as $second\n"
      "b#2 CTS send_id=$second.send_id\n"
      "a LONGCTS_MSGRTM msg_length=300 size=100 as $first\n"
      "b CTS send_id=$first.send_id\n"
      "control\n";
  EXPECT_EQ(status_of("efa", "memory:", kTwoEndpoints), 0) << said_;
}

// What comes on one connection neither fulfils a line about another nor breaks its silence.
TEST_F(ScriptConnections, ALineIsAboutItsConnection) {
  const std::string begin =
      "protocol ramcloud\n"
      "case x\n"
      "iut b\n"
      "rule RAMCLOUD-old-12\n"
      "a DATA as $one\n"
      "b DATA\n"
      "a#2 SESSION_OPEN\n"
      "b#2 SESSION_OPEN\n"
      "a#2 DATA as $two\n";
  EXPECT_EQ(status_of("ramcloud", "memory:", begin + "b DATA\n"), 1) << said_;
  EXPECT_EQ(status_of("ramcloud", "memory:", begin + "b silence\ncontrol\n"), 0) << said_;
  EXPECT_EQ(status_of("ramcloud", "memory:", begin + "b#2 silence\ncontrol\n"), 1) << said_;
  EXPECT_EQ(status_of("ramcloud", "memory:", begin + "b DATA | b#2 DATA rpc_id=$two.rpc_id\n"), 0) << said_;
  EXPECT_EQ(status_of("ramcloud", "memory:", begin + "b#1 DATA | b#3 DATA\n"), 1) << said_;
  EXPECT_THAT(said_, HasSubstr("expected DATA, or DATA on connection 3"));
}

TEST_F(ScriptConnections, SideBOpensNone) {
  EXPECT_EQ(
      status_of("umsp", "memory:", "protocol umsp\ncase x\niut b\nrule UMSP-3.4-11\nb#2 open\na#2 open\nb#2 RSP\n"), 2);
  EXPECT_THAT(said_, HasSubstr("x.wirelaw:5:5: in a live test, side a opens every connection, and side b opens "
                               "connection 2; let side a say 'open' first"));
}

}  // namespace
}  // namespace wirelaw
