// SPDX-License-Identifier: Apache-2.0
#include "harness/parallel/spooled_frames.h"

#include <gmock/gmock.h>

#include "harness/parallel/renaming.h"

namespace wirelaw {
namespace {

using ::testing::ElementsAre;

RecordedFrame datagram(std::string from, std::size_t octets) {
  return {.from = std::move(from),
          .to = "[2001:db8::1]:7",
          .from_iut = true,
          .time_ns = -3,
          .octets = OctetBuffer(octets, Octet{0x80}),
          .comments = {"one", "", std::string("t\0o", 3)},
          .dissector = "efa_rdm"};
}

TEST(Spool, GivesBackWhatWasWritten) {
  Spool spool;
  RecordedFrame segment = datagram("192.0.2.1:1", 0);
  segment.tcp = pcap::TcpHeader{.seq = 7, .ack = 8, .window = 9, .mss = 10};
  ASSERT_TRUE(spool.write(5, segment));
  ASSERT_TRUE(spool.write(2, datagram("192.0.2.2:2", 100'000)));
  const auto index = spool.take_index();
  ASSERT_EQ(index.size(), 2u);
  EXPECT_EQ(index[0].step, 5u);
  EXPECT_EQ(index[1].step, 2u);
  const auto first = spool.read(index[0]), second = spool.read(index[1]);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->from, "192.0.2.1:1");
  EXPECT_EQ(first->to, "[2001:db8::1]:7");
  EXPECT_TRUE(first->from_iut);
  EXPECT_EQ(first->time_ns, -3);
  ASSERT_TRUE(first->tcp);
  EXPECT_EQ(first->tcp->seq, 7u);
  EXPECT_EQ(first->tcp->mss, 10u);
  EXPECT_THAT(first->comments, ElementsAre("one", "", std::string("t\0o", 3)));
  EXPECT_FALSE(second->tcp);
  EXPECT_EQ(second->octets, OctetBuffer(100'000, Octet{0x80}));
  EXPECT_EQ(second->dissector, "efa_rdm");
}

TEST(Spool, IndexesEachFrameOnce) {
  Spool spool;
  ASSERT_TRUE(spool.write(1, datagram("a", 1)));
  EXPECT_EQ(spool.take_index().size(), 1u);
  EXPECT_EQ(spool.take_index().size(), 0u);
  ASSERT_TRUE(spool.write(1, datagram("b", 1)));
  const auto index = spool.take_index();
  ASSERT_EQ(index.size(), 1u);
  EXPECT_EQ(spool.read(index[0]).value().from, "b");
}

TEST(Spool, ReadsNothingWhereNothingIs) {
  Spool spool;
  ASSERT_TRUE(spool.write(1, datagram("a", 1)));
  auto index = spool.take_index();
  index[0].octets -= 1;
  EXPECT_FALSE(spool.read(index[0]));
  index[0].octets += 2;
  EXPECT_FALSE(spool.read(index[0]));
}

TEST(Renaming, FindsNamesInAnyText) {
  Renaming renaming;
  renaming.add("[100::1:0:2a:b]:1", "192.0.2.1:7");
  EXPECT_EQ(renaming.in("udp [100::1:0:2a:b]:1 - [100::1:0:2a:b]:1, [100::1:0:2b:b]:1"),
            "udp 192.0.2.1:7 - 192.0.2.1:7, [100::1:0:2b:b]:1");
  EXPECT_EQ(renaming.in("[100::"), "[100::");
  EXPECT_EQ(renaming.in(""), "");
}

TEST(Moved, TakesNoPartOfAnotherPlace) {
  const Moved moved("127.0.0.1:7001", "127.0.0.1:7000");
  EXPECT_EQ(moved.in("tcp 127.0.0.1:7001 - 127.0.0.1:70012, 1127.0.0.1:7001"),
            "tcp 127.0.0.1:7000 - 127.0.0.1:70012, 1127.0.0.1:7001");
  EXPECT_EQ(moved.in("127.0.0.1:7001"), "127.0.0.1:7000");
  EXPECT_EQ(Moved("", "x").in("y"), "y");
}

// In parts of a recording, flows have names until they have addresses.
TEST(RecordedPlaces, OfAPartAreNames) {
  RecordedPlaces places;
  places.defer_to_whole(3);
  places.begin_step(9);
  const FlowPlaces real{.tester = "192.0.2.1:1", .iut = "192.0.2.2:2"};
  const FlowPlaces one = places.place(real, false, 65'536), other = places.place(real, false, 65'536);
  EXPECT_NE(one.tester, other.tester);
  EXPECT_NE(one.tester, one.iut);
  EXPECT_EQ(places.remark(real, one), one.tester);
  const auto placeless = places.take_placeless();
  ASSERT_EQ(placeless.size(), 2u);
  EXPECT_EQ(placeless[0].step, 9u);
  EXPECT_EQ(placeless[0].real.tester, real.tester);
  EXPECT_EQ(placeless[1].names.iut, other.iut);
}

}  // namespace
}  // namespace wirelaw
