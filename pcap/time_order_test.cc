// SPDX-License-Identifier: Apache-2.0
#include "pcap/time_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <vector>

#include "pcap/read_all.h"
#include "pcap/reader.h"
#include "pcap/writer.h"

namespace wirelaw::pcap::testing {
namespace {

using ::testing::ElementsAre;

constexpr std::int64_t kSecond = 1'000'000'000;

struct Read {
  std::vector<std::uint64_t> numbers;
  std::vector<bool> order_unknown;
};

// Common kinds of file are read without libpcap, an old version with it. Each frame's octets contain its number.
enum class Format : std::uint8_t { pcap, pcapng, by_libpcap };

OctetBuffer octets_of(std::uint64_t number) {
  return OctetBuffer(100 + number % 50, static_cast<Octet>(number));
}

std::string write(const TemporaryDirectory& directory, Format format, const std::vector<std::int64_t>& times) {
  std::uint64_t number = 0;
  if (format == Format::pcapng) {
    auto writer = Writer::create(directory.path("t"));
    for (const std::int64_t time : times)
      EXPECT_TRUE(writer->write_frame({.time_ns = time, .link_type = 101, .octets = octets_of(++number)}));
    EXPECT_TRUE(writer->commit());
    return directory.path("t");
  }
  const auto minor = static_cast<std::uint16_t>(format == Format::pcap ? 4 : 3);
  OctetBuffer file;
  wirelaw::Writer out(file);
  out.little_endian(std::uint32_t{0xa1b23c4d}).little_endian(std::uint16_t{2}).little_endian(minor);
  out.little_endian(std::uint64_t{0}).little_endian(std::uint32_t{65535}).little_endian(std::uint32_t{101});
  for (const std::int64_t time : times) {
    const OctetBuffer octets = octets_of(++number);
    const auto length = static_cast<std::uint32_t>(octets.size());
    out.little_endian(static_cast<std::uint32_t>(time / kSecond));
    out.little_endian(static_cast<std::uint32_t>(time % kSecond)).little_endian(length).little_endian(length);
    out.octets(octets);
  }
  return directory.write("t", file);
}

class TimeOrderOf : public ::testing::TestWithParam<Format> {
 protected:
  Read read(const std::vector<std::int64_t>& times) const {
    const TemporaryDirectory directory;
    auto reader = Reader::open(write(directory, GetParam(), times));
    EXPECT_TRUE(reader);
    reader->read_in_time_order();
    Read all;
    for (Frame frame; reader->next(frame);) {
      EXPECT_EQ(OctetBuffer(frame.octets.begin(), frame.octets.end()), octets_of(frame.number));
      EXPECT_EQ(frame.time_ns, times[frame.number - 1]);
      all.numbers.push_back(frame.number);
      all.order_unknown.push_back(frame.order_unknown);
    }
    EXPECT_EQ(all.numbers.size(), times.size());
    return all;
  }
};

TEST_P(TimeOrderOf, NeighboursThatWereSwappedAreSwappedBack) {
  EXPECT_THAT(read({10, 30, 20, 40}).numbers, ElementsAre(1, 3, 2, 4));
  EXPECT_THAT(read({20, 10}).numbers, ElementsAre(2, 1));
}

TEST_P(TimeOrderOf, TheSameTimeKeepsTheOrderOfTheFileAndSaysThatItIsNotKnown) {
  const Read all = read({10, 20, 20, 30});
  EXPECT_THAT(all.numbers, ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(all.order_unknown, ElementsAre(false, true, true, false));
}

TEST_P(TimeOrderOf, AClockThatWasSetBackIsLeftAsItIs) {
  EXPECT_THAT(read({10 * kSecond, 11 * kSecond, 1 * kSecond, 2 * kSecond}).numbers, ElementsAre(1, 2, 3, 4));
}

// Cases of a recorded run that several processes made overlap in time, but follow one another in the file.
TEST(TimeOrder, NoFrameGoesBeforeOneThatBeginsAPart) {
  const TemporaryDirectory directory;
  auto writer = Writer::create(directory.path("t"));
  const std::vector<std::string> begins{"case"}, none;
  const std::vector<std::int64_t> times{50, 60, 20, 40, 30, 30, 25};
  for (std::size_t i = 0; i < times.size(); ++i)
    EXPECT_TRUE(writer->write_frame({.time_ns = times[i], .link_type = 101, .octets = octets_of(i)},
                                    i == 2 || i == 5 ? begins : none));
  EXPECT_TRUE(writer->commit());
  auto reader = Reader::open(directory.path("t"));
  ASSERT_TRUE(reader);
  static constexpr std::string_view kBeginnings[] = {"case"};
  reader->watch_comments(kBeginnings);
  reader->read_in_time_order();
  std::vector<std::uint64_t> numbers, parts;
  for (Frame frame; reader->next(frame);) {
    numbers.push_back(frame.number);
    EXPECT_FALSE(frame.order_unknown);
    if (reader->has_watched_comment(frame.number)) parts.push_back(numbers.size());
  }
  EXPECT_THAT(numbers, ElementsAre(1, 2, 3, 5, 4, 6, 7));
  EXPECT_THAT(parts, ElementsAre(3, 6));
}

TEST(TimeOrder, TimesThatAreFurtherApartThanTheirTypeHoldsAreLeftAsTheyAre) {
  TimeOrder order;
  for (const std::int64_t time : {INT64_MAX, INT64_MIN, std::int64_t{0}}) {
    order.slot() = {.number = time == INT64_MAX ? 1u : 2u, .time_ns = time};
    order.add();
  }
  Frame frame;
  std::vector<std::int64_t> times;
  EXPECT_TRUE(order.settle(true));
  while (order.has_next()) {
    order.take(frame);
    times.push_back(frame.time_ns);
  }
  EXPECT_THAT(times, ElementsAre(INT64_MAX, INT64_MIN, 0));
}

TEST_P(TimeOrderOf, AFrameGoesNoFurtherThanTheWindow) {
  std::vector<std::int64_t> times;
  for (std::size_t i = 0; i < TimeOrder::kWindow + 2; ++i) times.push_back(1000 + static_cast<std::int64_t>(i));
  times.push_back(1);  // earlier than all others
  EXPECT_NE(read(times).numbers.front(), times.size());
}

// A capture that refills every buffer many times, with each frame out of place.
TEST_P(TimeOrderOf, ALongCaptureIsOrderedAsAWhole) {
  std::vector<std::int64_t> times;
  for (std::int64_t i = 0; i < 5000; ++i) times.push_back(10 * kSecond + i * 100 + (i % 7) * 150);
  const Read all = read(times);
  for (std::size_t i = 1; i < all.numbers.size(); ++i)
    EXPECT_LE(times[all.numbers[i - 1] - 1], times[all.numbers[i] - 1]) << i;
}

// Most of the file is in order. Frames are checked ahead of those that are returned.
TEST_P(TimeOrderOf, DisorderAnywhereInALongCaptureIsMended) {
  for (const std::size_t late : {1u, 15u, 16u, 17u, 500u, 1023u, 1024u, 1990u, 1998u}) {
    std::vector<std::int64_t> times;
    for (std::int64_t i = 0; i < 2000; ++i) times.push_back(10 * kSecond + i * 100);
    std::swap(times[late], times[late + 1]);
    times[late / 2] = times[late / 2 + 1];
    const Read all = read(times);
    for (std::size_t i = 1; i < all.numbers.size(); ++i)
      EXPECT_LE(times[all.numbers[i - 1] - 1], times[all.numbers[i] - 1]) << late;
    std::map<std::int64_t, std::size_t> frames_at;
    for (const std::int64_t time : times) ++frames_at[time];
    for (std::size_t i = 0; i < all.numbers.size(); ++i)
      EXPECT_EQ(all.order_unknown[i], frames_at[times[all.numbers[i] - 1]] > 1) << late << ", " << i;
  }
}

// With hostile time stamps, every frame is still read, and none is held too long.
TEST_P(TimeOrderOf, AnyTimesGiveEveryFrameOnce) {
  std::vector<std::int64_t> times;
  std::uint64_t random = 1;
  for (int i = 0; i < 3000; ++i) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    times.push_back(static_cast<std::int64_t>(random >> 36));
  }
  std::vector<std::uint64_t> numbers = read(times).numbers;
  std::ranges::sort(numbers);
  for (std::size_t i = 0; i < numbers.size(); ++i) EXPECT_EQ(numbers[i], i + 1);
}

INSTANTIATE_TEST_SUITE_P(Each, TimeOrderOf, ::testing::Values(Format::pcap, Format::pcapng, Format::by_libpcap));

}  // namespace
}  // namespace wirelaw::pcap::testing
