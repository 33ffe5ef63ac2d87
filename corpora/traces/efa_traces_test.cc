// SPDX-License-Identifier: Apache-2.0
// EFA RDM traces in which a fault of one side excuses a fault of the other. Both are visible, so no sample can break
// only one rule.
#include <gmock/gmock.h>

#include "conformance/efa/efa.h"
#include "corpora/traces/efa_builder.h"

namespace wirelaw::corpora {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A long-CTS message of 1000 octets. A CTS allows `allowed` of the remaining 900, but the sender sends none of them: it
// sends another message, and a second passes.
Trace never_sent(std::uint64_t allowed) {
  constexpr std::uint32_t kSend = 4, kReceive = 3;
  EfaTraceBuilder s;
  s.meet();
  s.request(Side::a, EfaTraceBuilder::Type::longcts_msgrtm, 100,
            [](EfaTraceBuilder::Packet& packet) { packet.send_id = kSend, packet.msg_length = 1000; });
  s.cts(Side::b, kSend, kReceive, allowed);
  s.pause(200'000'000);
  s.eager(Side::a);
  s.pause(2'000'000'000);
  return {.messages = s.take(), .silence_ns = s.silence_ns()};
}

TEST(EfaTraces, DataThatACtsAllowsIsOwed) {
  Judge judge(efa::kProtocol.catalogue());
  judge_trace(never_sent(900), efa::kProtocol, judge);
  EXPECT_THAT(rules_reported(judge, Severity::violation), ElementsAre("EFA-3.2-148"));
}

TEST(EfaTraces, ACtsForMoreThanTheRestMayBeTakenForNone) {
  Judge judge(efa::kProtocol.catalogue());
  judge_trace(never_sent(901), efa::kProtocol, judge);
  EXPECT_THAT(rules_reported(judge, Severity::violation), IsEmpty());
  EXPECT_THAT(rules_reported(judge, Severity::warning), ElementsAre("EFA-3.2-103", "EFA-3.2-148"));
}

// Side a sends requests, b answers without a raw address, and a's HANDSHAKE comes last.
std::vector<std::string> reported_of_b(const EfaTraceBuilder::Edit& first_of_a) {
  const auto bare = [](EfaTraceBuilder::Packet& packet) {
    packet.flags &= static_cast<std::uint16_t>(~efa::flag::kRawAddress);
  };
  EfaTraceBuilder s;
  s.eager(Side::a, 16, first_of_a);
  s.eager(Side::b, 16, bare);
  s.handshake(Side::a);
  Judge judge(efa::kProtocol.catalogue());
  judge_trace({.messages = s.take(), .silence_ns = s.silence_ns()}, efa::kProtocol, judge);
  return rules_reported(judge, Severity::violation);
}

TEST(EfaTraces, AnAnswerNeedsNoRawAddressIfTheTwoMayHaveMetBefore) {
  EXPECT_THAT(reported_of_b([](auto& packet) { packet.flags &= static_cast<std::uint16_t>(~efa::flag::kRawAddress); }),
              IsEmpty());
  EXPECT_THAT(reported_of_b([](auto& packet) { packet.msg_id = 7; }), IsEmpty());
}

TEST(EfaTraces, AnAnswerToTheFirstRequestOfAllHasARawAddress) {
  EXPECT_THAT(reported_of_b({}), ElementsAre("EFA-2.2-1"));
}

}  // namespace
}  // namespace wirelaw::corpora
