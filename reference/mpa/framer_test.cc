// SPDX-License-Identifier: Apache-2.0
#include "reference/mpa/framer.h"

#include <gtest/gtest.h>

#include <array>

#include "reference/octets/crc32c.h"
#include "reference/octets/hex.h"

namespace wirelaw::mpa {
namespace {

// The ULPDU of the examples in RFC 5044, 4.4: a Send of 24 zero octets.
OctetBuffer example_ulpdu(unsigned msn) {
  OctetBuffer ulpdu = *from_hex("4143 00000000 00000000 00000000 00000000");
  ulpdu[13] = static_cast<Octet>(msn);
  ulpdu.resize(42);
  return ulpdu;
}

OctetBuffer framed(Framer& framer, Octets ulpdu, const FramingFaults& faults = {}) {
  OctetBuffer out;
  framer.frame(ulpdu, out, faults);
  return out;
}

TEST(Framer, WritesTheFirstExampleOfTheSpecification) {
  Framer framer(/*markers=*/true, /*crc=*/true);
  const OctetBuffer out = framed(framer, example_ulpdu(1));
  EXPECT_EQ(to_hex(out),
            "00000000"
            "002a"
            "4143"
            "00000000"
            "00000000"
            "00000001"
            "00000000" +
                std::string(48, '0') + "52239983");
  EXPECT_EQ(framer.position(), 0x34u);
}

TEST(Framer, WritesTheSecondExampleOfTheSpecificationWithAMarkerInside) {
  Framer framer(true, true);
  // A first FPDU that ends at 0x1ec, its marker included.
  framed(framer, OctetBuffer(0x1ec - kMarkerOctets - kLengthOctets - kCrcOctets));
  ASSERT_EQ(framer.position(), 0x1ecu);
  EXPECT_EQ(to_hex(framed(framer, example_ulpdu(2))),
            "002a"
            "4143"
            "00000000"
            "00000000"
            "00000002"
            "00000000"
            "00000014" +
                std::string(48, '0') + "84925898");
}

TEST(Framer, PadsToAMultipleOfFour) {
  for (std::size_t length = 0; length < 9; ++length) {
    Framer framer(false, true);
    const OctetBuffer out = framed(framer, OctetBuffer(length, 0xff));
    EXPECT_EQ(out.size() % 4, 0u);
    EXPECT_EQ(out.size(), fpdu_octets(length));
    EXPECT_EQ(load_big_endian<std::uint16_t>(out.data()), length);
    for (std::size_t at = kLengthOctets + length; at < out.size() - kCrcOctets; ++at) EXPECT_EQ(out[at], 0);
    EXPECT_EQ(load_little_endian<std::uint32_t>(&out[out.size() - kCrcOctets]),
              crc32c(Octets(out).first(out.size() - kCrcOctets)));
  }
}

TEST(Framer, LeavesTheCrcZeroWhereCrcsAreNotInUse) {
  Framer framer(false, false);
  EXPECT_EQ(to_hex(framed(framer, *from_hex("0102"))),
            "0002"
            "0102"
            "00000000");
}

TEST(Framer, PutsAMarkerAtEvery512thOctetOfTheStream) {
  Framer framer(true, true);
  OctetBuffer stream;
  std::vector<std::size_t> begins;
  for (std::size_t length = 0; length < 1600; length += 13) {
    begins.push_back(stream.size() + (stream.size() % kMarkerInterval == 0 ? kMarkerOctets : 0));
    framer.frame(OctetBuffer(length, 0xee), stream);
  }
  ASSERT_GT(stream.size(), 50000u);
  for (std::size_t at = 0; at < stream.size(); at += kMarkerInterval) {
    // The FPDU that contains the marker is the last one that begins before it; or, with a pointer of zero, the one that
    // begins right after it.
    std::size_t holder = 0;
    for (const std::size_t begin : begins)
      if (begin <= at + kMarkerOctets) holder = begin;
    EXPECT_EQ(load_big_endian<std::uint16_t>(&stream[at]), 0);
    EXPECT_EQ(load_big_endian<std::uint16_t>(&stream[at + 2]), holder > at ? 0 : at - holder) << at;
  }
}

TEST(Framer, TakesAMarkerRightBehindThePadIntoTheCrc) {
  Framer framer(true, true);
  // Marker, ULPDU_Length and ULPDU fill 512 octets: the next marker comes before the CRC.
  OctetBuffer out = framed(framer, OctetBuffer(kMarkerInterval - kMarkerOctets - kLengthOctets, 1));
  ASSERT_EQ(out.size(), kMarkerInterval + kMarkerOctets + kCrcOctets);
  EXPECT_EQ(to_hex(Octets(out).subspan(kMarkerInterval, kMarkerOctets)), "000001fc");
  EXPECT_EQ(load_little_endian<std::uint32_t>(&out[out.size() - kCrcOctets]),
            crc32c(Octets(out).first(out.size() - kCrcOctets)));
}

TEST(Framer, LeavesTheMarkerBehindAnFpduToTheNext) {
  Framer framer(true, true);
  const OctetBuffer first = framed(framer, OctetBuffer(kMarkerInterval - kMarkerOctets - kLengthOctets - kCrcOctets));
  EXPECT_EQ(first.size(), kMarkerInterval);
  const OctetBuffer second = framed(framer, *from_hex("0102"));
  EXPECT_EQ(to_hex(Octets(second).first(8)),
            "00000000"
            "0002"
            "0102");
  EXPECT_EQ(load_little_endian<std::uint32_t>(&second[8]), crc32c(Octets(second).first(8)));
}

TEST(Framer, JoinsTheParts) {
  const OctetBuffer head = *from_hex("0102"), tail = *from_hex("030405");
  const std::array<Octets, 3> parts{head, Octets{}, tail};
  Framer in_parts(false, true), whole(false, true);
  OctetBuffer out;
  in_parts.frame(parts, out);
  EXPECT_EQ(out, framed(whole, *from_hex("0102030405")));
}

TEST(Framer, CommitsExactlyTheFaultsThatAreSet) {
  const OctetBuffer ulpdu(1000, 7);
  const auto frame = [&](const FramingFaults& faults) {
    Framer framer(true, true);
    return framed(framer, ulpdu, faults);
  };
  const OctetBuffer good = frame({});
  const auto covered = [](const OctetBuffer& out) { return crc32c(Octets(out).first(out.size() - kCrcOctets)); };
  const auto field = [](const OctetBuffer& out) {
    return load_little_endian<std::uint32_t>(&out[out.size() - kCrcOctets]);
  };

  const OctetBuffer crc = frame({.crc_xor = 1});
  EXPECT_EQ(field(crc), field(good) ^ 1);
  EXPECT_EQ(covered(crc), covered(good));

  const OctetBuffer length = frame({.length_add = -3});
  EXPECT_EQ(load_big_endian<std::uint16_t>(&length[kMarkerOctets]), 997);
  EXPECT_EQ(length.size(), good.size());
  EXPECT_EQ(field(length), covered(length)) << "the CRC agrees with the wrong length";

  const OctetBuffer pad = frame({.pad_fill = 0xaa});
  EXPECT_EQ(to_hex(Octets(pad).subspan(pad.size() - 6, 2)), "aaaa");
  EXPECT_EQ(field(pad), covered(pad));

  const OctetBuffer pointer = frame({.marker_pointer_xor = 4, .marker_reserved = 0x0102});
  EXPECT_EQ(to_hex(Octets(pointer).first(4)), "01020004");
  EXPECT_EQ(to_hex(Octets(pointer).subspan(kMarkerInterval, 4)), "010201f8");
  EXPECT_EQ(field(pointer), covered(pointer));
}

TEST(Mulpdu, LeavesRoomForHeaderCrcMarkersAndPad) {
  EXPECT_EQ(mulpdu(1460, false), 1454u);
  EXPECT_EQ(mulpdu(1460, true), 1442u);
  EXPECT_EQ(mulpdu(1463, false), 1454u);
  EXPECT_EQ(mulpdu(8960, true), 8882u);
}

TEST(Mulpdu, IsNeverBelow128NorAboveWhatTheLengthCanSay) {
  EXPECT_EQ(mulpdu(0, true), 128u);
  EXPECT_EQ(mulpdu(133, false), 128u);
  EXPECT_EQ(mulpdu(1u << 20, false), 65535u);
}

// Every FPDU within mulpdu() fits the segment, wherever in the stream it begins.
TEST(Mulpdu, FitsTheSegment) {
  for (std::size_t emss = 200; emss < 3000; emss += 7)
    for (std::size_t position = 0; position < kMarkerInterval; position += 4) {
      const std::size_t fpdu = fpdu_octets(mulpdu(emss, true));
      const std::size_t lead = marker_at(position) ? kMarkerOctets : 0;
      EXPECT_LE(lead + fpdu + kMarkerOctets * markers_inside(position + lead, fpdu), emss) << emss << " " << position;
    }
}

}  // namespace
}  // namespace wirelaw::mpa
