// SPDX-License-Identifier: Apache-2.0
#include "pcap/tcp_connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "pcap/test_tcp_steps.h"

namespace wirelaw::pcap::testing {
namespace {

using ::testing::ElementsAre;

std::string play(const std::string& steps, const TcpLimits& limits = {}) {
  return TcpSteps(limits).play(steps).text();
}

const std::string kOpen = "A syn; B syn; A 0;";
const std::string kOpened = "A opened; B opened; ";

struct Row {
  const char* name;
  std::string steps;
  std::string delivered;
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.name;
}

class TcpReassembly : public ::testing::TestWithParam<Row> {};

TEST_P(TcpReassembly, DeliversInOrder) {
  EXPECT_EQ(play(GetParam().steps), GetParam().delivered);
}

std::string name_of(const ::testing::TestParamInfo<Row>& test) {
  return test.param.name;
}

INSTANTIATE_TEST_SUITE_P(
    Order, TcpReassembly,
    ::testing::Values(Row{"BothDirectionsAreTold", kOpen + "A 0 abc; B 0 xyz ack=3; A 3 de ack=3; B 3 w ack=5",
                          kOpened + "A 0 abc; B 0 xyz; A 3 de; B 3 w"},
                      Row{"HoleIsWaitedFor", kOpen + "A 3 def; A 0 abc", kOpened + "A 0 abc; A 3 def"},
                      Row{"ReversedOrder", kOpen + "A 6 ghi; A 3 def; A 0 abc", kOpened + "A 0 abc; A 3 def; A 6 ghi"},
                      Row{"RetransmissionIsPassedOver", kOpen + "A 0 abc; A 0 abc; A 3 def; A 0 abc",
                          kOpened + "A 0 abc; A 3 def"},
                      Row{"HeldOctetsMayComeAgain", kOpen + "A 3 def; A 3 def; A 0 abc", kOpened + "A 0 abc; A 3 def"},
                      Row{"OnlyTheNewPartOfAnOverlapIsTold", kOpen + "A 0 abc; A 1 bcde", kOpened + "A 0 abc; A 3 de"},
                      Row{"OverlapWithHeldOctetsBehind", kOpen + "A 3 def; A 0 abcde", kOpened + "A 0 abc; A 3 def"},
                      Row{"SegmentAroundHeldOctets", kOpen + "A 2 cd; A 0 abcdef", kOpened + "A 0 ab; A 2 cd; A 4 ef"},
                      Row{"HeldSegmentAroundHeldOctets", kOpen + "A 4 e; A 2 cdefg; A 0 ab",
                          kOpened + "A 0 ab; A 2 cd; A 4 e; A 5 fg"},
                      Row{"SegmentAcrossSeveralHoles", kOpen + "A 1 b; A 3 d; A 5 f; A 0 abcdefg",
                          kOpened + "A 0 a; A 1 b; A 2 c; A 3 d; A 4 e; A 5 f; A 6 g"},
                      Row{"UnacknowledgedHoleWaits", kOpen + "A 3 def; B 0 xyz ack=0; B 3; A 0 abc ack=3",
                          kOpened + "B 0 xyz; A 0 abc; A 3 def"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Opening, TcpReassembly,
    ::testing::Values(
        Row{"SynIsToldOnce", "A syn; A syn; B syn; B syn; A syn; A 0 abc", "A opened; B opened; A 0 abc"},
        Row{"SynMayCarryOctets", "A syn abc; B syn ack=3; A 3 de", "A opened; A 0 abc; B opened; A 3 de"},
        Row{"SynWithOctetsComesTwice", "A syn abc; A syn abc; B syn", "A opened; A 0 abc; B opened"},
        Row{"SynWithFewerOctetsTheSecondTime", "A syn abc; A syn; B syn; A 0 abcd",
            "A opened; A 0 abc; B opened; A 3 d"},
        Row{"SynsMayCross", "A syn; B syn noack; A syn ack=0; B syn; A 0 abc", "A opened; B opened; A 0 abc"},
        Row{"AnswerTellsWhereTheOtherSideBegins", "B syn; A 3 def; A 0 abc", kOpened + "A 0 abc; A 3 def"},
        Row{"SynBehindItsAnswerIsNoOther", "B syn; A syn; A 0 abc", kOpened + "A 0 abc"},
        Row{"MidStream", "A 100 abc; A 103 def; B 70 xyz",
            "A opened midway; A 0 abc; A 3 def; B opened midway; B 0 xyz"},
        Row{"WhatLiesBeforeTheFirstSegmentIsPassedOver", "A 100 abc; A 90 zz; A 98 yyabcd",
            "A opened midway; A 0 abc; A 3 d"},
        Row{"AcknowledgmentsAloneOpenNothing", "A 100; B 50 ack=100; A 100 ack=50", ""},
        Row{"LateSynIsNotAnother", "A 0 abc; A syn; A 3 def", "A opened midway; A 0 abc; A 3 def"},
        Row{"OneSide", "A syn; A 0 abc ack=9; A 3 def ack=99; A 6 fin; end", "A opened; A 0 abc; A 3 def; A closed 6"},
        Row{"TheOtherSide", "B syn; B 0 xyz ack=100; B 3 w ack=200; B 4 fin ack=201; end",
            kOpened + "A gap 0+100; B 0 xyz; A gap 100+100; B 3 w; B closed 4"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Ending, TcpReassembly,
    ::testing::Values(
        Row{"FinClosesItsSideOnly", kOpen + "A 0 abc fin; B 0 xyz ack=4; B 3 fin ack=4; A 4 ack=4",
            kOpened + "A 0 abc; A closed 3; B 0 xyz; B closed 3"},
        Row{"FinWaitsForWhatIsBeforeIt", kOpen + "A 3 fin; A 0 abc", kOpened + "A 0 abc; A closed 3"},
        Row{"FinWithOctetsWaitsToo", kOpen + "A 3 def fin; A 0 abc", kOpened + "A 0 abc; A 3 def; A closed 6"},
        Row{"FinComesTwice", kOpen + "A 0 abc fin; A 0 abc fin; A 3 fin", kOpened + "A 0 abc; A closed 3"},
        Row{"FinMayComeWithTheLastOctetOnceMore", kOpen + "A 0 abc; A 2 c fin", kOpened + "A 0 abc; A closed 3"},
        Row{"TheFirstFinIsTaken", kOpen + "A 5 fin; A 3 fin; A 9 fin; A 0 abcdefg", kOpened + "A 0 abcde; A closed 5"},
        Row{"OctetsBehindTheFinArePassedOver", kOpen + "A 0 abc fin; A 3 def; A 4 ef", kOpened + "A 0 abc; A closed 3"},
        Row{"HeldOctetsBehindTheFinArePassedOver", kOpen + "A 4 efg; A 8 ijk; A 3 def; A 5 fin; A 0 abc",
            kOpened + "A 0 abc; A 3 d; A 4 e; A closed 5"},
        Row{"FinInFrontOfWhatWasToldIsPassedOver", kOpen + "A 0 abcdef; A 3 fin; A 6 g", kOpened + "A 0 abcdef; A 6 g"},
        Row{"ResetEndsBothSides", kOpen + "A 0 abc; B 0 rst ack=3; A 3 def; B 0 xyz", kOpened + "A 0 abc; B reset 0"},
        Row{"ResetTellsWhatIsHeldFirst", kOpen + "A 3 def; B 2 z; A 6 rst",
            kOpened + "A gap 0+3; A 3 def; B gap 0+2; B 2 z; A reset 6"},
        Row{"ResetRefusesASyn", "A syn; B -5001 rst ack=0", "A opened; B reset 0"},
        Row{"ResetFromNowhereIsPassedOver", kOpen + "B 2000000 rst; A 0 abc; B -2000000 rst; A 3 d",
            kOpened + "A 0 abc; A 3 d"},
        Row{"ResetAfterBothHaveClosedIsNotTold", kOpen + "A 0 fin; B 0 fin ack=1; A 1 rst ack=1",
            kOpened + "A closed 0; B closed 0"},
        Row{"ResetAfterOneHasClosedIs", kOpen + "A 0 fin; A 1 rst", kOpened + "A closed 0; A reset 0"}),
    name_of);

TEST(TcpWindow, SaysUntilWhenTheOtherSideCouldNotSend) {
  TcpSteps script;
  script.play(kOpen + "A 0 abc");
  EXPECT_EQ(script.connection.held_until_ns(Side::a), 0);
  EXPECT_EQ(script.connection.held_until_ns(Side::b), 0);
  script.play("A 3 window=0");
  EXPECT_EQ(script.connection.held_until_ns(Side::a), 0);
  EXPECT_EQ(script.connection.held_until_ns(Side::b), TcpConnection::kStillShut);
  script.play("A 3 noack window=7");
  EXPECT_EQ(script.connection.held_until_ns(Side::b), TcpConnection::kStillShut);
  script.play("B 0 x; A 3 window=7");
  EXPECT_EQ(script.connection.held_until_ns(Side::b), static_cast<std::int64_t>(script.frame * 1000));
}

INSTANTIATE_TEST_SUITE_P(Probes, TcpReassembly,
                         ::testing::Values(Row{"KeepAliveWithoutAnOctet", kOpen + "A 0 abc; A 2; B 0 ack=3; A 2; A 3 d",
                                               kOpened + "A 0 abc; A 3 d"},
                                           Row{"KeepAliveWithAnOctetOfNoMeaning", kOpen + "A 0 abc; A 2 ?; A 3 d",
                                               kOpened + "A 0 abc; A 3 d"},
                                           Row{"ZeroWindowProbeThatIsRefused",
                                               kOpen + "A 0 abc; A 3 d; B 0 ack=3; A 3 d; A 3 def; B 0 ack=6",
                                               kOpened + "A 0 abc; A 3 d; A 4 ef"}),
                         name_of);

INSTANTIATE_TEST_SUITE_P(
    Gaps, TcpReassembly,
    ::testing::Values(
        Row{"AcknowledgedHoleIsAGap", kOpen + "A 0 abc; A 5 fgh; B 0 ack=8; A 8 i; end",
            kOpened + "A 0 abc; A gap 3+2; A 5 fgh; A 8 i"},
        Row{"AcknowledgmentWithinTheHoleDoesNotEndIt", kOpen + "A 5 fgh; B 0 ack=3; A 0 abc; A 3 de",
            kOpened + "A 0 abc; A 3 de; A 5 fgh"},
        Row{"AcknowledgmentUpToTheHeldOctetsEndsTheHole", kOpen + "A 5 fgh; B 0 ack=5; end",
            kOpened + "A gap 0+5; A 5 fgh"},
        Row{"HolesUpToTheAcknowledgmentEnd", kOpen + "A 2 c; A 4 e; A 6 g; B 0 ack=5; A 5 f; end",
            kOpened + "A gap 0+2; A 2 c; A gap 3+1; A 4 e; A 5 f; A 6 g"},
        Row{"OctetsBehindWhatWasAcknowledgedBefore", kOpen + "B 0 ack=3; A 3 def; end", kOpened + "A gap 0+3; A 3 def"},
        Row{"WhatHasWaitedForLongIsAGap", kOpen + "B 0 xyz ack=3; ten seconds; A 3 def; second; A 6 g",
            kOpened + "A gap 0+3; A 3 def; B 0 xyz; A 6 g"},
        Row{"WhatHasBeenGivenUpIsNotWaitedForAgain",
            kOpen + "B 0 xyz ack=3; ten seconds; A 3 def; second; A 6 g; B 3 w ack=3; B 4 v ack=7",
            kOpened + "A gap 0+3; A 3 def; B 0 xyz; A 6 g; B 3 w; B 4 v"},
        Row{"BothSidesWaitForWhatIsMissing", kOpen + "A 0 abc; B 2 z ack=5; A 7 h ack=3; B 3 w ack=8; A 8 i ack=4; end",
            kOpened + "A 0 abc; A gap 3+2; B gap 0+2; B 2 z; A gap 5+2; A 7 h; B 3 w; A 8 i"},
        Row{"OctetsMayFollowTheirAcknowledgment", kOpen + "B 0 ack=3; A 0 abc", kOpened + "A 0 abc"},
        Row{"WhatIsAcknowledgedComesBeforeTheAnswer", kOpen + "B 0 xyz ack=3; A 3 def ack=3; end",
            kOpened + "A gap 0+3; B 0 xyz; A 3 def"},
        Row{"WhatIsHeldComesBeforeTheAnswer", kOpen + "A 3 def; B 0 xyz ack=6; end",
            kOpened + "A gap 0+3; A 3 def; B 0 xyz"},
        Row{"OneNumberMoreMayBeAFin", kOpen + "A 0 abc; B 0 xyz ack=4; end", kOpened + "A 0 abc; B 0 xyz"},
        Row{"AcknowledgmentBeyondTheEndIsNoOctet", kOpen + "B 0 ack=9; A 0 abc fin; B 0 xyz ack=9; end",
            kOpened + "A 0 abc; A closed 3; B 0 xyz"},
        Row{"AcknowledgmentOfAFinIsNoOctet", kOpen + "A 3 fin; B 0 z ack=4; end",
            kOpened + "A gap 0+3; A closed 3; B 0 z"},
        Row{"GapOfOneOctetInFrontOfAFin", kOpen + "A 1 fin; B 0 z ack=2; end",
            kOpened + "A gap 0+1; A closed 1; B 0 z"},
        Row{"GapInFrontOfAFin", kOpen + "A 5 fin; B 0 z ack=6; end", kOpened + "A gap 0+5; A closed 5; B 0 z"},
        Row{"OctetsMayComeLongAfterTheirAcknowledgment",
            kOpen + "A 3 def; B 0 xyz ack=6; B 3 w ack=6; A 6 g ack=4; B 4 v ack=7; A 0 abc",
            kOpened + "A 0 abc; A 3 def; B 0 xyz; B 3 w; A 6 g; B 4 v"},
        Row{"EarlierOctetsDoNotWaitForLaterOnes",
            kOpen + "B 0 xyz ack=3; A 6 ghi ack=3; A 3 def ack=3; A 0 abc; B 3 w ack=9",
            kOpened + "A 0 abc; B 0 xyz; A 3 def; A 6 ghi; B 3 w"},
        Row{"ASynThatWasNotCapturedIsNotWaitedFor",
            "A syn; A 0 abc; B 0 ack=3; B 0 xyz ack=3; A 3 ack=3; A 3 def ack=3; end",
            "A opened; A 0 abc; B opened midway; B 0 xyz; A 3 def"},
        Row{"OctetsMayFollowTheirAcknowledgmentWithoutASynToo",
            "A syn; A 0 abc; A 3 def ack=3; B 0 xyz ack=3; B 3 w ack=6",
            "A opened; A 0 abc; B opened midway; B 0 xyz; A 3 def; B 3 w"},
        Row{"ASideMayComeBeforeTheOthersBeginning", "A syn; A 0 abc; A 3 def ack=3; A 6 g ack=3; B syn; B 0 xyz ack=3",
            kOpened + "A 0 abc; B 0 xyz; A 3 def; A 6 g"},
        Row{"AFinMayComeAfterItsAcknowledgment", kOpen + "A 0 abc; B 0 xyz ack=4; A 3 fin",
            kOpened + "A 0 abc; A closed 3; B 0 xyz"},
        Row{"AResetMayComeBeforeWhatItAcknowledges", kOpen + "A 0 abc; B 0 rst ack=5; A 3 de",
            kOpened + "A 0 abc; A 3 de; B reset 0"},
        Row{"AResetEndsWhatWaits", kOpen + "A 0 abc; B 0 xyz ack=5; A 9 rst noack",
            kOpened + "A 0 abc; A gap 3+2; B 0 xyz; A reset 5"},
        Row{"AnotherConnectionEndsWhatWaits", kOpen + "A 0 abc; B 0 xyz ack=5; A syn+5000000",
            kOpened + "A 0 abc; A gap 3+2; B 0 xyz"},
        Row{"LateOctetsOfAGapArePassedOver", kOpen + "A 3 def; B 0 ack=6; ten seconds; A 6 g; second; A 7 h; A 0 abc",
            kOpened + "A gap 0+3; A 3 def; A 6 g; A 7 h"},
        Row{"EndTellsWhatIsHeld", kOpen + "A 3 def; A 8 i; end", kOpened + "A gap 0+3; A 3 def; A gap 6+2; A 8 i"},
        Row{"EndTellsBothSidesInTheOrderOfTheirFrames", kOpen + "A 1 b; B 1 y; A 3 d; B 3 w; end",
            kOpened + "A gap 0+1; A 1 b; B gap 0+1; B 1 y; A gap 2+1; A 3 d; B gap 2+1; B 3 w"},
        Row{"EndTellsWhatWasAcknowledgedAndNeverSeen", kOpen + "B 0 ack=70; end; end", kOpened + "A gap 0+70"},
        Row{"EndTellsAFinThatWaits", kOpen + "A 3 fin; end", kOpened + "A gap 0+3; A closed 3"},
        Row{"CutOctetsAreAGap", kOpen + "A 0 ab wire=5; A 5 fg", kOpened + "A 0 ab; A gap 2+3; A 5 fg"},
        Row{"CutFin", kOpen + "A 0 ab wire=5 fin", kOpened + "A 0 ab; A gap 2+3; A closed 5"},
        Row{"NothingButCutOctets", kOpen + "A 0 wire=5; A 5 wire=5", kOpened + "A gap 0+5; A gap 5+5"},
        Row{"CutOctetsAreHeld", kOpen + "A 3 de wire=5; A 0 abc", kOpened + "A 0 abc; A 3 de; A gap 5+3"},
        Row{"CutOctetsThatWereTold", kOpen + "A 0 abcdef; A 3 d wire=5", kOpened + "A 0 abcdef; A gap 6+2"},
        Row{"CutOctetsThatAreHeld", kOpen + "A 3 de; A 0 a wire=7", kOpened + "A 0 a; A gap 1+2; A 3 de; A gap 5+2"}),
    name_of);

// A's initial number is 1000 in the scripts.
struct Knowledge {
  const char* name;
  std::string steps;
  bool known;  // true: everything that the last piece's sender had received has been delivered
};

void PrintTo(const Knowledge& row, std::ostream* out) {
  *out << row.name;
}

class TcpAcknowledgment : public ::testing::TestWithParam<Knowledge> {};

TEST_P(TcpAcknowledgment, TellsWhetherWhatASideHadReceivedHasBeenDelivered) {
  TcpSteps script;
  script.play(GetParam().steps);
  ASSERT_FALSE(script.received_is_known.empty());
  EXPECT_EQ(script.received_is_known.back(), GetParam().known);
}

INSTANTIATE_TEST_SUITE_P(
    Of, TcpAcknowledgment,
    ::testing::Values(
        Knowledge{"AllThatCame", kOpen + "A 0 abc; B 0 xyz ack=3", true},
        Knowledge{"LessThanCame", kOpen + "A 0 abc; B 0 xyz ack=0", true},
        Knowledge{"AllThatCameAndTheFin", kOpen + "A 0 abc fin; B 0 xyz ack=4", true},
        Knowledge{"OneNumberMoreThanCame", kOpen + "A 0 abc; B 0 xyz ack=4; end", false},
        Knowledge{"OctetsThatWereNeverCaptured", kOpen + "B 0 xyz ack=3; end", false},
        Knowledge{"OctetsAfterAGap", kOpen + "A 3 def; B 0 xyz ack=6; end", false},
        Knowledge{"OctetsLongAfterAGap", kOpen + "A 3 def; B 0 xyz ack=6; A 6 g ack=3; B 3 w ack=7; end", false},
        Knowledge{"NothingWithoutTheFlag", kOpen + "A 0 abc; B 0 xyz noack", false},
        Knowledge{"NothingOfADirectionThatWasNotSeen", "B 0 xyz ack=3", false},
        Knowledge{"NothingOfADirectionWithoutItsBeginning", "A 0 abc; B 0 xyz ack=3", false},
        Knowledge{"WhatWasCapturedAfterItsAcknowledgment", kOpen + "A 0 abc; B 3 w ack=4; A 3 d; B 0 xyz ack=4", true}),
    [](const auto& row) { return std::string(row.param.name); });

struct Receipt {
  const char* name;
  std::string steps;
  std::uint64_t received;  // octets that the last piece's sender must have received
};

void PrintTo(const Receipt& row, std::ostream* out) {
  *out << row.name;
}

class TcpReceipt : public ::testing::TestWithParam<Receipt> {};

TEST_P(TcpReceipt, IsProvenByAnAcknowledgmentWithNothingOnTheWay) {
  TcpSteps script;
  script.play(GetParam().steps);
  ASSERT_FALSE(script.received.empty());
  EXPECT_EQ(script.received.back(), GetParam().received);
}

const std::string kAnswered = kOpen + "A 0 abc; B 0 xyz ack=3; ";

INSTANTIATE_TEST_SUITE_P(
    Of, TcpReceipt,
    ::testing::Values(
        Receipt{"ASecondLater", kAnswered + "A 3 ack=3; second; A 3 d ack=3", 3},
        Receipt{"NotAtOnce", kAnswered + "A 3 ack=3; A 3 d ack=3", 0},
        Receipt{"NotByTheSegmentItself", kAnswered + "second; A 3 d ack=3", 0},
        Receipt{"NotByAPart", kAnswered + "A 3 ack=2; second; A 3 d ack=3", 0},
        Receipt{"NotWithOctetsOnTheWay", kOpen + "A 0 abc; B 0 xyz; A 3 ack=3; second; A 3 d ack=3", 0},
        Receipt{"NotWhatWasSentBefore", kAnswered + "A 4 ack=3; second; A 3 d ack=3", 0},
        Receipt{"NotWithoutRoom", kOpen + "A 0 abc; B 0 xyz ack=3 window=0; A 3 ack=3; second; A 3 d ack=3", 0},
        Receipt{"TheLatestOnesASecondLater", kAnswered + "A 3 ack=3; second; B 3 w ack=3; A 3 ack=4; A 3 d ack=4", 3}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(TcpReassembly, NumbersWrap) {
  for (const std::uint32_t isn : {0xffffffffU, 0xfffffffeU, 0xfffffffdU, 0xfffffffaU, 0x7fffffffU, 0x7ffffffcU}) {
    TcpSteps script;
    script.isn_a = script.isn_b = isn;
    script.play(kOpen + "A 3 def; B 0 xyz; A 0 abc ack=3; B 3 w ack=6; A 6 fin ack=4; B 4 fin ack=7");
    EXPECT_EQ(script.text(), kOpened + "B 0 xyz; A 0 abc; A 3 def; B 3 w; A closed 6; B closed 4") << isn;
    EXPECT_TRUE(script.connection.over());
    EXPECT_EQ(script.connection.counts().far, 0U);
  }
}

TEST(TcpReassembly, StreamsAreLongerThanTheirNumbers) {
  TcpConnection connection;
  std::uint64_t offset = 0, gaps = 0;
  Segment segment;
  segment.flags.bits = TcpFlags::kSyn;
  const auto sink = [&](const StreamPiece& piece) {
    offset = piece.offset + piece.octets.size() + piece.missing;
    gaps += piece.event == StreamEvent::gap ? 1 : 0;
  };
  ASSERT_TRUE(connection.take(segment, true, sink));
  segment.flags.bits = TcpFlags::kSyn | TcpFlags::kAck;
  segment.ack = 1;
  ASSERT_TRUE(connection.take(segment, false, sink));
  segment.flags.bits = TcpFlags::kAck;
  segment.seq = 1;
  segment.wire_length = 1 << 29;  // but nothing was captured
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(connection.take(segment, true, sink));
    segment.seq += segment.wire_length;
  }
  EXPECT_EQ(offset, std::uint64_t{40} << 29);
  EXPECT_EQ(gaps, 40U);
  EXPECT_EQ(connection.counts().missing, std::uint64_t{40} << 29);
}

TEST(TcpReassembly, InOrderOctetsAreNotCopied) {
  TcpConnection connection;
  const OctetBuffer payload(100, 0x5a);
  Segment segment;
  segment.payload = payload;
  segment.wire_length = 100;
  std::vector<const Octet*> at;
  for (const std::uint32_t seq : {0U, 100U, 150U}) {  // only the second half of the last is new
    segment.seq = seq;
    ASSERT_TRUE(connection.take(segment, true, [&](const StreamPiece& piece) {
      if (piece.event == StreamEvent::octets) at.push_back(piece.octets.data());
    }));
  }
  EXPECT_THAT(at, ElementsAre(payload.data(), payload.data(), payload.data() + 50));
}

TEST(TcpReassembly, FramesAreThoseThatCarriedTheOctets) {
  TcpSteps script;
  script.play("A syn; B syn; A 0 ab; A 5 fg; A 2 cde; A 10 kl; B 0 ack=12; A 14 fin; A 12 mn; end");
  EXPECT_EQ(script.text(), kOpened + "A 0 ab; A 2 cde; A 5 fg; A gap 7+3; A 10 kl; A 12 mn; A closed 14");
  EXPECT_THAT(script.frames, ElementsAre(1, 2, 3, 5, 4, 6, 6, 9, 8)) << "a gap has the frame after it";
}

TEST(TcpReassembly, OpenedTellsTheMaximumSegmentSize) {
  TcpSteps script;
  script.play("A syn mss=1460; B syn mss=9000");
  EXPECT_THAT(script.mss, ElementsAre(1460, 9000));
}

TEST(TcpReassembly, DifferingContentIsReportedOnceAndTheFirstIsTaken) {
  TcpSteps script;
  script.play(kOpen + "A 0 abcdef; A 2 cXe; A 0 Y; A 6 gh");
  EXPECT_EQ(script.text(), kOpened + "A 0 abcdef; A 6 gh");
  ASSERT_EQ(script.connection.flaws().size(), 1U);
  const TcpFlaw& found = script.connection.flaws()[0];
  EXPECT_EQ(found.frame, 5U);
  EXPECT_TRUE(found.from_a);
  EXPECT_EQ(found.flaw.fault, Fault::tcp_overlap);
  EXPECT_EQ(found.flaw.offset, 54U + 1) << "the octet of the frame that differs";
  EXPECT_EQ(message(found.flaw),
            "a TCP stream has octet 0x58 here, where 0x64 was seen before; the first octet is used");
  EXPECT_EQ(script.connection.counts().differing, 2U);
}

TEST(TcpReassembly, DifferingContentOfHeldOctetsIsReportedToo) {
  for (const char* again : {"A 3 dXf", "A 0 abcdX", "A 4 X", "A 5 fgh; A 6 Xh", "A 2 cdXfg"}) {
    TcpSteps script;
    script.play(kOpen + "A 3 def;" + again + "; A 0 abc; A 6 g");
    EXPECT_THAT(script.text(), ::testing::HasSubstr("A 3 def")) << again;
    ASSERT_EQ(script.connection.flaws().size(), 1U) << again;
    EXPECT_EQ(script.connection.flaws()[0].flaw.have, static_cast<std::uint32_t>('X')) << again;
  }
}

TEST(TcpReassembly, SameContentIsNotReported) {
  TcpSteps script;
  script.play(kOpen + "A 3 def; A 5 fgh; A 0 abcdefghi; A 0 abc; A 1 bcdefghij; A 9 j");
  EXPECT_EQ(script.connection.flaws().size(), 0U);
  EXPECT_EQ(script.connection.counts().differing, 0U);
  EXPECT_GT(script.connection.counts().repeated, 0U);
}

TEST(TcpReassembly, ToldOctetsAreComparedUpToTheLimit) {
  for (const auto& [compared, differing] : {std::pair{5U, 1U}, {4U, 0U}, {0U, 0U}}) {
    TcpSteps script({.compared = compared});
    script.play(kOpen + "A 0 abcdef; A 1 X");
    EXPECT_EQ(script.connection.counts().differing, differing) << compared;
  }
}

TEST(TcpReassembly, OctetsBeforeAGapAreNotTakenForThoseInIt) {
  TcpSteps script;
  script.play(kOpen + "A 0 abc; A 6 ghi; B 0 ack=9; ten seconds; A 9 j; second; A 10 k; A 3 XYZghi; A 0 QQQ");
  EXPECT_EQ(script.connection.flaws().size(), 0U) << "what was in the gap is not known";
}

TEST(TcpReassembly, KeepAliveOctetIsNotCompared) {
  TcpSteps script;
  script.play(kOpen + "A 0 abc; A 2 ?; A 2 ?");
  EXPECT_EQ(script.connection.flaws().size(), 0U);
  EXPECT_EQ(script.connection.counts().keep_alives, 2U);
}

TEST(TcpReassembly, OctetsBehindAFinAreReportedOnce) {
  TcpSteps script;
  script.play(kOpen + "A 0 abc fin; A 2 cdef; A 3 de");
  ASSERT_EQ(script.connection.flaws().size(), 1U);
  EXPECT_EQ(script.connection.flaws()[0].frame, 5U);
  EXPECT_EQ(message(script.connection.flaws()[0].flaw), "3 octets follow the FIN of their TCP stream and are ignored");
  EXPECT_EQ(script.connection.counts().beyond_end, 2U);

  TcpSteps held;
  held.play(kOpen + "A 4 efg; A 5 fin; A 0 abcd");
  ASSERT_EQ(held.connection.flaws().size(), 1U);
  EXPECT_EQ(held.connection.flaws()[0].flaw.fault, Fault::tcp_beyond_end);
  EXPECT_EQ(held.connection.flaws()[0].flaw.have, 2U);
}

TEST(TcpReassembly, FarNumbersArePassedOverAndCounted) {
  TcpSteps script;
  script.play(kOpen + "A 0 abc; A 1500000000 X; A -1500000000 Y; A 2000000000 fin; A 3 def; end");
  EXPECT_EQ(script.text(), kOpened + "A 0 abc; A 3 def");
  EXPECT_EQ(script.connection.counts().far, 3U);
  ASSERT_EQ(script.connection.flaws().size(), 1U);
  EXPECT_EQ(script.connection.flaws()[0].frame, 5U);
  EXPECT_EQ(message(script.connection.flaws()[0].flaw),
            "TCP sequence number 1500001001 is far from 1004, which is expected; the segment is ignored");
}

TEST(TcpReassembly, FarAcknowledgmentsMoveNothing) {
  EXPECT_EQ(play(kOpen + "A 3 def; B 0 ack=1500000000; B 0 x ack=-1500000000; A 0 abc"),
            kOpened + "B 0 x; A 0 abc; A 3 def");
}

TEST(TcpReassembly, SegmentsInARowThatFitNowhereAreAnotherConnection) {
  for (const std::int64_t start : {1'500'000'000, -1'500'000'000, -100'000'000}) {
    TcpSteps script;
    script.play(kOpen + "A 0 abc; A 9 z");
    for (int i = 0; i < 8; ++i) {
      ASSERT_TRUE(script.taken) << start << " " << i;
      script.play("A " + std::to_string(start + 3 * i) + " xyz");
    }
    EXPECT_FALSE(script.taken) << start;
    EXPECT_TRUE(script.connection.over());
    EXPECT_EQ(script.text(), kOpened + "A 0 abc; A gap 3+6; A 9 z") << "the old one is finished";
  }
}

TEST(TcpReassembly, RetransmissionsInARowAreNotAnotherConnection) {
  TcpSteps script;
  script.play(kOpen + "A 0 a wire=60000000");
  for (int i = 0; i < 20; ++i) script.play("A " + std::to_string(1000 * i) + " x wire=1000");
  EXPECT_TRUE(script.taken);
  EXPECT_EQ(script.play("A 60000000 b").delivered.back(), "A 60000000 b");
}

TEST(TcpReassembly, SegmentsThatFitNowhereAreNothingUnlessTheyContinueEachOther) {
  TcpSteps script;
  script.play(kOpen + "A 0 a");
  for (int i = 0; i < 50; ++i) script.play("A 1500000000 xyz; A 1500000009 xyz");
  EXPECT_TRUE(script.taken);
  for (int i = 0; i < 50; ++i)
    script.play("A " + std::to_string(1'500'000'000 + i) + " x; A " + std::to_string(1 + i) + " b");
  EXPECT_TRUE(script.taken) << "others come between them";
  for (int i = 0; i < 50; ++i) script.play("A 1500000000 fin");
  EXPECT_TRUE(script.taken) << "nothing continues what has no octets";
  EXPECT_FALSE(script.connection.over());
  EXPECT_EQ(script.connection.counts().octets, 51U);
}

TEST(TcpReassembly, OverWhenBothHaveClosedOrOneHasReset) {
  TcpSteps closed;
  closed.play(kOpen + "A 0 abc fin; B 0 xyz ack=4");
  EXPECT_FALSE(closed.connection.over());
  closed.play("B 3 fin ack=4");
  EXPECT_TRUE(closed.connection.over());
  closed.play("A 4 ack=4");
  EXPECT_TRUE(closed.taken) << "the last acknowledgment is its own";
  EXPECT_TRUE(TcpSteps().play(kOpen + "A 0 rst").connection.over());
  EXPECT_TRUE(TcpSteps().play(kOpen + "end").connection.over());
}

TEST(TcpReassembly, SynWithAnotherNumberIsAnotherConnection) {
  for (const char* before : {"A 0 abc fin; B 0 fin ack=4; A 4 ack=1", "A 0 abc; B 0 rst ack=3", "A 0 abc"}) {
    TcpSteps script;
    script.play(kOpen + before);
    EXPECT_TRUE(script.play("A syn").taken) << "a late copy";
    EXPECT_FALSE(script.play("A syn+100000").taken) << before;
    EXPECT_TRUE(script.connection.over());
    const std::string delivered = script.text();
    EXPECT_TRUE(script.play("A 3 xyz; B 0 xyz").taken);
    EXPECT_EQ(script.text(), delivered) << "nothing is delivered after its end";
  }
  EXPECT_FALSE(TcpSteps().play(kOpen + "A 0 abc; A 5 z; B syn+70").taken) << "its answer too";
  EXPECT_FALSE(TcpSteps().play(kOpen + "A 0 abc; A syn+2").taken) << "however near";
  EXPECT_FALSE(TcpSteps().play("A 100 abc; B 100 xyz; A 103 fin; B 103 fin; A syn+9000").taken);
  EXPECT_EQ(play(kOpen + "A 3 def; A syn+100"), kOpened + "A gap 0+3; A 3 def") << "it finishes the old one";
}

TEST(TcpReassembly, OctetsAfterAResetAreCounted) {
  TcpSteps script;
  script.play(kOpen + "A 0 rst; B 0 abc; B 3; A 0 x");
  EXPECT_EQ(script.connection.counts().after_reset, 2U);
  EXPECT_EQ(script.text(), kOpened + "A reset 0");
}

TEST(TcpReassembly, TooMuchThatWaitsEndsTheHole) {
  TcpSteps script({.held = 1000});
  script.play(kOpen + "A 5 fgh");
  for (int i = 0; i < 4; ++i) script.play("A " + std::to_string(10 + 2 * i) + " x");
  EXPECT_EQ(script.text(), kOpened.substr(0, kOpened.size() - 2)) << "what is held has its price, and fits";
  EXPECT_LE(script.connection.memory(), sizeof(TcpConnection) + 1000);
  script.play("A 30 " + std::string(190, 'y'));
  EXPECT_EQ(script.text(), kOpened + "A gap 0+5; A 5 fgh") << "no more is given up than is needed";
  EXPECT_LE(script.connection.memory(), sizeof(TcpConnection) + 1000 + RecentOctets::kFirstCapacity);
  script.play("A 300 " + std::string(2000, 'z'));
  EXPECT_EQ(script.connection.counts().octets, 3U + 4 + 190 + 2000);
  EXPECT_LT(script.connection.memory(), sizeof(TcpConnection) + 3000);
}

TEST(TcpReassembly, EndGivesTheMemoryBack) {
  TcpSteps script;
  script.play(kOpen + "A 0 abc; A 5 fgh");
  EXPECT_GT(script.connection.memory(), sizeof(TcpConnection));
  script.play("end");
  EXPECT_EQ(script.connection.memory(), sizeof(TcpConnection));
}

TEST(TcpReassembly, WaitsAtAnyTime) {
  constexpr std::int64_t kTimes[] = {std::numeric_limits<std::int64_t>::min(), 0,
                                     std::numeric_limits<std::int64_t>::max()};
  for (const std::int64_t before : kTimes)
    for (const std::int64_t after : kTimes) {
      TcpSteps script;
      script.play(kOpen + "A 0 abc");
      script.passed_ns = before;
      script.play("B 0 xyz ack=6");
      script.passed_ns = after;
      script.play("A 3 def; end");
      EXPECT_EQ(script.connection.counts().octets, 9U);
    }
}

TEST(TcpReassembly, CountsWhatItSees) {
  TcpSteps script;
  script.play(kOpen + "A 0 abc; A 0 abc; A 5 fg; B 0 ack=7; ten seconds; second; A 5; A 2 ?; A 6 ?");
  const TcpCounts& counts = script.connection.counts();
  EXPECT_EQ(counts.segments, 10U);
  EXPECT_EQ(counts.octets, 5U);
  EXPECT_EQ(counts.repeated, 3U + 1);
  EXPECT_EQ(counts.held, 1U);
  EXPECT_EQ(counts.gaps, 1U);
  EXPECT_EQ(counts.missing, 2U);
  EXPECT_EQ(counts.keep_alives, 1U);
}

}  // namespace
}  // namespace wirelaw::pcap::testing
