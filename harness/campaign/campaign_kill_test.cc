// SPDX-License-Identifier: Apache-2.0
// A campaign that is killed, or whose time ends, at any moment: it resumes, and no finding is lost.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

#include "harness/campaign/campaign_test.h"
#include "harness/campaign/folder_lock.h"

namespace {

// A file appears when it is renamed. The process is killed at the Nth such moment: just before it if N is odd, so that
// the unfinished file remains, else just after it. 0: never.
unsigned killed_at = 0, moment = 0;

void pass_moment() {
  if (killed_at != 0 && ++moment == killed_at) ::kill(::getpid(), SIGKILL);
}

}  // namespace

// Replaces the library's rename() in this program.
extern "C" int rename(const char* from, const char* to) noexcept {
  pass_moment();
  const int status = ::renameat(AT_FDCWD, from, AT_FDCWD, to);
  const int error = errno;
  pass_moment();
  errno = error;
  return status;
}

// A kill loses nothing that the system has; only a loss of power would, which is not tried here.
extern "C" int fsync(int) {
  return 0;
}

namespace wirelaw::campaign {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::uint64_t kRuns = 20;

struct EndedCampaign : CampaignTest {
  static constexpr std::string_view kProtocol = "ramcloud";
  const std::vector<std::string> deviations{"no-ack"};

  // Few cases, and a stopped clock: nothing depends on the speed of the machine.
  Config few(const std::string& name, std::uint64_t runs = kRuns) const {
    Config config = config_of(name, runs);
    config.cases = {"requestAck/*", "old/server-tells*"};
    config.minimising_trials = 12;
    config.clock = [] { return std::chrono::steady_clock::time_point{}; };
    return config;
  }
  std::uint64_t runs_in(const std::string& name) const {
    std::error_code failed;
    if (!fs::exists(path(name) + "/campaign.json", failed)) return 0;  // killed before it had begun
    const auto state = read_json(path(name) + "/state.json");
    EXPECT_TRUE(state) << state.error();
    return state ? count_in((*state)["statistics"], "runs") : 0;
  }
  // True if it was killed before its end.
  bool killed(const std::string& name, unsigned at) const {
    const pid_t child = ::fork();
    if (child == 0) {
      killed_at = at;
      const auto lock = FolderLock::take(path(name));
      const auto outcome = run(kProtocol, deviations, few(name));
      ::_exit(outcome ? 0 : 1);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0) << at;
    return WIFSIGNALED(status);
  }
  std::vector<std::string> unfinished(const std::string& name) const {
    std::vector<std::string> files;
    for (const auto& one : fs::recursive_directory_iterator(path(name)))
      if (one.path().extension() == ".tmp") files.push_back(one.path());
    return files;
  }
};

TEST_F(EndedCampaign, ByKillResumesWithEveryFinding) {
  ASSERT_TRUE(run(kProtocol, deviations, few("whole")));
  ASSERT_THAT(read_json(path("whole/state.json"))->at("signatures"), testing::SizeIs(2));
  unsigned at = 1;
  for (; killed("killed", at); ++at) {
    const auto lock = FolderLock::take(path("killed"));
    ASSERT_TRUE(lock) << lock.error();
    EXPECT_THAT(unfinished("killed"), IsEmpty());
    const auto rest = run(kProtocol, deviations, few("killed", kRuns - runs_in("killed")));
    ASSERT_TRUE(rest) << rest.error();
    expect_same("killed", "whole");
    ASSERT_FALSE(HasFailure()) << "killed at moment " << at;
    fs::remove_all(path("killed"));
  }
  EXPECT_GT(at, 60u);
}

TEST_F(EndedCampaign, ByItsTimeResumesWithWhatItHasNotMinimised) {
  const auto whole = run(kProtocol, deviations, few("whole"));
  ASSERT_TRUE(whole);
  std::size_t in_minimising = 0, in_confirming = 0;
  for (int milliseconds = 1;; milliseconds += 5) {
    Config first = few("cut");
    first.time = std::chrono::milliseconds{milliseconds};
    // The clock advances with each call.
    first.clock = [now = std::chrono::steady_clock::time_point{}]() mutable {
      return now += std::chrono::milliseconds{1};
    };
    const auto cut = run(kProtocol, deviations, first);
    ASSERT_TRUE(cut) << cut.error();
    in_confirming += cut->to_confirm.size();
    in_minimising += cut->to_minimise.size();
    for (const std::string& one : cut->to_minimise)
      EXPECT_EQ((*read_json(path("cut/findings/" + folder_name(one) + "/finding.json")))["minimised"], false);
    const auto rest = run(kProtocol, deviations, few("cut", kRuns - runs_in("cut")));
    ASSERT_TRUE(rest) << rest.error();
    EXPECT_EQ(rest->signatures, whole->signatures) << "after " << milliseconds;
    EXPECT_THAT(rest->to_confirm, IsEmpty());
    EXPECT_THAT(rest->to_minimise, IsEmpty());
    for (const std::string& one : rest->signatures) {
      const auto finding = read_json(path("cut/findings/" + folder_name(one) + "/finding.json"));
      ASSERT_TRUE(finding) << finding.error();
      EXPECT_EQ((*finding)["minimised"], true);
      EXPECT_GT((*finding)["replays"]["came_back"], 0);  // fewer than three if the time ended between them
      EXPECT_EQ((*finding)["replays"]["came_back"], (*finding)["replays"]["of"]);
    }
    fs::remove_all(path("cut"));
    if (cut->statistics.runs == kRuns && cut->to_minimise.empty()) break;  // there was time enough
  }
  EXPECT_GT(in_confirming, 0u);
  EXPECT_GT(in_minimising, 5u);
}

TEST_F(EndedCampaign, WithADamagedStateIsRefused) {
  ASSERT_TRUE(run(kProtocol, deviations, few("one")));
  const std::string whole = content("one/state.json");
  Json no_list = Json::parse(whole), no_pending = no_list;
  no_list["known"] = 7;
  no_pending["pending"] = Json::array({{{"signature", "rule X"}, {"oracle", "rule"}}});
  const std::pair<std::string, std::string> kDamages[] = {
      {whole.substr(0, whole.size() / 2), "state.json: is no JSON object"},
      {"", "state.json: is no JSON object"},
      {"{}", "state.json: is no state of a campaign"},
      {no_list.dump(), "state.json: 'known' is no list"},
      {no_pending.dump(), "state.json: 'pending': there is no input"}};
  for (const auto& [content, says] : kDamages) {
    std::ofstream(path("one/state.json"), std::ios::trunc) << content;
    const auto resumed = run(kProtocol, deviations, few("one"));
    ASSERT_FALSE(resumed) << says;
    EXPECT_THAT(resumed.error(), HasSubstr(says));
  }
  fs::remove(path("one/state.json"));
  EXPECT_THAT(run(kProtocol, deviations, few("one")).error(), HasSubstr("state.json: No such file"));
  std::ofstream(path("one/state.json")) << whole;
  EXPECT_TRUE(run(kProtocol, deviations, few("one")));
}

TEST_F(EndedCampaign, BeforeItHasBegunLeavesNothing) {
  {
    const auto lock = FolderLock::take(path("new"));
    ASSERT_TRUE(lock) << lock.error();
    std::ofstream(path("new/peer.err")) << "cannot bind\n";
  }
  EXPECT_FALSE(fs::exists(path("new")));
  fs::create_directories(path("own"));
  std::ofstream(path("own/notes")) << "the user's\n";
  EXPECT_TRUE(FolderLock::take(path("own")));
  EXPECT_TRUE(fs::exists(path("own/notes")));
  EXPECT_FALSE(fs::exists(path("own/lock")));
}

}  // namespace
}  // namespace wirelaw::campaign
