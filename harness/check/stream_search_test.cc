// SPDX-License-Identifier: Apache-2.0
#include "harness/check/stream_search.h"

#include <gtest/gtest.h>

#include <string>

#include "harness/peers/fake_stream.h"

namespace wirelaw {
namespace {

const Protocol kFakes = fake_stream::protocol();
const Protocol* const kProtocols[] = {&kFakes};

// Passes a stream to the search, piece by piece.
struct Given {
  StreamSearch search;
  std::uint64_t offset[2] = {};
  std::uint64_t frame = 0;
  OctetBuffer octets = {};
  const Protocol* assigned = nullptr;  // to one of the ports

  std::optional<StreamSearch::Beginning> give(std::string_view text, Side side = Side::a) {
    octets.assign(text.begin(), text.end());
    const StreamPiece piece{.sender = side, .octets = octets, .offset = offset[side == Side::b], .frame = ++frame};
    offset[side == Side::b] += text.size();
    return search.take(piece, kProtocols, assigned);
  }
};

TEST(StreamSearch, FindsAProtocolThatBeginsWithTheStream) {
  Given given;
  const auto found = given.give("KEY!rest");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->protocol, &kFakes);
  EXPECT_TRUE(found->held.empty());
  EXPECT_EQ(found->skip, 0u);
  EXPECT_EQ(found->passed_over, 0u);
}

// However the stream is cut, the octets from the key on are the same.
TEST(StreamSearch, FindsItBehindOtherOctetsHoweverTheyAreCut) {
  const std::string before(150, '-');
  const std::string stream = before + "KEY!abc";
  for (std::size_t cut = 1; cut <= 10; ++cut) {
    for (std::size_t first = 1; first <= cut; ++first) {
      Given given;
      std::size_t at = 0;
      std::optional<StreamSearch::Beginning> found;
      std::string piece;
      while (!found && at < stream.size()) {
        piece = stream.substr(at, at == 0 ? first : cut);
        at += piece.size();
        found = given.give(piece);
      }
      ASSERT_TRUE(found) << cut << " " << first;
      EXPECT_EQ(found->passed_over, before.size());
      std::string held;
      for (const StreamPiece& one : found->held) held.append(one.octets.begin(), one.octets.end());
      EXPECT_EQ(held + piece.substr(found->skip), stream.substr(before.size(), at - before.size()));
      if (!held.empty()) {
        EXPECT_EQ(found->held[0].offset, before.size());
        EXPECT_EQ(found->held[0].frame, given.frame - 1);
        EXPECT_EQ(found->skip, 0u);
      }
    }
  }
}

TEST(StreamSearch, CountsWhatTheOtherSideSaidBefore) {
  Given given;
  EXPECT_FALSE(given.give("hello"));
  EXPECT_FALSE(given.give("welcome", Side::b));
  const auto found = given.give("KEY!");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->passed_over, 12u);
}

TEST(StreamSearch, AGapPartsWhatIsBeforeItFromWhatIsBehind) {
  Given given;
  EXPECT_FALSE(given.give("KE"));
  EXPECT_FALSE(given.search.take({.event = StreamEvent::gap, .offset = 2, .missing = 10}, kProtocols, given.assigned));
  given.offset[0] = 12;
  EXPECT_FALSE(given.give("Y!"));
  EXPECT_EQ(given.give("KEY!")->passed_over, 14u);
}

// A protocol whose beginning is not proven by content: "P" and a digit are plausible, and nothing else is.
Protocol known_by_port() {
  Protocol protocol = fake_stream::protocol();
  protocol.streams = OnStreams{.weigh = [](const Opening& opening) {
    const Octets first = opening.heads.front().octets;
    if (first[0] != 'P') return Plausible::no;
    if (first.size() < 2) return Plausible::undecided;
    return first[1] >= '0' && first[1] <= '9' ? Plausible::yes : Plausible::no;
  }};
  return protocol;
}

TEST(StreamSearch, BelievesAPortOncePlausible) {
  const Protocol by_port = known_by_port();
  Given given;
  given.assigned = &by_port;
  EXPECT_FALSE(given.give("P")) << "undecided";
  const auto found = given.give("7 and more");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->protocol, &by_port);
  EXPECT_EQ(found->skip, 0u);
  EXPECT_EQ(found->passed_over, 0u);
  ASSERT_EQ(found->held.size(), 1u);
  EXPECT_EQ(std::string(found->held[0].octets.begin(), found->held[0].octets.end()), "P");
}

TEST(StreamSearch, BelievesNoPortThatLies) {
  const Protocol by_port = known_by_port();
  Given given;
  given.assigned = &by_port;
  EXPECT_FALSE(given.give("GET / HTTP/1.1"));
  EXPECT_EQ(given.assigned, nullptr);
  EXPECT_FALSE(given.give("P7"));
}

TEST(StreamSearch, BelievesContentBeforeAPort) {
  const Protocol by_port = known_by_port();
  Given given;
  given.assigned = &by_port;
  const auto found = given.give("P7KEY!");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->protocol, &kFakes);
}

}  // namespace
}  // namespace wirelaw
