// SPDX-License-Identifier: Apache-2.0
// EFA RDM traces in which one side's slip excuses the other's: both are seen, so that no sample can be of one rule.
#include <gmock/gmock.h>

#include "conformance/efa/efa.h"
#include "corpora/traces/efa_script.h"

namespace wirelaw::corpora {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A long-CTS message of 1000 octets, a CTS for these many of the 900 that are left, and nothing of them; its sender has
// another message, and a second goes by.
Trace never_sent(std::uint64_t allowed) {
  constexpr std::uint32_t kSend = 4, kReceive = 3;
  EfaScript s;
  s.meet();
  s.request(Side::a, EfaScript::Type::longcts_msgrtm, 100,
            [](EfaScript::Packet& packet) { packet.send_id = kSend, packet.msg_length = 1000; });
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

}  // namespace
}  // namespace wirelaw::corpora
