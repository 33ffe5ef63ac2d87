// SPDX-License-Identifier: Apache-2.0
#include "pcap/exported_pdu.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <test_paths.h>

#include <random>

#include "pcap/read_all.h"
#include "pcap/synthesis.h"
#include "pcap/tshark.h"
#include "pcap/writer.h"
#include "reference/octets/hex.h"

namespace wirelaw::pcap::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string kCaptures = WIRELAW_SOURCE_DIR "/corpora/captures/efa/";
const OctetBuffer kPayload = hex("c0ffee");
const OctetBuffer kName = hex("000c 0008 6566615f72646d00");  // "efa_rdm"
const OctetBuffer kSource = hex("0016 0010 fe80000000000000000000007f170002");
const OctetBuffer kDestination = hex("0017 0010 fe80000000000000000000007f170001");
const OctetBuffer kPorts = hex("0019 0004 0000d27c  001a 0004 0000e4f0");
const OctetBuffer kEnd = hex("0000 0000");
const OctetBuffer kTags = kName + kSource + kDestination + kPorts + kEnd;

Reading read_pdus(const std::vector<OctetBuffer>& frames) {
  return read_frames(kLinkTypeExportedPdu, frames);
}

// Names are views into frames that have gone when the whole file is read.
std::string name_of(const OctetBuffer& frame) {
  Datagram datagram;
  EXPECT_FALSE(decode_exported_pdu(frame, static_cast<std::uint32_t>(frame.size()), datagram));
  return std::string(datagram.dissector);
}

TEST(ExportedPdu, GivesItsEndsItsNameAndItsPayload) {
  const Reading reading = read_pdus({kTags + kPayload, kTags});
  ASSERT_EQ(reading.datagrams.size(), 2U);
  const auto& [datagram, payload] = reading.datagrams[0];
  EXPECT_EQ(to_string(datagram.source), "[fe80::7f17:2]:53884");
  EXPECT_EQ(to_string(datagram.destination), "[fe80::7f17:1]:58608");
  EXPECT_EQ(payload, kPayload);
  EXPECT_EQ(datagram.wire_length, 3U);
  EXPECT_EQ(datagram.frame, 1U);
  EXPECT_EQ(datagram.frame_offset, kTags.size());
  EXPECT_EQ(datagram.time_ns, 1'600'000'000'123'456'000);
  EXPECT_EQ(datagram.ip_version, 0);
  EXPECT_TRUE(datagram.is_pdu);
  EXPECT_EQ(reading.datagrams[1].payload, OctetBuffer{});
  EXPECT_EQ(name_of(kTags), "efa_rdm");
  EXPECT_THAT(reading.problems, ElementsAre());
  EXPECT_EQ(reading.counts.pdus, 2U);
  EXPECT_EQ(reading.counts.datagrams, 0U);
}

TEST(ExportedPdu, HasIpv4EndsToo) {
  const OctetBuffer tags = hex("0014 0004 c0000201  0015 0004 c0000202");
  const Reading reading = read_pdus({kName + tags + kPorts + kEnd + kPayload});
  ASSERT_EQ(reading.datagrams.size(), 1U);
  EXPECT_EQ(to_string(reading.datagrams[0].datagram.source), "192.0.2.1:53884");
  EXPECT_EQ(to_string(reading.datagrams[0].datagram.destination), "192.0.2.2:58608");
}

TEST(ExportedPdu, TagsStandInAnyOrderAndUnknownOnesArePassedOver) {
  const OctetBuffer others =
      hex("0018 0004 00000003"  // port type
          "001e 0004 00000007"  // original frame number
          "ffff 0003 aabbcc"    // an unknown tag; the next one follows without padding
          "0022 0015 000100000000000000000000000000000000000000"  // TCP's data
          "0025 0000");                                           // without a value
  const Reading reading = read_pdus({kPorts + others + kDestination + kSource + kName + kEnd + kPayload});
  ASSERT_EQ(reading.datagrams.size(), 1U);
  EXPECT_EQ(reading.datagrams[0].payload, kPayload);
  EXPECT_EQ(to_string(reading.datagrams[0].datagram.source), "[fe80::7f17:2]:53884");
}

TEST(ExportedPdu, LastOfEqualTagsHolds) {
  const OctetBuffer again = hex("000c 0004 646e7300  0014 0004 c0000201  0019 0004 00000007");
  const Reading reading = read_pdus({kName + kSource + kDestination + kPorts + again + kEnd + kPayload});
  ASSERT_EQ(reading.datagrams.size(), 1U);
  EXPECT_EQ(to_string(reading.datagrams[0].datagram.source), "192.0.2.1:7");
  EXPECT_EQ(name_of(kName + kSource + kDestination + kPorts + again + kEnd), "dns");
}

TEST(ExportedPdu, NameEndsAtAZeroOrWithItsTag) {
  const OctetBuffer rest = kSource + kDestination + kPorts + kEnd;
  EXPECT_EQ(name_of(hex("000c 0004 65666131") + rest), "efa1");
  EXPECT_EQ(name_of(hex("000c 0007 6566615f72646d") + rest), "efa_rdm");
  EXPECT_EQ(name_of(hex("000c 0008 6566610072646d00") + rest), "efa");
  EXPECT_EQ(name_of(hex("000c 0000") + rest), "");
  EXPECT_EQ(name_of(hex("000d 0004 61626300") + rest), "abc") << "of a heuristic dissector";
  EXPECT_EQ(name_of(hex("000e 0004 61626300") + rest), "abc") << "of a table of dissectors";
  EXPECT_EQ(name_of(rest), "") << "nobody named one";
}

TEST(ExportedPdu, MissingEndIsSaidToBeMissing) {
  const Reading reading =
      read_pdus({kName + kDestination + kPorts + kEnd + kPayload, kName + kSource + kPorts + kEnd,
                 kName + kSource + kDestination + hex("001a 0004 00000001") + kEnd,
                 kName + kSource + kDestination + hex("0019 0004 00000001") + kEnd, kEnd + kPayload});
  EXPECT_EQ(reading.datagrams.size(), 0U);
  EXPECT_EQ(reading.counts.malformed, 5U);
  ASSERT_EQ(reading.problems.size(), 5U);
  const char* const kMissing[] = {"source address (20 IPv4, 22 IPv6)", "destination address (21 IPv4, 23 IPv6)",
                                  "source port (25)", "destination port (26)", "source address"};
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_THAT(reading.problems[i],
                HasSubstr(fmt::format("frame {}, octet 0: no tag of the exported PDU has its {}", i + 1, kMissing[i])));
    EXPECT_THAT(reading.problems[i], HasSubstr("; without it the packet cannot be assigned to a peer")) << "the hint";
  }
}

TEST(ExportedPdu, TagsThatAreCutAreProblems) {
  const OctetBuffer all = kName + kSource + kDestination + kPorts;
  const Reading reading =
      read_pdus({{}, hex("000c 00"), hex("000c 0008 6566615f72646d"), all, all + hex("0000"), hex("000c ffff") + all});
  EXPECT_EQ(reading.datagrams.size(), 0U);
  EXPECT_EQ(reading.counts.malformed, 6U);
  EXPECT_THAT(
      reading.problems,
      ElementsAre(HasSubstr("frame 1, octet 0: an exported PDU's tags do not end: tag 0 is missing; export"),
                  HasSubstr("frame 2, octet 0: a tag of an exported PDU needs 4 octets, but only 3 are "
                            "present; export"),
                  HasSubstr("frame 3, octet 0: the value of an exported PDU's tag needs 8 octets, but only 7 "
                            "are present"),
                  HasSubstr("frame 4, octet 68: an exported PDU's tags do not end: tag 0 is missing"),
                  HasSubstr("frame 5, octet 68: a tag of an exported PDU needs 4 octets, but only 2 are present"),
                  HasSubstr("frame 6, octet 0: the value of an exported PDU's tag needs 65535 octets, but "
                            "only 68 are present")));
}

TEST(ExportedPdu, TagsOfAWrongLengthAreProblems) {
  const auto with = [](const OctetBuffer& tag) { return kName + tag + kSource + kEnd; };
  const Reading reading = read_pdus({with(hex("0014 0003 c00002")), with(hex("0015 0008 c000020200000000")),
                                     with(hex("0016 0004 fe800000")), with(hex("0017 0000")),
                                     with(hex("0019 0002 1388")), with(hex("001a 0005 0000138800"))});
  EXPECT_EQ(reading.datagrams.size(), 0U);
  constexpr std::size_t kLengths[][2] = {{3, 4}, {8, 4}, {4, 16}, {0, 16}, {2, 4}, {5, 4}};
  ASSERT_EQ(reading.problems.size(), std::size(kLengths));
  for (std::size_t i = 0; i < std::size(kLengths); ++i)
    EXPECT_THAT(
        reading.problems[i],
        HasSubstr(fmt::format("frame {}, octet 12: an exported PDU's tag has a value of {} octets instead of {}", i + 1,
                              kLengths[i][0], kLengths[i][1])));
}

TEST(ExportedPdu, TheNumberOfAQueuePairMayBeLongerThanAPort) {
  const OctetBuffer ports = hex("0019 0004 00010000  001a 0004 00ffffff");
  const Reading reading = read_pdus({kName + kSource + kDestination + ports + kEnd});
  ASSERT_EQ(reading.datagrams.size(), 1U);
  EXPECT_EQ(reading.datagrams[0].datagram.source.port, 0x10000U);
  EXPECT_EQ(reading.datagrams[0].datagram.destination.port, 0xffffffU);
}

TEST(ExportedPdu, MalformedFrameDoesNotStopTheRest) {
  const Reading reading = read_pdus({hex("00"), kTags + hex("01"), kEnd, kTags + hex("02")});
  ASSERT_EQ(reading.datagrams.size(), 2U);
  EXPECT_EQ(reading.datagrams[0].datagram.frame, 2U);
  EXPECT_EQ(reading.datagrams[1].datagram.frame, 4U);
}

TEST(ExportedPdu, CutBySnapLengthIsAProblemOfTheCapture) {
  const OctetBuffer whole = kTags + hex("00010203040506070809");
  const auto length = static_cast<std::uint32_t>(whole.size());
  for (std::size_t captured = 0; captured < whole.size(); ++captured) {
    const OctetBuffer cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(captured));
    const Reading reading = read_octets(
        pcap_file({.link_type = kLinkTypeExportedPdu}, std::vector<Record>{{.octets = cut, .wire_length = length}}));
    ASSERT_EQ(reading.problems.size(), 1U) << captured;
    EXPECT_THAT(reading.problems[0], HasSubstr("(the snap length cut the frame)")) << captured;
    EXPECT_EQ(reading.counts.malformed, 0U) << captured;
    const bool is_delivered = captured >= kTags.size();
    EXPECT_EQ(reading.counts.headers_cut, is_delivered ? 0U : 1U) << captured;
    EXPECT_EQ(reading.counts.payloads_cut, is_delivered ? 1U : 0U) << captured;
    ASSERT_EQ(reading.datagrams.size(), is_delivered ? 1U : 0U) << captured;
    if (!is_delivered) continue;
    EXPECT_EQ(reading.datagrams[0].datagram.wire_length, 10U);
    EXPECT_EQ(reading.datagrams[0].payload.size(), captured - kTags.size());
  }
}

TEST(ExportedPdu, EveryOctetOfTheTagsMayBeAnything) {
  const OctetBuffer good = kTags + kPayload;
  for (std::size_t at = 0; at < good.size(); ++at)
    for (unsigned value = 0; value < 256; ++value) {
      OctetBuffer damaged = good;
      damaged[at] = static_cast<Octet>(value);
      Datagram datagram;
      const Flaw found = decode_exported_pdu(damaged, static_cast<std::uint32_t>(damaged.size()), datagram);
      if (found) {
        EXPECT_LE(found.offset, damaged.size());
        EXPECT_NE(message(found), "");
      } else {
        EXPECT_EQ(datagram.frame_offset + datagram.payload.size(), damaged.size());
        EXPECT_EQ(datagram.payload.data(), damaged.data() + datagram.frame_offset);
      }
    }
}

TEST(ExportedPdu, AnyOctetsAreReadOrRefused) {
  std::mt19937 random(252);
  unsigned read = 0;
  for (unsigned round = 0; round < 20'000; ++round) {
    // Tags that are sometimes right, in any number and order.
    OctetBuffer frame;
    for (auto tags = random() % 9; tags > 0; --tags) {
      const OctetBuffer& tag = *std::array{&kName, &kSource, &kDestination, &kPorts, &kEnd}[random() % 5];
      frame = frame + tag;
      if (random() % 8 == 0) frame[random() % frame.size()] = static_cast<Octet>(random());
    }
    if (random() % 2 == 0) frame = kName + kSource + kDestination + kPorts + frame;
    if (!frame.empty() && random() % 4 == 0) frame.resize(random() % frame.size());
    Datagram datagram;
    const auto wire_length = static_cast<std::uint32_t>(frame.size() + random() % 2);
    const Flaw found = decode_exported_pdu(frame, wire_length, datagram);
    EXPECT_LE(found.offset, frame.size());
    if (found && found.fault != Fault::payload_cut) continue;
    ++read;
    EXPECT_EQ(datagram.frame_offset + datagram.wire_length, wire_length);
    EXPECT_EQ(datagram.frame_offset + datagram.payload.size(), frame.size());
  }
  EXPECT_GT(read, 1000U);
}

TEST(ExportedPdu, WhatIsSynthesisedComesBack) {
  const Endpoint ends[] = {*parse_endpoint("192.0.2.1:5000"), *parse_endpoint("[fe80::7f17:2]:65535")};
  for (const char* name : {"a", "efa", "efa1", "efa_rdm", "a_dissector_of_some_length"})
    for (const Endpoint& source : ends)
      for (const Endpoint& destination : ends) {
        OctetBuffer frame = hex("ff");
        ASSERT_TRUE(synthesise_pdu(name, source, destination, kPayload, frame));
        EXPECT_EQ((frame.size() - kPayload.size()) % 4, 0U);
        Datagram datagram;
        ASSERT_FALSE(decode_exported_pdu(frame, static_cast<std::uint32_t>(frame.size()), datagram));
        EXPECT_EQ(datagram.dissector, name);
        EXPECT_EQ(datagram.source, source);
        EXPECT_EQ(datagram.destination, destination);
        EXPECT_EQ(OctetBuffer(datagram.payload.begin(), datagram.payload.end()), kPayload);
      }
  OctetBuffer frame;
  ASSERT_TRUE(synthesise_pdu("efa_rdm", *parse_endpoint("[fe80::7f17:2]:53884"),
                             *parse_endpoint("[fe80::7f17:1]:58608"), kPayload, frame));
  EXPECT_EQ(to_hex(frame), to_hex(kTags + kPayload)) << "as deployed captures have it";
}

TEST(ExportedPdu, NameThatNoDissectorHasIsRefused) {
  OctetBuffer frame;
  for (const std::string& name : {std::string(), std::string(65533, 'a'), std::string("a\0b", 3)})
    EXPECT_THAT(synthesise_pdu(name, {}, {}, {}, frame).error(), HasSubstr("no dissector has such a name"));
  EXPECT_TRUE(synthesise_pdu(std::string(65532, 'a'), {}, {}, {}, frame));
}

TEST(ExportedPdu, IsWrittenWithCommentsAndReadAgain) {
  const TemporaryDirectory directory;
  const std::string path = directory.path("t.pcapng");
  const std::vector<std::string> comments{"found"};
  const Endpoint a = *parse_endpoint("[fe80::7f17:2]:53884"), b = *parse_endpoint("[fe80::7f17:1]:58608");
  auto writer = Writer::create(path);
  ASSERT_TRUE(writer && writer->write_pdu("efa_rdm", a, b, 1'600'000'000'123'456'789, kPayload, comments));
  ASSERT_TRUE(writer->write_pdu("efa_rdm", b, a, 1'600'000'001'000'000'000, hex("01")) && writer->commit());
  EXPECT_EQ(writer->frames(), 2U);
  const Reading reading = read_path(path);
  ASSERT_EQ(reading.datagrams.size(), 2U) << reading.refusal;
  EXPECT_EQ(reading.datagrams[0].datagram.source, a);
  EXPECT_EQ(reading.datagrams[0].datagram.time_ns, 1'600'000'000'123'456'789);
  EXPECT_EQ(reading.datagrams[0].payload, kPayload);
  EXPECT_EQ(reading.datagrams[1].datagram.source, b);
  EXPECT_FALSE(Writer::create(directory.path("u"))->write_pdu("", a, b, 0, {}));
  if (!has_tshark()) GTEST_SKIP() << "tshark is not installed: what it reads is not compared";
  EXPECT_EQ(run("tshark -n -r " + path +
                " -T fields -E separator=' ' -e frame.comment -e exported_pdu.prot_name -e exported_pdu.ipv6_src"
                " -e exported_pdu.ipv6_dst -e exported_pdu.src_port -e exported_pdu.dst_port"
                " -e exported_pdu.exported_pdu 2>/dev/null"),
            "found efa_rdm fe80::7f17:2 fe80::7f17:1 53884 58608 c0ffee\n"
            " efa_rdm fe80::7f17:1 fe80::7f17:2 58608 53884 01\n");
}

// Compares PDUs with the fields of exported PDUs that Wireshark shows.
class EfaCaptures : public ::testing::TestWithParam<const char*> {};

TEST_P(EfaCaptures, HoldThePdusThatWiresharkFinds) {
  if (!has_tshark()) GTEST_SKIP() << "tshark is not installed";
  const std::string path = kCaptures + GetParam() + ".pcap";
  auto reader = PacketReader::open(path);
  ASSERT_TRUE(reader);
  std::string ours;
  Datagram datagram;
  Segment segment;
  while (reader->next(datagram, segment) == Transport::pdu)
    ours += fmt::format("{} {} {} {} {} {} {}\n", datagram.frame, datagram.dissector,
                        to_string(datagram.source.address), to_string(datagram.destination.address),
                        datagram.source.port, datagram.destination.port, to_hex(datagram.payload));
  EXPECT_EQ(reader->problem_count(), 0U);
  EXPECT_GT(reader->counts().pdus, 5U);
  const std::string theirs =
      run("tshark -n -r " + path +
          " -T fields -E separator=' ' -e frame.number -e exported_pdu.prot_name -e exported_pdu.ipv6_src"
          " -e exported_pdu.ipv6_dst -e exported_pdu.src_port -e exported_pdu.dst_port"
          " -e exported_pdu.exported_pdu 2>/dev/null");
  EXPECT_TRUE(ours == theirs) << "ours has " << ours.size() << " characters, Wireshark's " << theirs.size();
}

INSTANTIATE_TEST_SUITE_P(Real, EfaCaptures,
                         ::testing::Values("efa-1170-01-handshake", "efa-1170-02-eager", "efa-1170-05-write"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace wirelaw::pcap::testing
