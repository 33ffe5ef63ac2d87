// SPDX-License-Identifier: Apache-2.0
// Campaigns with the project's own targets. A script plays the program: it prints what libFuzzer prints.
#include "harness/campaign/target_campaign.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>
#include <sstream>

#include "harness/campaign/target_output.h"

namespace wirelaw::campaign {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

// An input with an 'x' in it breaks it. As an engine it meets "axb" once.
constexpr std::string_view kProgram = R"sh(#!/bin/sh
for word; do
  case $word in
    -artifact_prefix=*) prefix=${word#*=} ;;
    -exact_artifact_path=*) exact=${word#*=} ;;
    -minimize_crash=1) smaller=1 ;;
    -*) ;;
    *) last=$word; [ -n "$first" ] || first=$word ;;
  esac
done
if [ -n "$smaller" ]; then printf x > "$exact"; exit 77; fi
if [ -f "$last" ]; then
  if grep -q x "$last"; then printf '\nbroken: no x\n' >&2; exit 77; fi
  exit 0
fi
echo "#16	INITED cov: 5 ft: 7 corp: 2/9b exec/s: 0 rss: 30Mb" >&2
if [ ! -f "$first/met" ]; then
  : > "$first/met"
  echo "#64	NEW    cov: 6 ft: 9 corp: 3/12b lim: 8 exec/s: 32 rss: 30Mb L: 3/3 MS: 1 Custom-" >&2
  printf axb > "${prefix}crash-1"
  printf '\nbroken: no x\nTest unit written to %scrash-1\n' "$prefix" >&2
  exit 77
fi
echo "Done 100 runs in 1 second(s)" >&2
)sh";

struct TargetCampaign : ::testing::Test {
  TargetCampaign() {
    fs::remove_all(folder);
    fs::create_directories(folder / "programs/seeds");
    fs::create_directories(folder / "campaign");
    std::ofstream(folder / "programs/fuzz_x") << kProgram;
    ::chmod((folder / "programs/fuzz_x").c_str(), 0755);
    std::ofstream(folder / "programs/targets")
        << "# engine libfuzzer\nfuzz_x|seeds|regressions||max_len=8 timeout=2|100|no x\n../escape|s|r||||\n";
  }
  ~TargetCampaign() override { fs::remove_all(folder); }

  TargetConfig config() const {
    const auto targets = read_target_folder(folder / "programs");
    EXPECT_TRUE(targets) << targets.error();
    return {.target = *targets->find("fuzz_x"), .folder = folder / "campaign", .runs = 100};
  }

  fs::path folder = fs::path(::testing::TempDir()) /
                    (std::string("target_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(TargetCampaign, TheListSaysWhatATargetHas) {
  const auto targets = read_target_folder(folder / "programs");
  ASSERT_TRUE(targets);
  EXPECT_TRUE(targets->can_fuzz());
  ASSERT_EQ(targets->targets.size(), 1u) << "a name is a file's in this folder";
  const FuzzTarget& target = targets->targets[0];
  EXPECT_EQ(target.what, "no x");
  EXPECT_EQ(target.seeds, targets->path / "seeds");
  EXPECT_TRUE(target.dictionary.empty());
  EXPECT_THAT(target.options, ElementsAre("max_len=8", "timeout=2"));
  EXPECT_FALSE(read_target_folder(folder / "campaign"));
}

TEST_F(TargetCampaign, ProgramsThatFuzzAreTakenBeforeThoseThatReplay) {
  fs::create_directories(folder / "replays");
  std::ofstream(folder / "replays/targets") << "# engine replay\nfuzz_x|s|r||||\n";
  const auto found = find_target_folder({folder / "none", folder / "replays", folder / "programs"});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->path.filename(), "programs");
  EXPECT_EQ(find_target_folder({folder / "replays"})->engine, "replay");
  EXPECT_THAT(find_target_folder({folder / "none"}).error(), HasSubstr("--programs"));
}

TEST_F(TargetCampaign, ACrashBecomesAFindingThatIsMadeSmallerAndReplayed) {
  std::vector<TargetFinding> found;
  const auto outcome =
      fuzz_target(config(), {.status = {}, .found = [&](const TargetFinding& one) { found.push_back(one); }});
  ASSERT_TRUE(outcome) << outcome.error();
  EXPECT_THAT(outcome->signatures, ElementsAre("broken no x"));
  EXPECT_FALSE(outcome->lost) << *outcome->lost;
  EXPECT_EQ(outcome->statistics.runs, 164u) << "64 until the crash, and 100 of the process after it";
  EXPECT_EQ(outcome->statistics.coverage, 6u);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].came_back, 3u);
  const fs::path finding = folder / "campaign/findings/broken-no-x";
  EXPECT_EQ(text_of(finding / "input"), "x");
  EXPECT_EQ(text_of(finding / "found"), "axb");
  EXPECT_THAT(text_of(finding / "output.txt"), HasSubstr("broken: no x"));
  const auto kept = read_target_finding(finding.string());
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->target, "fuzz_x");
  EXPECT_EQ(replay_target(config().target, *kept, 2), 2u);
  std::ofstream(finding / "input") << "honest";
  EXPECT_EQ(replay_target(config().target, *kept, 2), 0u);
}

TEST_F(TargetCampaign, GoesOnWhereItWasAndIsOfOneTarget) {
  ASSERT_TRUE(fuzz_target(config(), {}));
  const auto again = fuzz_target(config(), {});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->statistics.before, 164u);
  EXPECT_EQ(again->statistics.runs, 100u);
  EXPECT_THAT(again->signatures, ElementsAre("broken no x"));
  TargetConfig other = config();
  other.target.name = "fuzz_y";
  EXPECT_THAT(fuzz_target(other, {}).error(), HasSubstr("has another campaign"));
}

TEST_F(TargetCampaign, AProgramThatEndsWithoutAFindingIsSaid) {
  std::ofstream(folder / "programs/fuzz_x") << "#!/bin/sh\nexit 3\n";
  const auto outcome = fuzz_target(config(), {});
  ASSERT_TRUE(outcome);
  ASSERT_TRUE(outcome->lost);
  EXPECT_THAT(*outcome->lost, HasSubstr("status 3"));
  EXPECT_THAT(outcome->signatures, ElementsAre());
}

TEST_F(TargetCampaign, EndsInOrderWhenItIsInterrupted) {
  std::ofstream(folder / "programs/fuzz_x") << "#!/bin/sh\ntrap 'exit 72' INT TERM\nwhile :; do sleep 0.05; done\n";
  const std::atomic<int> interrupted{2};
  TargetConfig endless = config();
  endless.interrupted = &interrupted;
  const auto outcome = fuzz_target(endless, {});
  ASSERT_TRUE(outcome);
  EXPECT_FALSE(outcome->lost) << *outcome->lost;
}

TEST(TargetOutput, StatusLinesAreRead) {
  const auto status = status_of(
      "#2048\tNEW    cov: 311 ft: 702 corp: 29/3102b lim: 8192 exec/s: 1024 rss: 60Mb L: 63/512 MS: 1 Custom-");
  ASSERT_TRUE(status);
  EXPECT_EQ(status->runs, 2048u);
  EXPECT_EQ(status->coverage, 311u);
  EXPECT_EQ(status->features, 702u);
  EXPECT_EQ(status->corpus, 29u);
  EXPECT_EQ(status->rate, 1024u);
  EXPECT_TRUE(status->is_new);
  EXPECT_FALSE(status_of("#2048\tpulse  cov: 311 ft: 702 corp: 29/3102b lim: 8192 exec/s: 1024 rss: 60Mb")->is_new);
  EXPECT_FALSE(status_of("INFO: Running with entropic power schedule (0xFF, 100)."));
  EXPECT_EQ(runs_done("Done 4096 runs in 3 second(s)"), 4096u);
  EXPECT_FALSE(runs_done("Done with it"));
}

TEST(TargetOutput, AFaultIsNamedByWhatItBreaks) {
  EXPECT_EQ(fault_of("x\n\nbroken: encode(decode(x)) == x\n==1== ERROR: libFuzzer: deadly signal\n")->signature,
            "broken encode(decode(x)) == x");
  EXPECT_EQ(fault_of("broken: an honest endpoint is found to break EFA-4.1-23 (violation): a text\n")->signature,
            "rule EFA-4.1-23");
  EXPECT_THAT(fault_of("==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6020\n    #0 0x5 in decode "
                       "/src/a.cc:1:2\n")
                  ->signature,
              "sanitizer AddressSanitizer: heap-buffer-overflow in decode");
  EXPECT_EQ(fault_of("==7== ERROR: libFuzzer: timeout after 20 seconds\n")->signature, "timeout");
  EXPECT_EQ(fault_of("==7== ERROR: libFuzzer: out-of-memory (used: 2050Mb; limit: 2048Mb)\n")->signature, "memory");
  EXPECT_FALSE(fault_of("Done 5 runs in 0 second(s)\n"));
  EXPECT_EQ(artifact_of("a\nTest unit written to /tmp/crash-1\nBase64: eA==\n"), "/tmp/crash-1");
  EXPECT_EQ(artifact_of("nothing"), "");
}

}  // namespace
}  // namespace wirelaw::campaign
