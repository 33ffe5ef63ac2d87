// SPDX-License-Identifier: Apache-2.0
// Tests for the changes that an edit makes in a message and in a conversation.
#include "conformance/edit.h"

#include <gmock/gmock.h>

#include "conformance/edited_case.h"
#include "reference/octets/hex.h"

namespace wirelaw::edits {
namespace {

using testing::ElementsAre;
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

// --- edits of a conversation

struct ScriptTest : ::testing::Test {
  std::vector<std::string> turns(std::vector<Edit> some, std::size_t messages = 4) {
    edits = std::move(some);
    script.emplace(edits, dialect_of(*find_protocol("ramcloud")), *find_protocol("ramcloud"));
    std::vector<std::string> sent;
    for (std::size_t i = 0; i < messages; ++i) {
      EditedConversation::Turn turn = script->next(OctetBuffer{static_cast<Octet>(i)});
      for (const OctetBuffer& one : turn.messages) sent.push_back(to_hex(one));
      if (turn.ending != Ending::none) sent.emplace_back("ends");
    }
    return sent;
  }
  std::vector<Edit> edits;
  std::optional<EditedConversation> script;
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

TEST_F(ScriptTest, ChangesOneOfThoseThatGoInItsPlace) {
  const Edit again{.op = Op::twice, .message = 1, .count = 2};
  const auto put = [](std::uint32_t copy) { return Edit{.op = Op::put, .message = 1, .copy = copy, .octets = {0xaa}}; };
  EXPECT_THAT(turns({again, put(0)}), ElementsAre("00", "aa", "aa", "aa", "02", "03"));
  EXPECT_THAT(turns({again, put(2)}), ElementsAre("00", "01", "01", "aa", "02", "03"));
  EXPECT_THAT(turns({put(1), again, {.op = Op::say, .message = 1, .octets = {0xbb}}, put(3)}),
              ElementsAre("00", "01", "aa", "01", "aa", "02", "03"));
  EXPECT_THAT(turns({again, put(3)}), ElementsAre("00", "01", "01", "01", "02", "03")) << "there is none";
  EXPECT_THAT(turns({put(1)}), ElementsAre("00", "01", "02", "03"));
  EXPECT_EQ(to_text(put(2)), "copy 2 after message 2: 1 octets at 0 become aa");
}

TEST_F(ScriptTest, WaitsAtMostTenSeconds) {
  const std::vector<Edit> waits{{.op = Op::wait, .message = 0, .count = 40},
                                {.op = Op::wait, .message = 1, .count = 4'000'000'000}};
  script.emplace(waits, dialect_of(*find_protocol("ramcloud")), *find_protocol("ramcloud"));
  EXPECT_EQ(script->next(OctetBuffer{0}).wait, std::chrono::milliseconds{40});
  EXPECT_TRUE(script->has_changed());
  const EditedConversation::Turn turn = script->next(OctetBuffer{1});
  EXPECT_EQ(turn.wait, std::chrono::seconds{10});
  EXPECT_THAT(turn.messages, ElementsAre(OctetBuffer{1}));
}

TEST_F(ScriptTest, AnEditThatChangesNothingLeavesTheCaseItsWord) {
  EXPECT_THAT(turns({{.op = Op::put, .message = 1, .octets = {1}}}), ElementsAre("00", "01", "02", "03"));
  EXPECT_FALSE(script->has_changed());
}

// The message that is sent instead is the same, so it arrives twice.
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
  EXPECT_TRUE(std::equal(model.begin(), model.begin() + 20, message.begin()));  // token, RPC and hints are copied
  EXPECT_EQ(message[20], 0);                                                    // its own fragment number is kept
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
  EXPECT_EQ(proven_protocols(), "ramcloud, rdmap, efa, smbd and umsp");
}

// Only EFA cases that make calls do. In the other protocols, the application serves each conversation anew.
TEST(Cases, KnowWhetherTheyTakeTheApplicationsPlace) {
  for (const Protocol* one : protocols())
    for (const Case& each : one->cases())
      EXPECT_EQ(each.takes_application, one->name == "efa" && (each.id.starts_with("application/") ||
                                                               each.id == "read-nack/write-to-requester"))
          << each.id;
}

TEST(Dialect, KindsHaveNoNumbers) {
  EXPECT_EQ(kind_of("S>C DATA channel 3 rpc 17"), "S>C DATA channel  rpc ");
  EXPECT_EQ(kind_of("tag 0x1aF0 end"), "tag  end");
  EXPECT_THAT(kind_of(""), IsEmpty());
}

}  // namespace
}  // namespace wirelaw::edits
