// SPDX-License-Identifier: Apache-2.0
// Reads a whole capture into memory, for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pcap/frame_builder.h"
#include "pcap/packet_reader.h"
#include "pcap/temporary_directory.h"

namespace wirelaw::pcap::testing {

struct Received {
  Datagram datagram;    // its payload is no longer valid
  OctetBuffer payload;  // a copy of the payload
};

struct ReceivedSegment {
  Segment segment;  // its payload is a view of a copy here
  OctetBuffer payload;
};

struct Reading {
  std::vector<Received> datagrams;
  std::vector<ReceivedSegment> segments;
  std::vector<std::string> problems;  // as lines without the file's name
  std::uint64_t problem_count = 0;
  Counts counts;
  std::string refusal;  // why the file could not be opened
};

inline Reading read_path(const std::string& path, const ReadOptions& options = {}) {
  Reading reading;
  auto reader = PacketReader::open(path, options);
  if (!reader) {
    reading.refusal = to_string(reader.error()).substr(path.size() + 2);
    return reading;
  }
  Datagram datagram;
  Segment segment;
  for (Transport found; (found = reader->next(datagram, segment)) != Transport::none;) {
    if (found != Transport::tcp) {
      reading.datagrams.push_back({datagram, {datagram.payload.begin(), datagram.payload.end()}});
    } else {
      reading.segments.push_back({segment, {segment.payload.begin(), segment.payload.end()}});
      reading.segments.back().segment.payload = reading.segments.back().payload;
    }
  }
  EXPECT_EQ(reader->next(datagram, segment), Transport::none) << "the end is final";
  for (const Problem& problem : reader->problems()) {
    EXPECT_EQ(problem.file, path);
    reading.problems.push_back(to_string(problem).substr(path.size() + 2));
  }
  reading.problem_count = reader->problem_count();
  reading.counts = reader->counts();
  const Counts& counts = reading.counts;
  EXPECT_EQ(counts.frames + counts.reassembled, counts.datagrams + counts.tcp_segments + counts.pdus + counts.other +
                                                    counts.malformed + counts.headers_cut + counts.fragments)
      << "every frame is counted once";
  EXPECT_EQ(counts.datagrams + counts.pdus, reading.datagrams.size());
  EXPECT_EQ(counts.tcp_segments, reading.segments.size());
  return reading;
}

inline Reading read_octets(const OctetBuffer& file, const ReadOptions& options = {}) {
  const TemporaryDirectory directory;
  return read_path(directory.write("t.pcap", file), options);
}

inline Reading read_frames(int link_type, const std::vector<OctetBuffer>& frames) {
  return read_octets(pcap_file({.link_type = link_type}, frames));
}

// Reads one Ethernet frame.
inline Reading read_frame(const OctetBuffer& frame) {
  return read_frames(1, {frame});
}

}  // namespace wirelaw::pcap::testing
