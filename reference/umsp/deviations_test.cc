// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/deviations.h"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace wirelaw::umsp {
namespace {

TEST(Deviations, HaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (const DeviationText& one : all_deviations()) {
    EXPECT_TRUE(names.insert(one.name).second) << one.name;
    Deviations set;
    EXPECT_TRUE(set.add(one.name)) << one.name;
  }
  Deviations none;
  EXPECT_FALSE(none.add("no-such-thing"));
}

TEST(Deviations, AreNumberedByTheirPlace) {
  const auto all = all_deviations();
  EXPECT_EQ(all[number_of(SessionDeviation::open_unanswered)].name, "open-unanswered");
  EXPECT_EQ(all[number_of(NodeDeviation::obligatory_headers_ignored)].name, "obligatory-headers-ignored");
  EXPECT_EQ(all[number_of(JobDeviation::task_end_not_notified)].name, "task-end-not-notified");
  EXPECT_EQ(all[number_of(VmDeviation::opr_length_ignored)].name, "opr-length-ignored");
}

}  // namespace
}  // namespace wirelaw::umsp
