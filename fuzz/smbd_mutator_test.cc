// SPDX-License-Identifier: Apache-2.0
#include "fuzz/smbd_mutator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "corpora/formats/records.h"
#include "fuzz/smbd_turns.h"
#include "reference/ddp/segment.h"
#include "reference/smbd/message.h"

namespace wirelaw::fuzz {
namespace {

constexpr CreditRules kRules{.begin = {{8, 8}}};

Turns grown(Random& random) {
  Turns turns;
  for (int i = 0; i < 20; ++i) change_turns(turns, random, kRules);
  return turns;
}

// Inconsistencies within and between the turns; empty if there are none.
std::string flaw_in(const Turns& turns) {
  std::map<bool, std::uint64_t> left;
  std::map<bool, std::uint64_t> credits{{false, 8}, {true, 8}};
  for (const Turn& one : turns) {
    if (one.what.data_offset != 0) return "DataOffset";
    if (one.what.data_length != 0) return "DataLength";
    if (one.what.flags > 1) return "Flags";
    if (one.what.credits_requested == 0) return "CreditsRequested";
    if (left[one.b] > 0 && one.data.empty()) return "empty message";
    const std::uint64_t announced = one.data.size() + std::uint64_t{one.what.remaining};
    if (left[one.b] > 0 && announced != left[one.b]) return "RemainingDataLength";
    left[one.b] = one.what.remaining;
    if (credits[one.b] == 1 && one.what.credits_granted == 0) return "last credit";
    if (credits[one.b] > 0) --credits[one.b];
    credits[!one.b] += one.what.credits_granted;
  }
  return left[false] + left[true] == 0 ? "" : "RemainingDataLength";
}

TEST(SmbdTurns, SayOfEachOtherWhatIsRight) {
  Random random(1);
  std::size_t segments = 0, cut = 0;
  for (int round = 0; round < 300; ++round) {
    Turns turns = grown(random);
    make_consistent(turns, kRules);
    EXPECT_EQ(flaw_in(turns), "");
    segments += turns.size();
    cut +=
        static_cast<std::size_t>(std::ranges::count_if(turns, [](const Turn& one) { return one.what.remaining > 0; }));
  }
  EXPECT_GT(segments, 3000u);
  EXPECT_GT(cut, 300u);
}

TEST(SmbdTurns, AreBrokenInEachOfTheseWays) {
  Random random(2);
  std::map<std::string, int> flaws;
  for (int round = 0; round < 3000; ++round) {
    Turns turns = grown(random);
    make_consistent(turns, kRules);
    const std::size_t before = turns.size();
    break_one_turn(turns, random);
    EXPECT_LE(turns.size(), before + 1);
    EXPECT_GE(turns.size() + 1, before);
    ++flaws[flaw_in(turns)];
  }
  for (const char* flaw :
       {"DataOffset", "DataLength", "Flags", "CreditsRequested", "empty message", "RemainingDataLength", "last credit"})
    EXPECT_GT(flaws[flaw], 0) << flaw;
}

TEST(SmbdMutator, KeepsToTheRoomThereIsWhateverTheOctets) {
  Random random(3);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t room = 1 + random() % 3000;
    OctetBuffer buffer(room);
    for (Octet& octet : buffer) octet = static_cast<Octet>(random() % 5 == 0 ? random() : 0);
    std::size_t size = random() % (room + 1);
    const auto seed = static_cast<std::uint32_t>(random());
    EXPECT_LE(mutate_smbd_message(buffer, size, seed), room);
    EXPECT_LE(mutate_smbd_script(buffer, size, seed), room);
    mutate_smbd_pieces(buffer, size, seed);
    EXPECT_LE(size, room);
  }
}

TEST(SmbdMutator, DoesTheSameForTheSameSeed) {
  const OctetBuffer input = smbd::encode(smbd::DataTransfer{.credits_requested = 8, .credits_granted = 2});
  for (std::uint32_t seed = 1; seed < 50; ++seed) {
    OctetBuffer one = input, other = input;
    one.resize(4096);
    other.resize(4096);
    const std::size_t size = mutate_smbd_message(one, input.size(), seed);
    EXPECT_EQ(size, mutate_smbd_message(other, input.size(), seed));
    EXPECT_EQ(one, other);
  }
}

// A Send's message, which begins at octet 18.
OctetBuffer send_of(Octets message) {
  OctetBuffer ulpdu;
  ddp::encode({.last = true, .rsvd_ulp = 0x43, .msn = 1}, ulpdu);
  ulpdu.insert(ulpdu.end(), message.begin(), message.end());
  return ulpdu;
}

TEST(SmbdMutator, LeavesTheNegotiationBeforeTheTurns) {
  namespace control = corpora::stream_control;
  OctetBuffer input{control::kCrc};
  corpora::append_record(input, control::kOpened, {});
  corpora::append_record(input, control::kUlpdu, send_of(smbd::encode(smbd::NegotiateRequest{.credits_requested = 8})));
  corpora::append_record(input, control::kUlpdu | control::kSideB,
                         send_of(smbd::encode(smbd::NegotiateResponse{.credits_requested = 8, .credits_granted = 8})));
  corpora::append_record(input, control::kClosed, {});
  std::size_t with_data = 0;
  for (std::uint32_t seed = 1; seed < 200; ++seed) {
    OctetBuffer buffer = input;
    buffer.resize(16'384);
    std::size_t size = input.size();
    ASSERT_TRUE(mutate_smbd_pieces(buffer, size, seed));
    const auto records = corpora::read_records(Octets(buffer).subspan(1, size - 1));
    ASSERT_GE(records.size(), 4u);
    EXPECT_EQ(records[0].control, control::kOpened);
    EXPECT_EQ(records[1].octets.size(), 18u + 20u);
    EXPECT_EQ(records[2].octets.size(), 18u + 32u);
    EXPECT_EQ(records.back().control, control::kClosed);
    std::map<Octet, std::uint32_t> msn;
    for (const corpora::Record& record : records) {
      const auto segment = ddp::decode(record.octets);
      if (record.octets.empty() || !segment) continue;
      EXPECT_EQ(segment->header.msn, ++msn[record.control]);
      with_data += smbd::decode_data_transfer(segment->payload).has_value() && segment->payload.size() > 32 ? 1 : 0;
    }
  }
  EXPECT_GT(with_data, 100u);
}

}  // namespace
}  // namespace wirelaw::fuzz
