// SPDX-License-Identifier: Apache-2.0
#include "pcap/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "pcap/frame_builder.h"
#include "pcap/temporary_directory.h"

namespace wirelaw::pcap::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(OutputFile, AppearsOnCommit) {
  const TemporaryDirectory directory;
  auto file = OutputFile::create(directory.path("out"));
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->append(text("hello")));
  EXPECT_FALSE(std::filesystem::exists(directory.path("out")));
  ASSERT_TRUE(file->commit());
  EXPECT_THAT(directory.names(), ElementsAre("out"));
  EXPECT_EQ(read_file(directory.path("out")), text("hello"));
  EXPECT_TRUE(file->commit()) << "once is enough, twice does no harm";
  EXPECT_FALSE(file->append(text("late")) && file->flush()) << "it is closed";
}

TEST(OutputFile, LeavesNothingWithoutCommit) {
  const TemporaryDirectory directory;
  {
    auto file = OutputFile::create(directory.path("out"));
    ASSERT_TRUE(file->append(text("hello")) && file->flush());
    OutputFile moved = std::move(*file);
    auto other = OutputFile::create(directory.path("other"));
    moved = std::move(*other);
  }
  EXPECT_THAT(directory.names(), ElementsAre());
}

TEST(OutputFile, KeepsTheOldFileUntilCommit) {
  const TemporaryDirectory directory;
  directory.write("out", text("old"));
  { EXPECT_TRUE(OutputFile::create(directory.path("out"))->append(text("new"))); }
  EXPECT_EQ(read_file(directory.path("out")), text("old"));
}

TEST(OutputFile, FollowsASymbolicLink) {
  const TemporaryDirectory directory;
  directory.write("real", text("old"));
  std::filesystem::create_symlink("real", directory.path("link"));
  auto file = OutputFile::create(directory.path("link"));
  ASSERT_TRUE(file && file->append(text("new")) && file->commit());
  EXPECT_TRUE(std::filesystem::is_symlink(directory.path("link")));
  EXPECT_EQ(read_file(directory.path("real")), text("new"));
}

TEST(OutputFile, TwoForOneNameDoNotMeet) {
  const TemporaryDirectory directory;
  auto first = OutputFile::create(directory.path("out"));
  auto second = OutputFile::create(directory.path("out"));
  ASSERT_TRUE(first && second && first->append(text("first")) && second->append(text("second")));
  ASSERT_TRUE(first->commit());
  EXPECT_EQ(read_file(directory.path("out")), text("first"));
  ASSERT_TRUE(second->commit());
  EXPECT_EQ(read_file(directory.path("out")), text("second"));
  EXPECT_THAT(directory.names(), ElementsAre("out"));
}

TEST(OutputFile, SaysWhyItCannotBeMade) {
  const TemporaryDirectory directory;
  EXPECT_EQ(to_string(OutputFile::create(directory.path("none/out")).error()),
            directory.path("none/out") + ": cannot be written: No such file or directory; create its directory first");
  EXPECT_EQ(to_string(OutputFile::create(directory.path("")).error()),
            directory.path("") + ": cannot be written: Is a directory; name a file in this directory");
}

TEST(OutputFile, FullDeviceIsAnErrorThatStays) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  auto file = OutputFile::create("/dev/full");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->append(text("hello")));
  const auto flushed = file->flush();
  ASSERT_FALSE(flushed);
  EXPECT_EQ(to_string(flushed.error()),
            "/dev/full: cannot be written: No space left on device; the disk is full: make room, or write elsewhere");
  EXPECT_FALSE(file->append(text("more")));
  EXPECT_FALSE(file->flush());
  EXPECT_FALSE(file->commit());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full")) << "a device is not replaced";
}

// A limit on the size of files simulates a full disk.
TEST(OutputFile, FullDiskLeavesNothing) {
  const TemporaryDirectory directory;
  struct rlimit old {};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const struct rlimit small { 1000, old.rlim_max };
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  auto file = OutputFile::create(directory.path("out"));
  const bool created = file.has_value();
  const auto appended = created ? file->append(OctetBuffer(100'000)) : tl::expected<void, Problem>();
  setrlimit(RLIMIT_FSIZE, &old);
  signal(SIGXFSZ, handler);
  ASSERT_TRUE(created);
  ASSERT_FALSE(appended);
  EXPECT_THAT(to_string(appended.error()), HasSubstr(directory.path("out") + ": cannot be written: File too large"));
  EXPECT_THAT(directory.names(), ElementsAre()) << "gone at once";
  EXPECT_FALSE(file->commit());
}

TEST(OutputFile, TargetThatBecameADirectoryIsAnError) {
  const TemporaryDirectory directory;
  auto file = OutputFile::create(directory.path("out"));
  std::filesystem::create_directory(directory.path("out"));
  const auto committed = file->commit();
  ASSERT_FALSE(committed);
  EXPECT_THAT(committed.error().message, HasSubstr("Is a directory"));
  EXPECT_THAT(directory.names(), ElementsAre("out"));
}

TEST(OutputFile, StandardOutputIsWrittenDirectly) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(pipe(ends), 0);
  const int saved = dup(STDOUT_FILENO);
  dup2(ends[1], STDOUT_FILENO);
  close(ends[1]);
  auto file = OutputFile::create("-");
  const bool flushed = file && file->append(text("now")) && file->flush();
  char got[8] = {};
  const ssize_t count = read(ends[0], got, sizeof got);
  const bool committed = file && file->commit();
  dup2(saved, STDOUT_FILENO);
  close(saved);
  close(ends[0]);
  EXPECT_TRUE(flushed && committed);
  EXPECT_EQ(std::string(got, static_cast<std::size_t>(count)), "now");
}

}  // namespace
}  // namespace wirelaw::pcap::testing
