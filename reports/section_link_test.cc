// SPDX-License-Identifier: Apache-2.0
#include "reports/section_link.h"

#include <gtest/gtest.h>

namespace wirelaw {
namespace {

TEST(SectionLink, LeadsToTheSectionOfAnRfc) {
  EXPECT_EQ(section_link("RFC 5040 4.8"), "https://www.rfc-editor.org/rfc/rfc5040#section-4.8");
  EXPECT_EQ(section_link("RFC 5040 4.1, figure 4"), "https://www.rfc-editor.org/rfc/rfc5040#section-4.1");
  EXPECT_EQ(section_link("RFC 3018"), "https://www.rfc-editor.org/rfc/rfc3018");
  EXPECT_EQ(section_link("RFC 5044 7.1.2."), "https://www.rfc-editor.org/rfc/rfc5044#section-7.1.2");
}

TEST(SectionLink, LeadsToTheDocumentWhereThatIsAll) {
  EXPECT_NE(section_link("[MS-SMBD] 2.2.1").find("ms-smbd"), std::string::npos);
  EXPECT_NE(section_link("EFA RDM v4 1.3, table 1.2").find("efa_rdm"), std::string::npos);
  for (const char* none : {"", "RAMCloud RPC, PT_ACK", "Test 1", "RFC ", "RFC x"}) EXPECT_EQ(section_link(none), "");
}

TEST(SectionHead, IsTheChapterAlone) {
  EXPECT_EQ(section_head("RFC 5040 4.8, table 3"), "RFC 5040 4.8");
  EXPECT_EQ(section_head("EFA RDM v4 1.3, tables of chapter 2"), "EFA RDM v4 1.3");
  EXPECT_EQ(section_head("[MS-SMBD] 3.1.5.4"), "[MS-SMBD] 3.1.5.4");
  for (const char* as_it_is : {"", "RFC 5040", "RFC 5040 ", "RAMCloud RPC, PT_ACK", "EFA RDM v4 appendix"})
    EXPECT_EQ(section_head(as_it_is), as_it_is);
}

}  // namespace
}  // namespace wirelaw
