// SPDX-License-Identifier: Apache-2.0
// Records read without libpcap equal those read by libpcap, for complete and for damaged files.
#include "pcap/pcap_records.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>

#include "pcap/same_as_libpcap.h"

namespace wirelaw::pcap::testing {
namespace {

constexpr bool kBigEndian = std::endian::native == std::endian::big;

// Records of different lengths, one of them empty, and one cut by the snap length.
std::vector<Record> records() {
  return {{.octets = hex("00112233445566")}, {.octets = {}}, {.octets = OctetBuffer(70, 7), .wire_length = 1000}};
}

TEST(PcapRecords, AreThoseOfLibpcapWhereverTheFileEnds) {
  for (const bool nanoseconds : {false, true}) {
    const OctetBuffer file = pcap_file({.big_endian = kBigEndian, .nanoseconds = nanoseconds}, records());
    ASSERT_TRUE(has_plain_records(file));
    expect_same_wherever_it_ends(file);
  }
}

TEST(PcapRecords, AreThoseOfLibpcapWhateverOneOctetIs) {
  expect_same_whatever_one_octet_is(pcap_file({}, records()), hex("00 01 02 03 04 7f 80 ff"));
}

// Also those that libpcap reads, because their octet order is the other one.
TEST(PcapRecords, HaveUnsignedTimes) {
  constexpr std::uint32_t kSeconds = 0xf0000000, kFraction = 0xe0000000;
  for (const bool is_big_endian : {false, true})
    for (const bool has_nanoseconds : {false, true}) {
      const TemporaryDirectory directory;
      const OctetBuffer file = pcap_file({.big_endian = is_big_endian, .nanoseconds = has_nanoseconds},
                                         {{.octets = hex("0011"), .seconds = kSeconds, .fraction = kFraction}});
      expect_same(file, "whole");
      const All got = by_reader(directory.write("t.pcap", file), false);
      ASSERT_EQ(got.frames.size(), 1u);
      const std::int64_t fraction_ns = std::int64_t{kFraction} * (has_nanoseconds ? 1 : 1'000);
      EXPECT_EQ(got.frames[0].time_ns, std::int64_t{kSeconds} * 1'000'000'000 + fraction_ns) << is_big_endian;
    }
}

TEST(PcapRecords, LongerThanTheBufferAreReadAsWell) {
  OctetBuffer long_one(200'000);
  for (std::size_t i = 0; i < long_one.size(); ++i) long_one[i] = static_cast<Octet>(i * 7);
  std::vector<Record> several;
  for (std::size_t i = 0; i < 5; ++i)
    for (const std::size_t size : {std::size_t{60}, long_one.size() - i, 3 * i})
      several.push_back({.octets = {long_one.begin(), long_one.begin() + static_cast<std::ptrdiff_t>(size)}});
  const OctetBuffer file = pcap_file({}, several);
  const TemporaryDirectory directory;
  EXPECT_EQ(by_reader(directory.write("t.pcap", file), false).frames.size(), several.size());
  expect_same(file, "whole");
}

TEST(PcapRecords, AreLeftToLibpcapFromTheFirstThatIsLongerThanTheFileSays) {
  OctetBuffer file = pcap_file({}, records());
  file[16] = 40;  // the snap length; the third record has more
  file[17] = file[18] = file[19] = 0;
  const TemporaryDirectory directory;
  const All got = by_reader(directory.write("t.pcap", file), false);
  ASSERT_EQ(got.frames.size(), 3U);
  EXPECT_EQ(got.frames[2].octets.size(), 40U);
  expect_same(file, "snap length of 40");
}

TEST(PcapRecords, ComeOutOfALivePipeAsSoonAsTheyAreThere) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("named", {});
  ASSERT_EQ(unlink(path.c_str()), 0);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int both = open(path.c_str(), O_RDWR);  // opened for both, so that neither end waits for the other
  const OctetBuffer file = pcap_file({}, records());
  const auto in_part = static_cast<ssize_t>(file.size() - 1);
  ASSERT_EQ(write(both, file.data(), file.size() - 1), in_part);
  auto reader = Reader::open(path);
  ASSERT_TRUE(reader);
  Frame frame;
  EXPECT_TRUE(reader->next(frame));
  EXPECT_TRUE(reader->next(frame));
  ASSERT_EQ(write(both, &file.back(), 1), 1);
  EXPECT_TRUE(reader->next(frame));
  EXPECT_EQ(frame.octets.size(), 70U);
  close(both);
}

TEST(PcapRecords, AreNotThoseOfAnotherByteOrderOrVersion) {
  EXPECT_FALSE(has_plain_records(pcap_file({.big_endian = !kBigEndian}, records())));
  OctetBuffer older = pcap_file({.big_endian = kBigEndian}, records());
  older[kBigEndian ? 7 : 6] = 3;
  EXPECT_FALSE(has_plain_records(older));
  EXPECT_FALSE(has_plain_records(Octets(older).first(23)));
  EXPECT_FALSE(has_plain_records(pcapng_file({}, records(), "comment")));
}

}  // namespace
}  // namespace wirelaw::pcap::testing
