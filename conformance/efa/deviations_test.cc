// SPDX-License-Identifier: Apache-2.0
// Every deviation of the reference endpoint breaks those rules of traces that list it as a breach, and no others;
// conforming pairs break none, however the device reorders their packets and UDP duplicates them.
#include "reference/efa/deviations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>

#include "conformance/efa/cases.h"
#include "conformance/efa/efa.h"
#include "conformance/efa/roles.h"
#include "conformance/judge.h"
#include "reference/efa/test_scenes.h"

namespace wirelaw::efa {
namespace {

using ::testing::IsEmpty;

// Time between packets. kSlow lets a conversation exceed the grace period of EFA/A-40; kQuick, for a device that
// reorders, keeps all its packets within it.
constexpr std::int64_t kSlow = 20'000'000, kQuick = 10'000;

// Feeds an observer with the packets that arrive at either side, in that order.
class Tap {
 public:
  Tap(Judge& judge, World& world, std::int64_t step) : judge_(judge), step_(step) {
    world.delivers = [this](PeerId from, const OctetBuffer& octets) { take(from, octets); };
  }
  void finish() {
    if (observer_) observer_->finish(judge_);
  }

 private:
  static wirelaw::Endpoint address_of(PeerId id) {
    wirelaw::Endpoint endpoint{.address = {.octets = {0xfe}, .v6 = true}, .port = static_cast<std::uint32_t>(id)};
    endpoint.address.octets[15] = static_cast<Octet>(id);
    return endpoint;
  }
  static PeerId other(PeerId id) { return id == kA ? kB : kA; }
  static std::string_view name_of(PeerId id) { return id == kA ? "A" : "B"; }

  void take(PeerId from, const OctetBuffer& octets) {
    if (!observer_) {
      first_ = from;
      observer_ = kProtocol.observer({.addresses = {{address_of(from), address_of(other(from))}}});
      judge_.enter_flow("pair", name_of(from), name_of(other(from)));
    }
    observer_->observe(
        message_of(octets, from == first_ ? Side::a : Side::b, index_, static_cast<std::int64_t>(index_) * step_),
        judge_);
    ++index_;
  }

  Judge& judge_;
  std::int64_t step_;
  std::unique_ptr<Observer> observer_;
  PeerId first_ = kA;
  std::uint64_t index_ = 0;
};

// Both sides continue for long after the handshakes, and then use every feature.
void talk_long(Stage& script) {
  script.meet();
  for (int i = 0; i < 12; ++i) script.message(20, {}), script.answer();
  script.message(10, {}, 4, true);
  script.answer();
  script.message(3'000, Transfer::medium);
  script.message(8'000, Transfer::long_cts);
  const RmaIov region = script.region(8'000);
  script.world.a.write(kB, {.data = pattern(100), .to = {{region.addr, 100, region.key}}, .cq_data = 3},
                       script.world.now);
  script.world.a.read(kB, {.from = {region}}, script.world.now);
  script.world.run();
}

// Neither knows the other when both begin.
void begin_together(Stage& script) {
  script.world.a.post_receive({.octets = 8}, script.world.now);
  script.world.b.post_receive({.octets = 8}, script.world.now);
  script.world.a.send(kB, {.data = pattern(8)}, script.world.now);
  script.world.b.send(kA, {.data = pattern(8)}, script.world.now);
  script.world.run();
  for (int i = 0; i < 12; ++i) script.message(20, {}), script.answer();
}

std::vector<Scene> all_scenes() {
  std::vector<Scene> all = scenes();
  const Options rdma = all_blocks(with_rdma());
  all.push_back({rdma, rdma, talk_long});
  all.push_back({all_blocks({}), all_blocks(with_extras({Extra::delivery_complete})), talk_long});
  all.push_back({rdma, rdma, begin_together});
  all.push_back({{}, constant(), begin_together});
  return all;
}

// The findings against both sides in all scenes: "A EFA-1.3-2", with "?" appended for a warning. The value is the first
// finding, for failure messages.
using Findings = std::map<std::string, Finding>;

// Without a message ID, a write or a read that arrives twice counts as two (3.3), and a CTS that arrives twice grants
// twice (3.2), because the receiver cannot know that the transport duplicated them. (The device duplicates nothing.)
bool may_be_doubled(const Packet& packet) {
  const Layout* const layout = packet.layout();
  return layout != nullptr && !packet.is(PacketType::cts) && (!layout->is_request() || layout->ordered());
}

Findings judge_pairs(const Deviations& on_a, const Deviations& on_b, NetworkFaults network = {},
                     std::uint64_t seed = 3) {
  Findings all;
  for (const Scene& scene : all_scenes()) {
    NetworkFaults faults = network;
    faults.reordering = std::max(faults.reordering, scene.faults.reordering);
    Stage script(scene.a, scene.b, on_a, on_b, faults, seed);
    script.world.may_double = may_be_doubled;
    Judge judge(kProtocol.catalogue());
    Tap tap(judge, script.world, faults.reordering > 0 || faults.duplication > 0 ? kQuick : kSlow);
    scene.run(script);
    script.end();
    tap.finish();
    if (script.injected) continue;
    for (Finding& finding : judge.take_findings()) {
      const char* const mark = finding.severity == Severity::warning ? "?" : "";
      all.try_emplace(finding.sender + " " + std::string(finding.rule->id) + mark, std::move(finding));
    }
  }
  return all;
}

std::string text_of(const Findings& findings) {
  std::string text;
  for (const auto& [key, one] : findings)
    text += fmt::format("{} in message {}: expected {}, there is {}: {}\n", key, one.message, one.expected, one.actual,
                        one.explanation);
  return text;
}

const Findings& honest() {
  static const Findings kHonest = judge_pairs({}, {});
  return kHonest;
}

// The rules that one side is reported to break, without the warnings that conforming endpoints get.
std::set<std::string> reported(const Findings& findings, std::string_view side) {
  std::set<std::string> rules;
  for (const auto& [key, one] : findings)
    if (key.starts_with(side) && !honest().contains(key)) rules.insert(key.substr(side.size() + 1));
  return rules;
}

// Those that list the deviation as a breach that a trace shows.
std::set<std::string> listed(Deviation deviation, Role role) {
  std::set<std::string> rules;
  for (const BreachList& list : breaches())
    for (const Breach& one : list)
      if (one.deviation == static_cast<unsigned>(deviation) && one.rule->observable == Observable::trace &&
          one.where.given.empty() && is_broken_by(one, role))
        rules.insert(std::string(one.rule->id) + (one.where.severity == Severity::warning ? "?" : ""));
  return rules;
}

std::vector<std::string> violations_of(const Findings& findings, std::string_view side) {
  std::vector<std::string> rules;
  for (const auto& [key, one] : findings)
    if (key.starts_with(side) && one.severity == Severity::violation) rules.push_back(key);
  return rules;
}

TEST(Deviations, OfNobodyBreakNoRule) {
  for (const auto& [key, one] : honest()) EXPECT_TRUE(key.ends_with("?")) << text_of({{key, one}});
}

TEST(Deviations, OfNobodyBreakNoRuleOnADeviceThatReorders) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const auto& [key, one] : judge_pairs({}, {}, {.reordering = 1}, seed))
      EXPECT_TRUE(key.ends_with("?")) << "seed " << seed << ": " << text_of({{key, one}});
}

TEST(Deviations, OfNobodyBreakNoRuleOverUdpThatDoublesAndReorders) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const auto& [key, one] : judge_pairs({}, {}, {.duplication = 0.3, .reordering = 1}, seed))
      EXPECT_TRUE(key.ends_with("?")) << "seed " << seed << ": " << text_of({{key, one}});
}

TEST(Deviations, OfNobodyBreakNoRuleOverUdpThatDoubles) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    for (const auto& [key, one] : judge_pairs({}, {}, {.duplication = 0.3}, seed))
      EXPECT_TRUE(key.ends_with("?")) << "seed " << seed << ": " << text_of({{key, one}});
}

// If no rule lists a deviation, no packet shows the fault: it takes a case or the application.
class EachDeviation : public ::testing::TestWithParam<DeviationInfo> {};

TEST_P(EachDeviation, IsReportedByTheRulesThatListIt) {
  const Deviation deviation = GetParam().deviation;
  const Findings on_a = judge_pairs({deviation}, {});
  EXPECT_EQ(reported(on_a, "A"), listed(deviation, kRequester)) << text_of(on_a);
  EXPECT_THAT(violations_of(on_a, "B"), IsEmpty()) << "of the honest side\n" << text_of(on_a);
  const Findings on_b = judge_pairs({}, {deviation});
  EXPECT_EQ(reported(on_b, "B"), listed(deviation, kResponder)) << text_of(on_b);
  EXPECT_THAT(violations_of(on_b, "A"), IsEmpty()) << "of the honest side\n" << text_of(on_b);
}

INSTANTIATE_TEST_SUITE_P(All, EachDeviation, ::testing::ValuesIn(all_deviations()), [](const auto& one) {
  std::string name(one.param.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace wirelaw::efa
