// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/instruction.h"

#include <gtest/gtest.h>

#include <random>

#include "reference/octets/hex.h"
#include "reference/umsp/opcode.h"

namespace wirelaw::umsp {
namespace {

using Problem = DecodeError::Problem;

OctetBuffer octets_of(const std::string& hex) {
  return *from_hex(hex);
}

// WRITE of four octets at a 4-octet address, in a chain, with two extension headers.
constexpr const char* kFull =
    "86 fa 0003 0001 00000007 00000009"  // OPCODE, bits and 2 words, chain 3, instruction 1, session 7, request 9
    "02 09 68656c6c"                     // _MSG "hell"
    "80000001 c00c 0000 00ff"            // _LIFE_TIME 255, extended, HSL and HOB
    "00001000 deadbeef";

TEST(Instruction, HasHeaderExtensionsAndOperands) {
  const OctetBuffer octets = octets_of(kFull);
  const auto instruction = decode(octets);
  ASSERT_TRUE(instruction);
  EXPECT_EQ(instruction->opcode(), 0x86);
  EXPECT_EQ(instruction->header.chain_number, 3);
  ASSERT_EQ(instruction->extensions.size(), 2u);
  EXPECT_EQ(to_hex(instruction->extensions[0].data), "68656c6c");
  EXPECT_TRUE(instruction->extensions[1].hxt && instruction->extensions[1].hsl);
  EXPECT_EQ(instruction->extensions[1].head_code, 12);
  EXPECT_EQ(to_hex(instruction->operands), "00001000deadbeef");
  EXPECT_EQ(instruction->offset_of_extension(0), 14u);
  EXPECT_EQ(instruction->offset_of_extension(1), 20u);
  EXPECT_EQ(instruction->offset_of_operands(), 30u);
  EXPECT_EQ(instruction->octets(), octets.size());
  EXPECT_EQ(encode(*instruction), octets);
  EXPECT_NE(instruction->find_extension(9), nullptr);
  EXPECT_EQ(instruction->find_extension(10), nullptr);
}

TEST(Instruction, LeavesWhatIsBehindItAlone) {
  OctetBuffer octets = octets_of(kFull);
  const std::size_t length = octets.size();
  octets.insert(octets.end(), {1, 2, 3});
  EXPECT_EQ(decode(octets)->octets(), length);
  EXPECT_EQ(instruction_octets(octets)->octets, length);
}

// A stream may end at any octet; the length is known as soon as all heads are present.
TEST(Instruction, TruncatedAnywhereSaysHowMuchItNeeds) {
  const OctetBuffer octets = octets_of(kFull);
  for (std::size_t cut = 0; cut < octets.size(); ++cut) {
    const Octets there = Octets(octets).first(cut);
    const auto instruction = decode(there);
    ASSERT_FALSE(instruction) << cut;
    EXPECT_EQ(instruction.error().problem, Problem::truncated) << cut;
    EXPECT_GT(instruction.error().needed, cut);
    EXPECT_LE(instruction.error().needed, octets.size());
    EXPECT_EQ(instruction.error().there, cut);
    EXPECT_FALSE(explain(instruction.error()).empty());
    const auto extent = instruction_octets(there);
    ASSERT_TRUE(extent) << cut;
    EXPECT_EQ(extent->complete, cut >= 30) << cut;
    EXPECT_GT(extent->octets, cut);
    if (extent->complete) {
      EXPECT_EQ(extent->octets, octets.size()) << cut;
    }
  }
}

// A receiver that requests the missing octets reaches the end of every instruction, however few arrive at once.
TEST(Framing, ReachesTheEndOfEveryInstruction) {
  const OctetBuffer octets = octets_of(kFull);
  std::size_t there = 0;
  for (;;) {
    const auto extent = instruction_octets(Octets(octets).first(there));
    ASSERT_TRUE(extent);
    ASSERT_GT(extent->octets, there);
    there = static_cast<std::size_t>(extent->octets);
    ASSERT_LE(there, octets.size());
    if (extent->complete) break;
  }
  EXPECT_EQ(there, octets.size());
}

// Every second octet, with the parts that it announces, truncated at every octet (U-01).
TEST(Instruction, OfEveryShapeIsDecodedWholeAndNotCut) {
  for (unsigned flags = 0; flags < 256; ++flags) {
    OctetBuffer octets{0x9c, static_cast<Octet>(flags)};
    octets.resize(header_octets(octets[1]));
    std::size_t words = flags & 7;
    if (words == 7) octets[3] = static_cast<Octet>(words = 9);
    if ((flags & 8) != 0) octets.insert(octets.end(), {1, 0x08, 0, 0, 0, 0x86});  // _ALIGNMENT, _END_CHAIN with HSL
    octets.resize(octets.size() + words * 4, Octet{0x5a});
    const auto instruction = decode(octets);
    ASSERT_TRUE(instruction) << flags;
    EXPECT_EQ(instruction->octets(), octets.size()) << flags;
    EXPECT_EQ(encode(*instruction), octets) << flags;
    for (std::size_t cut = 0; cut < octets.size(); ++cut) ASSERT_FALSE(decode(Octets(octets).first(cut))) << flags;
  }
}

// U-04
TEST(Instruction, TakesEveryLengthOfOperandsInBothForms) {
  for (const std::uint16_t words : std::initializer_list<std::uint16_t>{0, 1, 6, 7, 65535})
    for (const bool extended : {false, true}) {
      const OctetBuffer operands(std::size_t{words} * 4, Octet{0x11});
      const Instruction made{.header = {.opcode = 0x9c, .extended = extended, .opr_length = words},
                             .extensions = {},
                             .operands = operands};
      const OctetBuffer octets = encode(made);
      const auto instruction = decode(octets);
      ASSERT_TRUE(instruction) << words;
      EXPECT_EQ(instruction->operands.size(), operands.size());
      EXPECT_EQ(instruction->header.extended, extended || words > 6);
      EXPECT_EQ(encode(*instruction), octets);
    }
}

OctetBuffer with_extensions(std::size_t count, bool last) {
  OctetBuffer octets{0x9c, 0x08};
  for (std::size_t i = 0; i < count; ++i)
    octets.insert(octets.end(), {0, static_cast<Octet>(6 | (last && i + 1 == count ? 0x80 : 0))});
  return octets;
}

// U-05: thirty are legal; the thirty-first is kept for the judge.
TEST(Instruction, KeepsThirtyExtensionHeadersAndMore) {
  for (const std::size_t count : {1u, 29u, 30u, 31u, 32u, 1024u}) {
    const OctetBuffer octets = with_extensions(count, true);
    const auto instruction = decode(octets);
    ASSERT_TRUE(instruction) << count;
    EXPECT_EQ(instruction->extensions.size(), count);
    EXPECT_EQ(encode(*instruction), octets);
  }
  const auto more = decode(with_extensions(1025, true));
  ASSERT_FALSE(more);
  EXPECT_EQ(more.error().problem, Problem::too_many_extension_headers);
  EXPECT_EQ(more.error().offset, 2u + 1024 * 2);
  EXPECT_EQ(instruction_octets(with_extensions(1025, true)).error().problem, Problem::too_many_extension_headers);
}

TEST(Instruction, WithoutALastExtensionHeaderNeverEnds) {
  const auto extent = instruction_octets(with_extensions(30, false));
  ASSERT_TRUE(extent);
  EXPECT_FALSE(extent->complete);
  EXPECT_EQ(decode(with_extensions(30, false)).error().part, "extension header");
}

TEST(Instruction, WithExtAndNoExtensionHeaderIsTruncated) {
  const auto instruction = decode(octets_of("9c08"));
  ASSERT_FALSE(instruction);
  EXPECT_EQ(instruction.error().part, "extension header");
  EXPECT_EQ(instruction.error().offset, 2u);
}

// HSL set early: what follows are operands.
TEST(Instruction, EndsItsExtensionHeadersAtTheFirstHsl) {
  const OctetBuffer octets = octets_of("9c09 0086 0086aabb");
  const auto instruction = decode(octets);
  ASSERT_TRUE(instruction);
  EXPECT_EQ(instruction->extensions.size(), 1u);
  EXPECT_EQ(to_hex(instruction->operands), "0086aabb");
}

// U-06: an announced length allocates nothing, and no sum wraps.
TEST(Instruction, RefusesDataBeyondTheLimitAndCountsItIn64Bits) {
  const OctetBuffer octets = octets_of("9c08 ffffffff 800b 0000 1122");
  const auto limited = decode(octets);
  ASSERT_FALSE(limited);
  EXPECT_EQ(limited.error().problem, Problem::too_long);
  EXPECT_EQ(limited.error().needed, 10u + std::uint64_t{4'294'967'294});
  EXPECT_EQ(explain(limited.error()),
            "longer than the limit in the extension header data at offset 10: 4294967304 octets at least");
  const auto patient = instruction_octets(octets, {.octets = std::uint64_t{1} << 40});
  ASSERT_TRUE(patient);
  EXPECT_FALSE(patient->complete);
  EXPECT_EQ(patient->octets, 10u + std::uint64_t{4'294'967'294});
}

TEST(Instruction, RefusesOperandsBeyondTheLimit) {
  const auto limited = instruction_octets(octets_of("9c07ffff"), {.octets = 1000});
  ASSERT_FALSE(limited);
  EXPECT_EQ(limited.error().problem, Problem::too_long);
  EXPECT_EQ(limited.error().part, "operands");
  EXPECT_TRUE(instruction_octets(octets_of("9c07ffff"), {.octets = 262'144}));
  EXPECT_FALSE(instruction_octets(octets_of("9c07ffff"), {.octets = 262'143}));
}

TEST(Instruction, KeepsReservedBitsAndExtendedFormsOfShortValues) {
  for (const char* hex : {"9c08 00a6", "9c08 00e6", "9c08 80000000 a006 ffff", "9c08 00df", "9c070000", "00 00",
                          "ff 00", "9c 10", "9c 40"}) {
    const OctetBuffer octets = octets_of(hex);
    const auto instruction = decode(octets);
    ASSERT_TRUE(instruction) << hex;
    EXPECT_EQ(encode(*instruction), octets) << hex;
  }
}

TEST(Instruction, IsMadeWithPaddingAndTheShortestForm) {
  OctetBuffer some{1, 2, 3, 4, 5}, many(28), none;
  const Instruction padded = make_instruction(0x84, some);
  EXPECT_EQ(to_hex(encode(padded)), "84020102030405000000");
  EXPECT_EQ(to_hex(Octets(encode(make_instruction(0x84, many))).first(4)), "84070007");
  Instruction extended = make_instruction(0x9c, none);
  OctetBuffer text{'a', 'b'}, more{'c'};
  add_extension(extended, make_extension(9, false, text));
  add_extension(extended, make_extension(9, false, more));
  EXPECT_EQ(to_hex(encode(extended)), "9c080109616201896300");
}

TEST(Instruction, FragmentedIsDecodedWithoutSessionAndRequest) {
  const OctetBuffer octets = octets_of("86 e2 00001000 deadbeef");
  const auto instruction = decode(octets, {}, Form::fragmented);
  ASSERT_TRUE(instruction);
  EXPECT_EQ(to_hex(instruction->operands), "00001000deadbeef");
  EXPECT_EQ(encode(*instruction), octets);
  EXPECT_FALSE(decode(octets));
}

// Random octets, in headers mostly valid ones: decoded instructions are encoded unchanged, and framing agrees with
// decoding.
TEST(Instruction, OfRandomOctetsIsEncodedAsItWas) {
  std::mt19937 random(3018);
  unsigned decoded = 0;
  for (int round = 0; round < 200'000; ++round) {
    OctetBuffer octets(random() % 96);
    for (Octet& octet : octets) octet = static_cast<Octet>(random() % 3 == 0 ? random() : random() % 4);
    if (octets.size() > 1) octets[1] = static_cast<Octet>(random());
    const Form form = round % 4 == 0 ? Form::fragmented : Form::whole;
    const Limits limits{.octets = 80, .extension_headers = 8};
    const auto instruction = decode(octets, limits, form);
    const auto extent = instruction_octets(octets, limits, form);
    ASSERT_EQ(instruction.has_value(), extent && extent->complete && extent->octets <= octets.size());
    if (!instruction) continue;
    ++decoded;
    ASSERT_EQ(extent->octets, instruction->octets());
    const OctetBuffer again = encode(*instruction);
    ASSERT_EQ(again.size(), instruction->octets());
    ASSERT_TRUE(std::equal(again.begin(), again.end(), octets.begin()));
  }
  EXPECT_GT(decoded, 50'000u);
}

}  // namespace
}  // namespace wirelaw::umsp
