// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/reporter.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace wirelaw {
namespace {

constexpr unsigned kDeadline = 60;

class ReporterTest : public testing::TestWithParam<Reporter::Does> {
 protected:
  ~ReporterTest() override { ::alarm(0); }

  const CaseLimits limits_{.deadline = std::chrono::seconds{kDeadline}};
};

TEST_P(ReporterTest, WatchesACaseAndNotTheTimeBetweenCases) {
  Reporter reporter(true, limits_, GetParam());
  const RunProgress progress = reporter.progress();
  for (int i = 0; i < 2; ++i) {
    progress.begins(Case{.id = "open/one", .iut = Role::responder, .purpose = "One case."}, 0, 1);
    EXPECT_EQ(::alarm(kDeadline) > kDeadline, GetParam() != Reporter::Does::tell);
    progress.ended(CaseOutcome{});
    EXPECT_EQ(::alarm(0) != 0, GetParam() == Reporter::Does::tell);  // only the alarm of this test
  }
}

INSTANTIATE_TEST_SUITE_P(That, ReporterTest,
                         testing::Values(Reporter::Does::tell_and_watch, Reporter::Does::tell, Reporter::Does::watch));

}  // namespace
}  // namespace wirelaw
