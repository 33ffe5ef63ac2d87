// SPDX-License-Identifier: Apache-2.0
// Real captures: our reader and Wireshark read the same from them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <test_paths.h>

#include <array>
#include <filesystem>
#include <map>
#include <sstream>

#include "pcap/read_all.h"
#include "pcap/tcp_connection.h"
#include "pcap/tshark.h"
#include "reference/octets/hex.h"

namespace wirelaw::pcap::testing {
namespace {

const std::string kCaptures = WIRELAW_SOURCE_DIR "/corpora/captures/";

std::string name_of(const ::testing::TestParamInfo<const char*>& test) {
  std::string name = test.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
}

class Captures : public ::testing::TestWithParam<const char*> {};

TEST_P(Captures, HoldTheDatagramsThatWiresharkFinds) {
  if (!has_tshark()) GTEST_SKIP() << "tshark is not installed";
  const std::string path = kCaptures + "ramcloud/" + GetParam();
  const Reading reading = read_path(path);
  ASSERT_EQ(reading.refusal, "");
  EXPECT_EQ(reading.problem_count, 0U);
  std::string ours;
  for (const auto& [datagram, payload] : reading.datagrams)
    ours += fmt::format("{} {} {} {} {}\n", datagram.frame, datagram.source.port, datagram.destination.port,
                        datagram.wire_length + 8, to_hex(payload));
  const std::string theirs = run("tshark -n -r " + path +
                                 " -Y udp -T fields -E separator=' ' -e frame.number -e udp.srcport -e udp.dstport"
                                 " -e udp.length -e udp.payload 2>/dev/null");
  EXPECT_GT(reading.datagrams.size(), 5U);
  EXPECT_TRUE(ours == theirs) << "ours has " << ours.size() << " characters, Wireshark's " << theirs.size();
}

INSTANTIATE_TEST_SUITE_P(Ramcloud, Captures,
                         ::testing::Values("ramcloud-cpp2010-open-single.pcap", "ramcloud-cpp2016-channels.pcap",
                                           "ramcloud-cpp2016-loss-light-clientside.pcap",
                                           "ramcloud-cpp2016-open-single.pcap", "ramcloud-cpp2016-req100k.pcap"),
                         name_of);

// Both directions of one connection in hexadecimal digits. The first is the side whose SYN was captured first.
using Streams = std::array<std::string, 2>;

// Connections are numbered as in Wireshark, by their first segment.
std::vector<Streams> reassemble(const Reading& reading) {
  std::vector<std::pair<Endpoint, Endpoint>> names;
  std::vector<TcpConnection> connections;
  std::vector<Streams> streams;
  for (const auto& [segment, payload] : reading.segments) {
    std::size_t i = 0;
    while (i < names.size() && names[i] != std::pair(segment.source, segment.destination) &&
           names[i] != std::pair(segment.destination, segment.source))
      ++i;
    if (i == names.size()) {
      names.emplace_back(segment.source, segment.destination);
      connections.emplace_back();
      streams.emplace_back();
    }
    EXPECT_TRUE(connections[i].take(segment, segment.source == names[i].first, [&](const StreamPiece& piece) {
      EXPECT_NE(piece.event, StreamEvent::gap) << "frame " << piece.frame;
      EXPECT_TRUE(piece.from_start);
      std::string& stream = streams[i][piece.sender == Side::a ? 0 : 1];
      EXPECT_EQ(piece.offset, stream.size() / 2);
      stream += to_hex(piece.octets);
    }));
  }
  for (const TcpConnection& connection : connections) {
    EXPECT_TRUE(connection.over());
    EXPECT_EQ(connection.flaws().size(), 0U);
  }
  return streams;
}

// Returns the output of `tshark -z follow,tcp,raw`: a line for each run of octets; lines of the second side begin with
// a tab.
Streams followed(const std::string& path, std::size_t stream) {
  Streams streams;
  std::istringstream lines(
      run("tshark -n -r " + path + " -q -z follow,tcp,raw," + std::to_string(stream) + " 2>/dev/null"));
  for (std::string line; std::getline(lines, line);) {
    const bool second = line.starts_with('\t');
    if (second) line.erase(0, 1);
    if (line.find_first_not_of("0123456789abcdef") == std::string::npos) streams[second ? 1 : 0] += line;
  }
  return streams;
}

class TcpCaptures : public ::testing::TestWithParam<const char*> {};

TEST_P(TcpCaptures, HoldTheStreamsThatWiresharkFollows) {
  if (!has_tshark()) GTEST_SKIP() << "tshark is not installed";
  const std::string path = kCaptures + "iwarp/" + GetParam();
  const Reading reading = read_path(path);
  ASSERT_EQ(reading.refusal, "");
  EXPECT_EQ(reading.problem_count, 0U);
  const std::vector<Streams> ours = reassemble(reading);
  ASSERT_GT(ours.size(), 0U);
  for (std::size_t i = 0; i < ours.size(); ++i) {
    EXPECT_GT(ours[i][0].size(), 40U);
    EXPECT_EQ(ours[i], followed(path, i));
  }
  EXPECT_EQ(followed(path, ours.size()), Streams()) << "there are no more";
}

TEST_P(TcpCaptures, HoldTheSegmentsThatWiresharkFinds) {
  if (!has_tshark()) GTEST_SKIP() << "tshark is not installed";
  const std::string path = kCaptures + "iwarp/" + GetParam();
  std::string ours;
  for (const auto& [segment, payload] : read_path(path).segments)
    ours +=
        fmt::format("{} {} {} {} {} {:#06x} {} {} {} {}\n", segment.frame, segment.source.port,
                    segment.destination.port, segment.seq, segment.ack, segment.flags.bits, segment.window,
                    segment.header_octets, segment.wire_length, segment.mss == 0 ? "" : std::to_string(segment.mss));
  EXPECT_EQ(ours, run("tshark -n -r " + path +
                      " -o tcp.relative_sequence_numbers:FALSE -T fields -E separator=' ' -e frame.number"
                      " -e tcp.srcport -e tcp.dstport -e tcp.seq -e tcp.ack -e tcp.flags -e tcp.window_size_value"
                      " -e tcp.hdr_len -e tcp.len -e tcp.options.mss_val 2>/dev/null"));
}

INSTANTIATE_TEST_SUITE_P(Iwarp, TcpCaptures,
                         ::testing::Values("siw_ib_read_lat_n10.pcap", "siw_ib_write_lat_n10.pcap",
                                           "siw_reject_crc_strict.pcap", "siw_rping_C5_S1024.pcap",
                                           "siw_term_read-oob.pcap", "siw_term_send-long.pcap",
                                           "siwcrc_rping_C5_S1024.pcap"),
                         name_of);

// --- capinfos counts the same frames

TEST(CapturesOfTheTree, HaveAsManyFramesAsCapinfosCounts) {
  if (run("command -v capinfos").empty()) GTEST_SKIP() << "capinfos is not installed";
  std::vector<std::string> files;
  for (const char* folder : {"captures", "efa/conforming", "seeds/fuzz_capture"})
    for (const auto& file :
         std::filesystem::recursive_directory_iterator(std::string(WIRELAW_SOURCE_DIR "/corpora/") + folder))
      if (file.is_regular_file()) files.push_back(file.path().string());
  std::string command = "capinfos -M -T -r -c";
  for (const std::string& file : files) command += " '" + file + "'";
  std::istringstream lines(run(command + " 2>/dev/null"));  // no line for a broken file
  std::size_t compared = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t tab = line.find('\t');
    ASSERT_NE(tab, std::string::npos) << line;
    const Reading reading = read_path(line.substr(0, tab));
    if (reading.refusal.find("no IP can be read from link type") != std::string::npos) continue;
    EXPECT_EQ(line.substr(tab + 1), std::to_string(reading.counts.frames)) << line;
    ++compared;
  }
  EXPECT_GT(compared, 80U);
}

}  // namespace
}  // namespace wirelaw::pcap::testing
