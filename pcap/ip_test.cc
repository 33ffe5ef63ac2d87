// SPDX-License-Identifier: Apache-2.0
#include "pcap/ip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "pcap/frame.h"
#include "pcap/read_all.h"

namespace wirelaw::pcap::testing {
namespace {

using ::testing::ElementsAre;

const OctetBuffer kPayload = hex("c0ffee");
const OctetBuffer kUdp = udp(kPayload);

OctetBuffer v4(const Ipv4& header, const OctetBuffer& payload) {
  return ethernet("0800", ipv4(header, payload));
}
OctetBuffer v6(const Ipv6& header, const OctetBuffer& payload) {
  return ethernet("86dd", ipv6(header, payload));
}

TEST(Ipv4Header, WithoutOptionsHasTwentyOctets) {
  const Reading reading = read_frame(v4({}, kUdp));
  ASSERT_EQ(reading.datagrams.size(), 1U);
  EXPECT_EQ(reading.datagrams[0].datagram.ip_version, 4);
  EXPECT_EQ(reading.datagrams[0].datagram.ip_header_octets, 20);
  EXPECT_EQ(reading.datagrams[0].datagram.frame_offset, 14U + 20 + 8);
  EXPECT_FALSE(reading.datagrams[0].datagram.reassembled);
}

TEST(Ipv4Header, OptionsArePassedOver) {
  const Reading reading = read_frame(v4({.options = hex("94040000 01010101")}, kUdp));  // router alert, padding
  ASSERT_EQ(reading.datagrams.size(), 1U);
  EXPECT_EQ(reading.datagrams[0].payload, kPayload);
  EXPECT_EQ(reading.datagrams[0].datagram.ip_header_octets, 28);
  EXPECT_EQ(reading.datagrams[0].datagram.frame_offset, 14U + 28 + 8);
}

TEST(Ipv4Header, EthernetPaddingDoesNotReachThePayload) {
  const Reading reading = read_frame(v4({}, kUdp) + hex("0000000000000000000000000000000000 deadbeef"));
  ASSERT_EQ(reading.datagrams.size(), 1U);
  EXPECT_EQ(reading.datagrams[0].payload, kPayload);
  EXPECT_EQ(reading.datagrams[0].datagram.wire_length, 3U);
}

TEST(Ipv4Header, LengthLessThanItsMinimumIsAProblem) {
  OctetBuffer frame = v4({}, kUdp);
  frame[14] = 0x44;
  EXPECT_THAT(read_frame(frame).problems,
              ElementsAre("frame 1, octet 14: the IPv4 header length is 16 octets, less than 20"));
}

TEST(Ipv4Header, OptionsBeyondTheFrameAreAProblem) {
  OctetBuffer frame = v4({}, kUdp);
  frame[14] = 0x4f;
  EXPECT_THAT(read_frame(frame).problems,
              ElementsAre("frame 1, octet 14: an IPv4 header here needs 60 octets, but only 31 are present"));
}

TEST(Ipv4Header, TotalLengthLessThanTheHeaderIsAProblem) {
  EXPECT_THAT(read_frames(1, {v4({.total_length = 19}, kUdp), v4({.total_length = 0}, kUdp)}).problems,
              ElementsAre("frame 1, octet 16: the IPv4 total length 19 is less than the header's 20 octets",
                          "frame 2, octet 16: the IPv4 total length 0 is less than the header's 20 octets"));
}

TEST(Ipv4Header, TotalLengthBeyondTheFrameIsAProblem) {
  EXPECT_THAT(read_frame(v4({.total_length = 32}, kUdp)).problems,
              ElementsAre("frame 1, octet 16: the IP header announces 32 octets, but the frame has 31"));
}

TEST(Ipv4Header, AnotherVersionThanAnnouncedIsAProblem) {
  EXPECT_THAT(read_frame(ethernet("0800", ipv6({}, kUdp))).problems,
              ElementsAre("frame 1, octet 14: the IP version is 6, the link layer announces 4"));
}

TEST(Ipv4Header, ThatEndsEarlyIsAProblem) {
  EXPECT_THAT(read_frame(ethernet("0800", hex("45000014 00000000 40110000 c0000201 c00002"))).problems,
              ElementsAre("frame 1, octet 14: an IPv4 header here needs 20 octets, but only 19 are present"));
}

TEST(Ipv4Header, OtherProtocolsAreCounted) {
  const Reading reading = read_frames(1, {v4({.protocol = 6}, tcp({}, {})), v4({.protocol = 1}, hex("0800")),
                                          v4({.protocol = 6, .total_length = 0}, tcp({}, {}))});
  EXPECT_EQ(reading.counts.tcp_segments, 2U) << "segmentation offload leaves a total length of 0";
  EXPECT_EQ(reading.counts.other, 1U);
  EXPECT_EQ(reading.counts.datagrams, 0U);
  EXPECT_EQ(reading.counts.frames, 3U);
}

TEST(Ipv6Header, HasFortyOctets) {
  const Reading reading = read_frame(v6({}, kUdp) + hex("0000"));
  ASSERT_EQ(reading.datagrams.size(), 1U);
  EXPECT_EQ(reading.datagrams[0].payload, kPayload);
  EXPECT_EQ(to_string(reading.datagrams[0].datagram.destination), "[2001:db8::2]:6000");
  EXPECT_EQ(reading.datagrams[0].datagram.ip_version, 6);
  EXPECT_EQ(reading.datagrams[0].datagram.ip_header_octets, 40);
  EXPECT_EQ(reading.datagrams[0].datagram.frame_offset, 14U + 40 + 8);
}

TEST(Ipv6Header, ExtensionHeadersArePassedOver) {
  const OctetBuffer hop_by_hop = hex("2b 00 0104 00000000");                        // next: routing
  const OctetBuffer routing = hex("3c 01 0000 00000000 0000000000000000");          // next: destination options
  const OctetBuffer destination = hex("33 00 0104 00000000");                       // next: AH
  const OctetBuffer authentication = hex("11 02 0000 00000001 00000001 00000000");  // (2 + 2) * 4 octets; next: UDP
  const Reading reading = read_frame(v6({.next = 0}, hop_by_hop + routing + destination + authentication + kUdp));
  ASSERT_EQ(reading.datagrams.size(), 1U) << ::testing::PrintToString(reading.problems);
  EXPECT_EQ(reading.datagrams[0].payload, kPayload);
  EXPECT_EQ(reading.datagrams[0].datagram.ip_header_octets, 40 + 8 + 16 + 8 + 16);
  EXPECT_EQ(reading.datagrams[0].datagram.frame_offset, 14U + 88 + 8);
}

TEST(Ipv6Header, AtomicFragmentIsAWholePacket) {
  const Reading reading = read_frame(v6({.next = 44}, fragment_header(17, 0, false, 7) + kUdp));
  ASSERT_EQ(reading.datagrams.size(), 1U);
  EXPECT_FALSE(reading.datagrams[0].datagram.reassembled);
  EXPECT_EQ(reading.datagrams[0].datagram.ip_header_octets, 48);
  EXPECT_EQ(reading.counts.fragments, 0U);
}

TEST(Ipv6Header, ExtensionHeaderBeyondThePayloadIsAProblem) {
  EXPECT_THAT(read_frames(1, {v6({.next = 60}, hex("11 02 0104 00000000")), v6({.next = 60}, hex("11")),
                              v6({.next = 44}, hex("1100"))})
                  .problems,
              ElementsAre("frame 1, octet 54: an IPv6 extension header needs 24 octets, but only 8 are present",
                          "frame 2, octet 54: an IPv6 extension header needs 8 octets, but only 1 are present",
                          "frame 3, octet 54: an IPv6 extension header needs 8 octets, but only 2 are present"));
}

TEST(Ipv6Header, ExtensionHeadersHaveABound) {
  OctetBuffer many;
  for (int i = 0; i < 17; ++i) many = many + hex("3c 00 0104 00000000");
  EXPECT_THAT(read_frame(v6({.next = 60}, many + kUdp)).problems,
              ElementsAre("frame 1, octet 182: there are more than 16 IPv6 extension headers"));
}

TEST(Ipv6Header, PayloadLengthBeyondTheFrameIsAProblem) {
  EXPECT_THAT(read_frame(v6({.payload_length = 12}, kUdp)).problems,
              ElementsAre("frame 1, octet 18: the IP header announces 52 octets, but the frame has 51"));
}

TEST(Ipv6Header, JumbogramWithoutItsLengthIsAProblem) {
  const OctetBuffer router_alert = hex("11 00 05020000 0100");  // RFC 2711
  EXPECT_THAT(read_frame(v6({.next = 0, .payload_length = 0}, router_alert + kUdp)).problems,
              ElementsAre("frame 1, octet 18: the IPv6 payload length is 0, and no jumbo payload option says how long "
                          "the packet is; see RFC 2675, section 2"));
}

TEST(Ipv6Header, ThatEndsEarlyIsAProblem) {
  const OctetBuffer whole = ipv6({}, {});
  EXPECT_THAT(read_frame(ethernet("86dd", {whole.begin(), whole.end() - 1})).problems,
              ElementsAre("frame 1, octet 14: an IPv6 header needs 40 octets, but only 39 are present"));
}

TEST(Ipv6Header, OtherProtocolsAreCounted) {
  const Reading reading = read_frames(1, {v6({.next = 6}, tcp({}, {})), v6({.next = 58}, hex("80")),
                                          v6({.next = 6, .payload_length = 0}, tcp({}, {})), v6({.next = 59}, {})});
  EXPECT_EQ(reading.counts.tcp_segments, 2U);
  EXPECT_EQ(reading.counts.other, 2U);
}

TEST(PacketTime, LeavesRoomForTheTimeBetweenAnyTwo) {
  constexpr std::int64_t kFirst = std::numeric_limits<std::int64_t>::min(),
                         kLast = std::numeric_limits<std::int64_t>::max(), kYear = 31'556'952'000'000'000;
  std::int64_t between = 0, deadline = 0;
  EXPECT_FALSE(
      __builtin_sub_overflow(packet_time_ns({.time_ns = kLast}), packet_time_ns({.time_ns = kFirst}), &between));
  EXPECT_FALSE(__builtin_add_overflow(packet_time_ns({.time_ns = kLast}), kYear, &deadline));
  for (const std::int64_t one : {std::int64_t{0}, std::int64_t{-1}, -70 * kYear, 100 * kYear})
    EXPECT_EQ(packet_time_ns({.time_ns = one}), one);
}

}  // namespace
}  // namespace wirelaw::pcap::testing
