// SPDX-License-Identifier: Apache-2.0
// For tests: libpcap alone and Reader read the same from a file, in either order of frames.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <walked_part.h>

#include <map>
#include <string>
#include <vector>

#include "pcap/libpcap_values.h"
#include "pcap/read_all.h"
#include "pcap/reader.h"

namespace wirelaw::pcap::testing {

struct Seen {
  std::int64_t time_ns;
  OctetBuffer octets;
  std::uint32_t wire_length;

  bool operator==(const Seen&) const = default;
};

// The frames of a file and the problem at its end; only the problem if the file was refused.
struct All {
  bool refused = false;
  std::vector<Seen> frames = {};
  std::string end = {};
};

inline All by_libpcap(const std::string& path, const OctetBuffer& file) {
  char error[PCAP_ERRBUF_SIZE] = {};
  pcap_t* const capture = pcap_open_offline_with_tstamp_precision(path.c_str(), PCAP_TSTAMP_PRECISION_NANO, error);
  if (capture == nullptr) return {.refused = true};
  All all;
  pcap_pkthdr* header = nullptr;
  const u_char* octets = nullptr;
  int status = 0;
  while ((status = pcap_next_ex(capture, &header, &octets)) == 1)
    all.frames.push_back(
        {nanoseconds(header->ts, file), {octets, octets + header->caplen}, std::max(header->len, header->caplen)});
  if (status != PCAP_ERROR_BREAK) all.end = pcap_geterr(capture);
  pcap_close(capture);
  return all;
}

inline All by_reader(const std::string& path, bool in_time_order) {
  auto reader = Reader::open(path);
  if (!reader) return {.refused = true};
  if (in_time_order) reader->read_in_time_order();
  std::map<std::uint64_t, Seen> frames;  // by frame number
  Frame frame;
  while (reader->next(frame)) {
    EXPECT_TRUE(in_time_order || frame.number == frames.size() + 1);
    frames[frame.number] = {frame.time_ns, {frame.octets.begin(), frame.octets.end()}, frame.wire_length};
  }
  All all;
  for (auto& [number, seen] : frames) {
    EXPECT_EQ(number, all.frames.size() + 1);
    all.frames.push_back(std::move(seen));
  }
  EXPECT_EQ(reader->frames(), all.frames.size());
  if (reader->problem()) all.end = reader->problem()->message;
  return all;
}

// libpcap refused a mixture that Reader reads: interfaces of different link types or snap lengths, or sections of
// different byte orders.
inline bool refuses_a_mixture(const All& of_libpcap) {
  return of_libpcap.end.find("different from") != std::string::npos ||
         of_libpcap.end.find("block size 469762048") != std::string::npos;  // 28 in the other byte order
}

inline void expect_same(const OctetBuffer& file, const std::string& what) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("t.pcap", file);
  const All expected = by_libpcap(path, file);
  for (const bool in_time_order : {false, true}) {
    const All got = by_reader(path, in_time_order);
    ASSERT_EQ(got.refused, expected.refused) << what;
    if (refuses_a_mixture(expected)) {
      ASSERT_GE(got.frames.size(), expected.frames.size()) << what;
      EXPECT_TRUE(std::equal(expected.frames.begin(), expected.frames.end(), got.frames.begin())) << what;
      continue;
    }
    EXPECT_EQ(got.frames, expected.frames) << what << expected.end;
    EXPECT_EQ(got.end.empty(), expected.end.empty()) << what;
    EXPECT_THAT(got.end, ::testing::EndsWith(expected.end)) << what;
  }
}

// Compares the file cut off at every octet.
inline void expect_same_wherever_it_ends(const OctetBuffer& file) {
  for (std::size_t size = 0; size <= file.size(); size += kWalkedStep)
    expect_same({file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size)}, std::to_string(size));
}

// Compares the file with every octet changed to each of `values`.
inline void expect_same_whatever_one_octet_is(const OctetBuffer& file, const OctetBuffer& values) {
  for (std::size_t at = 0; at < file.size(); at += kWalkedStep)
    for (const Octet value : values) {
      OctetBuffer damaged = file;
      damaged[at] = value;
      expect_same(damaged, std::to_string(at) + " is " + std::to_string(value));
    }
}

}  // namespace wirelaw::pcap::testing
