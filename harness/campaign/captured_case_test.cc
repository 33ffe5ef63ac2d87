// SPDX-License-Identifier: Apache-2.0
// Captured conversations are sent again: what the peer chooses differently is followed, and files are read or rejected.
#include "harness/campaign/captured_case.h"

#include <gmock/gmock.h>
#include <test_paths.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "harness/campaign/beginnings.h"
#include "harness/campaign/input_json.h"
#include "harness/campaign/trial.h"
#include "harness/peers/reference_peers.h"
#include "harness/transports/memory/memory_iut.h"
#include "reference/ramcloud/packet.h"

namespace wirelaw::campaign {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

const Protocol& ramcloud() {
  return *find_protocol("ramcloud");
}

OctetBuffer packet(std::uint64_t token, std::uint32_t rpc_id, std::uint32_t hint) {
  return ramcloud::encode({.session_token = token, .rpc_id = rpc_id, .server_session_hint = hint}, {});
}

TEST(Follower, PutsWhatThePeerHasChosenForWhatWasRecorded) {
  Follower follower(ramcloud(), edits::dialect_of(ramcloud()));
  EXPECT_EQ(follower.followed(packet(0x1111, 1, 7)), packet(0x1111, 1, 7));
  follower.heard(packet(0x1111, 1, 7), packet(0x2222, 1, 9));
  EXPECT_EQ(follower.followed(packet(0x1111, 1, 7)), packet(0x2222, 1, 9));
  EXPECT_EQ(follower.followed(packet(0x3333, 2, 7)), packet(0x3333, 2, 9));
  follower.heard(packet(0x1111, 1, 7), packet(0x4444, 1, 9));
  EXPECT_EQ(follower.followed(packet(0x1111, 1, 7)), packet(0x4444, 1, 9)) << "it has chosen anew";
}

// A peer in memory chooses another token for each input: it answers with data only if the tester follows the token.
TEST(CapturedCase, IsServedByAPeerThatChoosesOtherwise) {
  const std::string capture = WIRELAW_SOURCE_DIR "/corpora/captures/ramcloud/ramcloud-cpp2016-open-single.pcap";
  const auto conversations = conversations_in(capture, ramcloud(), Role::responder);
  ASSERT_TRUE(conversations) << conversations.error();
  std::unique_ptr<Iut> iut;
  const PeerOptions options{.role = Role::responder};
  const Arena arena{.protocol = ramcloud(), .meet = [&](std::uint64_t seed) -> tl::expected<Iut*, TransportError> {
                      iut = make_memory_iut(*find_reference_peer("ramcloud")->maker(options),
                                            {.framing = memory_framing(ramcloud()), .seed = seed});
                      return iut.get();
                    }};
  Tester tester(arena);
  const std::size_t cases = tester.cases().size();
  tester.add(conversations->front());
  tester.add(conversations->front());
  ASSERT_EQ(tester.cases().size(), cases + 1);
  const Trial trial = tester.run({.test_case = conversations->front().id},
                                 {std::chrono::seconds{2}, std::chrono::milliseconds{500}, std::chrono::seconds{60}});
  EXPECT_FALSE(trial.is_skipped);
  EXPECT_THAT(trial.breaches, IsEmpty());
  EXPECT_THAT(trial.steps, Contains(Field(&Step::kind, StartsWith("S>C DATA"))));
}

// A script is what its capture is: the same messages, from each of its parts.
TEST(CapturedCase, IsReadFromAScriptToo) {
  const fs::path folder = fs::path(testing::TempDir()) / "captured_case_script";
  fs::create_directories(folder);
  const auto write = [&](const char* name, const char* text) {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  };
  const std::string two = write("two.wirelaw",
                                "protocol ramcloud\n"
                                "trace one \"A request.\"\na DATA payload=hex:0102\nb DATA\n"
                                "trace two \"Another.\"\na DATA payload=hex:0304\nb DATA\n");
  const auto conversations = conversations_in(two, ramcloud(), Role::responder);
  ASSERT_TRUE(conversations) << conversations.error();
  ASSERT_EQ(conversations->size(), 2u);
  EXPECT_EQ(conversations->at(0).id, "capture/two.wirelaw-1");
  EXPECT_EQ(conversations->at(1).id, "capture/two.wirelaw-2");
  const auto sends = [&](std::size_t number, const OctetBuffer& payload) {
    return std::ranges::any_of(conversations->at(number).messages, [&](const CapturedMessage& one) {
      return !one.from_iut && one.octets.size() > payload.size() &&
             std::ranges::equal(Octets(one.octets).last(payload.size()), payload);
    });
  };
  EXPECT_TRUE(sends(0, {1, 2}));
  EXPECT_TRUE(sends(1, {3, 4}));
  EXPECT_FALSE(sends(1, {1, 2}));
  EXPECT_THAT(
      conversations_in(write("bad.wirelaw", "protocol ramcloud\na DATTA\n"), ramcloud(), Role::responder).error(),
      HasSubstr("bad.wirelaw:2:3: "));
  EXPECT_THAT(
      conversations_in(write("efa.wirelaw", "protocol efa\na EAGER_MSGRTM\n"), ramcloud(), Role::responder).error(),
      HasSubstr("holds no conversation of ramcloud"));
  Beginnings beginnings;
  fs::remove(folder / "bad.wirelaw");
  fs::remove(folder / "efa.wirelaw");
  ASSERT_TRUE(add_folder(folder.string(), ramcloud(), Role::responder, beginnings));
  EXPECT_EQ(beginnings.conversations, *conversations);
  fs::remove_all(folder);
}

TEST(CapturedCase, IsReadAsItWasWrittenOrRefused) {
  const CapturedConversation conversation{"capture/a-1", {{false, {1, 2}}, {true, {3}}, {false, {}}}};
  const auto again = conversation_of(to_json(conversation));
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(*again, conversation);
  EXPECT_THAT(conversation_of(Json::parse(R"({"id": "open/one", "messages": []})")).error(),
              HasSubstr("no id capture/"));
  EXPECT_THAT(conversation_of(Json::parse(R"({"id": "capture/a"})")).error(), HasSubstr("no list"));
  EXPECT_THAT(conversation_of(Json::parse(R"({"id": "capture/a", "messages": [{"octets": "0x"}]})")).error(),
              HasSubstr("hexadecimal"));
  EXPECT_THAT(conversations_in("/none.pcapng", ramcloud(), Role::responder).error(), HasSubstr("/none.pcapng"));
}

}  // namespace
}  // namespace wirelaw::campaign
