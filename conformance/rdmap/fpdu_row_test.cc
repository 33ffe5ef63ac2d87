// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/fpdu_row.h"

#include <gtest/gtest.h>

#include "reference/mpa/framer.h"
#include "reference/rdmap/message.h"

namespace wirelaw::rdmap {
namespace {

// A Send of one segment, with this many octets.
ddp::Header send(std::uint32_t msn) {
  return {.last = true, .rsvd_ulp = encode_control(control_of(Opcode::send)), .msn = msn};
}
ddp::Header write(std::uint32_t stag, std::uint64_t to) {
  return {.tagged = true, .last = true, .rsvd_ulp = encode_control(control_of(Opcode::write)), .stag = stag, .to = to};
}

OctetBuffer framed(std::span<const ddp::Header> headers, bool crc, std::size_t payload = 50) {
  mpa::Framer framer(/*markers=*/false, crc);
  OctetBuffer octets;
  for (const ddp::Header& header : headers) {
    OctetBuffer ulpdu;
    ddp::encode(header, ulpdu);
    ulpdu.resize(ulpdu.size() + payload, 0x5a);
    framer.frame(ulpdu, octets);
  }
  return octets;
}

Plausible weigh(Octets octets, bool has_port = false) {
  return continues({.from_segment = {octets, {}}, .has_port = has_port});
}

TEST(FpduRow, OfTwoCrcsIsEnough) {
  const ddp::Header headers[] = {send(70), write(5, 9)};
  const OctetBuffer octets = framed(headers, /*crc=*/true);
  EXPECT_EQ(weigh(octets), Plausible::yes);
  EXPECT_EQ(weigh(Octets(octets).first(octets.size() - 1)), Plausible::undecided);
  OctetBuffer spoilt = octets;
  spoilt.back() ^= 1;
  EXPECT_EQ(weigh(spoilt), Plausible::undecided);
}

TEST(FpduRow, WithoutCrcsHasToContinueNumbers) {
  const ddp::Header in_order[] = {send(70), send(71), send(72), send(73)};
  const ddp::Header same_stag[] = {write(5, 0), write(5, 50), write(5, 900), write(5, 0)};
  const ddp::Header at_random[] = {send(70), send(5), send(12), send(70), write(1, 0), write(2, 0), write(3, 0)};
  EXPECT_EQ(weigh(framed(in_order, false)), Plausible::yes);
  EXPECT_EQ(weigh(framed(std::span(in_order).first(3), false)), Plausible::undecided);
  EXPECT_EQ(weigh(framed(same_stag, false)), Plausible::yes);
  EXPECT_EQ(weigh(framed(at_random, false)), Plausible::undecided);
}

TEST(FpduRow, OfBothSidesCountsTogether) {
  const ddp::Header a[] = {send(70), send(71)}, b[] = {send(30), send(31), send(32)};
  const OctetBuffer of_a = framed(a, false), of_b = framed(b, false);
  EXPECT_EQ(weigh(of_a), Plausible::undecided);
  EXPECT_EQ(continues({.from_segment = {of_a, of_b}}), Plausible::yes);
}

// Wherever in the stream it begins, and also if a marker is right before it.
TEST(FpduRow, MayHaveMarkers) {
  std::vector<ddp::Header> headers;
  for (std::uint32_t msn = 70; msn < 130; ++msn) headers.push_back(send(msn));
  for (const std::size_t payload : {2U, 50U, 436U, 482U, 1200U})
    for (std::size_t skipped = 0; skipped < 10; ++skipped) {
      mpa::Framer framer(/*markers=*/true, /*crc=*/false);
      OctetBuffer octets;
      for (std::size_t i = 0; i < headers.size(); ++i) {
        OctetBuffer ulpdu;
        ddp::encode(headers[i], ulpdu);
        ulpdu.resize(ulpdu.size() + payload, 0x5a);
        framer.frame(ulpdu, octets);
        if (i + 1 == skipped) octets.clear();
      }
      const FpduRow row = read_fpdu_row(octets);
      EXPECT_EQ(row.fpdus, headers.size() - skipped) << payload << " octets, without " << skipped;
      EXPECT_EQ(row.end, octets.size());
      EXPECT_TRUE(row.marker_at);
      EXPECT_FALSE(row.broken);
      octets[*row.marker_at + 512 + 3] ^= 4;
      EXPECT_TRUE(read_fpdu_row(octets).broken) << "a marker points elsewhere";
    }
}

TEST(FpduRow, AtThePortIsBelievedByOneThatFillsItsSegment) {
  const ddp::Header one[] = {send(70)};
  OctetBuffer octets = framed(one, false);
  EXPECT_EQ(weigh(octets), Plausible::undecided);
  EXPECT_EQ(weigh(octets, /*has_port=*/true), Plausible::yes);
  octets.push_back(0);
  EXPECT_EQ(weigh(octets, /*has_port=*/true), Plausible::undecided);
  octets.resize(octets.size() + 3);
  EXPECT_EQ(weigh(octets, /*has_port=*/true), Plausible::no);
}

TEST(FpduRow, BeginsWithTheFieldsOfASegment) {
  const ddp::Header one[] = {send(1)};
  const OctetBuffer good = framed(one, false);
  EXPECT_TRUE(may_begin_fpdu(good));
  struct Fault {
    std::size_t at;
    Octet value;
  };
  // ULPDU_Length below the header's, a reserved bit, DDP version 2, T, RDMAP version 2, a reserved opcode, queue 1.
  for (const Fault fault : {Fault{1, 17}, {2, 0x45}, {2, 0x42}, {2, 0xc1}, {3, 0x83}, {3, 0x4f}, {11, 1}}) {
    OctetBuffer octets = good;
    octets[fault.at] = fault.value;
    EXPECT_FALSE(may_begin_fpdu(octets)) << fault.at << " " << int{fault.value};
  }
  OctetBuffer consortium = good;
  consortium[3] &= 0x3f;
  EXPECT_TRUE(may_begin_fpdu(consortium));
  EXPECT_FALSE(may_begin_fpdu(Octets(good).first(3)));
  EXPECT_FALSE(may_begin_fpdu(OctetBuffer(64)));
}

}  // namespace
}  // namespace wirelaw::rdmap
