// SPDX-License-Identifier: Apache-2.0
#include "reports/matrix.h"

#include <gmock/gmock.h>

namespace wirelaw {
namespace {

using testing::HasSubstr;
using testing::Not;

ResultFile result(const std::vector<std::pair<std::string, std::string>>& rules, const std::string& end = "complete") {
  ResultFile file;
  file.end = end;
  for (const auto& [id, verdict] : rules)
    file.rules.push_back(
        {.id = id, .level = "MUST", .section = "RFC 5040 4.8", .summary = "A <sentence>.", .verdict = verdict});
  return file;
}

Matrix sample() {
  return *matrix_of({{{"siw", "6.1", "a.json"}, result({{"R-1", "fail"}, {"R-2", "pass"}})},
                     {{"siw", "6.12", "b.json"}, result({{"R-1", "pass"}, {"R-2", "warned"}})},
                     {{"rxe", "6.1", "c.json"}, result({}, "peer-lost")}});
}

template <class Write>
std::string written(Write write) {
  Output out = Output::to_memory();
  write(out);
  return out.text();
}

TEST(Matrix, APlaceIsARowAColumnAndAFile) {
  const auto place = matrix_place("siw/6.1=results/siw.json");
  ASSERT_TRUE(place);
  EXPECT_EQ(place->row, "siw");
  EXPECT_EQ(place->column, "6.1");
  EXPECT_EQ(place->file, "results/siw.json");
  for (const char* const text : {"", "siw.json", "siw=siw.json", "/6.1=a", "siw/=a", "siw/6.1=", "results/siw.json"})
    EXPECT_FALSE(matrix_place(text)) << text;
}

TEST(Matrix, AResultStandsForItsWorst) {
  EXPECT_EQ(standing_of(result({{"R-1", "fail"}, {"R-2", "warned"}, {"R-3", "pass"}})).word, "fail");
  EXPECT_EQ(standing_of(result({{"R-2", "warned"}, {"R-3", "pass"}})).word, "warned");
  EXPECT_EQ(standing_of(result({{"R-3", "pass"}})).word, "pass");
  EXPECT_EQ(standing_of(result({{"R-3", "not-exercised"}})).word, "nothing");
  EXPECT_EQ(standing_of(result({{"R-3", "fail"}}, "interrupted")).word, "interrupted");
}

TEST(Matrix, TwoResultsInOnePlaceAreAMistake) {
  const auto made = matrix_of({{{"siw", "6.1", "a.json"}, {}}, {{"siw", "6.1", "b.json"}, {}}});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error(), "two results are given for siw/6.1");
}

TEST(Matrix, MarkdownHasACellForEachResultAndARowForEachRuleThatFailed) {
  const std::string text = written([](Output& out) { write_matrix_markdown(sample(), out); });
  EXPECT_THAT(text, HasSubstr("| | 6.1 | 6.12 |\n|---|---|---|\n"));
  EXPECT_THAT(text, HasSubstr("| **siw** | **fail**<br>1 failed, 1 passed | **warned**<br>1 warned, 1 passed |\n"));
  EXPECT_THAT(text, HasSubstr("| **rxe** | **peer-lost**<br> | |\n"));
  EXPECT_THAT(text, HasSubstr("| **R-1** MUST<br>A \\<sentence\\>. | **fail** | pass |  |\n"));
  EXPECT_THAT(text, Not(HasSubstr("**R-2**")));
}

TEST(Matrix, CellsLinkToTheirReports) {
  Matrix matrix = sample();
  matrix.cells[0].place.report = "siw%20a.html";
  const std::string text = written([&](Output& out) { write_matrix_markdown(matrix, out); });
  EXPECT_THAT(text, HasSubstr("| **siw** | **[fail](siw%20a.html)**<br>1 failed, 1 passed | **warned**<br>"));
  const std::string page = written([&](Output& out) { write_matrix_html(matrix, "1.2.3", out); });
  EXPECT_THAT(page, HasSubstr("<a href=\"siw%20a.html\">"));
}

TEST(Matrix, HtmlEscapesWhatItShows) {
  const std::string page = written([](Output& out) { write_matrix_html(sample(), "1.2.3", out); });
  EXPECT_THAT(page, HasSubstr("A &lt;sentence&gt;."));
  EXPECT_THAT(page, HasSubstr("<th scope=\"row\">siw</th>"));
  EXPECT_THAT(page, Not(HasSubstr("<sentence>")));
}

}  // namespace
}  // namespace wirelaw
