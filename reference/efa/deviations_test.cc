// SPDX-License-Identifier: Apache-2.0
// Each deviation changes packets, memory or results, compared with the same scripts run by honest endpoints.
#include "reference/efa/deviations.h"

#include <gtest/gtest.h>

#include <set>

#include "reference/efa/test_scenes.h"

namespace wirelaw::efa {
namespace {

using namespace std::chrono_literals;

Transcript run(const Deviations& on_a, const Deviations& on_b) {
  Transcript all;
  for (const Scene& scene : scenes()) {
    Stage script(scene.a, scene.b, on_a, on_b, scene.faults);
    scene.run(script);
    const Transcript lines = script.end();
    all.insert(all.end(), lines.begin(), lines.end());
  }
  return all;
}

const Transcript& honest() {
  static const Transcript kHonest = run({}, {});
  return kHonest;
}

bool is_for(const DeviationInfo& info, Role role) {
  return includes(info.role, role);
}

TEST(Deviations, AreFoundByTheirNames) {
  std::set<std::string_view> seen;
  ASSERT_EQ(all_deviations().size(), kDeviationCount);
  for (const DeviationInfo& info : all_deviations()) {
    EXPECT_EQ(deviation_from_name(info.name), info.deviation);
    EXPECT_EQ(describe(info.deviation).name, info.name);
    EXPECT_TRUE(seen.insert(info.name).second);
    EXPECT_TRUE(info.text.ends_with('.'));
    EXPECT_FALSE(info.rule.empty());
    EXPECT_EQ(Deviations{info.deviation}.of(Role::responder).empty(), !is_for(info, Role::responder)) << info.name;
  }
  EXPECT_EQ(deviation_from_name("no-such-fault"), std::nullopt);
}

TEST(Deviations, HaveScriptsThatAnHonestPairRunsTheSameTwice) {
  EXPECT_TRUE(run({}, {}) == honest());
}

class EachDeviation : public testing::TestWithParam<std::string_view> {};

TEST_P(EachDeviation, ShowsOnEverySideThatCommitsIt) {
  const DeviationInfo& info = describe(*deviation_from_name(GetParam()));
  if (is_for(info, Role::initiator)) {
    EXPECT_TRUE(run({info.deviation}, {}) != honest()) << info.text;
  }
  if (is_for(info, Role::responder)) {
    EXPECT_TRUE(run({}, {info.deviation}) != honest()) << info.text;
  }
}

std::vector<std::string_view> names() {
  std::vector<std::string_view> all;
  for (const DeviationInfo& info : all_deviations()) all.push_back(info.name);
  return all;
}

INSTANTIATE_TEST_SUITE_P(All, EachDeviation, testing::ValuesIn(names()), [](const auto& one) {
  std::string name(one.param);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

// ------------------------------------------------------------------------------------ packets of some of them

std::string first_packet(Deviation deviation, PeerId from, PacketType type) {
  Options options;
  options.host_id = 0x1122334455667788;
  options.address.connid = 0x0a0b0c0d;
  World world(options, options, {}, 1, from == kA ? Deviations{deviation} : Deviations{},
              from == kB ? Deviations{deviation} : Deviations{});
  world.a.send(kB, {.data = {0xaa}, .cq_data = 0x0807060504030201}, 0s);
  world.run();
  world.a.send(kB, {.data = {0xbb}, .cq_data = 0x0807060504030201}, world.now);
  world.run();
  std::string last;
  for (const Seen& one : world.seen)
    if (one.from == from && one.octets[0] == static_cast<Octet>(type)) last = to_hex(one.octets);
  return last;
}

TEST(Deviations, OfHandshakesAreTheOctetsThatTheirNamesSay) {
  const auto handshake = [](Deviation deviation) { return first_packet(deviation, kB, PacketType::handshake); };
  EXPECT_EQ(handshake(Deviation::no_handshake), "");
  EXPECT_EQ(handshake(Deviation::eor_missing), "09040180040000005a000000000000000d0c0b0a000000008877665544332211");
  EXPECT_EQ(handshake(Deviation::handshake_count_low),
            "09040180030000005a000000000000000d0c0b0a000000008877665544332211");
  EXPECT_EQ(handshake(Deviation::handshake_connid_unpadded),
            "09040180040000005a000000000000000d0c0b0a8877665544332211");
  EXPECT_EQ(handshake(Deviation::handshake_blocks_swapped),
            "09040180040000005a0000000000000088776655443322110d0c0b0a00000000");
  EXPECT_EQ(handshake(Deviation::handshake_undefined_bit),
            "09040180040000005a000000000100000d0c0b0a000000008877665544332211");
  EXPECT_EQ(handshake(Deviation::handshake_without_extra_info), "09040180030000000d0c0b0a000000008877665544332211");
}

TEST(Deviations, OfRequestsAreTheOctetsThatTheirNamesSay) {
  const auto request = [](Deviation deviation) { return first_packet(deviation, kA, PacketType::eager_msgrtm); };
  EXPECT_EQ(request(Deviation::eor_missing),
            "4004068001000000"
            "0102030405060708"
            "0d0c0b0a"
            "bb");
  EXPECT_EQ(request(Deviation::connid_before_cq_data),
            "4004068001000000"
            "0d0c0b0a"
            "0102030405060708"
            "bb");
  EXPECT_EQ(request(Deviation::connid_padded),
            "4004068001000000"
            "0102030405060708"
            "0d0c0b0a00000000"
            "bb");
  EXPECT_EQ(request(Deviation::connid_unannounced),
            "4004060001000000"
            "0102030405060708"
            "0d0c0b0a"
            "bb");
  EXPECT_EQ(request(Deviation::connid_not_sent),
            "4004060001000000"
            "0102030405060708"
            "bb");
  EXPECT_EQ(request(Deviation::big_endian),
            "4004800600000001"
            "0807060504030201"
            "0a0b0c0d"
            "bb");
  EXPECT_EQ(request(Deviation::msg_id_skips),
            "4004068002000000"
            "0102030405060708"
            "0d0c0b0a"
            "bb");
}

TEST(Deviations, ThatDieNeverAnswerAgain) {
  const auto endpoint = make_endpoint({}, 1, {Deviation::dies_of_unknown_type});
  endpoint->receive(5, hex("4d040000"), 0s);
  endpoint->receive(5, hex("40040400 00000000"), 0s);
  Outgoing out;
  EXPECT_FALSE(endpoint->next_datagram(out));
}

}  // namespace
}  // namespace wirelaw::efa
