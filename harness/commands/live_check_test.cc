// SPDX-License-Identifier: Apache-2.0
// wirelaw check --live on the loopback interface of the test's own network.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <test_paths.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>

#include "harness/capture/own_network.h"
#include "harness/commands/program_test.h"
#include "pcap/live_capture.h"

namespace wirelaw {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

// Judges a live run against a server on loopback, until a signal ends the capture.
class LiveCheck : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string why = enter_own_network(); !why.empty()) GTEST_SKIP() << why;
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  struct Watched {
    ProgramRun run;
    std::string said;  // standard error while frames arrived
  };
  Watched watch(const std::string& serving, const std::string& options = {}) const {
    const std::string script = R"(
      cd "$1"; w=$2
      mkfifo serving said
      "$w" serve ramcloud $3 >serving 2>/dev/null & server=$!
      read -r line <serving; uri=${line##* }; place=${uri#udp://}
      "$w" check --live lo --filter "udp port ${place##*:}" --decode-as "udp.port=${place##*:},ramcloud" \
        --iut "$place" $4 2>said & live=$!
      exec 3<said
      read -r first <&3 || { wait $live; status=$?; kill $server; exit $status; }
      "$w" test ramcloud "$uri" --case 'openResponse/*' --case 'reserved1/*' >/dev/null
      kill -INT $live
      { echo "$first"; cat <&3; } >all
      wait $live; status=$?
      kill $server
      exit $status)";
    Watched watched{.run = run_program("/bin/sh", {"-c", script, "sh", folder_, kProgram, serving, options}),
                    .said = {}};
    watched.said = read_file(folder_ + "/all");
    return watched;
  }

  static constexpr const char* kProgram = WIRELAW_BINARY_DIR "/harness/commands/wirelaw";
  const std::string folder_ = testing::TempDir() + "wirelaw_live_check_" + std::to_string(::getpid());
};

TEST_F(LiveCheck, OfAnHonestServerPassesWhenItIsInterrupted) {
  const Watched watched = watch("");
  EXPECT_EQ(watched.run.status, 0) << watched.run.out << watched.run.err;
  EXPECT_THAT(watched.said, HasSubstr("capturing on lo"));
  EXPECT_THAT(watched.run.out, HasSubstr("input     lo  "));
  EXPECT_THAT(watched.run.out, Not(HasSubstr("may be incomplete")));
  EXPECT_THAT(watched.run.out, HasSubstr("PASS: nothing failed"));
}

TEST_F(LiveCheck, ReportsAFindingWhileFramesComeAndAtTheEnd) {
  const Watched watched = watch("--deviate open-response-empty");
  EXPECT_EQ(watched.run.status, 1) << watched.run.out << watched.run.err;
  EXPECT_THAT(watched.said, testing::ContainsRegex("MUST RAMCLOUD-openResponse-[0-9]+: frame [0-9]+, "));
  EXPECT_THAT(watched.run.out, HasSubstr("FAIL  RAMCLOUD-openResponse-"));
}

TEST_F(LiveCheck, WritesItsReportAsAnyCheckDoes) {
  const Watched watched = watch("", "--format json");
  EXPECT_EQ(watched.run.status, 0) << watched.run.err;
  EXPECT_THAT(watched.run.out, HasSubstr("\"name\":\"lo\""));
  EXPECT_THAT(watched.run.out, HasSubstr("\"completeness\":\"complete\""));
}

// An interface that is created and removed: a bridge without ports.
class Bridge {
 public:
  Bridge() : ok_(::ioctl(any_, SIOCBRADDBR, kName) == 0 && set_flags(IFF_UP)) {}
  Bridge(const Bridge&) = delete;
  Bridge& operator=(const Bridge&) = delete;
  ~Bridge() {
    remove();
    ::close(any_);
  }
  bool ok() const { return ok_; }
  bool remove() { return set_flags(0) && ::ioctl(any_, SIOCBRDELBR, kName) == 0; }

  static constexpr const char* kName = "wirelaw0";

 private:
  bool set_flags(short flags) const {
    ifreq request{};
    std::strcpy(request.ifr_name, kName);
    request.ifr_flags = flags;
    return ::ioctl(any_, SIOCSIFFLAGS, &request) == 0;
  }

  int any_ = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  bool ok_;
};

TEST_F(LiveCheck, AnInterfaceThatGoesIsTheEndOfItsCapture) {
  Bridge bridge;
  if (!bridge.ok()) GTEST_SKIP() << "no bridge can be made";
  auto capture = pcap::LiveCapture::open(Bridge::kName, "");
  ASSERT_TRUE(capture) << pcap::to_string(capture.error());
  pcap::Frame frame;
  while (capture->next(frame)) {  // frames that the interface sends when it comes up
  }
  EXPECT_FALSE(capture->problem());
  ASSERT_TRUE(bridge.remove());
  constexpr int kLooks = 1000;  // libpcap looks again whether an interface that is down is still there
  for (int i = 0; i < kLooks && !capture->problem(); ++i) EXPECT_FALSE(capture->next(frame));
  ASSERT_TRUE(capture->problem());
  EXPECT_THAT(pcap::to_string(*capture->problem()), testing::StartsWith("wirelaw0: the capture has ended: "));
  EXPECT_FALSE(capture->next(frame)) << "nor does it begin again";
}

TEST_F(LiveCheck, SaysThatTheInterfaceHasGone) {
  const std::string script = R"(
    ip link add wirelaw1 type bridge && ip link set wirelaw1 up || exit 77
    cd "$1"; mkfifo said
    "$2" check --live wirelaw1 --format json 2>said & live=$!
    exec 3<said
    read -r first <&3
    ip link del wirelaw1
    cat <&3 >all
    wait $live)";
  const ProgramRun run = run_program("/bin/sh", {"-c", script, "sh", folder_, kProgram});
  if (run.status == 77) GTEST_SKIP() << "no bridge can be made: " << run.err;
  EXPECT_EQ(run.status, 2) << run.out;
  EXPECT_THAT(read_file(folder_ + "/all"), HasSubstr("wirelaw: --live: wirelaw1: the capture has ended: "));
  EXPECT_THAT(run.out, Not(HasSubstr("\"completeness\":\"complete\"")));
}

TEST(LiveCheckOptions, ThatContradictAreRefused) {
  EXPECT_THAT(run_wirelaw({"check"}).err, HasSubstr("FILE is required"));
  EXPECT_EQ(run_wirelaw({"check"}).status, 2);
  const std::vector<std::vector<std::string>> refused = {{"check", "--live", "lo", "a.pcap"},
                                                         {"check", "--live", "lo", "--pcapng", "b.pcapng"},
                                                         {"check", "--live", "lo", "--for", "soon"},
                                                         {"check", "--live", "no-such-if0"},
                                                         {"check", "--live", "lo", "--decode-as", "nonsense"},
                                                         {"check", "--filter", "udp", "a.pcap"},
                                                         {"check", "--for", "2s", "a.pcap"}};
  for (const auto& words : refused) {
    const ProgramRun run = run_wirelaw(words);
    EXPECT_EQ(run.status, 2) << testing::PrintToString(words);
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << run.err;
    EXPECT_EQ(run.out, "");
  }
}

}  // namespace
}  // namespace wirelaw
