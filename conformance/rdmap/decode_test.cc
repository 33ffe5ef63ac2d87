// SPDX-License-Identifier: Apache-2.0
#include "conformance/rdmap/decode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "reference/octets/hex.h"

namespace wirelaw::rdmap {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::Pair;
using ::testing::StartsWith;

using Values = std::map<std::string, std::string>;

Values values_of(const Decoded& decoded) {
  Values values;
  for (const Field& field : decoded.fields) values[field.name] = field.value;
  return values;
}

// Captured between deployed stacks, or made by hand from the figures.
constexpr std::string_view kEnhancedRequest =
    "4d504120494420526571204672616d65"  // the key
    "50 02 0004 8004 4002";             // C and S, revision 2, A, IRD 4, D, ORD 2
constexpr std::string_view kReadRequest =
    "002e 4141 00000000 00000001 00000001 00000000"                 // ULPDU_Length, DDP header
    "03d05400 000055b1766364c0 00000400 487e8f00 0000558d360554c0"  // figure 6
    "5cd781ae";
constexpr std::string_view kWrite =
    "0011 c140 f329f100 000055a6a30b6da0"  // ULPDU_Length, DDP header
    "616263 00 12345678";                  // payload, PAD, CRC
constexpr std::string_view kTerminate =
    "002a 4147 00000000 00000002 00000001 00000000"       // ULPDU_Length, DDP header
    "1101 c000 0011"                                      // 1/1/01, M and D, segment length
    "c140 f329f100 000055a6a30b6da0 0000 0000 00000000";  // the header blamed, two octets of tail, PAD, CRC
constexpr std::string_view kSendInvalidate =
    "0012 0146 0a0b0c0d 00000000 00000007 00000064"  // MO 100, more to come
    "00000000";

TEST(Decode, ShowsAStartFrameWithItsEnhancedData) {
  const OctetBuffer octets = *from_hex(kEnhancedRequest);
  const Decoded decoded = decode_for_people(octets);
  EXPECT_EQ(decoded.summary, "MPA Request Frame revision 2 M=0 C=1 R=0 private data 4 IRD 4 ORD 2");
  EXPECT_THAT(decoded.error, IsEmpty());
  EXPECT_THAT(
      values_of(decoded),
      IsSupersetOf({Pair("iwarp_mpa.key.req", "4d504120494420526571204672616d65"), Pair("iwarp_mpa.marker_flag", "0"),
                    Pair("iwarp_mpa.crc_flag", "1"), Pair("iwarp_mpa.rev", "2"), Pair("iwarp_mpa.pdlength", "4"),
                    Pair("iwarp_mpa.control_flag_a", "1"), Pair("iwarp_mpa.control_flag_d", "1"),
                    Pair("iwarp_mpa.ird", "4"), Pair("iwarp_mpa.ord", "2")}));
}

TEST(Decode, ShowsAReadRequest) {
  const OctetBuffer octets = *from_hex(kReadRequest);
  const Decoded decoded = decode_for_people(octets);
  EXPECT_THAT(decoded.summary, StartsWith("Read Request [last DDP segment] queue 1 MSN 1 MO 0 1024 octets from"));
  EXPECT_THAT(decoded.error, IsEmpty());
  EXPECT_THAT(values_of(decoded),
              IsSupersetOf({Pair("iwarp_mpa.ulpdulength", "46"), Pair("iwarp_ddp.tagged_flag", "0"),
                            Pair("iwarp_ddp.last_flag", "1"), Pair("iwarp_ddp.rsvd", "0x00"), Pair("iwarp_ddp.dv", "1"),
                            Pair("iwarp_ddp.rsvdulp", "4100000000"), Pair("iwarp_ddp.qn", "1"),
                            Pair("iwarp_ddp.msn", "1"), Pair("iwarp_ddp.mo", "0"), Pair("iwarp_rdma.version", "1"),
                            Pair("iwarp_rdma.rsv", "0x00"), Pair("iwarp_rdma.opcode", "0x01 (Read Request)"),
                            Pair("iwarp_rdma.reserved", "00000000"), Pair("iwarp_rdma.sinkstag", "0x03d05400"),
                            Pair("iwarp_rdma.sinkto", "0x000055b1766364c0"), Pair("iwarp_rdma.rdmardsz", "1024"),
                            Pair("iwarp_rdma.srcstag", "0x487e8f00"), Pair("iwarp_rdma.srcto", "0x0000558d360554c0"),
                            Pair("iwarp_mpa.crc_check", "0x5cd781ae (Good CRC32)")}));
}

TEST(Decode, ShowsAWriteWithPadAndACrcThatDoesNotHold) {
  const OctetBuffer octets = *from_hex(kWrite);
  const Decoded decoded = decode_for_people(octets);
  EXPECT_EQ(decoded.summary, "Write [last DDP segment] STag 0xf329f100 TO 0x55a6a30b6da0 payload 3");
  EXPECT_THAT(values_of(decoded),
              IsSupersetOf({Pair("iwarp_ddp.stag", "0xf329f100"), Pair("iwarp_ddp.tagged_offset", "0x000055a6a30b6da0"),
                            Pair("iwarp_rdma.opcode", "0x00 (Write)"), Pair("data.data", "616263"),
                            Pair("iwarp_mpa.pad", "00"), Pair("iwarp_mpa.crc", "0x12345678")}));
}

TEST(Decode, ShowsATerminateWithTheHeaderThatItBlames) {
  const OctetBuffer octets = *from_hex(kTerminate);
  const Decoded decoded = decode_for_people(octets);
  EXPECT_THAT(decoded.summary, StartsWith("Terminate [last DDP segment] queue 2 MSN 1 MO 0 1/1/01"));
  EXPECT_THAT(
      values_of(decoded),
      IsSupersetOf(
          {Pair("iwarp_rdma.term_layer", "0x01 (DDP)"), Pair("iwarp_rdma.term_etype_ddp", "0x01 (Tagged Buffer Error)"),
           Pair("iwarp_rdma.term_errcode_ddp_tagged", "0x01 (Base or bounds violation)"),
           Pair("iwarp_rdma.term_hdrct_m", "1"), Pair("iwarp_rdma.hdrct_d", "1"), Pair("iwarp_rdma.hdrct_r", "0"),
           Pair("iwarp_rdma.term_rsvd", "0x0000"), Pair("iwarp_rdma.term_ddp_seg_len", "0011"),
           Pair("iwarp_rdma.term_ddp_h", "c140f329f100000055a6a30b6da0")}));
}

TEST(Decode, ShowsALaterSegmentOfASendWithInvalidate) {
  const OctetBuffer octets = *from_hex(kSendInvalidate);
  const Decoded decoded = decode_for_people(octets);
  EXPECT_EQ(decoded.summary, "Send with SE and Invalidate [more DDP segments] queue 0 MSN 7 MO 100 payload 0");
  EXPECT_EQ(values_of(decoded)["iwarp_rdma.inval_stag"], "168496141");
  EXPECT_THAT(decoded.error, IsEmpty());
}

TEST(Decode, ShowsAtomics) {
  const OctetBuffer request = *from_hex(
      "0046 414a 00000000 00000001 00000001 00000000"
      "00000001 00000009 11223344 0000000000001000 0000000000000005 ffffffffffffffff 0000000000000004 00000000ffffffff"
      "00000000");
  EXPECT_THAT(
      values_of(decode_for_people(request)),
      IsSupersetOf(
          {Pair("iwarp_rdma.atomic.request_identifier", "9"), Pair("iwarp_rdma.atomic.remote_stag", "287454020"),
           Pair("iwarp_rdma.atomic.remote_tagged_offset", "4096"), Pair("iwarp_rdma.atomic.swap_data", "5"),
           Pair("iwarp_rdma.atomic.compare_data", "4"), Pair("iwarp_rdma.atomic.compare_mask", "0x00000000ffffffff")}));
  const OctetBuffer response =
      *from_hex("001e 414b 00000000 00000003 00000001 00000000 00000009 0000000000000007 00000000");
  EXPECT_THAT(values_of(decode_for_people(response)),
              IsSupersetOf({Pair("iwarp_rdma.atomic.original_request_identifier", "9"),
                            Pair("iwarp_rdma.atomic.original_remote_data_value", "7")}));
}

TEST(Decode, SaysOfEveryBeginningOfAMessageWhatIsMissingAndPointsNowhereElse) {
  for (const std::string_view text : {kEnhancedRequest, kReadRequest, kWrite, kTerminate}) {
    const OctetBuffer whole = *from_hex(text);
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const Octets part = Octets(whole).first(length);
      const Decoded decoded = decode_for_people(part);
      EXPECT_THAT(decoded.error, Not(IsEmpty())) << length;
      EXPECT_THAT(decoded.summary, Not(IsEmpty())) << length;
      for (const Field& field : decoded.fields) EXPECT_LE(field.offset + field.length, length) << field.name;
    }
  }
}

TEST(Decode, NamesAReservedOpcodeAndAHeaderThatIsTooShort) {
  EXPECT_THAT(decode_for_people(*from_hex("0012 414d 00000000 00000000 00000001 00000000 00000000")).summary,
              HasSubstr("Reserved opcode 13"));
  EXPECT_EQ(decode_for_people(*from_hex("000d c140 00000000 00000000 000000 00 00000000")).error,
            "a DDP header takes 14 octets");
  EXPECT_EQ(decode_for_people(*from_hex("0013 4141 00000000 00000001 00000001 00000000 00 000000 00000000")).error,
            "the Read Request Header takes 28 octets");
}

}  // namespace
}  // namespace wirelaw::rdmap
