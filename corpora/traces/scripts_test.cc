// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/scripts.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace wirelaw::corpora {
namespace {

// The time before a lost datagram has passed all the same.
TEST(ScriptedTraces, APauseBeforeALostDatagramCounts) {
  const std::string path = ::testing::TempDir() + "lost.wirelaw";
  std::ofstream(path) << "protocol ramcloud\ntrace lost\nbare\na SESSION_OPEN\npause 2s\nb SESSION_OPEN lose\n"
                         "pause 3s\na SESSION_OPEN\n";
  const auto traces = traces_of_script(path, *find_protocol("ramcloud"));
  std::filesystem::remove(path);
  ASSERT_TRUE(traces) << traces.error();
  const std::vector<TraceMessage>& messages = traces->front().messages;
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[1].pause_ns, 5'000'000'000);
}

}  // namespace
}  // namespace wirelaw::corpora
