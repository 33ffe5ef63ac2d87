// SPDX-License-Identifier: Apache-2.0
// A breach in a capture that may lack something can still be settled; a breach that is not settled is not lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <test_paths.h>

#include <algorithm>
#include <filesystem>

#include "harness/check/packets_test.h"

namespace wirelaw {
namespace {

const Protocol& protocol(std::string_view name) {
  return *find_protocol(name);
}
std::vector<Packet> violating(std::string_view name, std::string_view file) {
  return read_packets(fmt::format("{}/corpora/{}/violating/{}.pcapng", WIRELAW_SOURCE_DIR, name, file));
}
// The packets of one message contradict each other, and the other side's HANDSHAKE is repeated after them, with the
// same connid as before or with another one.
class ContradictoryMessage : public testing::TestWithParam<std::string_view> {
 protected:
  static std::vector<Packet> trace() { return violating("efa", GetParam()); }
  static bool is_broken(const std::vector<Packet>& packets) {
    const std::string_view rule = GetParam().substr(0, GetParam().find('-', GetParam().find('-', 4) + 1));
    return broken_in(protocol("efa"), pointers(packets), Completeness::unknown).contains(rule);
  }
  static Packet handshake_again(const std::vector<Packet>& packets) {
    Packet again = packets.at(1);
    again.time_ns() = packets.back().time_ns() + 1000;
    return again;
  }
};

TEST_P(ContradictoryMessage, IsHeldBackAsLongAsAnEndpointMayHaveBeenReplaced) {
  EXPECT_FALSE(is_broken(trace()));
}

TEST_P(ContradictoryMessage, FailsItsSenderOnceThePeerShowsThatItIsTheSame) {
  std::vector<Packet> packets = trace();
  packets.push_back(handshake_again(packets));
  EXPECT_TRUE(is_broken(packets));
}

TEST_P(ContradictoryMessage, IsHeldBackWhereThePeerIsAnotherOne) {
  std::vector<Packet> packets = trace();
  Packet another = handshake_again(packets);
  const Octet connid[] = {0xb3, 0xb2, 0xb1, 0xb0};
  const auto at = std::search(another.octets.begin(), another.octets.end(), std::begin(connid), std::end(connid));
  ASSERT_NE(at, another.octets.end());
  *at ^= 1;
  packets.push_back(another);
  EXPECT_FALSE(is_broken(packets));
}

INSTANTIATE_TEST_SUITE_P(Each, ContradictoryMessage,
                         testing::Values("EFA-3.2-44", "EFA-3.2-45", "EFA-4.5-4", "EFA-4.5-5", "EFA-4.5-6", "EFA-4.5-7",
                                         "EFA-4.5-10"),
                         [](const auto& each) {
                           std::string name(each.param);
                           std::ranges::replace_if(
                               name, [](char c) { return c == '-' || c == '.'; }, '_');
                           return name;
                         });

// A packet contradicts its sender's connid, or an announcement of its peer. A new endpoint at the same address would
// explain it. Packets are eleven seconds apart, longer than any network delay; this packet is the last, and after it
// the first packet of each side is repeated.
class ReplaceableEndpoint : public testing::TestWithParam<std::string_view> {
 protected:
  static constexpr std::int64_t kApartNs = 11'000'000'000;

  static std::vector<Packet> trace() {
    std::vector<Packet> packets = violating("efa", GetParam());
    std::int64_t n = 0;
    for (Packet& packet : packets) packet.time_ns() = n++ * kApartNs;
    for (const Finding& one : results_of(protocol("efa"), pointers(packets), Completeness::complete).findings)
      if (one.rule->id == rule()) packets.resize(std::min<std::size_t>(packets.size(), one.frame));
    return packets;
  }
  static void show_again(std::vector<Packet>& packets, std::int64_t after_ns, bool others) {
    const Packet first = packets.front();
    const Packet* const answer =
        &*std::ranges::find_if(packets, [&](const Packet& one) { return !(one.source() == first.source()); });
    std::vector<Packet> again{first, *answer};
    for (Packet& one : again) {
      one.time_ns() = packets.back().time_ns() + after_ns;
      if (others) change_connid(one);
      packets.push_back(one);
    }
  }
  static bool is_broken(const std::vector<Packet>& packets) {
    return broken_in(protocol("efa"), pointers(packets), Completeness::unknown).contains(rule());
  }

 private:
  static std::string_view rule() {
    const std::size_t suffix = GetParam().find('-', GetParam().find('-', 4) + 1);
    return GetParam().substr(0, suffix);
  }
  static void change_connid(Packet& packet) {
    for (const OctetBuffer& connid : {OctetBuffer{0xa3, 0xa2, 0xa1, 0xa0}, OctetBuffer{0xb3, 0xb2, 0xb1, 0xb0}})
      if (const auto at = std::search(packet.octets.begin(), packet.octets.end(), connid.begin(), connid.end());
          at != packet.octets.end())
        *at ^= 1;
  }
};

TEST_P(ReplaceableEndpoint, IsHeldBackAsLongAsItMayHaveBeenReplaced) {
  EXPECT_FALSE(is_broken(trace()));
}

TEST_P(ReplaceableEndpoint, FailsTheSenderOnceTheSameOnesAreThereLongSince) {
  std::vector<Packet> packets = trace();
  show_again(packets, kApartNs, false);
  EXPECT_TRUE(is_broken(packets));
}

TEST_P(ReplaceableEndpoint, IsHeldBackWhereWhatShowsThemMayHaveBeenUnderWay) {
  std::vector<Packet> packets = trace();
  show_again(packets, 1'000'000, false);
  EXPECT_FALSE(is_broken(packets));
}

TEST_P(ReplaceableEndpoint, IsHeldBackWhereOthersAreThereSince) {
  std::vector<Packet> packets = trace();
  show_again(packets, kApartNs, true);
  EXPECT_FALSE(is_broken(packets));
}

std::string name_of_rule(const testing::TestParamInfo<std::string_view>& each) {
  std::string name(each.param);
  std::ranges::replace_if(
      name, [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Each, ReplaceableEndpoint,
                         testing::Values("EFA-1.4-4", "EFA-4.4-1", "EFA-4.4-2", "EFA-2.1-21", "EFA-2.1-22",
                                         "EFA-2.1-23", "EFA-2.1-24", "EFA-2.2-2", "EFA-4.3-1", "EFA-4.4-4", "EFA-4.4-5",
                                         "EFA-4.4-6"),
                         name_of_rule);

// Sixteen million RPCs cannot be missing between two packets a millisecond apart.
TEST(MirroredRpcIds, FailWhereNoTimeWasForThoseBetween) {
  const auto is_broken = [](std::chrono::nanoseconds between) {
    std::vector<Packet> packets = violating("ramcloud", "RAMCLOUD-header-4");
    std::int64_t n = 0;
    for (Packet& packet : packets) packet.time_ns() = n++ * between.count();
    return broken_in(protocol("ramcloud"), pointers(packets), Completeness::unknown).contains("RAMCLOUD-header-4");
  };
  EXPECT_TRUE(is_broken(std::chrono::milliseconds{1}));
  EXPECT_FALSE(is_broken(std::chrono::seconds{10}));
}

// Nor can so many be missing before another request or a response.
class SkippedRpcIds : public testing::TestWithParam<std::string_view> {};

TEST_P(SkippedRpcIds, FailWhereNoTimeWasForThoseBetween) {
  const auto is_broken = [](std::uint32_t rpc_id) {
    std::vector<Packet> packets = violating("ramcloud", GetParam());
    constexpr std::size_t kRpcId = 8;
    for (std::size_t i = 0; i < 4; ++i) packets.back().octets.at(kRpcId + i) = static_cast<Octet>(rpc_id >> (8 * i));
    std::int64_t n = 0;
    for (Packet& packet : packets) packet.time_ns() = n++ * 1'000'000;
    return broken_in(protocol("ramcloud"), pointers(packets), Completeness::unknown).contains(GetParam());
  };
  EXPECT_TRUE(is_broken(0x70000070));
  EXPECT_FALSE(is_broken(5'000'000)) << "time stamps may be of whole seconds";
}

INSTANTIATE_TEST_SUITE_P(Each, SkippedRpcIds, testing::Values("RAMCLOUD-rpcId-2", "RAMCLOUD-rpcId-4"), name_of_rule);

// Over TCP, both streams are complete, and everything that the sender had received from the other side precedes its
// segment.
class WholeStreams : public testing::TestWithParam<std::string_view> {
 protected:
  static std::vector<Packet> trace() { return violating("smbd", GetParam()); }
  static bool is_broken(const std::vector<Packet>& packets) {
    return broken_in(protocol("smbd"), pointers(packets), Completeness::unknown).contains(GetParam());
  }
};

TEST_P(WholeStreams, ProveWhatTheSenderLacked) {
  EXPECT_TRUE(is_broken(trace()));
}

TEST_P(WholeStreams, AreNotWhereMoreIsAcknowledgedThanWasCaptured) {
  std::vector<Packet> packets = trace();
  for (Packet& packet : packets) {
    auto& segment = std::get<pcap::Segment>(packet.header);
    if (segment.flags.ack()) segment.ack += 100;
  }
  EXPECT_FALSE(is_broken(packets));
}

INSTANTIATE_TEST_SUITE_P(Each, WholeStreams,
                         testing::Values("SMBD-2.2.1-1", "SMBD-2.2.2-2", "SMBD-3.1.4.5-1", "SMBD-3.1.4.6-1",
                                         "SMBD-3.1.5.1-1", "SMBD-3.1.5.1-3", "SMBD-3.1.5.9-8", "SMBD-3.1.7.2-6"),
                         name_of_rule);

// --- what a complete capture fails, another fails as well, or holds back: nothing is lost

class ViolatingTraces : public testing::TestWithParam<const Protocol*> {};

TEST_P(ViolatingTraces, BreakTheSameRulesOrHoldThemBackWhereTheCaptureIsNotKnownToBeComplete) {
  const Protocol& one = *GetParam();
  std::size_t failed = 0, held_back = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(fmt::format("{}/corpora/{}/violating", WIRELAW_SOURCE_DIR, one.name))) {
    const std::vector<Packet> packets = read_packets(file.path());
    const auto broken = broken_in(one, pointers(packets), Completeness::complete);
    for (const RuleResult& result : results_of(one, pointers(packets), Completeness::unknown).rules) {
      if (!broken.contains(result.rule->id)) continue;
      EXPECT_GT(result.failed + result.held_back, 0u) << file.path() << ": " << result.rule->id;
      ++(result.failed > 0 ? failed : held_back);
    }
  }
  EXPECT_GT(failed, 0u);
  RecordProperty("failed", static_cast<int>(failed));
  RecordProperty("held_back", static_cast<int>(held_back));
}

INSTANTIATE_TEST_SUITE_P(Each, ViolatingTraces, testing::ValuesIn(protocols().begin(), protocols().end()),
                         [](const auto& each) { return std::string(each.param->name); });

}  // namespace
}  // namespace wirelaw
