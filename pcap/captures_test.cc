// SPDX-License-Identifier: Apache-2.0
// Real captures: what we read is what Wireshark reads.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "pcap/read_all.h"
#include "reference/octets/hex.h"

namespace wirelaw::pcap::testing {
namespace {

class Captures : public ::testing::TestWithParam<const char*> {};

TEST_P(Captures, HoldTheDatagramsThatWiresharkFinds) {
  if (!has_tshark()) GTEST_SKIP() << "tshark is not installed";
  const std::string path = std::string(WIRELAW_SOURCE_DIR "/corpora/captures/ramcloud/") + GetParam();
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
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
                           return name;
                         });

}  // namespace
}  // namespace wirelaw::pcap::testing
