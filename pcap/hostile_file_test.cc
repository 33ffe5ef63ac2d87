// SPDX-License-Identifier: Apache-2.0
// Files that end or break anywhere: complete frames before that place are delivered, and one problem reports the rest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <walked_part.h>

#include "pcap/read_all.h"

namespace wirelaw::pcap::testing {
namespace {

using ::testing::HasSubstr;

const OctetBuffer kFrame = ethernet("0800", ipv4({}, udp(hex("c0ffee"))));

// Octets of each record, and of what is before the first.
struct Shape {
  std::size_t header, record;
};

void expect_prefixes_to_read(const OctetBuffer& file, const Shape& shape, bool gzipped) {
  for (std::size_t size = 0; size < file.size(); size += kWalkedStep) {
    const OctetBuffer prefix(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    const Reading reading = read_octets(gzipped ? gzip(prefix) : prefix);
    if (size < shape.header) {
      EXPECT_NE(reading.refusal, "") << size;
      continue;
    }
    const std::size_t whole = (size - shape.header) / shape.record;
    const bool between = (size - shape.header) % shape.record == 0;
    EXPECT_EQ(reading.refusal, "") << size;
    EXPECT_EQ(reading.datagrams.size(), whole) << size;
    ASSERT_EQ(reading.problems.size(), between ? 0U : 1U) << size;
    if (between) continue;
    EXPECT_THAT(reading.problems[0], HasSubstr("nothing can be read after frame " + std::to_string(whole))) << size;
    EXPECT_THAT(reading.problems[0], HasSubstr("the end is missing")) << size;
    EXPECT_THAT(reading.problems[0], HasSubstr("octet " + std::to_string(size))) << size;
  }
}

TEST(HostileFile, PcapMayEndAtEveryOctet) {
  const OctetBuffer file = pcap_file({}, {kFrame, kFrame, kFrame});
  for (const bool gzipped : {false, true}) expect_prefixes_to_read(file, {24, 16 + kFrame.size()}, gzipped);
}

TEST(HostileFile, PcapngMayEndAtEveryOctet) {
  const std::vector<Record> records(3, {.octets = kFrame});
  const OctetBuffer file = pcapng_file({}, records, "comment");
  const std::size_t empty = pcapng_file({}, {}, "comment").size();
  for (const bool gzipped : {false, true}) expect_prefixes_to_read(file, {empty, (file.size() - empty) / 3}, gzipped);
}

TEST(HostileFile, GzipMayEndAtEveryOctet) {
  const OctetBuffer file = gzip(pcapng_file({}, std::vector<Record>(3, {.octets = kFrame}), "comment"));
  for (std::size_t size = 2; size < file.size(); size += kWalkedStep) {
    const Reading reading = read_octets({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)});
    const std::string said = reading.problems.empty() ? reading.refusal : reading.problems[0];
    EXPECT_THAT(said, HasSubstr("the gzip stream ends before its end mark")) << size;
    EXPECT_LE(reading.problems.size(), 1U) << size;
  }
}

TEST(HostileFile, EveryOctetMayBeAnything) {
  const std::vector<Record> records(2, {.octets = kFrame});
  for (const OctetBuffer& file : {pcap_file({}, records), pcapng_file({.big_endian = true}, records, "comment")})
    for (std::size_t at = 0; at < file.size(); at += kWalkedStep)
      for (const Octet value : hex("00 01 7f 80 ff")) {
        OctetBuffer damaged = file;
        damaged[at] = value;
        const Reading reading = read_octets(damaged);
        EXPECT_LE(reading.datagrams.size(), 2U);
      }
}

TEST(HostileFile, NonsenseLengthsEndTheReadingWithOneProblem) {
  const OctetBuffer good = pcap_file({}, {kFrame});
  const Reading huge_record = read_octets(good + hex("00000000 00000000 ffffffff ffffffff 00"));
  EXPECT_EQ(huge_record.datagrams.size(), 1U);
  ASSERT_EQ(huge_record.problems.size(), 1U);
  EXPECT_THAT(huge_record.problems[0], HasSubstr("invalid packet capture length 4294967295"));

  const OctetBuffer good_ng = pcapng_file({}, {{.octets = kFrame}});
  for (const char* length : {"ffffffff", "fcffffff", "00000000", "0b000000", "0d000000", "10000000"}) {
    const Reading reading = read_octets(good_ng + hex("06000000") + hex(length) + hex("00000000 00000000"));
    EXPECT_EQ(reading.datagrams.size(), 1U) << length;
    EXPECT_EQ(reading.problems.size(), 1U) << length;
  }
}

TEST(HostileFile, DamagedGzipGivesWhatStoodBefore) {
  std::vector<OctetBuffer> frames;
  for (unsigned i = 0; i < 20000; ++i)
    frames.push_back(ethernet("0800", ipv4({.id = i & 0xffff}, udp(be32(i * 2654435761U)))));
  OctetBuffer file = gzip(pcap_file({}, frames));
  for (std::size_t at = file.size() / 2; at < file.size() / 2 + 64; ++at) file[at] = 0xff;
  const Reading reading = read_octets(file);
  EXPECT_GT(reading.datagrams.size(), 100U);
  EXPECT_LT(reading.counts.frames, 20000U);
  EXPECT_GE(reading.problem_count, 1U);
}

}  // namespace
}  // namespace wirelaw::pcap::testing
