// SPDX-License-Identifier: Apache-2.0
#include "pcap/writer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "pcap/pcapng_format.h"
#include "pcap/read_all.h"
#include "pcap/synthesis.h"
#include "pcap/tcp_connection.h"
#include "pcap/tcp_synthesis.h"
#include "pcap/tshark.h"
#include "reference/octets/hex.h"

namespace wirelaw::pcap::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Endpoint kClient = *parse_endpoint("192.0.2.1:5000"), kServer = *parse_endpoint("192.0.2.2:21201");
const Endpoint kClient6 = *parse_endpoint("[2001:db8::1]:5000"), kServer6 = *parse_endpoint("[2001:db8::2]:21201");

TEST(Writer, WritesTheseOctets) {
  const TemporaryDirectory directory;
  const std::vector<std::string> section{"iut"}, comments{"one", "four"};
  auto writer = Writer::create(directory.path("t.pcapng"), section);
  ASSERT_TRUE(writer);
  const OctetBuffer octets = hex("c0ffee");
  const Frame frame{.number = 9, .time_ns = 0x0102030405060708, .link_type = 101, .octets = octets, .wire_length = 5};
  ASSERT_TRUE(writer->write_frame(frame, comments) && writer->commit());
  EXPECT_EQ(writer->frames(), 1U);
  EXPECT_EQ(to_hex(read_file(directory.path("t.pcapng"))),
            to_hex(hex("0a0d0d0a 34000000 4d3c2b1a 0100 0000 ffffffffffffffff"
                       "  0100 0300 69757400  0400 0700 776972656c617700  0000 0000  34000000"
                       "01000000 20000000 6500 0000 00000000  0900 0100 09000000  0000 0000  20000000"
                       "06000000 38000000 00000000 04030201 08070605 03000000 05000000 c0ffee00"
                       "  0100 0300 6f6e6500  0100 0400 666f7572  0000 0000  38000000")));
}

TEST(Writer, KeepsFramesOnTheirNamedInterfaces) {
  const TemporaryDirectory directory;
  const std::string path = directory.path("t.pcapng");
  auto writer = Writer::create(path);
  ASSERT_TRUE(writer);
  EXPECT_EQ(writer->add_interface(kLinkTypeEthernet, "near").value(), 0U);
  EXPECT_EQ(writer->add_interface(kLinkTypeEthernet, "far").value(), 1U);
  const OctetBuffer octets = hex("c0ffee");
  for (const std::uint32_t interface : {1U, 0U, 1U})
    ASSERT_TRUE(writer->write_frame_of({.interface = interface, .octets = octets}));
  EXPECT_FALSE(writer->write_frame_of({.interface = 2, .octets = octets}));
  writer->say_complete();
  ASSERT_TRUE(writer->commit());
  auto reader = Reader::open(path);
  ASSERT_TRUE(reader);
  std::vector<std::uint32_t> interfaces;
  for (Frame frame; reader->next(frame);) {
    EXPECT_EQ(frame.link_type, kLinkTypeEthernet);
    interfaces.push_back(frame.interface);
  }
  EXPECT_THAT(interfaces, ElementsAre(1U, 0U, 1U));
  EXPECT_TRUE(reader->statistics()->is_complete(3));
  EXPECT_THAT(to_hex(read_file(path)), HasSubstr(to_hex(hex("0200 0400 6e656172"))));
}

TEST(Writer, DatagramsComeBackThroughTheReader) {
  const TemporaryDirectory directory;
  const std::string path = directory.path("t.pcapng");
  const std::vector<std::string> section{"iut=192.0.2.2:21201"};
  auto writer = Writer::create(path, section);
  ASSERT_TRUE(writer && writer->write_datagram(kClient, kServer, 1'600'000'000'123'456'789, hex("c0ffee")));
  ASSERT_TRUE(writer->write_datagram(kServer6, kClient6, 0, {}) && writer->commit());
  const Reading reading = read_path(path);
  ASSERT_EQ(reading.datagrams.size(), 2U);
  EXPECT_EQ(reading.datagrams[0].datagram.source, kClient);
  EXPECT_EQ(reading.datagrams[0].datagram.destination, kServer);
  EXPECT_EQ(reading.datagrams[0].datagram.time_ns, 1'600'000'000'123'456'789);
  EXPECT_EQ(reading.datagrams[0].payload, hex("c0ffee"));
  EXPECT_EQ(reading.datagrams[1].datagram.source, kServer6);
  EXPECT_EQ(reading.datagrams[1].datagram.destination, kClient6);
  EXPECT_EQ(Reader::open(path)->section_comment(), section[0]);
}

// Writes a small connection; each step is one frame.
tl::expected<void, Problem> write_connection(Writer& writer, const Endpoint& a, const Endpoint& b, TcpSynthesis tcp,
                                             const std::vector<std::string>& comments) {
  const OctetBuffer question = hex("c0ffee"), answer(TcpSynthesis::kMaxPayload, 0x5a);
  return writer.write_segment(a, b, 1000, tcp.syn(true, 1460), {})
      .and_then([&] { return writer.write_segment(b, a, 2000, tcp.syn(false), {}); })
      .and_then([&] { return writer.write_segment(a, b, 3000, tcp.acknowledge(true), {}); })
      .and_then([&] { return writer.write_segment(a, b, 4000, tcp.data(true, 3), question, comments); })
      .and_then([&] { return writer.write_segment(b, a, 5000, tcp.data(false, answer.size()), answer); })
      .and_then([&] { return writer.write_segment(b, a, 6000, tcp.fin(false), {}); })
      .and_then([&] { return writer.write_segment(a, b, 7000, tcp.rst(true), {}); });
}

TEST(Writer, SegmentsComeBackThroughTheReader) {
  for (const auto& [a, b] : {std::pair(kClient, kServer), std::pair(kClient6, kServer6)}) {
    const TemporaryDirectory directory;
    auto writer = Writer::create(directory.path("t"));
    for (const std::uint32_t number : {0U, 1U, 0xffffffffU})
      ASSERT_TRUE(write_connection(*writer, a, b, TcpSynthesis(number), {}));
    EXPECT_EQ(writer->frames(), 21U);
    ASSERT_TRUE(writer->commit());
    const Reading reading = read_path(directory.path("t"));
    EXPECT_EQ(reading.problem_count, 0U);
    ASSERT_EQ(reading.segments.size(), 21U);
    for (std::size_t connection = 0; connection < 3; ++connection) {
      TcpConnection reassembly;
      std::string delivered;
      for (std::size_t i = 0; i < 7; ++i) {
        const Segment& segment = reading.segments[7 * connection + i].segment;
        EXPECT_EQ(segment.time_ns, static_cast<std::int64_t>(1000 * (i + 1)));
        EXPECT_TRUE(segment.source == a ? segment.destination == b : segment.source == b && segment.destination == a);
        ASSERT_TRUE(reassembly.take(segment, segment.source == a, [&](const StreamPiece& piece) {
          delivered += fmt::format("{}{} {}+{} mss {} frame {}\n", piece.sender == Side::a ? 'A' : 'B',
                                   static_cast<int>(piece.event), piece.offset, piece.octets.size() + piece.missing,
                                   piece.mss, piece.frame - 7 * connection);
        }));
      }
      EXPECT_EQ(delivered,
                "A0 0+0 mss 1460 frame 1\nB0 0+0 mss 65495 frame 2\nA1 0+3 mss 0 frame 4\n"
                "B1 0+61440 mss 0 frame 5\nB3 61440+0 mss 0 frame 6\nA4 3+0 mss 0 frame 7\n");
    }
    // The next connection between the same ports is a different one.
    TcpConnection first;
    const auto pass_over = [](const StreamPiece&) {};
    for (std::size_t i = 0; i < 7; ++i)
      ASSERT_TRUE(first.take(reading.segments[i].segment, reading.segments[i].segment.source == a, pass_over));
    EXPECT_FALSE(first.take(reading.segments[7].segment, true, pass_over));
  }
}

TEST(Writer, SameConnectionGivesTheSameOctets) {
  const TemporaryDirectory directory;
  for (const char* name : {"a", "b"}) {
    auto writer = Writer::create(directory.path(name));
    ASSERT_TRUE(write_connection(*writer, kClient, kServer, TcpSynthesis(7), {"comment"}) && writer->commit());
  }
  EXPECT_EQ(read_file(directory.path("a")), read_file(directory.path("b")));
}

TEST(Writer, SegmentsThatCannotBeAreRefused) {
  const TemporaryDirectory directory;
  auto writer = Writer::create(directory.path("t"));
  TcpSynthesis tcp(1);
  EXPECT_THAT(writer->write_segment(kClient, kServer6, 0, tcp.syn(true), {}).error().message,
              HasSubstr("a segment cannot go from 192.0.2.1:5000 to [2001:db8::2]:21201"));
  EXPECT_EQ(writer->write_segment(kClient, kServer, 0, tcp.data(true, 65496), OctetBuffer(65496)).error().message,
            "a payload of 65496 octets is longer than the 65495 that a TCP segment over IPv4 has");
  EXPECT_EQ(writer->frames(), 0U);
}

TEST(Writer, WiresharkFindsNothingWrongWithSegments) {
  if (!has_tshark()) GTEST_SKIP() << "tshark is not installed";
  const TemporaryDirectory directory;
  auto writer = Writer::create(directory.path("t"));
  ASSERT_TRUE(write_connection(*writer, kClient, kServer, TcpSynthesis(0x12345), {"finding"}));
  ASSERT_TRUE(write_connection(*writer, kClient6, kServer6, TcpSynthesis(0xffffffff), {}) && writer->commit());
  const std::string tshark = "tshark -n -r " + directory.path("t") +
                             " -o ip.check_checksum:TRUE -o tcp.check_checksum:TRUE -T fields -E separator=' '";
  EXPECT_EQ(
      run(tshark + " -e frame.number -e tcp.checksum.status -e tcp.seq -e tcp.ack -e tcp.flags.str -e tcp.len"
                   " -e frame.comment -Y tcp.stream==0 2>/dev/null"),
      "1 1 0 0 ··········S· 0 \n2 1 0 1 ·······A··S· 0 \n3 1 1 1 ·······A···· 0 \n4 1 1 1 ·······AP··· 3 finding\n"
      "5 1 1 4 ·······AP··· 61440 \n6 1 61441 4 ·······A···F 0 \n7 1 4 61442 ·······A·R·· 0 \n");
  EXPECT_EQ(run(tshark + " -e frame.number -Y 'tcp.analysis.flags || tcp.checksum.status != 1' 2>/dev/null"), "")
      << "no retransmission, no loss, no wrong checksum";
}

TEST(Writer, CopyOfACopyIsTheSame) {
  const TemporaryDirectory directory;
  const OctetBuffer octets = ethernet("0800", ipv4({}, udp(hex("c0ffee"))));
  std::string from = directory.write("a", pcapng_file({.big_endian = true}, {{.octets = octets, .wire_length = 99}}));
  for (const char* name : {"b", "c"}) {
    auto reader = Reader::open(from);
    auto writer = Writer::create(from = directory.path(name));
    ASSERT_TRUE(reader && writer);
    for (Frame frame; reader->next(frame);) ASSERT_TRUE(writer->write_frame(frame));
    ASSERT_TRUE(writer->commit());
  }
  EXPECT_EQ(read_file(directory.path("b")), read_file(directory.path("c")));
  auto reader = Reader::open(from);
  Frame frame;
  ASSERT_TRUE(reader->next(frame));
  EXPECT_EQ(OctetBuffer(frame.octets.begin(), frame.octets.end()), octets);
  EXPECT_EQ(frame.wire_length, 99U);
}

TEST(Writer, FileWithoutFramesIsStillACapture) {
  const TemporaryDirectory directory;
  ASSERT_TRUE(Writer::create(directory.path("t"))->commit());
  const Reading reading = read_path(directory.path("t"));
  EXPECT_EQ(reading.refusal, "");
  EXPECT_EQ(reading.counts.frames, 0U);
}

TEST(Writer, TimesBefore1970Become1970) {
  const TemporaryDirectory directory;
  auto writer = Writer::create(directory.path("t"));
  ASSERT_TRUE(writer->write_datagram(kClient, kServer, -1, {}) && writer->commit());
  EXPECT_EQ(read_path(directory.path("t")).datagrams[0].datagram.time_ns, 0);
}

TEST(Writer, LongestPayloadsAreWrittenAndLongerOnesRefused) {
  const TemporaryDirectory directory;
  auto writer = Writer::create(directory.path("t"));
  ASSERT_TRUE(writer->write_datagram(kClient, kServer, 0, OctetBuffer(65507)));
  ASSERT_TRUE(writer->write_datagram(kClient6, kServer6, 0, OctetBuffer(65527)));
  const auto refused = writer->write_datagram(kClient, kServer, 0, OctetBuffer(65508));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "a payload of 65508 octets is longer than the 65507 that a UDP datagram over IPv4 has");
  EXPECT_FALSE(writer->write_datagram(kClient6, kServer6, 0, OctetBuffer(65528)));
  ASSERT_TRUE(writer->commit()) << "what was refused is not in the file, the rest is";
  const Reading reading = read_path(directory.path("t"));
  ASSERT_EQ(reading.datagrams.size(), 2U);
  EXPECT_EQ(reading.datagrams[1].payload.size(), 65527U);
}

TEST(Writer, RefusesWhatHasNoFormInTheFile) {
  const TemporaryDirectory directory;
  auto writer = Writer::create(directory.path("t"));
  EXPECT_THAT(writer->write_datagram(kClient, kServer6, 0, {}).error().message,
              HasSubstr("a datagram cannot go from 192.0.2.1:5000 to [2001:db8::2]:21201"));
  EXPECT_THAT(writer->write_frame({.link_type = 65536}).error().message, HasSubstr("link type 65536 has no number"));
  EXPECT_THAT(writer->write_frame({.link_type = -1}).error().message, HasSubstr("link type -1 has no number"));
  const OctetBuffer endless((std::size_t{128} << 20) + 1);
  EXPECT_THAT(writer->write_frame({.link_type = 1, .octets = endless}).error().message, HasSubstr("too long"));
  EXPECT_FALSE(Writer::create(directory.path("none/t")));
}

TEST(Writer, FullDiskIsAnErrorThatNamesTheFile) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  auto writer = Writer::create("/dev/full");
  ASSERT_TRUE(writer);
  EXPECT_THAT(to_string(writer->flush().error()), HasSubstr("/dev/full: cannot be written: No space left"));
  EXPECT_FALSE(writer->write_datagram(kClient, kServer, 0, {}));
  EXPECT_FALSE(writer->commit());
  const std::vector<std::string> endless(2, std::string(65535, 'x'));
  EXPECT_FALSE(Writer::create("/dev/full", endless)) << "the section header alone is too long";
}

TEST(Writer, LongCommentsAreCutBetweenCharacters) {
  const TemporaryDirectory directory;
  const std::vector<std::string> comments{std::string(65534, 'x') + "\xc3\xa9"};  // é would be cut in two
  auto writer = Writer::create(directory.path("t"));
  ASSERT_TRUE(writer->write_datagram(kClient, kServer, 0, {}, comments) && writer->commit());
  const OctetBuffer file = read_file(directory.path("t"));
  const OctetBuffer expected = hex("0100 feff") + text(std::string(10, 'x'));
  EXPECT_NE(std::search(file.begin(), file.end(), expected.begin(), expected.end()), file.end());
  EXPECT_EQ(std::count(file.begin(), file.end(), 0xc3), 0);
}

TEST(Writer, CommentsOfOnePacketHaveABound) {
  const TemporaryDirectory directory;
  const std::vector<std::string> comments(100, std::string(65535, 'x'));
  auto writer = Writer::create(directory.path("t"));
  ASSERT_TRUE(writer->write_datagram(kClient, kServer, 0, {}, comments) && writer->commit());
  EXPECT_LT(std::filesystem::file_size(directory.path("t")), kMaxCommentOctets + 1000);
  const OctetBuffer file = read_file(directory.path("t"));
  const OctetBuffer last = text("85 more comments were left out");
  EXPECT_NE(std::search(file.begin(), file.end(), last.begin(), last.end()), file.end());
  EXPECT_EQ(read_path(directory.path("t")).datagrams.size(), 1U);
}

TEST(Writer, WiresharkReadsCommentsLinksAndChecksums) {
  if (!has_tshark()) GTEST_SKIP() << "tshark is not installed";
  const TemporaryDirectory directory;
  const std::vector<std::string> section{"whole"}, comments{"first finding", "second finding"};
  auto writer = Writer::create(directory.path("t"), section);
  ASSERT_TRUE(writer->write_datagram(kClient, kServer, 1'000'000'001, hex("c0ffee"), comments));
  ASSERT_TRUE(writer->write_datagram(kClient6, kServer6, 2'000'000'000, hex("01020304")));
  const OctetBuffer raw = ipv4({}, udp(hex("aa")));
  ASSERT_TRUE(writer->write_frame({.time_ns = 0, .link_type = 101, .octets = raw}) && writer->commit());
  const std::string tshark = "tshark -n -r " + directory.path("t") +
                             " -o ip.check_checksum:TRUE -o udp.check_checksum:TRUE -T fields -E separator=' '";
  std::string shown = run(tshark +
                          " -e frame.time_epoch -e ip.checksum.status -e udp.checksum.status -e udp.payload"
                          " -e frame.comment 2>/dev/null");
  std::erase(shown, '\\');  // Wireshark 4.4 escapes a space in a value
  EXPECT_EQ(shown,
            "1.000000001 1 1 c0ffee first finding,second finding\n"
            "2.000000000  1 01020304 \n"
            "0.000000000 0 3 aa \n");
  EXPECT_THAT(run("capinfos -k " + directory.path("t") + " 2>/dev/null"), ::testing::AnyOf("", HasSubstr("whole")));
}

// The sum is 0 here. In UDP, 0 means that there is no checksum, so 0xffff is sent instead (RFC 768).
TEST(Synthesis, ChecksumIsNeverZero) {
  OctetBuffer frame;
  for (std::size_t value = 0; value < 65536; ++value) {
    ASSERT_TRUE(synthesise_datagram(kClient, kServer, be16(value), frame));
    ASSERT_NE(load_big_endian<std::uint16_t>(frame.data() + 14 + 20 + 6), 0) << value;
  }
}

}  // namespace
}  // namespace wirelaw::pcap::testing
