// SPDX-License-Identifier: Apache-2.0
// The dissector's tables are equal to those of the codec.
#include "corpora/dissector.h"

#include <gtest/gtest.h>
#include <test_paths.h>

#include <fstream>
#include <iterator>

#include "corpora/format_page.h"
#include "reference/efa/layout.h"
#include "reference/efa/locate.h"
#include "reference/umsp/layout.h"

namespace wirelaw::corpora {
namespace {

std::string script(const char* path = kEfaDissector) {
  std::ifstream in(std::filesystem::path(WIRELAW_SOURCE_DIR) / path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Dissector, TablesAreThoseOfTheCodec) {
  const auto renewed = with_tables(script(), efa_dissector_tables());
  ASSERT_TRUE(renewed) << "the marks around the tables are not there";
  EXPECT_TRUE(*renewed == script()) << kEfaDissector << " is stale: run write_dissector";
}

TEST(Dissector, TablesOfUmspAreThoseOfTheCodec) {
  const auto renewed = with_tables(script(kUmspDissector), umsp_dissector_tables());
  ASSERT_TRUE(renewed) << "the marks around the tables are not there";
  EXPECT_TRUE(*renewed == script(kUmspDissector)) << kUmspDissector << " is stale: run write_dissector";
}

TEST(FormatPage, OfUmspIsThatOfTheCodec) {
  EXPECT_TRUE(umsp_format_page() == script(kUmspFormatPage)) << kUmspFormatPage << " is stale: run write_dissector";
}

TEST(Dissector, TablesOfUmspHaveEveryCodeAndEveryOperand) {
  const std::string tables = umsp_dissector_tables();
  for (const umsp::Layout& layout : umsp::all_layouts())
    EXPECT_NE(tables.find("[" + std::to_string(layout.code()) + "] = {name = \"" + std::string(layout.name) + "\""),
              std::string::npos)
        << layout.name;
  for (const umsp::OperandInfo& info : umsp::all_operands())
    EXPECT_NE(tables.find("  {\"" + std::string(info.name) + "\", "), std::string::npos) << info.name;
}

TEST(Dissector, TablesHaveEveryPacketTypeAndEveryField) {
  const std::string tables = efa_dissector_tables();
  for (const efa::Layout& layout : efa::all_layouts()) {
    EXPECT_NE(tables.find("{name = \"" + std::string(layout.name) + "\""), std::string::npos) << layout.name;
    for (const efa::FieldRow& row : layout.fields)
      EXPECT_NE(tables.find("{\"" + efa::dissector_name(row.field) + "\", \""), std::string::npos) << layout.name;
  }
  EXPECT_NE(tables.find("{\"efa_rdm.read_iov.key\", \"address\", 8"), std::string::npos);
  EXPECT_NE(tables.find("{\"efa_rdm.connid\", 4, 4, true}"), std::string::npos) << "where it may be padding";
}

TEST(Dissector, ScriptWithoutItsMarksIsNotChanged) {
  const std::string whole = script(), tables = "local A = 1\n";
  EXPECT_FALSE(with_tables("", tables));
  EXPECT_FALSE(with_tables(whole + whole, tables));
  EXPECT_FALSE(with_tables(whole.substr(0, whole.find("-- End of the tables")), tables));
  const auto changed = with_tables(whole, tables);
  ASSERT_TRUE(changed);
  EXPECT_NE(changed->find("edited.\nlocal A = 1\n-- End"), std::string::npos);
  EXPECT_TRUE(with_tables(*changed, efa_dissector_tables()) == whole);
}

}  // namespace
}  // namespace wirelaw::corpora
