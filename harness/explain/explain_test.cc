// SPDX-License-Identifier: Apache-2.0
#include "harness/explain/explain.h"

#include <gmock/gmock.h>
#include <test_paths.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/explain/known_texts.h"
#include "harness/explain/rulings.h"
#include "harness/explain/traces.h"
#include "harness/peers/reference_peers.h"
#include "reports/ruling.h"

namespace wirelaw {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;
using Kind = Explanation::Kind;

std::string text_of(const std::vector<Explanation>& all) {
  Output out = Output::to_memory();
  write_explanations_text(all, 100, out);
  return out.text();
}

TEST(Rulings, AreTheRowsOfNumberedTables) {
  const auto rulings = rulings_of_page("efa",
                                       "# A page\n| no. | point |\n|---|---|\n| A-1 | before any heading |\n"
                                       "\n## Fields\n| no. | where | point | ruling, and why |\n|---|---|---|---|\n"
                                       "| A-2 | 3.1 | What is zero? | All of it |\nno row\n| A-3 | of no table |\n"
                                       "\n| word | meaning |\n|---|---|\n| A-4 | a table of another kind |\n");
  ASSERT_THAT(rulings, SizeIs(2));
  EXPECT_EQ(rulings[0].id, "A-1");
  EXPECT_EQ(rulings[0].theme, "");
  EXPECT_EQ(rulings[1].id, "A-2");
  EXPECT_EQ(rulings[1].theme, "Fields");
  EXPECT_EQ(rulings[1].where, "3.1");
  EXPECT_EQ(rulings[1].point, "What is zero?");
  EXPECT_EQ(rulings[1].ruling, "All of it");
  EXPECT_EQ(rulings[1].deployed, "");
  EXPECT_EQ(rulings[1].page(), "conformance/efa/INTERPRETATIONS.md");
}

TEST(Rulings, OfAnyPageAreReadWithoutHarm) {
  for (const char* page : {"", "|", "||", "|no.", "| no. |", "| no. |\n|", "| no. |\n|---|\n| | |\n", "\n\n", "## "})
    EXPECT_THAT(rulings_of_page("efa", page), SizeIs(0)) << page;
}

// A note must not name a ruling that does not exist.
TEST(Rulings, ThatRulesRestOnAreOnTheirPages) {
  std::size_t named = 0;
  for (const Protocol* protocol : protocols())
    for (const Rule* rule : protocol->catalogue().rules())
      for (const std::string& number : rulings_in(rule->note)) {
        ++named;
        EXPECT_TRUE(std::ranges::any_of(
            all_rulings(), [&](const Ruling& one) { return one.protocol == protocol->name && one.id == number; }))
            << rule->id << " rests on " << number;
      }
  EXPECT_GT(named, 100u);
}

TEST(Rulings, HaveIdsOfTheirOwn) {
  std::set<std::string> ids;
  for (const Ruling& one : all_rulings()) EXPECT_TRUE(ids.insert(one.id).second) << one.id << " is on two rows";
}

TEST(Rulings, HaveAPointAndAReading) {
  ASSERT_GT(all_rulings().size(), 300u);
  for (const Ruling& one : all_rulings()) {
    EXPECT_NE(one.point, "") << one.protocol << " " << one.id;
    EXPECT_NE(one.ruling, "") << one.protocol << " " << one.id;
  }
}

TEST(Traces, OfAListBreakTheRuleThatTheyName) {
  const auto traces = traces_of_list("efa",
                                     "# file\trule\tseverity\t--revision\nviolating/a.pcapng\tEFA-1-1\twarning\t2.6\n"
                                     "violating/b.pcapng\tEFA-1-10\tviolation\nconforming/c.pcapng\t-\t-\n"
                                     "\n\t\t\t\nviolating/d.pcapng\tEFA-1-1\tviolation",
                                     "EFA-1-1");
  ASSERT_THAT(traces, SizeIs(2));
  EXPECT_EQ(traces[0].file, "corpora/efa/violating/a.pcapng");
  EXPECT_EQ(traces[0].severity, "warning");
  EXPECT_EQ(traces[0].revision, "2.6");
  EXPECT_EQ(traces[1].file, "corpora/efa/violating/d.pcapng");
  EXPECT_EQ(traces[1].revision, "");
}

TEST(Traces, ThatAreNamedAreInTheTree) {
  std::size_t named = 0;
  for (const Protocol* protocol : protocols())
    for (const Rule* rule : protocol->catalogue().rules())
      for (const ShowingTrace& one : traces_that_break(protocol->name, rule->id)) {
        ++named;
        EXPECT_TRUE(std::filesystem::exists(std::filesystem::path(WIRELAW_SOURCE_DIR) / one.file)) << one.file;
      }
  EXPECT_GT(named, 1000u);
}

TEST(Explain, ARuleWithAllThatShowsIt) {
  const auto all = explain("RAMCLOUD-ack-5");
  ASSERT_THAT(all, SizeIs(1));
  const Explanation& one = all[0];
  EXPECT_EQ(one.kind, Kind::rule);
  EXPECT_EQ(one.rule->id, "RAMCLOUD-ack-5");
  EXPECT_EQ(one.subject, "any");
  ASSERT_THAT(one.rulings, SizeIs(1));
  EXPECT_EQ(one.rulings[0].id, "RAMCLOUD/R17");
  EXPECT_FALSE(one.traces.empty());
  ASSERT_FALSE(one.faults.empty());
  const auto names = find_reference_peer("ramcloud")->deviations();
  for (const BreakingFault& fault : one.faults)
    EXPECT_TRUE(std::ranges::any_of(names, [&](const DeviationName& each) {
      return each.name == fault.name && each.text == fault.text;
    })) << fault.name;
  const std::string text = text_of(all);
  for (const char* part : {"RAMCLOUD-ack-5  MUST", "the absence of something", "RAMCLOUD/R17", "--deviate",
                           "corpora/ramcloud/violating/RAMCLOUD-ack-5.pcapng  violation"})
    EXPECT_THAT(text, HasSubstr(part));
}

TEST(Explain, AStimulusRuleNamesItsCases) {
  const auto all = explain("mpa-4.3-1");  // small letters will do
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_FALSE(all[0].cases.empty());
  EXPECT_THAT(text_of(all), HasSubstr("https://www.rfc-editor.org/rfc/rfc5044#section-4.3"));
}

TEST(Explain, ACaseWithTheRulesThatItJudges) {
  const auto all = explain("ack/server-names-the-first-missing-fragment");
  ASSERT_THAT(all, SizeIs(1));
  EXPECT_EQ(all[0].kind, Kind::test_case);
  EXPECT_EQ(all[0].cases[0].role, "server");
  EXPECT_FALSE(all[0].rules.empty());
  EXPECT_THAT(text_of(all), HasSubstr("--case ack/server-names-the-first-missing-fragment"));
}

TEST(Explain, ARulingOfSeveralProtocolsByEach) {
  const auto both = explain("A-10");
  ASSERT_GE(both.size(), 2u);
  std::set<std::string_view> protocols;
  for (const Explanation& one : both) {
    EXPECT_EQ(one.kind, Kind::ruling);
    EXPECT_TRUE(protocols.insert(one.protocol).second);
  }
  const auto one = explain("rdmap/a-10");
  ASSERT_THAT(one, SizeIs(1));
  EXPECT_EQ(one[0].protocol, "rdmap");
  ASSERT_FALSE(one[0].rules.empty());
  EXPECT_EQ(text_of(explain("A-10", find_protocol("rdmap"))), text_of(one));
}

TEST(Explain, WhatIsNotKnownIsNotExplained) {
  for (const char* word : {"", "/", "RDMAP/", "EFA/RDMAP-4.1-1", "RDMAP", "NOBODY/A-10", "*"})
    EXPECT_THAT(explain(word), SizeIs(0)) << word;
}

// Everything with a name has an explanation in both forms, and the names in it exist.
TEST(Explain, EverythingThatHasAName) {
  std::size_t broken = 0;
  for (const Protocol* protocol : protocols()) {
    for (const std::string& name : names_to_explain(protocol)) {
      const auto all = explain(name, protocol);
      ASSERT_FALSE(all.empty()) << name;
      for (const Explanation& one : all) broken += one.faults.size();
    }
  }
  EXPECT_GT(broken, 1000u);
}

TEST(Explain, AsJsonHoldsTheSame) {
  Output out = Output::to_memory();
  write_explanations_json(explain("RAMCLOUD-ack-5"), "1.2.3", out);
  const auto json = nlohmann::json::parse(out.text());
  EXPECT_EQ(json["schema"], "wirelaw-explain/2");
  const auto& one = json["explanations"][0];
  EXPECT_EQ(one["kind"], "rule");
  EXPECT_EQ(one["rule"]["id"], "RAMCLOUD-ack-5");
  EXPECT_EQ(one["rule"]["evidence"], "absence");
  EXPECT_EQ(one["rulings"][0]["id"], "RAMCLOUD/R17");
  EXPECT_EQ(one["traces"][0]["severity"], "violation");
  EXPECT_FALSE(one["deviations"].empty());
}

}  // namespace
}  // namespace wirelaw
