// SPDX-License-Identifier: Apache-2.0
// wirelaw devices and verbs:// as a user meets them on a machine with RDMA, and on one without.
#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/commands/program_test.h"

namespace wirelaw {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

bool has_devices() {
  const std::filesystem::path devices = "/sys/class/infiniband_verbs";
  std::error_code none;
  for (const auto& one : std::filesystem::directory_iterator(devices, none))
    if (one.path().filename().string().starts_with("uverbs")) return true;
  return false;
}

bool is_one_line(const std::string& text) {
  return text.ends_with('\n') && text.find('\n') == text.size() - 1;
}

TEST(Devices, AreListedAsTextAndAsJson) {
  if (!has_devices()) GTEST_SKIP() << "this machine has no RDMA device";
  const ProgramRun text = run_wirelaw({"devices"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("usable as: "));
  const ProgramRun json = run_wirelaw({"devices", "--format", "json"});
  EXPECT_EQ(json.status, 0) << json.err;
  const auto whole = nlohmann::json::parse(json.out);
  EXPECT_EQ(whole.at("schema"), "wirelaw-devices/1");
  EXPECT_FALSE(whole.at("devices").empty());
}

TEST(Devices, AreMissedInOneLine) {
  if (has_devices()) GTEST_SKIP() << "this machine has RDMA devices";
  for (const std::vector<std::string>& words : {std::vector<std::string>{"devices"},
                                                {"devices", "--format", "json"},
                                                {"test", "rdmap", "verbs://127.0.0.1:7175"},
                                                {"test", "rdmap", "verbs://127.0.0.1:7175?device=siw0"},
                                                {"test", "rdmap", "--listen", "verbs://127.0.0.1:0"},
                                                {"test", "rdmap", "verbs://127.0.0.1:7175?far=127.0.0.1"},
                                                {"test", "rdmap", "--listen", "verbs://127.0.0.1:0?far=127.0.0.1"},
                                                {"serve", "rdmap", "verbs://127.0.0.1:7175"},
                                                {"serve", "rdmap", "verbs://127.0.0.1:7175", "--role", "initiator"},
                                                {"test", "smbd", "verbs://127.0.0.1:5445"},
                                                {"test", "smbd", "--listen", "verbs://127.0.0.1:0"},
                                                {"serve", "smbd", "verbs://127.0.0.1:5445"},
                                                {"serve", "smbd", "verbs://127.0.0.1:5445", "--role", "initiator"}}) {
    const ProgramRun run = run_wirelaw(words);
    EXPECT_EQ(run.status, 3) << testing::PrintToString(words);
    EXPECT_EQ(run.out, "");
    EXPECT_THAT(run.err, StartsWith("wirelaw: "));
    EXPECT_TRUE(is_one_line(run.err)) << run.err;
  }
}

TEST(Devices, NeedNoCommandToStartThem) {
  const ProgramRun triggered = run_wirelaw({"test", "rdmap", "--listen", "verbs://127.0.0.1:0", "--trigger", "true"});
  EXPECT_EQ(triggered.status, 2);
  EXPECT_THAT(triggered.err, HasSubstr("--trigger: the device of a verbs:// URI needs none"));
  const ProgramRun started = run_wirelaw({"test", "rdmap", "verbs://127.0.0.1:7175", "--start", "true"});
  EXPECT_EQ(started.status, 2);
  EXPECT_THAT(started.err, HasSubstr("--start: the device of a verbs:// URI needs none"));
  const ProgramRun faulty = run_wirelaw({"serve", "rdmap", "verbs://127.0.0.1:7175", "--deviate", "key-wrong"});
  EXPECT_EQ(faulty.status, 2);
  EXPECT_THAT(faulty.err, HasSubstr("a device cannot commit deviations"));
}

TEST(Devices, AreNotTheImplementationOfWhatStandsAboveThem) {
  const ProgramRun run = run_wirelaw({"test", "smbd", "verbs://127.0.0.1:5445?far=127.0.0.1"});
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("far=HOST is for protocols whose implementation is the device itself"));
}

TEST(Devices, CarryNoOtherProtocol) {
  const ProgramRun run = run_wirelaw({"test", "ramcloud", "verbs://127.0.0.1:7175"});
  EXPECT_EQ(run.status, 2);
  EXPECT_THAT(run.err, HasSubstr("this protocol travels over udp"));
}

}  // namespace
}  // namespace wirelaw
