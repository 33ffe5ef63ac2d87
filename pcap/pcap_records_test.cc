// SPDX-License-Identifier: Apache-2.0
// Reading records without libpcap gives what libpcap gives, of whole files and of damaged ones.
#include "pcap/pcap_records.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pcap/pcap.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pcap/read_all.h"
#include "pcap/reader.h"

namespace wirelaw::pcap::testing {
namespace {

using ::testing::EndsWith;

struct Seen {
  std::int64_t time_ns;
  OctetBuffer octets;
  std::uint32_t wire_length;

  bool operator==(const Seen&) const = default;
};

// The frames of a file, and what was said at its end; nothing else where it was refused.
struct All {
  bool refused = false;
  std::vector<Seen> frames = {};
  std::string end = {};
};

All by_libpcap(const std::string& path) {
  char error[PCAP_ERRBUF_SIZE] = {};
  pcap_t* const file = pcap_open_offline_with_tstamp_precision(path.c_str(), PCAP_TSTAMP_PRECISION_NANO, error);
  if (file == nullptr) return {.refused = true};
  All all;
  pcap_pkthdr* header = nullptr;
  const u_char* octets = nullptr;
  int status = 0;
  while ((status = pcap_next_ex(file, &header, &octets)) == 1)
    all.frames.push_back({std::int64_t{header->ts.tv_sec} * 1'000'000'000 + header->ts.tv_usec,
                          {octets, octets + header->caplen},
                          std::max(header->len, header->caplen)});
  if (status != PCAP_ERROR_BREAK) all.end = pcap_geterr(file);
  pcap_close(file);
  return all;
}

All by_reader(const std::string& path) {
  auto reader = Reader::open(path);
  if (!reader) return {.refused = true};
  All all;
  Frame frame;
  while (reader->next(frame)) {
    EXPECT_EQ(frame.number, all.frames.size() + 1);
    all.frames.push_back({frame.time_ns, {frame.octets.begin(), frame.octets.end()}, frame.wire_length});
  }
  EXPECT_EQ(reader->frames(), all.frames.size());
  if (reader->problem()) all.end = reader->problem()->message;
  return all;
}

void expect_same(const OctetBuffer& file, const std::string& what) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("t.pcap", file);
  const All expected = by_libpcap(path), got = by_reader(path);
  ASSERT_EQ(got.refused, expected.refused) << what;
  EXPECT_EQ(got.frames, expected.frames) << what;
  EXPECT_EQ(got.end.empty(), expected.end.empty()) << what;
  EXPECT_THAT(got.end, EndsWith(expected.end)) << what;
}

// Of different lengths, one of nothing, one that was cut.
std::vector<Record> records() {
  return {{.octets = hex("00112233445566")}, {.octets = {}}, {.octets = OctetBuffer(70, 7), .wire_length = 1000}};
}

TEST(PcapRecords, AreThoseOfLibpcapWhereverTheFileEnds) {
  for (const bool nanoseconds : {false, true}) {
    const OctetBuffer file = pcap_file({.nanoseconds = nanoseconds}, records());
    ASSERT_TRUE(has_plain_records(file));
    for (std::size_t size = 0; size <= file.size(); ++size)
      expect_same({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)}, std::to_string(size));
  }
}

TEST(PcapRecords, AreThoseOfLibpcapWhateverOneOctetIs) {
  const OctetBuffer file = pcap_file({}, records());
  for (std::size_t at = 0; at < file.size(); ++at)
    for (const Octet value : hex("00 01 02 03 04 7f 80 ff")) {
      OctetBuffer damaged = file;
      damaged[at] = value;
      expect_same(damaged, std::to_string(at) + " is " + std::to_string(value));
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
  EXPECT_EQ(by_reader(directory.write("t.pcap", file)).frames.size(), several.size());
  expect_same(file, "whole");
}

TEST(PcapRecords, AreLeftToLibpcapFromTheFirstThatIsLongerThanTheFileSays) {
  OctetBuffer file = pcap_file({}, records());
  file[16] = 40;  // the snap length; the third record has more
  file[17] = file[18] = file[19] = 0;
  const TemporaryDirectory directory;
  const All got = by_reader(directory.write("t.pcap", file));
  ASSERT_EQ(got.frames.size(), 3U);
  EXPECT_EQ(got.frames[2].octets.size(), 40U);
  expect_same(file, "snap length of 40");
}

TEST(PcapRecords, ComeOutOfALivePipeAsSoonAsTheyAreThere) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("named", {});
  ASSERT_EQ(unlink(path.c_str()), 0);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  const int both = open(path.c_str(), O_RDWR);  // so that neither end waits for the other
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
  EXPECT_FALSE(has_plain_records(pcap_file({.big_endian = true}, records())));
  OctetBuffer older = pcap_file({}, records());
  older[6] = 3;
  EXPECT_FALSE(has_plain_records(older));
  EXPECT_FALSE(has_plain_records(Octets(older).first(23)));
  EXPECT_FALSE(has_plain_records(pcapng_file({}, records(), "comment")));
}

}  // namespace
}  // namespace wirelaw::pcap::testing
