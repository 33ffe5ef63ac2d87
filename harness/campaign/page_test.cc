// SPDX-License-Identifier: Apache-2.0
// The page of a campaign, and the numbers of several together.
#include "harness/campaign/page.h"

#include <gmock/gmock.h>

namespace wirelaw::campaign {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

Statistics some(std::uint64_t runs, double seconds) {
  Statistics statistics{.runs = runs, .executions = runs + 5, .seconds = seconds, .corpus = runs / 10, .states = 4};
  for (int i = 1; i <= 4; ++i)
    statistics.timeline.push_back({.runs = runs * static_cast<std::uint64_t>(i) / 4,
                                   .seconds = seconds * i / 4,
                                   .corpus = static_cast<std::uint64_t>(i)});
  return statistics;
}

TEST(Page, HasTheFindingsThePlotsTheStatesAndTheSections) {
  static constexpr Rule kReached{.id = "TOY-1-1", .section = "TOY 1"}, kMissing{.id = "TOY-1-2", .section = "TOY 1"};
  const std::vector<const Rule*> rules{&kReached, &kMissing};
  const Statistics statistics = some(12'345, 60);
  const std::vector<FindingLine> findings{{.signature = "rule TOY-1-1",
                                           .actual = "<got> & \"what\"",
                                           .expected = "1",
                                           .demand = "A server sends what it has.",
                                           .shown_by = "S>C DATA",
                                           .run = 7,
                                           .replays = 3,
                                           .came_back = 2,
                                           .is_minimised = false}};
  const Reach reach{.states = {{"S>C <b>", {9, 1, 4}}}, .rules = {{"TOY-1-1", {41, 2}}}};
  const std::string page = page_of({.title = "toy",
                                    .subtitle = "s",
                                    .statistics = statistics,
                                    .findings = findings,
                                    .reach = reach,
                                    .rules = rules});
  EXPECT_THAT(page, HasSubstr("12,345"));
  EXPECT_THAT(page, HasSubstr("href=\"findings/rule-TOY-1-1/capture.pcapng\""));
  EXPECT_THAT(page, HasSubstr("&lt;got&gt; &amp; &quot;what&quot;"));
  EXPECT_THAT(page, HasSubstr("<p>A server sends what it has.</p>")) << "the demand in words, not only its value";
  EXPECT_THAT(page, HasSubstr("<dt>expected</dt><dd><code>1</code></dd>"));
  EXPECT_THAT(page, HasSubstr("<dt>in</dt><dd><code>S&gt;C DATA</code></dd>"));
  EXPECT_THAT(page, HasSubstr("not minimised yet"));
  EXPECT_THAT(page, HasSubstr("2 of 3"));
  EXPECT_THAT(page, HasSubstr("S&gt;C &lt;b&gt;"));
  EXPECT_THAT(page, HasSubstr("data-name=\"in the corpus\">4</td>"));
  EXPECT_THAT(page, HasSubstr("<span>of them not mutated yet</span>"));
  EXPECT_THAT(page, HasSubstr("<span>cycles: times that every input was mutated</span>"));
  EXPECT_THAT(page, HasSubstr("<h2>Rules exercised, by section</h2>"));
  EXPECT_THAT(page, HasSubstr("td a{white-space:nowrap}")) << "links keep their words whole on paper";
  EXPECT_THAT(page, HasSubstr("1 of 2"));
  EXPECT_THAT(page, HasSubstr("TOY-1-2"));
  EXPECT_THAT(page, HasSubstr("aria-label=\"inputs over time\""));
  EXPECT_THAT(page, Not(HasSubstr("edges"))) << "the peer gave none";
  EXPECT_THAT(page, Not(HasSubstr("<b>\"")));
}

TEST(Statistics, AreReadAsTheyWereWritten) {
  Statistics statistics = some(100, 8);
  statistics.calibrated = 8;
  statistics.stable = 6;
  EXPECT_EQ(statistics.stability(), 75);
  const Json json = to_json(statistics);
  EXPECT_EQ(to_json(statistics_of(json)), json);
  EXPECT_EQ(statistics_of(Json::parse(R"({"timeline": [7, {"runs": -1}], "seconds": "x"})")).timeline.size(), 1u);
}

TEST(Statistics, OfWorkersAddUpWhatWasDoneAndNotWhatWasReached) {
  Statistics sum = some(100, 8);
  add(sum, some(300, 4));
  EXPECT_EQ(sum.runs, 400u);
  EXPECT_EQ(sum.executions, 410u);
  EXPECT_EQ(sum.corpus, 30u);
  EXPECT_EQ(sum.states, 4u);
  EXPECT_EQ(sum.seconds, 8);
  ASSERT_FALSE(sum.timeline.empty());
  EXPECT_EQ(sum.timeline.back().runs, 400u);
  EXPECT_EQ(sum.timeline.back().seconds, 8);
  EXPECT_EQ(sum.timeline.back().corpus, 4u);
}

TEST(Reach, CountsEachAnswerOnceForAnInput) {
  Reach reach;
  Trial trial;
  trial.steps = {{.from_iut = true, .kind = "says"}, {.from_iut = true, .kind = "says"}, {.kind = "asks"}};
  reach.take(trial, 5, true);
  reach.take(trial, 6, false);
  ASSERT_EQ(reach.states.size(), 1u);
  EXPECT_EQ(reach.states.at("says").inputs, 2u);
  EXPECT_EQ(reach.states.at("says").first, 5u);
  EXPECT_EQ(reach.states.at("says").kept, 1u);
  Reach both = reach_of(to_json(reach));
  both.add(reach);
  EXPECT_EQ(both.states.at("says").inputs, 4u);
  EXPECT_EQ(both.states.at("says").kept, 2u);
}

}  // namespace
}  // namespace wirelaw::campaign
