// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/message_receiver.h"

#include <gtest/gtest.h>

#include "reference/octets/hex.h"
#include "reference/ramcloud/faults/faulty_receiver.h"

namespace wirelaw::ramcloud {
namespace {

using Outcome = MessageReceiver::Outcome;

class Receiver : public testing::Test {
 protected:
  Outcome take(std::uint16_t number, std::uint16_t total, std::string_view payload) {
    return receiver_.take(number, total, *from_hex(payload));
  }
  OctetBudget budget_{10'000};
  MessageReceiver receiver_{budget_, 1'000};
};

TEST_F(Receiver, PutsFragmentsTogetherByNumber) {
  EXPECT_EQ(take(2, 3, "05"), Outcome::stored);
  EXPECT_EQ(take(0, 3, "0102"), Outcome::stored);
  EXPECT_FALSE(receiver_.complete());
  EXPECT_EQ(take(1, 3, "0304"), Outcome::stored);
  EXPECT_TRUE(receiver_.complete());
  EXPECT_EQ(to_hex(receiver_.release()), "0102030405");
  EXPECT_EQ(receiver_.ack(), (Ack{.first_missing_frag = 3}));
}

TEST_F(Receiver, TakesAnEmptyMessageAsOneEmptyFragment) {
  EXPECT_EQ(take(0, 1, ""), Outcome::stored);
  EXPECT_TRUE(receiver_.complete());
  EXPECT_TRUE(receiver_.release().empty());
}

TEST_F(Receiver, ReportsBitZeroForTheFragmentBehindTheFirstMissing) {
  take(0, 40, "00");
  take(2, 40, "02");
  take(4, 40, "04");
  take(33, 40, "33");
  EXPECT_EQ(to_hex(encode_ack(receiver_.ack())), "010005000080");  // bits 0, 2 and 31
}

TEST_F(Receiver, StoresADuplicateOnce) {
  take(0, 3, "aa");
  EXPECT_EQ(take(0, 3, "bb"), Outcome::duplicate);
  take(2, 3, "cc");
  EXPECT_EQ(take(2, 3, "dd"), Outcome::duplicate);
  take(1, 3, "ee");
  EXPECT_EQ(to_hex(receiver_.release()), "aaeecc");
}

TEST_F(Receiver, DropsWhatAnAckCannotReport) {
  EXPECT_EQ(take(33, 100, "00"), Outcome::beyond_window);
  EXPECT_EQ(take(32, 100, "00"), Outcome::stored);
  EXPECT_EQ(receiver_.ack(), (Ack{0, 0x80000000}));
}

TEST_F(Receiver, IgnoresAnotherTotal) {
  take(0, 3, "00");
  EXPECT_EQ(take(1, 4, "01"), Outcome::other_total);
  EXPECT_EQ(take(1, 2, "01"), Outcome::other_total);
  EXPECT_EQ(receiver_.ack(), (Ack{.first_missing_frag = 1}));
  EXPECT_EQ(receiver_.total(), 3);
}

TEST_F(Receiver, IgnoresNumbersThatTheTotalDoesNotHave) {
  EXPECT_EQ(take(0, 0, "00"), Outcome::no_such_fragment);
  EXPECT_EQ(take(3, 3, "00"), Outcome::no_such_fragment);
  EXPECT_EQ(take(65535, 1, "00"), Outcome::no_such_fragment);
  EXPECT_EQ(receiver_.total(), 0);
  EXPECT_EQ(receiver_.ack(), Ack{});
}

TEST_F(Receiver, HoldsNothingForFragmentsThatDidNotCome) {
  take(0, 65535, "00");
  EXPECT_EQ(budget_.used(), 1u);
}

TEST_F(Receiver, BoundsAMessage) {
  const OctetBuffer half(500);
  EXPECT_EQ(receiver_.take(1, 9, half), Outcome::stored);
  EXPECT_EQ(receiver_.take(0, 9, OctetBuffer(501)), Outcome::over_budget);
  EXPECT_EQ(receiver_.take(0, 9, half), Outcome::stored);
  EXPECT_EQ(receiver_.take(3, 9, half), Outcome::over_budget);
  EXPECT_EQ(budget_.used(), 1'000u);
}

TEST_F(Receiver, ChargesEmptyFragmentsThatItStages) {
  OctetBudget small(100);
  MessageReceiver receiver(small, 1'000);
  EXPECT_EQ(receiver.take(1, 9, {}), Outcome::stored);
  EXPECT_EQ(receiver.take(2, 9, {}), Outcome::over_budget);
}

TEST_F(Receiver, GivesItsChargeBack) {
  {
    MessageReceiver other(budget_, 1'000);
    other.take(0, 2, OctetBuffer(10));
    EXPECT_EQ(budget_.used(), 10u);
  }
  EXPECT_EQ(budget_.used(), 0u);
  take(0, 1, "0000");
  EXPECT_EQ(budget_.used(), 2u);
  receiver_.release();
  EXPECT_EQ(budget_.used(), 0u);
}

TEST_F(Receiver, WithFaultsPutsAMessageTogetherWrongly) {
  FaultyReceiver arrival(budget_, 100, {.in_arrival_order = true});
  arrival.take(1, 2, *from_hex("bb"));
  arrival.take(0, 2, *from_hex("aa"));
  EXPECT_EQ(to_hex(arrival.release()), "bbaa");
  FaultyReceiver doubled(budget_, 100, {.append_duplicates = true});
  doubled.take(0, 2, *from_hex("aa"));
  doubled.take(0, 2, *from_hex("aa"));
  doubled.take(1, 2, *from_hex("bb"));
  EXPECT_EQ(to_hex(doubled.release()), "aaaabb");
  FaultyReceiver beyond(budget_, 100, {.keep_beyond_total = true});
  beyond.take(0, 2, {});
  beyond.take(2, 2, {});
  EXPECT_EQ(beyond.ack(), (Ack{1, 1}));
  FaultyReceiver follows(budget_, 100, {.follow_total = true});
  follows.take(0, 3, {});
  follows.take(1, 2, {});
  EXPECT_TRUE(follows.complete());
}

}  // namespace
}  // namespace wirelaw::ramcloud
