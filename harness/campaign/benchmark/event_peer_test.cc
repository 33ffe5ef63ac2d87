// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/benchmark/event_peer.h"

#include <gmock/gmock.h>
#include <test_paths.h>

#include <fstream>
#include <sstream>

#include "conformance/script/languages.h"
#include "harness/campaign/benchmark/scores.h"
#include "harness/campaign/benchmark/twin_peer.h"
#include "harness/campaign/campaign_test.h"
#include "harness/campaign/planner.h"

namespace wirelaw::campaign {
namespace {

using testing::IsEmpty;
using testing::Not;

struct Fault {
  std::string protocol, exchange, name, events, phrase;
};

std::vector<Fault> faults() {
  std::vector<Fault> all;
  for (const char* list : {"deep_faults.tsv", "designed_faults.tsv"}) {
    std::ifstream file(std::string(WIRELAW_SOURCE_DIR "/harness/campaign/") + list);
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("#")) continue;
      std::istringstream columns(line);
      Fault fault;
      for (std::string* one : {&fault.protocol, &fault.exchange, &fault.name, &fault.events, &fault.phrase})
        std::getline(columns, *one, '\t');
      all.push_back(std::move(fault));
    }
  }
  return all;
}

// A reference peer with such a fault, new for each input.
class DeepArena {
 public:
  explicit DeepArena(const Fault& fault)
      : protocol_(*find_protocol(fault.protocol)),
        events_(*events_of(fault.events)),
        arena_{.protocol = protocol_,
               .parameters = offers_of(*find_reference_peer(fault.protocol), options_),
               .meet = [this](std::uint64_t seed) { return meet(seed); }} {}
  const Arena& arena() const { return arena_; }

  // True if this input reaches the fault.
  bool shows(Tester& tester, const Input& input) {
    differs_ = false;
    last_ = tester.run(input, kPace);
    return differs_;
  }
  const Trial& last() const { return last_; }

 private:
  tl::expected<Iut*, TransportError> meet(std::uint64_t seed) {
    auto faulty = find_reference_peer(protocol_.name)->maker(options_);
    auto honest = find_reference_peer(protocol_.name)->maker(options_);
    if (!faulty || !honest) return tl::unexpected(TransportError{"no such peer", ""});
    MakePeer dies = with_events(std::move(*faulty), *script::language_of(protocol_), events_);
    iut_ = make_memory_iut(with_twin(std::move(dies), std::move(*honest), differs_),
                           {.framing = memory_framing(protocol_), .seed = seed});
    return iut_.get();
  }

  const Protocol& protocol_;
  const std::vector<Event> events_;
  PeerOptions options_{.role = Role::responder, .rdma = true};
  std::unique_ptr<Iut> iut_;
  bool differs_ = false;
  Trial last_;
  Arena arena_;
};

Edit line_after(std::size_t message, std::string_view text) {
  return {.op = Op::compose, .message = static_cast<std::uint32_t>(message), .octets = {text.begin(), text.end()}};
}

TEST(DeepFaults, AreTwentyWithTwoEventsThatTheirLanguagesName) {
  const std::vector<Fault> all = faults();
  EXPECT_EQ(all.size(), 20u);
  for (const Fault& fault : all) {
    const auto events = events_of(fault.events);
    ASSERT_TRUE(events) << fault.name << ": " << events.error();
    EXPECT_EQ(events->size(), 2u) << fault.name;
    const std::vector<Word> words = words_of(*find_protocol(fault.protocol));
    for (const Event& event : *events) {
      const auto word = std::ranges::find(words, event.message, &Word::name);
      ASSERT_NE(word, words.end()) << fault.name << ": " << event.message;
      for (const Event::Condition& condition : event.conditions)
        EXPECT_EQ(std::ranges::count(word->fields, condition.field, &script::Located::name), 1)
            << fault.name << ": " << condition.field;
    }
  }
}

TEST(DeepFaults, APhraseShowsEachAndNeitherOfItsLinesAlone) {
  for (const Fault& fault : faults()) {
    DeepArena arena(fault);
    Tester tester(arena.arena());
    EXPECT_FALSE(arena.shows(tester, {.test_case = fault.exchange})) << fault.name;
    EXPECT_THAT(arena.last().breaches, IsEmpty()) << fault.name;
    ASSERT_THAT(arena.last().stimuli, Not(IsEmpty())) << fault.name;
    const std::size_t end = arena.last().stimuli.size() - 1, cut = fault.phrase.find(" ; ");
    const Edit first = line_after(end, fault.phrase.substr(0, cut)),
               second = line_after(end, fault.phrase.substr(cut + 3));
    EXPECT_FALSE(arena.shows(tester, {.test_case = fault.exchange, .edits = {first}})) << fault.name;
    EXPECT_FALSE(arena.shows(tester, {.test_case = fault.exchange, .edits = {second}})) << fault.name;
    EXPECT_TRUE(arena.shows(tester, {.test_case = fault.exchange, .edits = {first, second}})) << fault.name;
    for (const Step& step : arena.last().steps)
      if (arena.last().breaches.empty()) ADD_FAILURE() << step.from_iut << step.summary;
    EXPECT_NE(arena.last().find("unserved an honest exchange"), nullptr) << fault.name;
  }
}

TEST(DeepFaults, NoSingleEditShowsOne) {
  constexpr std::uint64_t kTried = 300;
  for (const Fault& fault : faults()) {
    DeepArena arena(fault);
    Tester tester(arena.arena());
    Corpus corpus;
    arena.shows(tester, {.test_case = fault.exchange});
    corpus.add_case({.test_case = fault.exchange}, 1, arena.last());
    std::size_t tried = 0;
    for (std::uint64_t i = 0; i < kTried; ++i) {
      Random random(7, i);
      const Input input = plan(corpus, tester, {.guidance = Guidance::none}, random);
      if (input.edits.size() != 1) continue;
      ++tried;
      EXPECT_FALSE(arena.shows(tester, input)) << fault.name << ": " << to_text(input.edits.front());
    }
    EXPECT_GT(tried, kTried / 10) << fault.name;
  }
}

TEST(Events, AreReadOrRefused) {
  const auto events = events_of("DATA total_frags>2 frag_number=0x10 ; ACK");
  ASSERT_TRUE(events);
  ASSERT_EQ(events->size(), 2u);
  EXPECT_EQ(events->front().message, "DATA");
  ASSERT_EQ(events->front().conditions.size(), 2u);
  EXPECT_EQ(events->front().conditions[0].op, '>');
  EXPECT_EQ(events->front().conditions[1].number, 16u);
  for (const char* wrong : {"DATA total_frags", "DATA =1", "DATA a=x", "DATA ; ; ACK", "DATA a=1 b=2c"})
    EXPECT_FALSE(events_of(wrong)) << wrong;
}

TEST(Scores, CountARunThatFindsNothingAsTheLatest) {
  EXPECT_EQ(median({}), std::nullopt);
  EXPECT_EQ(median({30, 10, kNever}), 30u);
  EXPECT_EQ(median({30, kNever, kNever}), kNever);
  const std::vector<std::uint64_t> soon{1, 2, 3}, late{10, kNever, kNever}, never{kNever, kNever};
  EXPECT_DOUBLE_EQ(a12(soon, late), 1.0);
  EXPECT_DOUBLE_EQ(a12(late, soon), 0.0);
  EXPECT_DOUBLE_EQ(a12(never, never), 0.5);
  EXPECT_DOUBLE_EQ(a12(late, never), (1 + 0.5 + 0.5) / 3);
}

}  // namespace
}  // namespace wirelaw::campaign
