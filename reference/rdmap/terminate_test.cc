// SPDX-License-Identifier: Apache-2.0
#include "reference/rdmap/terminate.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "reference/octets/hex.h"

namespace wirelaw::rdmap {
namespace {

OctetBuffer encoded(const Terminate& terminate) {
  OctetBuffer out;
  encode(terminate, out);
  return out;
}

const std::string kUntagged =
    "4141"
    "00000000"
    "00000001"
    "00000007"
    "00000000";
const std::string kTagged =
    "c140"
    "01020304"
    "0000000000001000";
const std::string kReadRequest(56, '5');

TEST(Terminate, DecodesAllPartsForAReadRequest) {
  const OctetBuffer octets = *from_hex(
      "0101e000"
      "002e" +
      kUntagged + kReadRequest);
  ASSERT_EQ(octets.size() + ddp::layout::kUntagged, 70u);
  const auto terminate = decode_terminate(octets);
  ASSERT_TRUE(terminate);
  EXPECT_EQ(terminate->error, error::kBaseOrBounds);
  EXPECT_TRUE(terminate->has_length && terminate->has_ddp_header && terminate->has_rdma_header);
  EXPECT_EQ(terminate->reserved, 0);
  EXPECT_EQ(terminate->ddp_segment_length, 46);
  EXPECT_EQ(to_hex(terminate->ddp_header), kUntagged);
  EXPECT_EQ(to_hex(terminate->rdma_header), kReadRequest);
  EXPECT_TRUE(terminate->tail.empty());
  EXPECT_FALSE(terminate->cut);
}

TEST(Terminate, TakesTheLengthOfTheDdpHeaderFromItsTBit) {
  const OctetBuffer octets = *from_hex(
      "1101c000"
      "0400" +
      kTagged);
  const auto terminate = decode_terminate(octets);
  ASSERT_TRUE(terminate);
  EXPECT_EQ(terminate->error, error::kDdpBaseOrBounds);
  EXPECT_EQ(to_hex(terminate->ddp_header), kTagged);
  EXPECT_FALSE(terminate->cut);
}

TEST(Terminate, WithoutHeaderBitsKeepsWhatFollowsAsTail) {
  const OctetBuffer octets = *from_hex(
      "20020000"
      "0000");
  const auto terminate = decode_terminate(octets);
  ASSERT_TRUE(terminate);
  EXPECT_EQ(terminate->error, error::kMpaCrc);
  EXPECT_EQ(to_hex(terminate->tail), "0000");
  EXPECT_FALSE(terminate->cut);
}

TEST(Terminate, HasALengthWithEitherOfItsBits) {
  for (const char* control : {"00008000", "00004000", "0000c000"}) {
    const OctetBuffer octets = *from_hex(std::string(control) + "1234" + kUntagged);
    EXPECT_EQ(decode_terminate(octets)->ddp_segment_length, 0x1234);
  }
}

TEST(Terminate, ShorterThanItsControlWordIsNone) {
  EXPECT_FALSE(decode_terminate(*from_hex("010100")));
  EXPECT_TRUE(decode_terminate(*from_hex("01010000")));
}

TEST(Terminate, SaysWhereItIsCut) {
  const OctetBuffer octets = *from_hex(
      "0101e000"
      "002e" +
      kUntagged + kReadRequest);
  for (std::size_t length = 4; length < octets.size(); ++length) {
    const auto terminate = decode_terminate(Octets(octets).first(length));
    ASSERT_TRUE(terminate);
    EXPECT_TRUE(terminate->cut) << length;
    EXPECT_EQ(terminate->length_missing, length < 6);
    EXPECT_EQ(terminate->ddp_header.empty(), length < 24);
    EXPECT_TRUE(terminate->rdma_header.empty());
  }
}

TEST(Terminate, EncodesWhatItDecodedWhateverItsBitsAndLength) {
  OctetBuffer octets = *from_hex(
      "0000ffff"
      "abcd" +
      kUntagged + kReadRequest + "0102");
  for (unsigned bits = 0; bits < 8; ++bits)
    for (const Octet control : {Octet{0xc1}, Octet{0x41}})
      for (std::size_t length = 4; length <= octets.size(); ++length) {
        octets[2] = static_cast<Octet>(bits << 5 | 0x11);
        octets[6] = control;
        const Octets part = Octets(octets).first(length);
        EXPECT_EQ(to_hex(encoded(*decode_terminate(part))), to_hex(part));
      }
}

TEST(Errors, AreAllDistinctAndFound) {
  std::set<std::tuple<int, int, int>> seen;
  for (const ErrorRow& row : errors()) {
    EXPECT_TRUE(seen.insert({row.error.layer, row.error.etype, row.error.code}).second) << row.name;
    EXPECT_EQ(find_error(row.error), &row);
  }
  EXPECT_EQ(errors().size(), 33u);
}

TEST(Errors, OfRdmapThatAreLocalAndCatastrophicTakeAnyCode) {
  EXPECT_EQ(find_error({0, 0, 0xff}), find_error(error::kLocalCatastrophic));
  EXPECT_EQ(find_error({1, 0, 0x01}), nullptr) << "DDP's has one code";
}

TEST(Errors, ThatNoSpecificationHasAreNone) {
  EXPECT_EQ(find_error({0, 1, 0x05}), nullptr);
  EXPECT_EQ(find_error({1, 2, 0x00}), nullptr);
  EXPECT_EQ(find_error({1, 3, 0x02}), nullptr) << "kept for the LLP, which has its own layer";
  EXPECT_EQ(find_error({2, 0, 0x08}), nullptr);
  EXPECT_EQ(find_error({3, 0, 0x00}), nullptr);
}

TEST(Errors, ReadAsNumbersAndNames) {
  EXPECT_EQ(to_string(error::kBaseOrBounds), "0/1/01 (Remote Protection Error: Base or bounds violation)");
  EXPECT_EQ(to_string({0, 0, 0xff}), "0/0/ff (Local Catastrophic Error)");
  EXPECT_EQ(to_string({15, 3, 0x2a}), "f/3/2a (unassigned)");
}

}  // namespace
}  // namespace wirelaw::rdmap
