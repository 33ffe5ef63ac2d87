// SPDX-License-Identifier: Apache-2.0
#include "reference/ramcloud/message_sender.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace wirelaw::ramcloud {
namespace {

using namespace std::chrono_literals;
using Acked = MessageSender::Acked;
using testing::ElementsAre;
using testing::IsEmpty;

MessageSender of_fragments(std::size_t count) {
  return {OctetBuffer(count * 1374), Options{}};
}

std::vector<std::uint16_t> send_new(MessageSender& sender, Instant now) {
  std::vector<std::uint16_t> numbers;
  while (const auto fragment = sender.next_new(now)) numbers.push_back(fragment->number);
  return numbers;
}

TEST(Sender, CutsAllFragmentsButTheLastEqual) {
  MessageSender sender(OctetBuffer(1375, 7), Options{});
  EXPECT_EQ(sender.total(), 2);
  EXPECT_EQ(sender.next_new(0ms)->payload.size(), 1374u);
  EXPECT_EQ(sender.next_new(0ms)->payload.size(), 1u);
  EXPECT_FALSE(sender.next_new(0ms));
}

TEST(Sender, SendsAnEmptyMessageAsOneEmptyFragment) {
  MessageSender sender({}, Options{});
  const auto fragment = sender.next_new(0ms);
  ASSERT_TRUE(fragment);
  EXPECT_EQ(fragment->total, 1);
  EXPECT_TRUE(fragment->payload.empty());
}

TEST(Sender, KnowsWhatTotalFragsCanCount) {
  EXPECT_TRUE(MessageSender::can_send(std::size_t{65535} * 1374, Options{}));
  EXPECT_FALSE(MessageSender::can_send(std::size_t{65535} * 1374 + 1, Options{}));
}

TEST(Sender, AsksForAnAckWithEveryFifthFragmentAndStopsAtTheWindow) {
  MessageSender sender = of_fragments(30);
  for (unsigned number = 0; number < 10; ++number) {
    const auto fragment = sender.next_new(0ms);
    ASSERT_TRUE(fragment);
    EXPECT_EQ(fragment->request_ack, number == 4 || number == 9);
  }
  EXPECT_FALSE(sender.next_new(0ms));
  EXPECT_EQ(sender.acknowledge({.first_missing_frag = 5}, 0ms), Acked::taken);
  EXPECT_THAT(send_new(sender, 0ms), ElementsAre(10, 11, 12, 13, 14));
}

TEST(Sender, StaysWithinWhatAnAckCanReport) {
  Options wide;
  wide.window = 100;
  MessageSender sender(OctetBuffer(200 * 1374), wide);
  EXPECT_EQ(send_new(sender, 0ms).size(), 33u);
}

TEST(Sender, ResendsOnlyWhatAnAckPassesOver) {
  MessageSender sender = of_fragments(10);
  send_new(sender, 0ms);
  EXPECT_EQ(sender.acknowledge({2, 0b101}, 1ms), Acked::taken);  // 2 and 4 are missing, 3 and 5 have arrived
  EXPECT_THAT(sender.missing(1ms), ElementsAre(2, 4));
  const Fragment again = sender.resend(2, 1ms);
  EXPECT_TRUE(again.request_ack);
  EXPECT_TRUE(again.resent);
  EXPECT_THAT(sender.missing(1ms), ElementsAre(4)) << "2 is on its way";
}

TEST(Sender, TakesAnUnaskedAckForTheWholeTruth) {
  MessageSender sender = of_fragments(4);
  send_new(sender, 0ms);
  EXPECT_EQ(sender.acknowledge({1, 0b10}, 1ms), Acked::taken);
  EXPECT_THAT(sender.missing(1ms), ElementsAre(1, 2));
}

TEST(Sender, CallsWhatWasSentAnIntervalAgoOverdue) {
  MessageSender sender = of_fragments(3);
  send_new(sender, 0ms);
  EXPECT_THAT(sender.overdue(99ms), IsEmpty());
  EXPECT_THAT(sender.overdue(100ms), ElementsAre(0, 1, 2));
  sender.resend(0, 100ms);
  EXPECT_THAT(sender.overdue(100ms), ElementsAre(1, 2));
}

TEST(Sender, IgnoresAcksOfWhatItNeverSent) {
  MessageSender sender = of_fragments(20);
  send_new(sender, 0ms);
  EXPECT_EQ(sender.acknowledge({.first_missing_frag = 21}, 0ms), Acked::past_end);
  EXPECT_EQ(sender.acknowledge({.first_missing_frag = 11}, 0ms), Acked::past_sent);
  EXPECT_EQ(sender.acknowledge({8, 0xffffffff}, 0ms), Acked::taken);  // bits for 9 and for fragments that do not exist
  EXPECT_THAT(sender.missing(0ms), ElementsAre(8));
  EXPECT_THAT(send_new(sender, 0ms), ElementsAre(10, 11, 12, 13, 14, 15, 16, 17, 18));
}

TEST(Sender, IgnoresAnOlderAck) {
  MessageSender sender = of_fragments(5);
  send_new(sender, 0ms);
  EXPECT_EQ(sender.acknowledge({.first_missing_frag = 3}, 0ms), Acked::taken);
  EXPECT_EQ(sender.acknowledge({.first_missing_frag = 2}, 0ms), Acked::stale);
  EXPECT_EQ(sender.first_unacknowledged(), 3);
  EXPECT_EQ(sender.acknowledge({.first_missing_frag = 5}, 0ms), Acked::taken);
  EXPECT_TRUE(sender.acknowledged());
}

}  // namespace
}  // namespace wirelaw::ramcloud
