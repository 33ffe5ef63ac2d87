// SPDX-License-Identifier: Apache-2.0
// The benchmark measures the judging of honest traffic: its captures are judged, and nothing is found in them.
#include "harness/check/bench_captures.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "harness/check/check_files.h"

namespace wirelaw {
namespace {

using testing::IsEmpty;

TEST(BenchCaptures, AreHonestTraffic) {
  ASSERT_EQ(::setenv("WIRELAW_BENCH_MEGABYTES", "1", 1), 0);
  for (std::size_t i = 0; i < bench_captures().size(); ++i) {
    const std::string files[] = {bench_capture_file(i)};
    const FileResults checked = check_files(files, {});
    EXPECT_THAT(checked.results.findings, IsEmpty()) << bench_captures()[i].label;
    ASSERT_FALSE(checked.results.flows.empty()) << bench_captures()[i].label;
    for (const FlowResult& flow : checked.results.flows) {
      EXPECT_EQ(flow.state, FlowState::judged) << bench_captures()[i].label;
      EXPECT_GT(flow.messages, 0u) << bench_captures()[i].label;
    }
  }
}

}  // namespace
}  // namespace wirelaw
