// SPDX-License-Identifier: Apache-2.0
// What an edit does to a message and to a conversation, and that lengths and checks are kept right where they are to
// be.
#include "harness/campaign/edit.h"

#include <gmock/gmock.h>

#include "harness/campaign/input_json.h"
#include "harness/campaign/script.h"
#include "reference/mpa/fpdu.h"
#include "reference/mpa/framer.h"
#include "reference/octets/crc32c.h"
#include "reference/octets/hex.h"

namespace wirelaw::campaign {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

OctetBuffer changed(const Edit& edit, std::string_view hex, std::string_view protocol = "ramcloud") {
  OctetBuffer message = *from_hex(hex);
  apply(edit, message, dialect_of(*find_protocol(protocol)));
  return message;
}

TEST(Edit, ChangesOctets) {
  EXPECT_EQ(to_hex(changed({.op = Op::put, .offset = 1, .octets = {0xaa, 0xbb}}, "00010203")), "00aabb03");
  EXPECT_EQ(to_hex(changed({.op = Op::flip, .offset = 3, .octets = {0x81}}, "00010203")), "00010282");
  EXPECT_EQ(to_hex(changed({.op = Op::insert, .offset = 2, .octets = {0xaa}}, "00010203")), "0001aa0203");
  EXPECT_EQ(to_hex(changed({.op = Op::erase, .offset = 1, .count = 2}, "00010203")), "0003");
  EXPECT_EQ(to_hex(changed({.op = Op::truncate, .offset = 1}, "00010203")), "00");
  EXPECT_EQ(to_hex(changed({.op = Op::append, .octets = {0xaa}}, "0001")), "0001aa");
}

TEST(Edit, AddsInTheOrderOfTheProtocolAndWrapsRound) {
  EXPECT_EQ(to_hex(changed({.op = Op::add, .offset = 0, .octets = {1, 0}}, "ff00", "ramcloud")), "0001");
  EXPECT_EQ(to_hex(changed({.op = Op::add, .offset = 0, .octets = {0, 1}}, "00ff", "rdmap")), "0100");
  EXPECT_EQ(to_hex(changed({.op = Op::add, .offset = 0, .octets = {0xff, 0xff}}, "0000", "rdmap")), "ffff");
}

TEST(Edit, AtAPlaceThatIsNotThereChangesNothing) {
  for (const Op op : {Op::put, Op::flip, Op::add, Op::insert, Op::erase, Op::truncate})
    EXPECT_EQ(to_hex(changed({.op = op, .offset = 9, .count = 1, .octets = {1}}, "0001")), "0001") << word_of(op);
  EXPECT_EQ(to_hex(changed({.op = Op::put, .offset = 1, .octets = {0xaa, 0xbb}}, "0001")), "00aa");
  EXPECT_EQ(to_hex(changed({.op = Op::erase, .offset = 1, .count = 9}, "0001")), "00");
}

OctetBuffer fpdu_of(std::string_view ulpdu) {
  OctetBuffer fpdu;
  mpa::Framer(/*markers=*/false, /*crc=*/true).frame(*from_hex(ulpdu), fpdu);
  return fpdu;
}

TEST(Edit, KeepsAnFpduRight) {
  const Dialect& dialect = dialect_of(*find_protocol("rdmap"));
  OctetBuffer message = fpdu_of("4143000000000000000000010000000061626364");
  apply({.op = Op::put, .offset = 10, .octets = {0, 0, 0, 9}, .repair = true}, message, dialect);
  EXPECT_EQ(message, fpdu_of("4143000000000000000000090000000061626364"));
  // One octet more than before: its length, its padding and its CRC are those of the longer one.
  message = fpdu_of("4143000000000000000000010000000061626364");
  apply({.op = Op::insert, .offset = 2, .octets = {0x77}, .repair = true}, message, dialect);
  ASSERT_EQ(message.size() % 4, 0u);
  const std::size_t ulpdu = load_big_endian<std::uint16_t>(message.data());
  EXPECT_EQ(mpa::fpdu_octets(ulpdu), message.size());
  const std::size_t covered = message.size() - mpa::kCrcOctets;
  EXPECT_EQ(load_little_endian<std::uint32_t>(message.data() + covered), crc32c(Octets(message).first(covered)));
  // Without repair, it is wrong.
  message = fpdu_of("4143000000000000000000010000000061626364");
  apply({.op = Op::put, .offset = 10, .octets = {9}}, message, dialect);
  EXPECT_NE(load_little_endian<std::uint32_t>(message.data() + covered - 4),
            crc32c(Octets(message).first(message.size() - mpa::kCrcOctets)));
}

TEST(Edit, KeepsTheLengthOfAnUmspInstructionRight) {
  OctetBuffer message = *from_hex("0101aabbccdd");  // OPR_LENGTH of one word
  apply({.op = Op::append, .octets = {1}, .repair = true}, message, dialect_of(*find_protocol("umsp")));
  EXPECT_EQ(to_hex(message), "0102aabbccdd01000000");
}

TEST(Edit, IsReadAsItWasWritten) {
  const Input input{.test_case = "open/one",
                    .edits = {{.op = Op::put, .message = 3, .offset = 9, .octets = {1, 2}, .repair = true},
                              {.op = Op::twice, .message = 1, .count = 4},
                              {.op = Op::say, .octets = {}},
                              {.op = Op::reset, .message = 7}}};
  const auto again = input_of(to_json(input));
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(*again, input);
}

TEST(Edit, IsRefusedInWordsWhereItIsNone) {
  const auto error_of = [](const char* text) {
    const auto input = input_of(Json::parse(text));
    return input ? std::string("none") : input.error();
  };
  EXPECT_THAT(error_of(R"({"edits": []})"), HasSubstr("names no case"));
  EXPECT_THAT(error_of(R"({"case": "a", "edits": 1})"), HasSubstr("no list"));
  EXPECT_THAT(error_of(R"({"case": "a", "edits": [{"op": "burn"}]})"), HasSubstr("no edit 'burn'"));
  EXPECT_THAT(error_of(R"({"case": "a", "edits": [{"op": "put", "octets": "0g"}]})"), HasSubstr("hexadecimal"));
  EXPECT_THAT(error_of(R"({"case": "a", "edits": [{"op": "drop", "message": 4294967296}]})"), HasSubstr("32 bits"));
}

// --- of a conversation

struct ScriptTest : ::testing::Test {
  std::vector<std::string> turns(std::vector<Edit> some, std::size_t messages = 4) {
    edits = std::move(some);
    script.emplace(edits, dialect_of(*find_protocol("ramcloud")), *find_protocol("ramcloud"));
    std::vector<std::string> sent;
    for (std::size_t i = 0; i < messages; ++i) {
      Script::Turn turn = script->next(OctetBuffer{static_cast<Octet>(i)});
      for (const OctetBuffer& one : turn.messages) sent.push_back(to_hex(one));
      if (turn.ending != Ending::none) sent.emplace_back("ends");
    }
    return sent;
  }
  std::vector<Edit> edits;
  std::optional<Script> script;
};

TEST_F(ScriptTest, WithoutEditsChangesNothing) {
  EXPECT_THAT(turns({}), ElementsAre("00", "01", "02", "03"));
  EXPECT_FALSE(script->has_changed());
}

TEST_F(ScriptTest, ChangesTheOrderOfMessages) {
  EXPECT_THAT(turns({{.op = Op::drop, .message = 1}}), ElementsAre("00", "02", "03"));
  EXPECT_TRUE(script->has_changed());
  EXPECT_THAT(turns({{.op = Op::twice, .message = 1, .count = 2}}), ElementsAre("00", "01", "01", "01", "02", "03"));
  EXPECT_THAT(turns({{.op = Op::hold, .message = 1}}), ElementsAre("00", "02", "01", "03"));
  EXPECT_THAT(turns({{.op = Op::say, .message = 1, .octets = {0xaa}}}), ElementsAre("00", "01", "aa", "02", "03"));
  EXPECT_THAT(turns({{.op = Op::cut, .message = 2}}), ElementsAre("00", "01"));
  EXPECT_TRUE(script->is_over());
  EXPECT_THAT(turns({{.op = Op::close, .message = 2}}), ElementsAre("00", "01", "ends"));
}

TEST_F(ScriptTest, AnEditThatChangesNothingLeavesTheCaseItsWord) {
  EXPECT_THAT(turns({{.op = Op::put, .message = 1, .octets = {1}}}), ElementsAre("00", "01", "02", "03"));
  EXPECT_FALSE(script->has_changed());
}

// In its place the same is said: it comes twice.
TEST_F(ScriptTest, WhatIsHeldBackIsAChangeWhateverIsSaidInstead) {
  EXPECT_THAT(turns({{.op = Op::hold, .message = 1}, {.op = Op::say, .message = 1, .octets = {1}}}),
              ElementsAre("00", "01", "02", "01", "03"));
  EXPECT_TRUE(script->has_changed());
}

TEST_F(ScriptTest, HoldsTheLastMessageUntilItIsAskedFor) {
  EXPECT_THAT(turns({{.op = Op::hold, .message = 3}}), ElementsAre("00", "01", "02"));
  EXPECT_EQ(script->take_held(), OctetBuffer{3});
  EXPECT_EQ(script->take_held(), std::nullopt);
}

TEST(Dialect, BindsAMessageToAnotherConversation) {
  const Protocol& ramcloud = *find_protocol("ramcloud");
  OctetBuffer model(26), message(26);
  for (std::size_t i = 0; i < model.size(); ++i) model[i] = static_cast<Octet>(0x40 + i);
  take_over(model, message, dialect_of(ramcloud), ramcloud);
  EXPECT_TRUE(std::equal(model.begin(), model.begin() + 20, message.begin()));  // token, RPC, hints
  EXPECT_EQ(message[20], 0);                                                    // its fragment is its own
}

TEST(Dialect, EveryProtocolWithCasesIsOffered) {
  std::size_t offered = 0;
  for (const Protocol* one : protocols()) {
    if (one->cases().empty()) continue;
    EXPECT_TRUE(dialect_of(*one).proven) << one->name;
    EXPECT_THAT(proven_protocols(), testing::HasSubstr(std::string(one->name)));
    ++offered;
  }
  EXPECT_EQ(offered, 5u);
  EXPECT_EQ(proven_protocols(), "ramcloud, smbd, umsp, rdmap and efa");
}

// Such cases are those of EFA: of the others an application serves each conversation anew.
TEST(Dialect, KnowsWhichCasesTakeTheApplicationsPlace) {
  EXPECT_EQ(dialect_of(*find_protocol("efa")).driven, "application/");
  EXPECT_EQ(dialect_of(*find_protocol("smbd")).driven, "");
}

TEST(Dialect, KindsHaveNoNumbers) {
  EXPECT_EQ(kind_of("S>C DATA channel 3 rpc 17"), "S>C DATA channel  rpc ");
  EXPECT_EQ(kind_of("tag 0x1aF0 end"), "tag  end");
  EXPECT_THAT(kind_of(""), IsEmpty());
}

}  // namespace
}  // namespace wirelaw::campaign
