// SPDX-License-Identifier: Apache-2.0
// Exports a finding. The source file in exported/ is the export of the finding beside it. It is compiled here; its case
// fails against the faulty peer and passes against the honest one.
#include "harness/campaign/export.h"

#include <gmock/gmock.h>
#include <test_paths.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "conformance/case_suite.h"
#include "corpora/formats/records.h"
#include "harness/campaign/campaign.h"
#include "harness/memory_run.h"

namespace wirelaw::ramcloud {
edits::FoundCase found_ramcloud_clientsessionhint_2_f5ac();
}

namespace wirelaw::campaign {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const std::string kFolder = WIRELAW_SOURCE_DIR "/harness/campaign/exported";
constexpr const char* kName = "ramcloud_clientsessionhint_2_f5ac";

std::string content(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

TEST(Export, WritesTheUnitThatIsCompiledHere) {
  const auto finding = read_finding(kFolder);
  ASSERT_TRUE(finding) << finding.error();
  EXPECT_EQ(export_name(*finding), kName);
  EXPECT_EQ(unit_of(*finding), content(fs::path(kFolder) / (std::string(kName) + ".cc")));
}

// A protocol whose suite has the found case after its own cases.
std::span<const Case> cases_with_found() {
  const auto cases = find_protocol("ramcloud")->cases();
  static const CaseSuite kSuite({{cases.begin(), cases.end()}}, {ramcloud::found_ramcloud_clientsessionhint_2_f5ac()});
  return kSuite.cases();
}

CaseResult result_of_found(std::vector<std::string> deviations) {
  Protocol protocol = *find_protocol("ramcloud");
  protocol.cases = cases_with_found;
  const auto run =
      run_in_memory(protocol, {.selection = {.cases = {"found/*"}}}, {.deviations = std::move(deviations)});
  EXPECT_TRUE(run) << run.error();
  EXPECT_EQ(run->results.cases.size(), 1u);
  return run->results.cases.at(0);
}

TEST(Export, ItsCaseFailsAgainstTheFaultAndPassesWithoutIt) {
  EXPECT_EQ(cases_with_found().size(), find_protocol("ramcloud")->cases().size() + 1);
  const CaseResult faulty = result_of_found({"client-hint-truncated-16"});
  EXPECT_EQ(faulty.verdict, Verdict::fail);
  EXPECT_THAT(faulty.reason, HasSubstr("RAMCLOUD-clientSessionHint-2"));
  const CaseResult honest = result_of_found({});
  EXPECT_EQ(honest.verdict, Verdict::pass) << honest.reason;
}

TEST(Export, NamesWhatAFoundCaseLacks) {
  edits::FoundCase found = ramcloud::found_ramcloud_clientsessionhint_2_f5ac();
  const auto cases = find_protocol("ramcloud")->cases();
  found.like = "no/such-case";
  EXPECT_THROW(case_of(found, cases), std::logic_error);
  found.like = cases.front().id;
  found.rule = "RAMCLOUD-none-1";
  EXPECT_THROW(case_of(found, cases), std::logic_error);
}

// Has every kind of edit, and texts that need escaping in a comment and in a literal.
TEST(Export, BearsWhateverAFindingHolds) {
  KeptFinding finding{.protocol = "umsp",
                      .rule = "UMSP-1-1",
                      .expected = "a \"word\"\nof two lines",
                      .actual = std::string(300, 'x') + " " + std::string(60, 'y'),
                      .input = {.test_case = "a/\"b\\"}};
  for (std::size_t i = 0; i < edits::kOps; ++i)
    finding.input.edits.push_back({.op = static_cast<Op>(i), .message = 1, .octets = OctetBuffer(40, 0xab)});
  const std::string unit = unit_of(finding);
  EXPECT_THAT(unit, HasSubstr(".like = \"a/\\\"b\\\\\""));
  EXPECT_THAT(unit, HasSubstr("of two lines"));
  std::istringstream lines(unit);
  for (std::string line; std::getline(lines, line);)
    EXPECT_TRUE(line.size() <= 120 || line.find(' ', 3) == std::string::npos) << line;
}

// All text of a finding, even a hostile one, becomes a literal or a comment.
TEST(Export, KeepsHostileWordsInside) {
  KeptFinding finding{.protocol = "umsp",
                      .rule = "X\nint evil();",
                      .expected = "ends in a backslash \\",
                      .actual = "*/ \r\n#include <evil>",
                      .input = {.test_case = "\", .like = \"x\n"}};
  const std::string unit = unit_of(finding);
  EXPECT_THAT(unit, HasSubstr("int evil();"));
  std::istringstream lines(unit);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_FALSE(line.ends_with('\\')) << line;
    EXPECT_FALSE(line.starts_with("int evil") || line.starts_with("#include <evil")) << line;
  }
  EXPECT_THAT(unit, HasSubstr(".like = \"\\\", .like = \\\"x \",\n"));
}

TEST(Export, KnowsTheRuleThatItWritesDown) {
  const fs::path folder = fs::path(::testing::TempDir()) / "export_of_no_rule";
  fs::remove_all(folder);
  fs::create_directories(folder);
  auto json = read_json(kFolder + "/finding.json");
  ASSERT_TRUE(json) << json.error();
  (*json)["rule"]["id"] = "RAMCLOUD-none-1";
  ASSERT_TRUE(write_json((folder / "finding.json").string(), *json));
  const auto written = export_finding(folder.string(), (folder / "out").string());
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error(), HasSubstr("there is no rule 'RAMCLOUD-none-1'"));
  EXPECT_FALSE(fs::exists(folder / "out"));
  fs::remove_all(folder);
}

}  // namespace
}  // namespace wirelaw::campaign
