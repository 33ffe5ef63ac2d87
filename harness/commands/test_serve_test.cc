// SPDX-License-Identifier: Apache-2.0
// wirelaw test and wirelaw serve over the loopback interface, as two processes.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <test_paths.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "harness/capture/own_network.h"
#include "harness/commands/program_test.h"
#include "harness/commands/served_test.h"

extern char** environ;

namespace wirelaw {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kProgram = WIRELAW_BINARY_DIR "/harness/commands/wirelaw";
const std::string kProgramWord = kProgram;

// Cases that need no silence, so that no real time passes.
const std::vector<std::string> kQuick{"--case", "openResponse/*", "--case", "reserved1/*"};

std::vector<std::string> operator+(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

// Neither a peer that is lost nor one that fails: the report, the complaint and the status say so alike.
TEST(Test, ThatMayOpenTooFewFilesSaysTheStatusThatItEndsWith) {
  Served server({"tcp://127.0.0.1:0"}, "rdmap");
  const std::string few = "ulimit -n 10; exec " + kProgramWord + " test rdmap " + server.uri() + " --case 'mpa/*'";
  const ProgramRun run = run_program("/bin/sh", {"-c", few});
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.out, HasSubstr("TOO FEW FILE DESCRIPTORS: "));
  EXPECT_THAT(run.out, testing::EndsWith("(exit status 2)\n"));
  EXPECT_THAT(run.err, HasSubstr("ulimit -n"));
}

TEST(Serve, SaysWhereItListensAndEndsOnASignal) {
  for (const int signal : {SIGTERM, SIGINT}) {
    Served server({});
    EXPECT_THAT(server.line(), StartsWith("ramcloud server at udp://127.0.0.1:"));
    EXPECT_EQ(server.end(signal), 0);
  }
}

// Accepts connections on loopback and resets each at once, so that the next octets sent to it raise EPIPE.
class Resetting {
 public:
  Resetting() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_, generic, length) != 0 || ::listen(listener_, SOMAXCONN) != 0) return;
    ::getsockname(listener_, generic, &length);
    uri_ = "tcp://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    accepting_ = std::thread([this] {
      for (int peer = 0; (peer = ::accept(listener_, nullptr, nullptr)) >= 0; ::close(peer)) {
        const linger reset{.l_onoff = 1, .l_linger = 0};
        ::setsockopt(peer, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
      }
    });
  }
  ~Resetting() {
    ::shutdown(listener_, SHUT_RDWR);  // ends accept()
    if (accepting_.joinable()) accepting_.join();
    ::close(listener_);
  }
  const std::string& uri() const { return uri_; }

 private:
  int listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::string uri_;
  std::thread accepting_;
};

TEST(Test, APeerThatResetsItsConnectionsEndsNoRunByASignal) {
  const Resetting peer;
  const auto run = run_wirelaw({"test", "rdmap", peer.uri(), "--case", "rdmap/responder-refuses-responses-unasked"});
  EXPECT_LE(run.status, 3) << run.err;  // an exit status, not 128 and a signal
  EXPECT_THAT(run.out, HasSubstr("(exit status "));
}

TEST(Serve, EndsByItselfWhenIdle) {
  EXPECT_EQ(run_wirelaw({"serve", "ramcloud", "--idle", "0.001"}).status, 0);
  EXPECT_EQ(run_wirelaw({"serve", "ramcloud", "--idle", "0.001"}).err, "");
  const auto open = run_wirelaw({"serve", "ramcloud", "udp://0.0.0.0", "--idle", "0.001"});
  EXPECT_EQ(open.status, 0);
  EXPECT_THAT(open.err, testing::ContainsRegex("wirelaw: 0.0.0.0:[0-9]+ is reachable from other machines"));
}

TEST(Serve, AClientSaysThatNobodyListens) {
  std::string uri;
  {
    Served gone({});
    uri = gone.uri();
  }
  const auto run = run_wirelaw({"serve", "ramcloud", uri, "--role", "client"});
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.err, HasSubstr("nobody listens at 127.0.0.1:"));
}

TEST(Serve, AClientAndAServerUnderstandEachOther) {
  Served server({});
  const auto run = run_wirelaw({"serve", "ramcloud", server.uri(), "--role", "client", "--requests", "20",
                                "--request-octets", "5000", "--parallel"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("20 calls made, 20 completed, 0 of them failed"));
}

TEST(Serve, AnEfaRequesterWalksThroughASubprotocolAfterTheOther) {
  Served responder({}, "efa");
  EXPECT_THAT(responder.line(), StartsWith("efa responder at udp://127.0.0.1:"));
  const auto run = run_wirelaw({"serve", "efa", responder.uri(), "--role", "requester", "--requests", "5",
                                "--request-octets", "20000", "--parallel"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("5 messages answered, 18 subprotocols exercised, 6 left out, 0 failed"));
}

TEST(Serve, AnEfaResponderOffersTheMemoryThatItsUriNames) {
  const std::string memory = "?addr=0x1000&key=7&length=1024&mtu=1400";
  Served responder({"udp://" + memory}, "efa");
  EXPECT_THAT(responder.uri(), HasSubstr("?addr=0x1000&key=0x7&length=1024&mtu=1400"));
  const auto run = run_wirelaw({"serve", "efa", responder.uri(), "--role", "requester"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("16 subprotocols exercised, 8 left out, 0 failed"));
}

TEST(Serve, AnEfaResponderFollowsTheDocumentThatItIsGiven) {
  const auto shown_by = [](std::vector<std::string> words) {
    Served responder(std::move(words), "efa");
    const auto run = run_wirelaw({"test", "efa", responder.uri(), "--case", "handshake/comes-once"});
    EXPECT_EQ(run.status, 0) << run.err << run.out;
    return run.out;
  };
  EXPECT_THAT(shown_by({"--revision", "main"}), HasSubstr("judged by the documents of 2023-10 and main"));
  EXPECT_THAT(shown_by({"--revision", "2023-10"}), Not(HasSubstr("judged by the document")));
  const auto run = run_wirelaw({"serve", "efa", "--revision", "2.5"});
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("--revision: '2.5' is not a revision of the document of efa"));
}

TEST(Serve, WrongParametersAreOneLineAndStatusTwo) {
  for (const std::string uri : {"udp://?mtu=1", "udp://?key=x", "udp://?colour=1", "udp://?length"}) {
    const auto run = run_wirelaw({"serve", "efa", uri});
    EXPECT_EQ(run.status, 2) << uri;
    EXPECT_THAT(run.err, StartsWith("wirelaw: ")) << uri;
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  }
}

TEST(Serve, ListsItsDeviations) {
  const auto run = run_wirelaw({"serve", "ramcloud", "--list-deviations"});
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, HasSubstr("\nno-ack  "));
  EXPECT_THAT(run_wirelaw({"serve", "efa", "--list-deviations"}).out,
              HasSubstr("\nno-handshake  responder or requester\n"));
}

TEST(Test, AGoodServerPasses) {
  Served server({"--application", "count"});
  const auto run = run_wirelaw(
      std::vector<std::string>{"test", "ramcloud", server.uri(), "--application", "count", "--format", "json"} +
      kQuick);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr(R"("verdict":"pass")")) << run.out;
  EXPECT_EQ(run.err, "");  // quiet in a pipe
}

TEST(Test, AFaultyServerFailsAndItsRecordingTellsTheSame) {
  Served server({"--deviate", "reserved1-sent"});
  const std::string file = testing::TempDir() + "wirelaw_test_record_" + std::to_string(::getpid()) + ".pcapng";
  const auto run = run_wirelaw(std::vector<std::string>{"test", "ramcloud", server.uri(), "--record", file} + kQuick);
  EXPECT_EQ(run.status, 1) << run.err;
  EXPECT_THAT(run.out, HasSubstr("RAMCLOUD-reserved1-"));
  const auto check = run_wirelaw({"check", file});
  EXPECT_EQ(check.status, 1) << check.err;
  EXPECT_THAT(check.out, HasSubstr("RAMCLOUD-reserved1-"));
  std::filesystem::remove(file);
}

// The URI of the served peer contains what it offers.
TEST(Test, AGoodEfaResponderPassesAndItsRecordingTellsTheSame) {
  Served responder({}, "efa");
  const std::string file = testing::TempDir() + "wirelaw_test_efa_" + std::to_string(::getpid()) + ".pcapng";
  const auto run = run_wirelaw({"test", "efa", responder.uri(), "--record", file, "--case", "atomic/fetch", "--case",
                                "atomic/several-buffers", "--case", "delivery-complete/messages"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT(run.out, Not(HasSubstr("skipped")));
  const auto check = run_wirelaw({"check", file});
  EXPECT_EQ(check.status, 0) << check.out;
  EXPECT_THAT(check.out, HasSubstr("efa"));
  std::filesystem::remove(file);
}

TEST(Test, AFaultyEfaResponderFailsAndItsRecordingTellsTheSame) {
  Served responder({"--deviate", "receipt-wrong-send-id"}, "efa");
  const std::string file = testing::TempDir() + "wirelaw_test_efa_fault_" + std::to_string(::getpid()) + ".pcapng";
  const auto run = run_wirelaw({"test", "efa", responder.uri(), "--record", file, "--answer-time", "0.2", "--case",
                                "delivery-complete/messages"});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("EFA-4.2-"));
  EXPECT_EQ(run_wirelaw({"check", file}).status, 1);
  std::filesystem::remove(file);
}

// --- iWARP, over TCP

// Cases of each kind that wait for no silence.
const std::vector<std::string> kQuickIwarp{"--case", "rdmap/*-answers-*",      "--case", "ddp/*-what-is-long*",
                                           "--case", "rdmap/*-refuses-reads-*"};

TEST(Serve, AnIwarpInitiatorAndAResponderUnderstandEachOther) {
  Served responder({}, "rdmap");
  EXPECT_THAT(responder.line(), StartsWith("rdmap responder at tcp://127.0.0.1:"));
  const auto run = run_wirelaw({"serve", "rdmap", responder.uri(), "--role", "initiator", "--requests", "20",
                                "--request-octets", "5000", "--parallel"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("20 rounds done, 0 failed"));
  EXPECT_EQ(responder.end(SIGTERM), 0);
}

TEST(Test, AGoodIwarpResponderPassesAndItsRecordingTellsTheSame) {
  Served responder({}, "rdmap");
  const std::string file = testing::TempDir() + "wirelaw_test_iwarp_" + std::to_string(::getpid()) + ".pcapng";
  const auto run = run_wirelaw(std::vector<std::string>{"test", "rdmap", responder.uri(), "--application", "echo",
                                                        "--record", file, "--format", "json"} +
                               kQuickIwarp);
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr(R"("verdict":"pass")"));
  EXPECT_THAT(run.out, Not(HasSubstr(R"("rule":)"))) << "there is a finding";
  const auto check = run_wirelaw({"check", file});
  EXPECT_EQ(check.status, 0) << check.out;
  std::filesystem::remove(file);
}

TEST(Test, AFaultyIwarpResponderFailsAndItsRecordingTellsTheSame) {
  Served responder({"--deviate", "response-to-wrong"}, "rdmap");
  const std::string file = testing::TempDir() + "wirelaw_test_iwarp_fault_" + std::to_string(::getpid()) + ".pcapng";
  const auto run = run_wirelaw(std::vector<std::string>{"test", "rdmap", responder.uri(), "--application", "echo",
                                                        "--record", file, "--case", "rdmap/responder-answers-reads"});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("RDMAP-4.4-"));
  const auto check = run_wirelaw({"check", file});
  EXPECT_EQ(check.status, 1) << check.out;
  EXPECT_THAT(check.out, HasSubstr("RDMAP-4.4-"));
  std::filesystem::remove(file);
}

// --- UMSP, over TCP

TEST(Serve, AnInitiatorOfUmspTakesAnAnswerInFragments) {
  Served responder({"tcp://127.0.0.2:0"}, "umsp");
  const std::string uri = responder.uri_of("tcp").substr(0, responder.uri_of("tcp").find('?'));
  const auto run =
      run_wirelaw({"serve", "umsp", uri, "--role", "initiator", "--requests", "2", "--request-octets", "4000"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("UMSP initiator: done"));
  EXPECT_EQ(responder.end(SIGTERM), 0);
}

// RFC 3018, section 5.3: a session is opened over TCP.
TEST(Serve, AnInitiatorOfUmspIsRefusedOverUdpAlone) {
  const auto run = run_wirelaw({"serve", "umsp", "udp://127.0.0.1:9", "--role", "initiator", "--requests", "1"});
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.err, "wirelaw: an initiator of umsp opens its sessions over TCP: give tcp://127.0.0.1:9\n");
}

// --- SMB Direct, over iWARP, with SMB2 above

TEST(Serve, AClientOfSmb2UsesTheShareOfAServerByRdma) {
  Served listener({"iwarp://127.0.0.1:0", "--application", "smb2"}, "smbd");
  const std::string uri = listener.uri().substr(0, listener.uri().find('?'));
  for (const char* octets : {"100", "300000"}) {
    const auto run = run_wirelaw({"serve", "smbd", uri, "--role", "initiator", "--application", "smb2", "--requests",
                                  "3", "--request-octets", octets});
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_THAT(run.err, HasSubstr("3 messages answered, 0 failed"));
  }
  EXPECT_EQ(listener.end(SIGTERM), 0);
}

// Reads, writes and invalidations of the client's memory are judged, live and in the recording.
TEST(Test, AClientOfSmb2IsServedByRdma) {
  const std::string file = testing::TempDir() + "wirelaw_test_smb2_" + std::to_string(::getpid()) + ".pcapng";
  const auto run = run_wirelaw(
      {"test", "smbd", "--listen", "iwarp://127.0.0.1:0", "--application", "smb2", "--trigger",
       "exec " + kProgramWord + " serve smbd --role initiator --application smb2 --requests 6 --request-octets 20000",
       "--case", "smb2/*", "--record", file});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("cases     3: 3 pass\n"));
  const auto check = run_wirelaw({"check", file});
  EXPECT_EQ(check.status, 0) << check.out;
  std::filesystem::remove(file);
}

// The port is that of a responder which has ended.
std::string free_efa_uri() {
  Served responder({}, "efa");
  return responder.uri().substr(0, responder.uri().find('?'));
}

// The URI of the server contains what it offers. A client uses the URI as it was printed. (For UMSP, an address is a
// node.)
TEST(Serve, TakesTheUriThatAServerPrints) {
  struct Row {
    const char *protocol, *transport, *initiator;
  };
  for (const Row& row : {Row{"smbd", "iwarp", "initiator"}, Row{"umsp", "tcp", "initiator"}}) {
    Served server({std::string(row.transport) + "://127.0.0.2:0"}, row.protocol);
    const std::string uri = server.uri_of(row.transport);
    ASSERT_THAT(uri, HasSubstr("?")) << server.line();
    const auto run = run_wirelaw({"serve", row.protocol, uri, "--role", row.initiator});
    EXPECT_EQ(run.status, 0) << row.protocol << ": " << run.err;
  }
}

TEST(Test, DrivesTheApplicationOfAnEfaResponderThatItStarts) {
  const auto run = run_wirelaw({"test", "efa", free_efa_uri(), "--start", kProgramWord + " serve efa \"$WIRELAW_URI\"",
                                "--answer-time", "10", "--case", "application/responder/told-of-cq-data", "--case",
                                "application/responder/cts-with-the-receive"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("cases     2: 2 pass\n"));
}

TEST(Test, DrivesTheApplicationOfAnEfaRequesterThatItTriggers) {
  const auto run =
      run_wirelaw({"test", "efa", "--listen", "udp://127.0.0.1:0", "--trigger",
                   kProgramWord + " serve efa --role requester --deviate one-sided-completion-lost", "--answer-time",
                   "2", "--case", "application/requester/tags", "--case", "application/requester/told-of-the-end"});
  EXPECT_EQ(run.status, 1) << run.err;
  EXPECT_THAT(run.out, HasSubstr("cases     2: 1 fail, 1 pass\n"));
  EXPECT_THAT(run.out, HasSubstr("EFA-3.3-4"));
}

// Its first packet has its address.
TEST(Test, AGoodEfaRequesterPasses) {
  const auto run = run_wirelaw({"test", "efa", "--listen", "udp://127.0.0.1:0", "--trigger",
                                "exec " + kProgramWord + " serve efa --role requester", "--case",
                                "packet/empty-datagram-to-requester", "--case", "walk/peer-announces-nothing"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_THAT(run.out, HasSubstr("cases     2: 2 pass\n"));
}

// Traffic on the loopback interface of the test's own network.
TEST(Test, AnIwarpResponderIsJudgedByWhatIsCaptured) {
  if (const std::string why = enter_own_network(); !why.empty()) GTEST_SKIP() << why;
  const std::string file = testing::TempDir() + "wirelaw_test_capture_" + std::to_string(::getpid()) + ".pcapng";
  for (const std::string fault : {"", "response-to-wrong"}) {
    Served responder(fault.empty() ? std::vector<std::string>() : std::vector<std::string>{"--deviate", fault},
                     "rdmap");
    const auto run = run_wirelaw({"test", "rdmap", responder.uri(), "--capture-on", "lo", "--record", file, "--case",
                                  "rdmap/responder-answers-reads"});
    if (run.status == 2 && run.err.find("CAP_NET_RAW") != std::string::npos) GTEST_SKIP() << run.err;
    EXPECT_EQ(run.status, fault.empty() ? 0 : 1) << run.out << run.err;
    const auto check = run_wirelaw({"check", file});
    EXPECT_EQ(check.status, run.status) << check.out << check.err;
    EXPECT_THAT(check.out, testing::ContainsRegex("flows     [0-9]+: [0-9]+ judged\n"));
    if (!fault.empty()) {
      EXPECT_THAT(run.out, HasSubstr("RDMAP-4.4-"));
      EXPECT_THAT(check.out, HasSubstr("RDMAP-4.4-"));
    }
  }
  std::filesystem::remove(file);
}

TEST(Test, AnIwarpInitiatorIsJudgedByWhatIsCaptured) {
  if (const std::string why = enter_own_network(); !why.empty()) GTEST_SKIP() << why;
  const auto run = run_wirelaw({"test", "rdmap", "--listen", "tcp://127.0.0.1", "--capture-on", "lo", "--trigger",
                                "exec " + kProgramWord + " serve rdmap --role initiator", "--case",
                                "ddp/initiator-sends-what-is-long*"});
  if (run.status == 2 && run.err.find("CAP_NET_RAW") != std::string::npos) GTEST_SKIP() << run.err;
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT(run.out, testing::ContainsRegex("flows     [0-9]+: [0-9]+ judged\n"));
}

TEST(Test, AnIwarpInitiatorIsTriggered) {
  const auto test = [](const std::string& deviation) {
    return run_wirelaw(std::vector<std::string>{"test", "rdmap", "--listen", "tcp://", "--trigger",
                                                "exec " + kProgramWord + " serve rdmap --role initiator" + deviation,
                                                "--case", "ddp/initiator-sends-what-is-long*"});
  };
  const auto good = test("");
  EXPECT_EQ(good.status, 0) << good.out << good.err;
  const auto faulty = test(" --deviate mo-wrong");
  EXPECT_EQ(faulty.status, 1) << faulty.out << faulty.err;
}

// The second start in a case has no effect, as if its local port were taken. The third is served.
TEST(Test, AnInitiatorThatMissesOneConnectionIsNotBlamed) {
  const std::string starts = testing::TempDir() + "wirelaw_test_starts_" + std::to_string(::getpid());
  const auto run = run_wirelaw({"test", "rdmap", "--listen", "tcp://", "--case",
                                "rdmap/initiator-ends-after-a-terminate-with-two-of-them", "--trigger",
                                "echo \"$WIRELAW_CASE\" >>" + starts + "; [ $(grep -cx \"$WIRELAW_CASE\" " + starts +
                                    ") -ne 2 ] || exit 0; exec " + kProgramWord + " serve rdmap --role initiator"});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  std::ifstream file(starts);
  std::string line;
  int count = 0;
  while (std::getline(file, line)) count += line == "rdmap/initiator-ends-after-a-terminate-with-two-of-them" ? 1 : 0;
  EXPECT_EQ(count, 3) << "the case, the connection that was missed, and the one after it";
  std::filesystem::remove(starts);
}

TEST(Test, AnAbsentServerIsNotReached) {
  std::string uri;
  {
    Served gone({});
    uri = gone.uri();
  }
  const auto run = run_wirelaw(std::vector<std::string>{"test", "ramcloud", uri, "--answer-time", "0.01"} + kQuick);
  EXPECT_EQ(run.status, 3);
  EXPECT_THAT(run.err, HasSubstr("nobody listens at 127.0.0.1:"));
  EXPECT_THAT(run.err, HasSubstr("start it, or check the address"));
}

TEST(Test, AClientIsTriggeredAndItsRecordingTellsTheSame) {
  const std::string file = testing::TempDir() + "wirelaw_test_client_" + std::to_string(::getpid()) + ".pcapng";
  const auto run = run_wirelaw(std::vector<std::string>{"test", "ramcloud", "--listen", "udp://", "--trigger",
                                                        "exec " + kProgramWord + " serve ramcloud --role client"} +
                               std::vector<std::string>{"--case", "reserved1/*", "--record", file});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  const auto check = run_wirelaw({"check", file});
  EXPECT_EQ(check.status, 0) << check.out;
  std::filesystem::remove(file);
}

TEST(Test, AFaultyClientFails) {
  const auto run = run_wirelaw(
      std::vector<std::string>{"test", "ramcloud", "--listen", "udp://", "--trigger",
                               "exec " + kProgramWord + " serve ramcloud --role client --deviate reserved1-sent"} +
      std::vector<std::string>{"--case", "reserved1/*"});
  EXPECT_EQ(run.status, 1) << run.out << run.err;
}

TEST(Test, ATriggerThatCannotBeRunIsSaid) {
  const auto run = run_wirelaw({"test", "ramcloud", "--listen", "udp://", "--trigger", "exec /no/such/client",
                                "--answer-time", "0.3", "--silence-time", "0.1", "--case", "reserved1/*"});
  EXPECT_EQ(run.status, 3);
}

// --- a run that ends before its end

// A run in a separate process, with a pipe that its peers hold open: its reader knows when they have started and when
// all have ended.
class StartedRun {
 public:
  // `peer` is what --start runs, after a command that makes it hold the pipe.
  StartedRun(const std::string& peer, std::vector<std::string> words) {
    fs::remove_all(folder_);
    fs::create_directories(folder_);
    if (::mkfifo(path("pipe").c_str(), 0600) != 0) return;
    std::string uri;
    {
      Served gone({});
      uri = gone.uri();
    }
    words.insert(words.begin(),
                 {kProgram, "test", "ramcloud", uri, "--start", "exec 9>" + path("pipe") + "; echo up >&9; " + peer});
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    for (const int descriptor : {1, 2})
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0);
    if (::posix_spawn(&pid_, kProgram, &actions, nullptr, arguments.data(), environ) != 0) pid_ = -1;
    posix_spawn_file_actions_destroy(&actions);
    pipe_ = ::open(path("pipe").c_str(), O_RDONLY | O_CLOEXEC);  // as soon as a peer exists
  }
  StartedRun(const StartedRun&) = delete;
  StartedRun& operator=(const StartedRun&) = delete;
  ~StartedRun() {
    if (pid_ > 0) ended_by(SIGKILL);
    ::close(pipe_);
    fs::remove_all(folder_);
  }

  static std::string path(const std::string& name) { return (folder_ / name).string(); }
  bool peer_is_up() const {
    char said[3];
    return ::read(pipe_, said, sizeof said) == sizeof said;
  }
  // Waits until no peer holds the pipe.
  void wait_for_peers() const {
    for (char c = 0; ::read(pipe_, &c, 1) == 1;) {
    }
  }
  // The signal that has ended it, or minus its exit status.
  int ended_by(int signal) {
    ::kill(pid_, signal);
    int status = 0;
    ::waitpid(pid_, &status, 0);
    pid_ = -1;
    return WIFSIGNALED(status) ? WTERMSIG(status) : -WEXITSTATUS(status);
  }

 private:
  static inline const fs::path folder_ =
      fs::path(testing::TempDir()) / ("wirelaw_started_run_" + std::to_string(::getpid()));
  pid_t pid_ = -1;
  int pipe_ = -1;
};

// Sends the signal after this many peers have run, each for a case or a control.
void expect_order_after_a_signal(int signal, int peers, const std::vector<std::string>& words) {
  StartedRun run("exec " + kProgramWord + " serve ramcloud \"$WIRELAW_URI\"",
                 words + std::vector<std::string>{"--format", "json", "-o", StartedRun::path("run.json"), "--record",
                                                  StartedRun::path("run.pcapng")});
  for (int i = 0; i < peers; ++i) ASSERT_TRUE(run.peer_is_up());
  EXPECT_EQ(run.ended_by(signal), signal) << "as a shell, or whoever has started it, has to see";
  run.wait_for_peers();
  const std::string report = read_file(StartedRun::path("run.json"));
  EXPECT_THAT(report, HasSubstr("\"end\":\"interrupted\""));
  EXPECT_THAT(report, HasSubstr("\"exit_status\":" + std::to_string(128 + signal)));
  EXPECT_THAT(report, HasSubstr("interrupted by SIG"));
  EXPECT_EQ(
      std::distance(fs::directory_iterator(fs::path(StartedRun::path("")).parent_path()), fs::directory_iterator()), 3)
      << "the pipe, the report, the recording, and nothing half written";
  EXPECT_THAT(run_wirelaw({"check", StartedRun::path("run.pcapng")}).out, HasSubstr("interrupted"));
}

TEST(Test, ASignalEndsARunInOrder) {
  for (const int signal : {SIGINT, SIGTERM}) expect_order_after_a_signal(signal, 1, {});
}

TEST(Test, ASignalEndsARunOfSeveralProcessesInOrder) {
  if (const std::string why = enter_own_network(); !why.empty()) GTEST_SKIP() << why;
  for (const int signal : {SIGINT, SIGTERM})
    for (const int peers : {1, 5}) expect_order_after_a_signal(signal, peers, {"--jobs", "3"});
}

TEST(Test, AKilledRunOfSeveralProcessesLeavesNoPeerBehind) {
  if (const std::string why = enter_own_network(); !why.empty()) GTEST_SKIP() << why;
  StartedRun run("exec " + kProgramWord + " serve ramcloud \"$WIRELAW_URI\"", {"--jobs", "3"});
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(run.peer_is_up());
  EXPECT_EQ(run.ended_by(SIGKILL), SIGKILL);
  run.wait_for_peers();
}

TEST(Test, AKilledRunLeavesNoPeerBehind) {
  StartedRun run("exec sleep 1000", {"--start-time", "1000"});
  ASSERT_TRUE(run.peer_is_up());
  EXPECT_EQ(run.ended_by(SIGKILL), SIGKILL);
  run.wait_for_peers();
}

// --- a recording carries its run

TEST(Test, ARecordingSaysWhatOnlyTheRunCouldShow) {
  const std::string file = testing::TempDir() + "wirelaw_test_run_" + std::to_string(::getpid()) + ".pcapng";
  const auto run = run_wirelaw({"test", "ramcloud", "memory:", "--seed", "1", "--deviate", "no-ack", "--record", file});
  ASSERT_EQ(run.status, 1) << run.out;
  const auto check = run_wirelaw({"check", file});
  EXPECT_EQ(check.status, 1) << check.out;
  EXPECT_THAT(check.out, HasSubstr("recorded run  of memory:"));
  EXPECT_THAT(check.out, HasSubstr("cases of that run"));
  const auto json = nlohmann::json::parse(run_wirelaw({"check", "--format", "json", file}).out);
  const auto live = nlohmann::json::parse(
      run_wirelaw({"test", "ramcloud", "memory:", "--seed", "1", "--deviate", "no-ack", "--format", "json"}).out);
  ASSERT_EQ(json["runs"].size(), 1u);
  const auto verdicts_of = [](const nlohmann::json& cases) {
    std::map<std::string, std::string> verdicts;
    for (const auto& one : cases) verdicts[one["id"]] = one["verdict"];
    return verdicts;
  };
  EXPECT_EQ(verdicts_of(json["runs"][0]["cases"]), verdicts_of(live["cases"]));
  EXPECT_EQ(json["runs"][0]["exit_status"], 1);
  std::size_t by_case = 0;
  for (const auto& one : live["findings"]) {
    EXPECT_TRUE(one.contains("case"));
    by_case += one["shown_by"] == "case" ? 1 : 0;
  }
  EXPECT_EQ(json["runs"][0]["findings"].size(), by_case);
  EXPECT_THAT(run_wirelaw({"check", "--format", "junit", file}).out, HasSubstr("recorded run of " + file));
  std::filesystem::remove(file);
}

TEST(Test, InMemoryTheSameSeedGivesTheSameOctets) {
  for (const std::string role : {"server", "client"}) {
    const std::vector<std::string> words{"test",   "ramcloud", "memory:?loss=0.1&duplication=0.1&reordering=0.1",
                                         "--role", role,       "--application",
                                         "count",  "--format", "json"};
    const auto one = run_wirelaw(words + std::vector<std::string>{"--seed", "7"});
    const auto two = run_wirelaw(words + std::vector<std::string>{"--seed", "7"});
    const auto other = run_wirelaw(words + std::vector<std::string>{"--seed", "8"});
    EXPECT_EQ(one.out, two.out);
    EXPECT_NE(one.out, other.out);
  }
}

TEST(Test, ListsItsCases) {
  const auto run = run_wirelaw({"test", "ramcloud", "--list", "--case", "ack/*", "--role", "server"});
  EXPECT_EQ(run.status, 0);
  EXPECT_THAT(run.out, HasSubstr("ack/server-names-the-first-missing-fragment  server"));
  EXPECT_THAT(run.out, Not(HasSubstr("ack/client-")));
}

// SRD loses nothing (EFA RDM v4 1.1), so a peer's reaction to a lost packet is no fault.
TEST(Test, ALossyNetworkIsRefusedForEfa) {
  for (const char* uri : {"memory:?loss=0.02", "memory:?delay=1-20&loss=1&seed=3"}) {
    const auto run = run_wirelaw({"test", "efa", uri});
    EXPECT_EQ(run.status, 2) << uri;
    EXPECT_THAT(run.err, HasSubstr("SRD, which loses none; leave loss out"));
  }
  EXPECT_EQ(run_wirelaw({"test", "efa", "memory:?loss=0", "--case", "eager/message-of-every-size"}).status, 0);
}

TEST(Test, WrongUseIsOneLineAndStatusTwo) {
  const std::vector<std::vector<std::string>> uses{
      {"ramcloud"},
      {"ramcloud", "udp://host"},
      {"ramcloud", "tcp://host:1"},
      {"ramcloud", "memory:?loss=2"},
      {"ramcloud", "memory:", "--deviate", "nothing-like-it"},
      {"ramcloud", "memory:", "--role", "king"},
      {"ramcloud", "memory:", "--case", "no/such-case"},
      {"ramcloud", "memory:", "--skip", "ack/*"},
      {"ramcloud", "udp://127.0.0.1:1", "--deviate", "no-ack"},
      {"ramcloud", "udp://127.0.0.1:1", "--role", "client"},
      {"ramcloud", "udp://127.0.0.1:1", "--trigger", "true"},
      {"ramcloud", "udp://127.0.0.1:1", "--listen", "udp://"},
      {"ramcloud", "udp://127.0.0.1:1", "--deadline", "-1"},
      {"ramcloud", "memory:", "--record", "/no/such/folder/file.pcapng"},
      {"nothing", "memory:"},
      {"rdmap", "memory:", "--capture-on", "lo"},
      {"rdmap", "memory:?pair", "--record", "file.pcapng"},
      {"rdmap", "tcp://127.0.0.1:1", "--capture-on", "no-such-if0"},
      {"ramcloud", "udp://127.0.0.1:1", "--capture-on", "lo"},
  };
  for (const auto& use : uses) {
    const auto run = run_wirelaw(std::vector<std::string>{"test"} + use);
    EXPECT_EQ(run.status, 2) << testing::PrintToString(use);
    EXPECT_THAT(run.err, StartsWith("wirelaw: ")) << testing::PrintToString(use);
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  }
}

}  // namespace
}  // namespace wirelaw
