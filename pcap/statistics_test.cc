// SPDX-License-Identifier: Apache-2.0
#include "pcap/statistics.h"

#include <gtest/gtest.h>

#include <array>

#include "pcap/pcapng_block.h"
#include "pcap/read_all.h"
#include "pcap/reader.h"
#include "pcap/writer.h"

namespace wirelaw::pcap {
namespace {

constexpr Octet kFrame[] = {0x45, 0, 0, 0};

OctetBuffer head_of_pcapng() {
  OctetBuffer head;
  pcapng::Block block(head, pcapng::kSectionHeader);
  block.put(pcapng::kByteOrderMagic).put(std::uint16_t{1}).put(std::uint16_t{0}).put(~std::uint64_t{0}).finish();
  return head;
}

// Returns a block of statistics with these options of eight octets each.
OctetBuffer statistics(std::initializer_list<std::pair<std::uint16_t, std::uint64_t>> options) {
  OctetBuffer octets;
  pcapng::Block block(octets, pcapng::kInterfaceStatistics);
  block.put(std::uint32_t{0}).put(std::uint64_t{0});
  for (const auto& [code, value] : options) {
    std::array<Octet, sizeof value> count{};
    store_little_endian(count.data(), value);
    block.option(code, Octets(count));
  }
  block.finish();
  return octets;
}

OctetBuffer joined(const OctetBuffer& one, const OctetBuffer& other) {
  OctetBuffer both = one;
  both.insert(both.end(), other.begin(), other.end());
  return both;
}

TEST(Statistics, AreReadFromTheEnd) {
  const OctetBuffer tail = joined({1, 2, 3, 4}, statistics({{pcapng::kStatisticsReceived, 7},
                                                            {pcapng::kStatisticsDroppedByInterface, 2},
                                                            {pcapng::kStatisticsDroppedBySystem, 3},
                                                            {pcapng::kStatisticsDelivered, 5}}));
  const auto found = statistics_at_end(head_of_pcapng(), tail);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->received, 7u);
  EXPECT_EQ(found->dropped, 5u);
  EXPECT_EQ(found->delivered, 5u);
}

TEST(Statistics, OfSeveralInterfacesAreAddedUpWhereEachStatesThem) {
  const OctetBuffer tail =
      joined(statistics({{pcapng::kStatisticsReceived, 7}, {pcapng::kStatisticsDroppedByInterface, 0}}),
             statistics({{pcapng::kStatisticsDroppedByInterface, 1}}));
  const auto found = statistics_at_end(head_of_pcapng(), tail);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->dropped, 1u);
  EXPECT_FALSE(found->received);
}

TEST(Statistics, AreNotFoundElsewhere) {
  const OctetBuffer block = statistics({{pcapng::kStatisticsDroppedByInterface, 0}});
  OctetBuffer other;
  pcapng::Block(other, pcapng::kInterfaceDescription).put(std::uint64_t{0}).finish();
  EXPECT_FALSE(statistics_at_end(head_of_pcapng(), joined(block, other)));  // the statistics are not at the end
  EXPECT_FALSE(statistics_at_end({}, block));                               // the file is no pcapng
  for (std::size_t length = 0; length < block.size(); ++length)
    EXPECT_FALSE(statistics_at_end(head_of_pcapng(), Octets(block).first(length))) << length;
}

// A section without frames does not contradict the statistics of the one before it (Writer::close_with()).
TEST(Statistics, MayHaveAClosingSectionBehindThem) {
  const OctetBuffer block = statistics({{pcapng::kStatisticsDroppedByInterface, 3}});
  const auto found = statistics_at_end(head_of_pcapng(), joined(block, head_of_pcapng()));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->dropped, 3u);
}

TEST(Statistics, OfHostileLengthsAreNotRead) {
  OctetBuffer block = statistics({{pcapng::kStatisticsDroppedByInterface, 0}});
  for (std::size_t at = 0; at < block.size(); ++at)
    for (const Octet value : {Octet{0xff}, Octet{0x80}, Octet{0x01}}) {
      OctetBuffer hostile = block;
      hostile[at] = value;
      const auto found = statistics_at_end(head_of_pcapng(), hostile);
      EXPECT_TRUE(!found || !found->received) << at;
    }
}

class WrittenStatistics : public ::testing::Test {
 protected:
  std::optional<Statistics> after(bool complete) {
    auto writer = Writer::create(directory.path("t.pcapng"));
    if (complete) writer->say_complete();
    for (std::int64_t i = 0; i < 3; ++i)
      EXPECT_TRUE(writer->write_frame({.time_ns = i, .link_type = 101, .octets = kFrame, .wire_length = 4}));
    EXPECT_TRUE(writer->commit());
    auto reader = Reader::open(directory.path("t.pcapng"));
    EXPECT_TRUE(reader);
    EXPECT_FALSE(reader->statistics()) << "before the end";
    Frame frame;
    while (reader->next(frame)) {
    }
    return reader->statistics();
  }
  testing::TemporaryDirectory directory;
};

TEST_F(WrittenStatistics, SayThatNothingWasDropped) {
  const auto found = after(true);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->dropped, 0u);
  EXPECT_EQ(found->delivered, 3u);
  EXPECT_EQ(found->received, 3u);
}

TEST_F(WrittenStatistics, AreOnlyWhereTheCaptureIsComplete) {
  EXPECT_FALSE(after(false));
}

}  // namespace
}  // namespace wirelaw::pcap
