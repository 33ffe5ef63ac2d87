// SPDX-License-Identifier: Apache-2.0
#include "reports/section_pattern.h"

#include <gtest/gtest.h>

namespace wirelaw {
namespace {

TEST(SectionPattern, NamesASectionAndAllBelowIt) {
  EXPECT_TRUE(is_in_section("RFC5040:4.8", "RFC 5040 4.8"));
  EXPECT_TRUE(is_in_section("rfc 5040:4.8", "RFC 5040 4.8, table 3"));
  EXPECT_TRUE(is_in_section("RFC5040:4", "RFC 5040 4.8"));
  EXPECT_FALSE(is_in_section("RFC5040:4.8", "RFC 5040 4.80"));
  EXPECT_FALSE(is_in_section("RFC5040:4.8", "RFC 5040 4"));
  EXPECT_FALSE(is_in_section("RFC5040:4.8", "RFC 5041 4.8"));
  EXPECT_FALSE(is_in_section("RFC504:4.8", "RFC 5040 4.8"));
}

TEST(SectionPattern, WithoutAColonIsTheWholeDocument) {
  EXPECT_TRUE(is_in_section("RFC5044", "RFC 5044 7.1.2"));
  EXPECT_TRUE(is_in_section("EFA", "EFA RDM v4 3.2, table 4"));
  EXPECT_FALSE(is_in_section("", "RFC 5044 7.1.2"));
  EXPECT_FALSE(is_in_section(":4", "RFC 5044 4"));
}

TEST(SectionPattern, TakesTheShortNamesOfDocuments) {
  EXPECT_TRUE(is_in_section("EFA:3.2", "EFA RDM v4 3.2, msg_id"));
  EXPECT_TRUE(is_in_section("MS-SMBD:3.1.5", "[MS-SMBD] 3.1.5.4"));
  EXPECT_TRUE(is_in_section("ramcloud:flags.reserved1", "RAMCloud RPC, flags.reserved1"));
  EXPECT_TRUE(is_in_section("ramcloud:flags", "RAMCloud RPC, flags.reserved1"));
  EXPECT_FALSE(is_in_section("ramcloud:flag", "RAMCloud RPC, flags.reserved1"));
}

}  // namespace
}  // namespace wirelaw
