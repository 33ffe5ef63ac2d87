// SPDX-License-Identifier: Apache-2.0
#include "pcap/mpacket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "pcap/mpacket_builder.h"
#include "pcap/read_all.h"

namespace wirelaw::pcap::testing {
namespace {

using ::testing::IsEmpty;
using Outcome = MpacketReassembly::Outcome;

const OctetBuffer kMpacketPreamble = hex("555555555555");
const OctetBuffer kMpacketPayload(300, 0xab);
const OctetBuffer kMpacketFrame = ethernet("0800", {}) + ipv4({}, udp(kMpacketPayload));

void expect_datagrams(const std::vector<OctetBuffer>& frames, std::size_t count) {
  const Reading reading = read_frames(kLinkTypeMpacket, frames);
  ASSERT_EQ(reading.datagrams.size(), count);
  for (const Received& one : reading.datagrams) EXPECT_EQ(one.payload, kMpacketPayload);
  EXPECT_EQ(reading.counts.unread.suspects(), 0U);
  EXPECT_EQ(reading.counts.abandoned, 0U);
  EXPECT_THAT(reading.problems, IsEmpty());
}

TEST(Mpacket, OfAPreemptableFrameThatIsNotFragmentedIsRead) {
  for (std::size_t number = 0; number < 4; ++number)
    expect_datagrams({mpacket_fragments(kMpacketFrame, {}, number)[0], express_mpacket(kMpacketFrame)}, 2);
  const Reading reading = read_frames(kLinkTypeMpacket, {mpacket_fragments(kMpacketFrame, {}, 2)[0]});
  ASSERT_EQ(reading.datagrams.size(), 1U);
  EXPECT_EQ(reading.datagrams[0].datagram.frame_offset, 8 + kMpacketFrame.size() - kMpacketPayload.size());
}

TEST(Mpacket, ThatAreFragmentsAreOneFrame) {
  for (std::size_t number = 0; number < 4; ++number) {
    expect_datagrams(mpacket_fragments(kMpacketFrame, {64}, number), 1);
    expect_datagrams(mpacket_fragments(kMpacketFrame, {60, 124, 188, 252, 316}, number), 1);  // the counts go round
  }
  const Reading reading = read_frames(kLinkTypeMpacket, mpacket_fragments(kMpacketFrame, {64, 128}));
  ASSERT_EQ(reading.datagrams.size(), 1U);
  const Datagram& datagram = reading.datagrams[0].datagram;
  EXPECT_EQ(datagram.frame, 3U) << "the frame that completed it";
  EXPECT_TRUE(datagram.reassembled);
  EXPECT_EQ(datagram.frame_offset, 0U);
  EXPECT_EQ(reading.counts.fragments, 3U);
}

TEST(Mpacket, OfExpressFramesMayPassBetweenFragments) {
  const auto parts = mpacket_fragments(kMpacketFrame, {64, 128});
  expect_datagrams({parts[0], express_mpacket(kMpacketFrame), parts[1], express_mpacket(kMpacketFrame),
                    express_mpacket(kMpacketFrame), parts[2]},
                   4);
  const OctetBuffer verify = kMpacketPreamble + hex("5507") + OctetBuffer(60) + hex("00000000");
  expect_datagrams({parts[0], verify, parts[1], parts[2]}, 1);
}

TEST(Mpacket, ThatIsMissingOrDamagedMakesTheFrameUnread) {
  const auto parts = mpacket_fragments(kMpacketFrame, {64, 128, 192});
  for (std::size_t lost = 0; lost < parts.size(); ++lost) {
    SCOPED_TRACE(lost);
    std::vector<OctetBuffer> frames = parts;
    frames.erase(frames.begin() + static_cast<std::ptrdiff_t>(lost));
    Reading reading = read_frames(kLinkTypeMpacket, frames);
    EXPECT_THAT(reading.datagrams, IsEmpty());
    EXPECT_GT(reading.counts.unread.suspects() + reading.counts.abandoned, 0U);
    frames = parts;
    frames[lost][20] ^= 1;
    reading = read_frames(kLinkTypeMpacket, frames);
    EXPECT_THAT(reading.datagrams, IsEmpty());
    EXPECT_GT(reading.counts.unread.suspects(), 0U);
    frames = parts;
    frames[lost].resize(frames[lost].size() - 1);  // as a snap length cuts it
    EXPECT_THAT(read_frames(kLinkTypeMpacket, frames).datagrams, IsEmpty());
  }
  std::vector<OctetBuffer> doubled = parts;
  doubled.insert(doubled.begin() + 1, parts[1]);
  EXPECT_THAT(read_frames(kLinkTypeMpacket, doubled).datagrams, IsEmpty());
}

TEST(Mpacket, OfTheNextFrameEndsTheOneBefore) {
  const auto first = mpacket_fragments(kMpacketFrame, {64}, 0), second = mpacket_fragments(kMpacketFrame, {100}, 1);
  const Reading reading = read_frames(kLinkTypeMpacket, {first[0], second[0], second[1], first[1]});
  EXPECT_EQ(reading.datagrams.size(), 1U);
  EXPECT_EQ(reading.counts.abandoned, 1U);
  EXPECT_EQ(reading.counts.unread.text(), "1 frame of preemptable frames whose fragments are not all there");
}

TEST(Mpacket, ThatEndsEarlyIsNoFrame) {
  for (const char* octets : {"", "55", "55555555555555", "555555555555 61", "5555555555555555", "555555555555 61 00",
                             "555555555555 55e6", "555555555555 55e6 00000000", "555555555555 61e6", "00"})
    EXPECT_THAT(read_frames(kLinkTypeMpacket, {hex(octets)}).datagrams, IsEmpty()) << octets;
}

TEST(MpacketReassembly, KeepsInterfacesApart) {
  const auto parts = mpacket_fragments(kMpacketFrame, {64});
  MpacketReassembly reassembly;
  EXPECT_EQ(reassembly.take(parts[0], 0), Outcome::fragment);
  EXPECT_EQ(reassembly.take(parts[1], 1), Outcome::lost);
  EXPECT_EQ(reassembly.take(parts[1], 0), Outcome::completed);
  EXPECT_EQ(reassembly.octets().size(), kMpacketFrame.size() + kFrameCheckOctets);
  EXPECT_TRUE(std::ranges::equal(reassembly.octets().first(kMpacketFrame.size()), kMpacketFrame));
}

TEST(MpacketReassembly, HoldsAFewBoundedFrames) {
  MpacketReassembly reassembly;
  const auto parts = mpacket_fragments(kMpacketFrame, {64});
  for (std::uint32_t interface = 0; interface < 1000; ++interface)
    EXPECT_EQ(reassembly.take(parts[0], interface), Outcome::fragment);
  EXPECT_EQ(reassembly.abandoned(), 1000 - MpacketReassembly::kMostInterfaces);
  reassembly.finish();
  EXPECT_EQ(reassembly.abandoned(), 1000U);
  const OctetBuffer large(3 * MpacketReassembly::kMostOctets / 4);
  const auto halves = mpacket_fragments(large + large, {large.size()});
  EXPECT_EQ(reassembly.take(halves[0], 0), Outcome::fragment);
  EXPECT_EQ(reassembly.take(halves[1], 0), Outcome::lost);
}

TEST(MpacketReassembly, TakesAnyOctets) {
  std::mt19937 random(1);
  MpacketReassembly reassembly;
  const auto parts = mpacket_fragments(kMpacketFrame, {64, 128});
  std::uint64_t completed = 0;
  for (int round = 0; round < 20'000; ++round) {
    OctetBuffer octets = parts[random() % parts.size()];
    if (random() % 4 == 0) octets[random() % octets.size()] ^= static_cast<Octet>(1U << random() % 8);
    if (random() % 8 == 0) octets.resize(random() % octets.size());
    if (reassembly.take(octets, random() % 3) != Outcome::completed) continue;
    ++completed;
    EXPECT_TRUE(is_whole_frame(reassembly.octets()));
  }
  EXPECT_GT(completed, 0U);
}

}  // namespace
}  // namespace wirelaw::pcap::testing
