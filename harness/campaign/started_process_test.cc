// SPDX-License-Identifier: Apache-2.0
// Information about the fuzzed process: its output, its resources, and the reports of a sanitizer.
#include "harness/campaign/started_process.h"

#include <gmock/gmock.h>

#include <filesystem>

#include "harness/campaign/coverage_map.h"
#include "harness/transports/trigger_process.h"

namespace wirelaw::campaign {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr const char* kAsan =
    "serving\n"
    "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602000000011 at pc 0x55 bp 0x7f sp 0x7e\n"
    "READ of size 1 at 0x602000000011 thread T0\n"
    "    #0 0x7f12 in __interceptor_memcpy (/lib/libasan.so+0x1)\n"
    "    #1 0x55d0 in decode(char const*) /src/decode.c:12:3\n"
    "    #2 0x55d1 in receive /src/receive.c:4\n"
    "    #3 0x55d2 in serve /src/serve.c:9\n"
    "    #4 0x55d3 in main /src/main.c:1\n";

TEST(SanitizerReport, NamesTheFaultAndItsInnermostFrames) {
  const auto report = sanitizer_report(kAsan);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->what, "AddressSanitizer: heap-buffer-overflow");
  EXPECT_EQ(report->frames, "decode < receive < serve");
  EXPECT_THAT(report->text, testing::StartsWith("==7==ERROR"));
}

TEST(SanitizerReport, OfUndefinedBehaviourHasNoNumbers) {
  const auto report = sanitizer_report("a.c:4:7: runtime error: shift exponent 99 is too large\n");
  ASSERT_TRUE(report);
  EXPECT_EQ(report->what, "runtime error: shift exponent  is too large");
}

// A sanitizer's report leaves out what differs between processes, and keeps what distinguishes two faults.
TEST(SanitizerReport, OfUndefinedBehaviourIsTheSameAgainAndNamesItsPlace) {
  const auto of = [](const std::string& line) {
    const auto report = sanitizer_report(line);
    return report ? report->what + " in " + report->frames : "";
  };
  const std::string first = "/src/a.c:4:7: runtime error: load of misaligned address 0x7f3a10bc0d for type 'uint32_t'",
                    again = "/other/a.c:4:7: runtime error: load of misaligned address 0x55aa01 for type 'uint32_t'";
  EXPECT_EQ(of(first), "runtime error: load of misaligned address  for type 'uint32_t' in a.c:4:7");
  EXPECT_EQ(of(again), of(first));
  EXPECT_NE(of("/src/a.c:9:7: runtime error: load of misaligned address 0x7f3a for type 'uint32_t'"), of(first));
  EXPECT_NE(of("/src/a.c:4:7: runtime error: load of misaligned address 0x7f3a for type 'uint64_t'"), of(first));
  EXPECT_EQ(of(first + "\n    #0 0x55d0 in decode /src/a.c:4:7\n"),
            "runtime error: load of misaligned address  for type 'uint32_t' in decode");
}

TEST(SanitizerReport, OfThreadsHasFramesWithoutAddresses) {
  const auto report = sanitizer_report(
      "WARNING: ThreadSanitizer: data race (pid=77)\n"
      "  Write of size 4 at 0x7b0400000000 by thread T1:\n"
      "    #0 __interceptor_memcpy <null> (server+0x1)\n"
      "    #1 decode(char const*) /src/decode.c:12 (server+0x4a1)\n"
      "    #2 receive /src/receive.c:4:1 (server+0x4b2)\n"
      "    #3 <null> <null> (libc.so.6+0x7)\n"
      "    #4 serve /src/serve.c:9 (server+0x4c3)\n");
  ASSERT_TRUE(report);
  EXPECT_EQ(report->what, "ThreadSanitizer: data race (pid=)");
  EXPECT_EQ(report->frames, "decode < receive < serve");
}

TEST(SanitizerReport, NamesPlacesWhereFunctionsHaveNoNames) {
  const auto report = sanitizer_report(
      "==7==ERROR: AddressSanitizer: SEGV on unknown address\n"
      "    #0 0x7f3a51 (/usr/lib/x86_64-linux-gnu/libefa.so.1+0x6f2c) (BuildId: 12ab)\n"
      "    #1 0x7f3a60 in serve (/usr/bin/server+0x1)\n");
  ASSERT_TRUE(report);
  EXPECT_EQ(report->frames, "libefa.so.1+0x6f2c < serve");
}

TEST(StackIn, IsOfWhoeverWritesOne) {
  EXPECT_EQ(stack_in("ready\n    #0 0x7f39 (/lib/libc.so.6+0x26472)\n    #1 0x7f3a (/lib/libefa.so.1+0x6f2c)\n    #2 "
                     "0x7f3b (/lib/libefa.so.1+0x11)\n"),
            "libefa.so.1+0x6f2c < libefa.so.1+0x11");
  EXPECT_EQ(stack_in("#1 is no frame\n"), "");
  EXPECT_EQ(stack_in("ready\n# 4 messages\n"), "");
}

TEST(SanitizerReport, OfPlainOutputIsNone) {
  EXPECT_FALSE(sanitizer_report("an error in line 3\n"));
  EXPECT_FALSE(sanitizer_report(""));
}

struct StartedProcessTest : ::testing::Test {
  StartedProcessTest() { fs::create_directories(folder); }
  ~StartedProcessTest() override { fs::remove_all(folder); }
  fs::path folder = fs::path(::testing::TempDir()) /
                    (std::string("wirelaw it's ") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(StartedProcessTest, KeepsWhatACommandWritesAndHowItEnds) {
  StartedProcess process(folder.string());
  auto started = TriggerProcess::start(process.wrapped("echo one >&2; echo two >&2; exit 3"), {});
  ASSERT_TRUE(started);
  const auto end = started->ended(-1);
  ASSERT_TRUE(end);
  EXPECT_EQ(to_text(*end), "ended with status 3");
  EXPECT_EQ(process.output(), "one\ntwo\n");
  process.begin();
  EXPECT_EQ(process.output(), "");
}

TEST_F(StartedProcessTest, ASignalIsSeenThroughTheWrapping) {
  StartedProcess process(folder.string());
  auto started = TriggerProcess::start(process.wrapped("kill -ABRT $$"), {});
  ASSERT_TRUE(started);
  const auto end = started->ended(-1);
  ASSERT_TRUE(end);
  EXPECT_TRUE(is_crash(*end));
}

TEST_F(StartedProcessTest, CountsWhatTheWholeGroupUses) {
  StartedProcess process(folder.string());
  auto started = TriggerProcess::start(process.wrapped("echo begun >&2; tail -f /dev/null"), {});
  ASSERT_TRUE(started);
  while (process.output().empty() && !started->ended(1)) {
  }
  const auto use = process.use();
  ASSERT_TRUE(use);
  EXPECT_GT(use->resident_octets, 100'000u);
  EXPECT_GE(use->descriptors, 2u);
  started->end();
  auto left = process.use();
  while (left) left = process.use();  // processes started by the shell end a little later
  EXPECT_FALSE(left);
}

TEST(CoverageMap, IsFoundByAChildAndGivesEdgesInSteps) {
  auto map = CoverageMap::share();
  ASSERT_TRUE(map) << map.error();
  ASSERT_NE(std::getenv("__AFL_SHM_ID"), nullptr);
  EXPECT_TRUE((*map)->edges().empty());
  map->reset();
  EXPECT_EQ(std::getenv("__AFL_SHM_ID"), nullptr);
}

}  // namespace
}  // namespace wirelaw::campaign
