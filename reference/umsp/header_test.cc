// SPDX-License-Identifier: Apache-2.0
#include "reference/umsp/header.h"

#include <gtest/gtest.h>

#include "reference/octets/hex.h"
#include "reference/umsp/opcode.h"

namespace wirelaw::umsp {
namespace {

// Length of the fields after the second octet, from the bits of that octet, as in 3.1.
std::size_t octets_behind(unsigned flags) {
  const unsigned pck = flags >> 5 & 3;
  const bool chain = (flags & 0x10) != 0 && (pck == 1 || pck == 3);
  return ((flags & 7) == 7 ? 2u : 0u) + (chain ? 4u : 0u) + (pck == 3 ? 4u : 0u) + ((flags & 0x80) != 0 ? 4u : 0u);
}

OctetBuffer header_with(unsigned flags) {
  OctetBuffer octets{0x9c, static_cast<Octet>(flags)};
  for (std::size_t i = 0; i < octets_behind(flags); ++i) octets.push_back(static_cast<Octet>(0xa0 + i));
  return octets;
}

TEST(Header, PutsEachFieldWhereItBelongs) {
  const auto header = decode_header(*from_hex("9c ff 0102 0304 0506 0708090a 0b0c0d0e"));
  ASSERT_TRUE(header);
  EXPECT_EQ(header->opcode, 0x9c);
  EXPECT_TRUE(header->ask && header->chn && header->ext && header->extended);
  EXPECT_EQ(header->pck, Pck::own_session);
  EXPECT_EQ(header->opr_length, 0x0102);
  EXPECT_EQ(header->chain_number, 0x0304);
  EXPECT_EQ(header->instr_number, 0x0506);
  EXPECT_EQ(header->session_id, 0x0708090au);
  EXPECT_EQ(header->req_id, 0x0b0c0d0eu);
  EXPECT_EQ(header->octets(), kMostHeader);
}

TEST(Header, HasItsBitsInTheOrderOfTheFigure) {
  struct Row {
    const char* octets;
    bool ask, chn, ext;
    unsigned pck, length;
  };
  for (const Row& row : {Row{"01 80 00000000", true, false, false, 0, 0}, Row{"01 40", false, false, false, 2, 0},
                         Row{"01 20", false, false, false, 1, 0}, Row{"01 10", false, true, false, 0, 0},
                         Row{"01 08", false, false, true, 0, 0}, Row{"01 04", false, false, false, 0, 4},
                         Row{"01 02", false, false, false, 0, 2}, Row{"01 01", false, false, false, 0, 1}}) {
    const auto header = decode_header(*from_hex(row.octets));
    ASSERT_TRUE(header) << row.octets;
    EXPECT_EQ(header->ask, row.ask) << row.octets;
    EXPECT_EQ(header->chn, row.chn) << row.octets;
    EXPECT_EQ(header->ext, row.ext) << row.octets;
    EXPECT_EQ(static_cast<unsigned>(header->pck), row.pck) << row.octets;
    EXPECT_EQ(header->opr_length, row.length) << row.octets;
    EXPECT_FALSE(header->extended) << row.octets;
  }
}

// Every value of the second octet, truncated at every octet (U-01).
TEST(Header, IsDecodedInEveryShapeAndNowhereBeforeItsEnd) {
  for (unsigned flags = 0; flags < 256; ++flags) {
    const OctetBuffer octets = header_with(flags);
    EXPECT_EQ(header_octets(octets[1]), octets.size()) << flags;
    for (std::size_t cut = 0; cut < octets.size(); ++cut)
      EXPECT_FALSE(decode_header(Octets(octets).first(cut))) << flags << " cut at " << cut;
    const auto header = decode_header(octets);
    ASSERT_TRUE(header) << flags;
    EXPECT_EQ(header->octets(), octets.size()) << flags;
    OctetBuffer again;
    encode(*header, again);
    EXPECT_EQ(again, octets) << flags;
  }
}

// 7.3: SESSION_ID and REQ_ID are cut out, the bits stay (UMSP/A17).
TEST(Header, OfAFragmentedInstructionHasNeitherSessionNorRequest) {
  for (unsigned flags = 0; flags < 256; ++flags) {
    const unsigned pck = flags >> 5 & 3;
    const std::size_t without = (pck == 3 ? 4u : 0u) + ((flags & 0x80) != 0 ? 4u : 0u);
    OctetBuffer octets = header_with(flags);
    octets.resize(octets.size() - without);
    const auto header = decode_header(octets, Form::fragmented);
    ASSERT_TRUE(header) << flags;
    EXPECT_EQ(header->octets(), octets.size()) << flags;
    EXPECT_EQ(header->session_id, 0u);
    EXPECT_EQ(header->req_id, 0u);
    OctetBuffer again;
    encode(*header, again);
    EXPECT_EQ(again, octets) << flags;
  }
}

// UMSP/A7: few words may be in either place; many are always in OPR_LENGTH_EXT.
TEST(Header, KeepsTheFormOfTheLength) {
  const auto hex = [](Header header) {
    OctetBuffer out;
    encode(header, out);
    return to_hex(out);
  };
  EXPECT_EQ(hex({.opcode = 0x9c, .opr_length = 6}), "9c06");
  EXPECT_EQ(hex({.opcode = 0x9c, .extended = true, .opr_length = 6}), "9c070006");
  EXPECT_EQ(hex({.opcode = 0x9c, .extended = true}), "9c070000");
  EXPECT_EQ(hex({.opcode = 0x9c, .opr_length = 7}), "9c070007");
  EXPECT_EQ(hex({.opcode = 0x9c, .opr_length = 65535}), "9c07ffff");
  EXPECT_EQ(decode_header(*from_hex("9c07ffff"))->operand_octets(), 262'140u);
}

TEST(Header, FindsItsFieldsInEveryShape) {
  const OctetBuffer full = *from_hex("9c ff 0102 0304 0506 0708090a 0b0c0d0e");
  const Header header = *decode_header(full);
  const auto offset = [](const Header& of, HeaderField field) {
    const auto place = find_field(of, field);
    return place ? static_cast<int>(place->offset) : -1;
  };
  EXPECT_EQ(offset(header, HeaderField::opcode), 0);
  for (const HeaderField field :
       {HeaderField::ask, HeaderField::pck, HeaderField::chn, HeaderField::ext, HeaderField::opr_length})
    EXPECT_EQ(offset(header, field), 1);
  EXPECT_EQ(offset(header, HeaderField::opr_length_ext), 2);
  EXPECT_EQ(offset(header, HeaderField::chain_number), 4);
  EXPECT_EQ(offset(header, HeaderField::instr_number), 6);
  EXPECT_EQ(offset(header, HeaderField::session_id), 8);
  EXPECT_EQ(offset(header, HeaderField::req_id), 12);
  const Header session{.ask = true, .pck = Pck::own_session};
  EXPECT_EQ(offset(session, HeaderField::opr_length_ext), -1);
  EXPECT_EQ(offset(session, HeaderField::chain_number), -1);
  EXPECT_EQ(offset(session, HeaderField::session_id), 2);
  EXPECT_EQ(offset(session, HeaderField::req_id), 6);
  EXPECT_EQ(find_field(header, HeaderField::req_id)->length, 4u);
}

// ------------------------------------------------------------------------------------------------ extension headers

TEST(ExtensionHeader, IsShortInTwoOctetsAndExtendedInEight) {
  const auto brief = decode_head(*from_hex("7f df"));
  ASSERT_TRUE(brief);
  EXPECT_FALSE(brief->hxt);
  EXPECT_EQ(brief->head_length, 127u);
  EXPECT_EQ(brief->data_octets(), 254u);
  EXPECT_TRUE(brief->hsl && brief->hob && !brief->hrz);
  EXPECT_EQ(brief->head_code, 31);
  const auto extended = decode_head(*from_hex("81020304 2a0b 0c0d"));
  ASSERT_TRUE(extended);
  EXPECT_TRUE(extended->hxt);
  EXPECT_EQ(extended->head_length, 0x01020304u);
  EXPECT_TRUE(!extended->hsl && !extended->hob && extended->hrz);
  EXPECT_EQ(extended->head_code, 0x0a0b);
  EXPECT_EQ(extended->reserved, 0x0c0d);
}

// 2^31 - 1 words: octets that 32 bits hold only just, and whose sum with anything they do not (U-06).
TEST(ExtensionHeader, CountsItsLargestDataWithoutWrapping) {
  const auto head = decode_head(*from_hex("ffffffff ffff ffff"));
  ASSERT_TRUE(head);
  EXPECT_EQ(head->data_octets(), 4'294'967'294u);
  EXPECT_EQ(head->head_code, 0x1fff);
}

TEST(ExtensionHeader, HeadsAreEncodedAsTheyWere) {
  for (unsigned first = 0; first < 256; ++first)
    for (unsigned flags = 0; flags < 256; ++flags) {
      OctetBuffer octets{static_cast<Octet>(first), static_cast<Octet>(flags)};
      if (first >= 128) octets.insert(octets.end(), {3, 4, static_cast<Octet>(flags), 6, 7, 8});
      for (std::size_t cut = 0; cut < octets.size(); ++cut) ASSERT_FALSE(decode_head(Octets(octets).first(cut)));
      const auto head = decode_head(octets);
      ASSERT_TRUE(head);
      OctetBuffer again;
      encode(*head, again);
      ASSERT_EQ(again, octets);
    }
}

TEST(ExtensionHeader, IsMadeInTheShortestFormThatHoldsIt) {
  OctetBuffer odd{1, 2, 3}, most(254), more(256), none;
  const ExtensionHeader text = make_extension(9, false, odd);
  EXPECT_FALSE(text.hxt);
  EXPECT_EQ(text.head_length, 2u);
  EXPECT_EQ(to_hex(text.data), "01020300");
  EXPECT_FALSE(make_extension(11, true, most).hxt);
  EXPECT_TRUE(make_extension(11, true, more).hxt);
  EXPECT_FALSE(make_extension(30, true, none).hxt);
  EXPECT_TRUE(make_extension(31, true, none).hxt);  // UMSP/A18b
}

// ---------------------------------------------------------------------------------------------------------- context

constexpr std::uint8_t kNop = static_cast<std::uint8_t>(Opcode::nop);

Header in_session(std::uint32_t session_id) {
  return {.opcode = kNop, .pck = Pck::own_session, .session_id = session_id};
}
Header in_chain(std::uint32_t session_id, std::uint16_t chain, std::uint16_t number) {
  return {.opcode = kNop,
          .pck = Pck::own_session,
          .chn = true,
          .chain_number = chain,
          .instr_number = number,
          .session_id = session_id};
}
constexpr Header kSameSession{.opcode = kNop, .pck = Pck::same_session};
constexpr Header kSameChain{.opcode = kNop, .pck = Pck::same_chain, .chn = true};
constexpr Header kNoSession{.opcode = kNop, .pck = Pck::no_session};

TEST(Context, InheritsSessionAndChainAndCountsOn) {
  Context context;
  EXPECT_EQ(follow(in_chain(7, 3, 0), context).chain, (ChainPlace{3, 0}));
  const Membership second = follow(kSameChain, context);
  EXPECT_EQ(second.session_id, 7u);
  EXPECT_EQ(second.chain, (ChainPlace{3, 1}));
  EXPECT_FALSE(second.flaw);
  EXPECT_EQ(follow(kSameChain, context).chain, (ChainPlace{3, 2}));
  const Membership outside = follow(kSameSession, context);
  EXPECT_EQ(outside.session_id, 7u);
  EXPECT_FALSE(outside.chain);
  Header other_chain = kSameSession;
  other_chain.chn = true;
  other_chain.chain_number = 9;
  EXPECT_EQ(follow(other_chain, context).chain, (ChainPlace{9, 0}));
  EXPECT_EQ(follow(kSameChain, context).chain, (ChainPlace{9, 1}));
}

TEST(Context, GivesTheFirstInstructionNothing) {
  for (const Header& header : {kSameSession, kSameChain}) {
    const Membership membership = resolve(header, Context{});
    EXPECT_EQ(membership.flaw, ContextFlaw::no_previous);
    EXPECT_FALSE(membership.session_id);
    EXPECT_FALSE(membership.chain);
  }
}

TEST(Context, GivesNothingBehindAnInstructionOfNoSessionButRemembersTheOlderOne) {
  Context context;
  follow(in_session(7), context);
  follow(kNoSession, context);
  const Membership membership = resolve(kSameSession, context);
  EXPECT_EQ(membership.flaw, ContextFlaw::previous_sessionless);
  EXPECT_FALSE(membership.session_id);
  EXPECT_EQ(context.older_session, 7u);
}

TEST(Context, GivesNoChainBehindAnInstructionOfNone) {
  Context context;
  follow(in_session(7), context);
  const Membership membership = resolve(kSameChain, context);
  EXPECT_EQ(membership.flaw, ContextFlaw::previous_chainless);
  EXPECT_EQ(membership.session_id, 7u);
  EXPECT_FALSE(membership.chain);
}

TEST(Context, FindsBitsThatContradictEachOther) {
  Header header = kNoSession;
  header.chn = true;
  EXPECT_EQ(resolve(header, {}).flaw, ContextFlaw::chain_without_session);
  Context context;
  follow(in_chain(7, 3, 0), context);
  header = kSameChain;
  header.chn = false;
  EXPECT_EQ(resolve(header, context).flaw, ContextFlaw::chain_without_flag);
}

TEST(Context, FindsTheReservedNumber) {
  Context context;
  follow(in_chain(7, 3, 65533), context);
  EXPECT_FALSE(follow(kSameChain, context).flaw);
  EXPECT_EQ(follow(kSameChain, context).flaw, ContextFlaw::numbers_exhausted);
  EXPECT_EQ(follow(kSameChain, context).flaw, ContextFlaw::numbers_exhausted);
}

// UMSP/A8
TEST(Context, CountsNoInstructionAboutAChain) {
  Context context;
  follow(in_chain(7, 3, 4), context);
  Header execute = kSameChain;
  execute.opcode = static_cast<std::uint8_t>(Opcode::exec_tr);
  const Membership membership = follow(execute, context);
  EXPECT_TRUE(membership.number_void);
  EXPECT_EQ(membership.chain->chain_number, 3);
  EXPECT_FALSE(membership.flaw);
  EXPECT_EQ(follow(kSameChain, context).chain, (ChainPlace{3, 5}));
}

TEST(Context, ExplainsEveryFlaw) {
  for (unsigned flaw = 0; flaw <= static_cast<unsigned>(ContextFlaw::numbers_exhausted); ++flaw)
    EXPECT_FALSE(explain(static_cast<ContextFlaw>(flaw)).empty());
}

}  // namespace
}  // namespace wirelaw::umsp
