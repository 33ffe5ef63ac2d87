// SPDX-License-Identifier: Apache-2.0
// Debian's libfabric over the soft EFA device, as separate processes on loopback: its own ping-pong, and fabric_peer in
// both roles. The reference codec decodes the traffic on the wire.
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/socket.h>
#include <test_paths.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "harness/lab/packets_of.h"
#include "harness/lab/process.h"
#include "reference/efa/packet.h"

namespace wirelaw::lab {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Not;
namespace fs = std::filesystem;

// Empty if the build has left them out.
constexpr const char* kLibrary = WIRELAW_SOFT_EFA_LIBRARY;
const std::string kPeer = WIRELAW_FABRIC_PEER;
const std::string kWirelaw = WIRELAW_BINARY_DIR "/harness/commands/wirelaw";

using Words = std::vector<std::string>;

// A test with a folder for what the devices record.
class Lab : public ::testing::Test {
 protected:
  void SetUp() override {
    if (*kLibrary == '\0') GTEST_SKIP() << "there was no infiniband/efadv.h when this was built (libibverbs-dev)";
    folder_ = ::mkdtemp(name_.data());
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  Variables with(const std::string& who, Variables more = {}) const {
    more.insert({{"LD_PRELOAD", kLibrary},
                 {"FI_PROVIDER", "efa"},
                 {"FI_EFA_USE_DEVICE_RDMA", "0"},
                 {"ASAN_OPTIONS", "detect_leaks=0"},  // libfabric leaks
                 {"WIRELAW_SOFT_EFA_RECORD", record(who)}});
    return more;
  }
  std::string record(const std::string& who) const { return folder_ / (who + ".pcap"); }

  // The types of the packets that a device has sent and received; each of them has been decoded without an error.
  std::set<std::string> types(const std::string& who) const {
    std::set<std::string> types;
    for (const RecordedPacket& recorded : packets_of(record(who))) {
      const auto packet = efa::decode(recorded.octets);
      EXPECT_TRUE(packet) << who << ": " << packet.error().part;
      if (!packet) continue;
      EXPECT_EQ(encode(*packet), recorded.octets);
      EXPECT_NE(packet->layout(), nullptr) << who << ": type " << unsigned{packet->type};
      if (packet->layout() != nullptr) types.emplace(packet->layout()->name);
    }
    return types;
  }

 private:
  std::string name_ = ::testing::TempDir() + "lab_XXXXXX";
  fs::path folder_;
};

// ------------------------------------------------------------------------------------------------ libfabric's own
TEST_F(Lab, FiInfoListsTheSoftDevice) {
  if (!is_installed("fi_info")) GTEST_SKIP() << "fi_info is not installed (libfabric-bin)";
  Process info({"fi_info", "-p", "efa"}, with("info"));
  EXPECT_EQ(info.wait(), 0);
  EXPECT_THAT(info.output(), HasSubstr("domain: soft_efa_0-rdm"));
  EXPECT_THAT(info.output(), HasSubstr("type: FI_EP_DGRAM"));
}

TEST_F(Lab, AWrongVariableIsNamedAndNoDeviceIsThere) {
  if (!is_installed("fi_info")) GTEST_SKIP() << "fi_info is not installed (libfabric-bin)";
  Process info({"fi_info", "-p", "efa"}, with("info", {{"WIRELAW_SOFT_EFA_MTU", "many"}}));
  EXPECT_NE(info.wait(), 0);
  EXPECT_THAT(info.output(), HasSubstr("WIRELAW_SOFT_EFA_MTU=many"));
}

std::uint16_t free_tcp_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);  // on every address, because fi_pingpong binds there
  socklen_t length = sizeof address;
  ::bind(fd, reinterpret_cast<sockaddr*>(&address), length);
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &length);
  ::close(fd);
  return ntohs(address.sin_port);
}

bool listens(std::uint16_t port) {
  std::ostringstream local;
  local << ':' << std::hex << std::uppercase << port << " 00000000:0000 0A";
  std::ifstream table("/proc/net/tcp");
  for (std::string line; std::getline(table, line);)
    if (line.find(local.str()) != std::string::npos) return true;
  return false;
}

struct PingPong {
  const char* name;
  Words words;
  Variables variables;
  std::vector<std::string> packets;  // packets that must have been seen; none: they are no EFA RDM packets
};

void PrintTo(const PingPong& one, std::ostream* out) {
  *out << one.name;
}

class FiPingPong : public Lab, public ::testing::WithParamInterface<PingPong> {};

// From libfabric 2.1 on, fi_pingpong uses the fabric efa-direct where that can do what is asked for. It has no tags,
// and its packets are not those of EFA RDM.
bool prefers_efa_direct() {
  Process info({"fi_info", "--version"}, {});
  info.wait();
  return info.output().find("libfabric: 1.") == std::string::npos;
}

TEST_P(FiPingPong, CompletesBetweenTwoProcesses) {
  if (!is_installed("fi_pingpong")) GTEST_SKIP() << "fi_pingpong is not installed (libfabric-bin)";
  const std::string port = std::to_string(free_tcp_port());
  Words words{"fi_pingpong", "-p", "efa", "-c", "-I", "5"};
  words.insert(words.end(), GetParam().words.begin(), GetParam().words.end());
  std::vector<std::string> packets = GetParam().packets;
  if (!packets.empty() && prefers_efa_direct()) {
    words.insert(words.end(), {"-m", "tagged"});
    for (std::string& name : packets)
      if (const std::size_t at = name.find("MSGRTM"); at != std::string::npos) name.replace(at, 3, "TAG");
  }
  Words serving = words, asking = words;
  serving.insert(serving.end(), {"-B", port});
  asking.insert(asking.end(), {"-P", port, "127.0.0.1"});
  Process server(serving, with("server", GetParam().variables));
  while (server.running() && !listens(static_cast<std::uint16_t>(std::stoi(port)))) ::sched_yield();
  Process client(asking, with("client", GetParam().variables));
  EXPECT_EQ(client.wait(), 0) << client.output();
  EXPECT_EQ(server.wait(), 0) << server.output();
  if (packets.empty()) return;
  EXPECT_THAT(types("client"), IsSupersetOf(packets));
  EXPECT_THAT(types("server"), IsSupersetOf(packets));
}

const Variables kDeviceReads{{"FI_EFA_USE_DEVICE_RDMA", "1"}};

INSTANTIATE_TEST_SUITE_P(
    All, FiPingPong,
    ::testing::Values(
        PingPong{"Eager", {"-e", "rdm", "-S", "64"}, {}, {"EAGER_MSGRTM", "HANDSHAKE"}},
        PingPong{"EagerTagged", {"-e", "rdm", "-S", "8192", "-m", "tagged"}, {}, {"EAGER_TAGRTM"}},
        PingPong{"Medium", {"-e", "rdm", "-S", "65536"}, {}, {"MEDIUM_MSGRTM"}},
        PingPong{"MediumTagged", {"-e", "rdm", "-S", "30000", "-m", "tagged"}, {}, {"MEDIUM_TAGRTM"}},
        PingPong{"LongCts", {"-e", "rdm", "-S", "1048576"}, {}, {"LONGCTS_MSGRTM", "CTS", "CTSDATA"}},
        PingPong{"LongCtsTagged", {"-e", "rdm", "-S", "200000", "-m", "tagged"}, {}, {"LONGCTS_TAGRTM"}},
        PingPong{"Reads", {"-e", "rdm", "-S", "2097152"}, kDeviceReads, {"LONGREAD_MSGRTM", "EOR"}},
        PingPong{"Reordered", {"-e", "rdm", "-S", "65536"}, {{"WIRELAW_SOFT_EFA_REORDER", "8:3"}}, {"MEDIUM_MSGRTM"}},
        PingPong{"SmallMtu", {"-e", "rdm", "-S", "8192"}, {{"WIRELAW_SOFT_EFA_MTU", "4096"}}, {"MEDIUM_MSGRTM"}},
        PingPong{"OverIpv6", {"-e", "rdm", "-S", "64"}, {{"WIRELAW_SOFT_EFA_ADDRESS", "::1"}}, {"EAGER_MSGRTM"}},
        PingPong{"WithoutRdma", {"-e", "rdm", "-S", "64"}, {{"WIRELAW_SOFT_EFA_RDMA", "off"}}, {"EAGER_MSGRTM"}},
        PingPong{"Datagrams", {"-e", "dgram", "-S", "1024"}, {}, {}}),
    [](const auto& one) { return one.param.name; });

// ------------------------------------------------------------------------------------------------ fabric_peer
struct Row {
  std::string name, size;
  std::vector<std::string> packets;
};

std::vector<Row> rows_of(const std::string& list) {
  std::vector<Row> rows;
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    Row row;
    std::string word;
    words >> row.name >> row.size >> word >> word;  // "octets", and the group
    while (words >> word)
      if (word.find('=') == std::string::npos) row.packets.push_back(word);
    rows.push_back(row);
  }
  return rows;
}

struct Sides {
  bool rdma = false;
  Variables requester, responder;
  // Programs that run fabric_peer with another libfabric.
  Words requester_in, responder_in;
};

class FabricPeer : public Lab {
 protected:
  void SetUp() override {
    Lab::SetUp();
    if (kPeer.empty()) GTEST_SKIP() << "there was no libfabric when this was built (libfabric-dev)";
  }

  // Runs operations between two processes; what the requester printed.
  std::string run(const std::string& operations, const Sides& sides = {}) {
    Words serving = sides.responder_in, asking = sides.requester_in;
    serving.insert(serving.end(), {kPeer, "serve", "--application", "none"});
    Variables responding = sides.responder;
    if (sides.rdma) responding.insert({"FI_EFA_USE_DEVICE_RDMA", "1"});
    Process responder(serving, with("responder", responding));
    const std::string ready = responder.wait_for_line("fabric_peer ready");
    EXPECT_FALSE(ready.empty()) << responder.output();
    if (ready.empty()) return {};
    asking.insert(asking.end(), {kPeer, "run", "--bye", "--patience", "60", "--do", operations, ready});
    Process requester(asking, with("requester", sides.requester));
    EXPECT_EQ(requester.wait(), 0) << requester.output() << responder.output();
    EXPECT_EQ(responder.wait(), 0) << responder.output();
    EXPECT_THAT(responder.output(), Not(HasSubstr("wrong")));
    return requester.output();
  }

  // The traffic breaks no rule that is a MUST, and contains packets of every operation.
  void expect_packets_of(const std::string& printed) {
    Process check({kWirelaw, "check", "--max-findings", "5", record("requester"), record("responder")}, {});
    EXPECT_EQ(check.wait(), 0) << check.output();
    EXPECT_THAT(check.output(), HasSubstr("2: 2 judged\n"));
    Process list({kPeer, "list"}, {});
    ASSERT_EQ(list.wait(), 0);
    const auto requester = types("requester"), responder = types("responder");
    unsigned done = 0;
    for (const Row& row : rows_of(list.output())) {
      if (printed.find("\n" + row.name + ": " + row.size + " octets: good\n") == std::string::npos) continue;
      ++done;
      EXPECT_THAT(requester, IsSupersetOf(row.packets)) << row.name;
      EXPECT_THAT(responder, IsSupersetOf(row.packets)) << row.name;
    }
    EXPECT_GT(done, 0u) << printed;
  }
};

TEST_F(FabricPeer, ReachesEverySubprotocolThatNeedsNoRdma) {
  expect_packets_of(run("emulated"));
}

const Variables kReordered{{"WIRELAW_SOFT_EFA_REORDER", "16:5"}};

TEST_F(FabricPeer, ReachesThemWhenPacketsOvertakeOneAnother) {
  expect_packets_of(run("emulated", {.requester = kReordered, .responder = kReordered}));
}

TEST_F(FabricPeer, ReachesTheLongReads) {
  expect_packets_of(run("rdma", {.rdma = true}));
}

TEST_F(FabricPeer, ReachesTheRuntingRead) {
  expect_packets_of(run("runting", {.rdma = true}));
}

// The libfabric that later_libfabric has laid out, if WIRELAW_LATER_LIBFABRIC names its folder.
class LaterLibfabric : public FabricPeer {
 protected:
  void SetUp() override {
    FabricPeer::SetUp();
    const char* folder = std::getenv("WIRELAW_LATER_LIBFABRIC");
    if (folder == nullptr)
      GTEST_SKIP() << "WIRELAW_LATER_LIBFABRIC names no folder that harness/lab/later_libfabric has filled";
    later_ = {std::string(folder) + "/run"};
  }
  Words later_;
};

TEST_F(LaterLibfabric, SpeaksToItself) {
  expect_packets_of(run("emulated", {.requester_in = later_, .responder_in = later_}));
  expect_packets_of(run("rdma", {.rdma = true, .requester_in = later_, .responder_in = later_}));
  expect_packets_of(run("runting", {.rdma = true, .requester_in = later_, .responder_in = later_}));
}

TEST_F(LaterLibfabric, SpeaksToAnEarlierOneInBothRoles) {
  expect_packets_of(run("emulated", {.requester_in = later_}));
  expect_packets_of(run("emulated", {.responder_in = later_}));
  expect_packets_of(run("rdma", {.rdma = true, .requester_in = later_}));
  expect_packets_of(run("rdma", {.rdma = true, .responder_in = later_}));
}

TEST_F(LaterLibfabric, FallsBackWhereMemoryCannotBeRegistered) {
  const Variables refusing{{"WIRELAW_SOFT_EFA_REFUSE_REGISTRATION", "2000000-4194304"}};
  for (const char* operations : {"nack", "nack-runting"})
    expect_packets_of(
        run(operations, {.rdma = true, .responder = refusing, .requester_in = later_, .responder_in = later_}));
}

class FirstOperation : public FabricPeer, public ::testing::WithParamInterface<const char*> {};

TEST_P(FirstOperation, MayBeAnyBeforeTheHandshake) {
  expect_packets_of(run(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(All, FirstOperation,
                         ::testing::Values("medium", "long-cts", "dc-medium", "write-long-cts", "read-short",
                                           "read-long-cts", "atomic-write", "atomic-fetch", "atomic-compare"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST_F(FabricPeer, IsReachedByAddressAndConnectionIdAlone) {
  Process responder({kPeer, "serve", "--application", "none"}, with("responder"));
  const std::string ready = responder.wait_for_line("fabric_peer ready");
  std::istringstream words(ready);
  std::string peer, connid;
  for (std::string word; words >> word;) {
    if (word.starts_with("peer=")) peer = word;
    if (word.starts_with("connid=")) connid = word;
  }
  Process requester({kPeer, "run", "--bye", "--do", "eager", peer, connid}, with("requester"));
  EXPECT_EQ(requester.wait(), 0) << requester.output();
  EXPECT_EQ(responder.wait(), 0) << responder.output();
}

TEST_F(FabricPeer, ListensWhereItIsTold) {
  Process responder({kPeer, "serve", "--application", "none", "udp://127.0.0.5:0"}, with("responder"));
  const std::string ready = responder.wait_for_line("fabric_peer ready");
  EXPECT_THAT(ready, HasSubstr("peer=udp://127.0.0.5:"));
  Process requester({kPeer, "run", "--bye", "--do", "eager,write-eager", ready}, with("requester"));
  EXPECT_EQ(requester.wait(), 0) << requester.output();
  EXPECT_EQ(responder.wait(), 0) << responder.output();
}

TEST_F(FabricPeer, LeavesWhenItIsTold) {
  Process responder({kPeer, "serve", "--application", "none"}, with("responder"));
  ASSERT_FALSE(responder.wait_for_line("fabric_peer ready").empty()) << responder.output();
  responder.signal(SIGTERM);
  EXPECT_EQ(responder.wait(), 0) << responder.output();
}

TEST_F(FabricPeer, SaysWhatIsWrongWithItsWords) {
  const auto complaint = [&](const Words& words) {
    Process peer(words, with("peer"));
    EXPECT_EQ(peer.wait(), 2) << peer.output();
    return peer.output();
  };
  EXPECT_THAT(complaint({kPeer, "run", "--do", "eager", "nothing"}), HasSubstr("address="));
  EXPECT_THAT(complaint({kPeer, "run", "--do", "eager", "peer=udp://127.0.0.1"}), HasSubstr("udp://ADDRESS:PORT"));
  EXPECT_THAT(complaint({kPeer, "serve", "tcp://127.0.0.1:1"}), HasSubstr("udp://ADDRESS:PORT"));
  EXPECT_THAT(complaint({kPeer, "run", "--do", "eager", "address=00ff"}), HasSubstr("32 octets"));
  EXPECT_THAT(complaint({kPeer, "run", "--do", "dance", "peer=udp://127.0.0.1:1"}), HasSubstr("'dance'"));
  EXPECT_THAT(complaint({kPeer, "run", "--do", "long-read,runting-read", "peer=udp://127.0.0.1:1"}),
              HasSubstr("cannot run in one process"));
}

}  // namespace
}  // namespace wirelaw::lab
