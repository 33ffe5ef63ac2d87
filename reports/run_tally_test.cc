// SPDX-License-Identifier: Apache-2.0
#include "reports/run_tally.h"

#include <gtest/gtest.h>

namespace wirelaw {
namespace {

using std::chrono::seconds;

TEST(RunTally, SaysWhatIsDoneWhatIsLeftAndWhatFailed) {
  EXPECT_EQ(to_text({.done = 12, .all = 85, .failed = 2, .elapsed = seconds{34}}),
            "12 of 85 cases in 0:34, about 3:26 left, 2 failed");
  EXPECT_EQ(to_text({.done = 85, .all = 85, .elapsed = seconds{3725}}), "85 of 85 cases in 62:05");
}

TEST(RunTally, GuessesNothingBeforeTheFirstCaseIsDone) {
  EXPECT_EQ(to_text({.done = 0, .all = 85, .elapsed = seconds{9}}), "0 of 85 cases in 0:09");
  EXPECT_EQ(to_text({}), "0 of 0 cases in 0:00");
}

}  // namespace
}  // namespace wirelaw
