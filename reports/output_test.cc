// SPDX-License-Identifier: Apache-2.0
#include "reports/output.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "reports/printable.h"

namespace wirelaw {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

struct OutputTest : ::testing::Test {
  OutputTest() {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~OutputTest() override { fs::remove_all(folder); }

  std::string path(const char* name) const { return (folder / name).string(); }
  static std::string content(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
  }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder), fs::directory_iterator()); }

  fs::path folder = fs::path(::testing::TempDir()) /
                    (std::string("output_test_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(OutputTest, AFileAppearsWholeOnCommit) {
  auto out = Output::to_file(path("a"));
  ASSERT_TRUE(out) << out.error();
  out->put("hello");
  EXPECT_FALSE(fs::exists(path("a")));
  ASSERT_TRUE(out->commit());
  EXPECT_EQ(content(path("a")), "hello");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputTest, WithoutCommitTheFormerFileStays) {
  std::ofstream(path("a")) << "before";
  {
    auto out = Output::to_file(path("a"));
    ASSERT_TRUE(out);
    out->put(std::string(1 << 20, 'x'));
  }
  EXPECT_EQ(content(path("a")), "before");
  EXPECT_EQ(files(), 1);
}

TEST_F(OutputTest, AReplacedFileKeepsItsModeAndALinkItsTarget) {
  std::ofstream(path("real")) << "before";
  ::chmod(path("real").c_str(), 0640);
  fs::create_symlink("real", path("link"));
  auto out = Output::to_file(path("link"));
  ASSERT_TRUE(out);
  out->put("after");
  ASSERT_TRUE(out->commit());
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content(path("real")), "after");
  EXPECT_EQ(fs::status(path("real")).permissions(), static_cast<fs::perms>(0640));
}

TEST_F(OutputTest, AFullDiskIsToldOnCommit) {
  auto out = Output::to_file("/dev/full");
  ASSERT_TRUE(out) << out.error();
  out->put("hello");
  const auto written = out->commit();
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error(), HasSubstr("/dev/full: cannot be written: No space left on device"));
  EXPECT_FALSE(fs::is_regular_file("/dev/full"));
}

TEST_F(OutputTest, AFolderIsNoFileAndAMissingFolderIsTold) {
  EXPECT_THAT(Output::to_file(folder.string()).error(), HasSubstr("is a directory"));
  EXPECT_THAT(Output::to_file(path("none/a")).error(), HasSubstr("cannot be written"));
}

TEST_F(OutputTest, AClosedDescriptorIsTold) {
  Output out = Output::to_descriptor(-2, "standard output");
  EXPECT_TRUE(out.commit());  // nothing had to be written
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ::close(ends[0]);
  ::close(ends[1]);
  Output closed = Output::to_descriptor(ends[1], "standard output");
  closed.put("x");
  EXPECT_THAT(closed.commit().error(), HasSubstr("standard output: cannot be written"));
}

TEST(Printable, KeepsTextAndSpellsOutWhatWouldHarm) {
  EXPECT_EQ(printable("grün → ok"), "grün → ok");
  EXPECT_EQ(printable("a\x1b[2J\r\n\t\x7f"), "a\\x1b[2J\\x0d\\n\\t\\x7f");
  EXPECT_EQ(printable("\xc3(\xc0\xaf\xed\xa0\x80\xf8"), "\\xc3(\\xc0\\xaf\\xed\\xa0\\x80\\xf8");
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b");           // a control character of ISO 8859
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\xe2\\x80\\xae");  // changes the direction of the text
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82");           // incomplete
}

TEST(Wrapped, BreaksAtBlanksAndKeepsLongWordsWhole) {
  EXPECT_EQ(wrapped("aa bb cc", 8, 2), "aa bb\n  cc");
  EXPECT_EQ(wrapped("aaaaaaaaaa b", 4, 1), "aaaaaaaaaa\n b");
  EXPECT_EQ(wrapped("aa bb cc", 0, 2), "aa bb cc");
  EXPECT_EQ(wrapped("ää öö", 5, 0), "ää öö");
}

}  // namespace
}  // namespace wirelaw
