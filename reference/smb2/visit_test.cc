// SPDX-License-Identifier: Apache-2.0
// A client that uses a share on a server, over a transport with RDMA, and over one without.
#include "reference/smb2/visit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "reference/smb2/server.h"

namespace wirelaw::smb2 {
namespace {

// RDMA memory: lent memory can be read and written with its token until it is taken back or invalidated.
class Memory final : public Lender {
 public:
  std::vector<ChannelBuffer> lend(std::span<Octet> memory, bool server_writes) override {
    const std::size_t half = memory.size() / 2;
    std::vector<ChannelBuffer> lent;
    for (const std::span<Octet> part : {memory.first(half), memory.subspan(half)}) {
      lent.push_back({.offset = 0x10000, .token = next_, .length = static_cast<std::uint32_t>(part.size())});
      lent_[next_++] = {part, server_writes};
    }
    return lent;
  }
  bool take_back(const std::vector<ChannelBuffer>& buffers, bool invalidated) override {
    bool as_asked = lent_.contains(buffers.front().token) != invalidated;
    for (const ChannelBuffer& one : buffers) lent_.erase(one.token);
    return as_asked;
  }
  // Returns false if the server accesses memory in a way for which the client has not lent it.
  bool perform(const Movement& movement, Server& server) {
    OctetBuffer octets = movement.is_fetch ? OctetBuffer(movement.octets) : server.octets_of(movement);
    std::size_t at = 0;
    for (const ChannelBuffer& one : movement.buffers) {
      const auto found = lent_.find(one.token);
      if (found == lent_.end() || found->second.server_writes == movement.is_fetch) return false;
      const std::size_t count = std::min<std::size_t>(one.length, octets.size() - at);
      const auto from = octets.begin() + static_cast<std::ptrdiff_t>(at);
      if (movement.is_fetch)
        std::copy_n(found->second.memory.begin(), count, from);
      else
        std::copy_n(from, count, found->second.memory.begin());
      at += count;
    }
    if (movement.is_fetch) server.keep(movement, octets);
    return true;
  }
  void invalidate(std::uint32_t token) { lent_.erase(token); }
  std::size_t lent() const { return lent_.size(); }

 private:
  struct Lent {
    std::span<Octet> memory;
    bool server_writes = false;
  };
  std::map<std::uint32_t, Lent> lent_;
  std::uint32_t next_ = 0x100;
};

// Returns the fault that occurs; empty if there is none.
std::string run(Visit& visit, Server& server, Memory& memory) {
  for (OctetBuffer message = visit.begin(); !message.empty();) {
    const auto answer = server.answer(message);
    if (!answer) return "the connection ends";
    for (const Movement& one : answer->movements)
      if (!memory.perform(one, server)) return "a transfer fails";
    if (answer->invalidate) memory.invalidate(*answer->invalidate);
    auto next = visit.take(answer->message);
    if (!next) return next.error();
    message = std::move(*next);
  }
  return {};
}

constexpr std::size_t kAtFirst = 153;  // a new volume: root, two entries, and what is in the folder

struct Case {
  std::uint16_t dialect;
  std::size_t octets;
  bool by_channel;
};
class EachWay : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Dialects, EachWay,
                         testing::Values(Case{dialect::k311, 0, false}, Case{dialect::k311, 100, false},
                                         Case{dialect::k311, 200'000, false}, Case{dialect::k311, 200'000, true},
                                         Case{dialect::k302, 5000, true}, Case{dialect::k300, 1'000'000, true},
                                         Case{dialect::k210, 70'000, false}, Case{dialect::k202, 3000, false}));

TEST_P(EachWay, AVisitGoesAsPlanned) {
  const Case& one = GetParam();
  Server server;
  server.limit(std::size_t{1} << 20, one.by_channel ? 1 << 20 : 0);
  Memory memory;
  Visit visit({.dialect = one.dialect, .octets = one.octets, .rounds = 3}, one.by_channel ? &memory : nullptr);
  EXPECT_EQ(run(visit, server, memory), "");
  EXPECT_TRUE(visit.is_over());
  EXPECT_EQ(visit.rounds(), 3u);
  EXPECT_EQ(visit.moved(), one.by_channel ? 6u : 0u);
  EXPECT_GT(visit.listed(), 20'000u) << "the listing takes several responses";
  EXPECT_EQ(memory.lent(), 0u);
  EXPECT_EQ(server.volume().nodes(), kAtFirst) << "the file is deleted when it is closed";
}

TEST(Visit, IsRefusedAChannelByATransportWithoutOne) {
  Server server;
  Memory memory;
  Visit visit({.octets = 5000}, &memory);
  EXPECT_EQ(run(visit, server, memory), "status 0xc000000d");
}

// Linux's cifs lends memory for a READ at the end of a file, and takes it for invalidated when the failure comes.
TEST(Visit, IsToldWhatAFailedReadInvalidates) {
  constexpr std::size_t kOffsetOfFile = kHeaderOctets + 8;
  Server server;
  server.limit(std::size_t{1} << 20, 1 << 20);
  Memory memory;
  Visit visit({.octets = 5000}, &memory);
  OctetBuffer message = visit.begin();
  while (!message.empty() && decode_header(message)->command != command::kRead) {
    const auto answer = server.answer(message);
    ASSERT_TRUE(answer);
    for (const Movement& one : answer->movements) ASSERT_TRUE(memory.perform(one, server));
    if (answer->invalidate) memory.invalidate(*answer->invalidate);
    message = *visit.take(answer->message);
  }
  ASSERT_GT(message.size(), kOffsetOfFile + 5);
  message[kOffsetOfFile + 4] = 1;  // four gigabytes
  const auto answer = server.answer(message);
  ASSERT_TRUE(answer);
  EXPECT_EQ(decode_header(answer->message)->status, status::kEndOfFile);
  EXPECT_TRUE(answer->movements.empty());
  EXPECT_EQ(answer->invalidate, 0x102u) << "the first token of the second operation";
}

TEST(Visit, GetsAsMuchOfAFileAsAnAnswerHasRoomFor) {
  Server server;
  server.limit(2000, 0);
  Memory memory;
  Visit visit({.octets = 3000}, nullptr);
  EXPECT_EQ(run(visit, server, memory), "");
}

TEST(Visit, SeesWhatIsWrongWithAResponse) {
  struct Row {
    std::size_t request;  // the response to it is spoilt
    std::size_t octet;
    std::string_view wrong;
  };
  constexpr std::size_t kStatus = 8, kFlags = 16;
  constexpr Row kRows[] = {{0, 0, "no message of SMB2"}, {1, kStatus, "status 0xc0000017"}, {3, kFlags, "no response"}};
  for (const Row& row : kRows) {
    Server server;
    Visit visit({}, nullptr);
    OctetBuffer message = visit.begin();
    for (std::size_t i = 0;; ++i) {
      auto answer = server.answer(message);
      ASSERT_TRUE(answer);
      if (i == row.request) answer->message[row.octet] ^= 1;
      const auto next = visit.take(answer->message);
      EXPECT_EQ(next.has_value(), i != row.request);
      if (!next) {
        EXPECT_EQ(next.error(), row.wrong);
        break;
      }
      message = *next;
    }
  }
}

TEST(Volume, KeepsToItsBounds) {
  Volume volume;
  Node* const file = volume.add(u"file", false);
  ASSERT_NE(file, nullptr);
  EXPECT_FALSE(volume.resize(*file, Volume::kMostOctets));
  EXPECT_FALSE(volume.resize(*file, ~std::uint64_t{0}));
  EXPECT_TRUE(volume.resize(*file, Volume::kMostOctets - (std::size_t{1} << 20)));
  EXPECT_EQ(volume.octets(), Volume::kMostOctets);
  EXPECT_TRUE(volume.resize(*file, 0));
  EXPECT_EQ(volume.add(u"no such folder\\file", false), nullptr);
  EXPECT_EQ(volume.add(std::u16string(256, u'a'), false), nullptr);
  EXPECT_EQ(volume.add(u"many\\", false), nullptr);
  EXPECT_FALSE(volume.remove(volume.root().id));
  EXPECT_FALSE(volume.remove(volume.find(u"many")->id)) << "it is not empty";
  std::u16string name = u"aa";
  for (; volume.add(name, false) != nullptr; ++name[1])
    if (name[1] == u'z') name = {static_cast<char16_t>(name[0] + 1), u'a'};
  EXPECT_EQ(volume.nodes(), Volume::kMostNodes);
}

TEST(Volume, RenamesAndRemoves) {
  Volume volume;
  const NodeId id = volume.add(u"many\\x", false)->id;
  EXPECT_TRUE(volume.rename(id, u"y"));
  EXPECT_EQ(volume.find(u"many\\x"), nullptr);
  EXPECT_EQ(volume.find(u"y")->id, id);
  EXPECT_FALSE(volume.rename(id, u"octets"));
  EXPECT_FALSE(volume.rename(id, u""));
  EXPECT_TRUE(volume.remove(id));
  EXPECT_EQ(volume.find(id), nullptr);
}

}  // namespace
}  // namespace wirelaw::smb2
