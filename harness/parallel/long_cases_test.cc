// SPDX-License-Identifier: Apache-2.0
#include "harness/parallel/long_cases.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "conformance/protocol.h"

namespace wirelaw {
namespace {

TEST(LongCases, AreCasesOfTheirProtocols) {
  std::set<std::string> known;
  for (const Protocol* const protocol : protocols())
    for (const Case& one : protocol->cases()) known.insert(std::string(protocol->name) + " " + std::string(one.id));
  std::set<std::string> seen;
  for (const LongCase& one : long_cases()) {
    const std::string name = std::string(one.protocol) + " " + std::string(one.id);
    EXPECT_TRUE(known.contains(name)) << name;
    EXPECT_TRUE(seen.insert(name).second) << name;
    EXPECT_GE(one.seconds, kLongCaseSeconds) << name;
  }
}

}  // namespace
}  // namespace wirelaw
