// SPDX-License-Identifier: Apache-2.0
#include "harness/interop/interop_plan.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace wirelaw {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr std::string_view kWhole = R"(
schema = "wirelaw-interop-plan-1"
protocol = "ramcloud"

[[peer]]
name = "reference"
initiator = "reference"
responder = "reference"

[[peer]]
name = "mine"
initiator = "my-client {uri} --count {requests} --octets $WIRELAW_REQUEST_OCTETS"
[peer.unsupported]
parallel = "one request at a time"

[[scenario]]
name = "small"
requests = 3
octets = 5000
network = "loss=0.1"
seed = 7

[[scenario]]
name = "parallel"
parallel = true
sessions = 4
restart = "responder"
faults = "lose.faults"
completes = false
seconds = 9
)";

std::string refusal(std::string text) {
  const auto plan = parse_interop("folder/x.toml", text);
  return plan ? "none" : plan.error();
}
std::string changed(std::string_view from, std::string_view to) {
  std::string text(kWhole);
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(InteropPlan, SaysWhoMeetsInWhat) {
  const auto plan = parse_interop("folder/x.toml", kWhole);
  ASSERT_TRUE(plan) << plan.error();
  EXPECT_EQ(plan->protocol->name, "ramcloud");
  EXPECT_EQ(plan->transport, "udp");
  EXPECT_EQ(plan->relay_address, "127.0.0.1");
  ASSERT_EQ(plan->peers.size(), 2u);
  EXPECT_EQ(plan->peers[1].responder, "");
  EXPECT_THAT(plan->peers[1].unsupported, ElementsAre(Pair("parallel", "one request at a time")));
  ASSERT_EQ(plan->scenarios.size(), 2u);
  EXPECT_THAT(plan->scenarios[0].values, ElementsAre(Pair("octets", "5000"), Pair("requests", "3")));
  EXPECT_EQ(plan->scenarios[0].seed, 7u);
  EXPECT_TRUE(plan->scenarios[0].completes);
  const InteropScenario& second = plan->scenarios[1];
  EXPECT_THAT(second.values, ElementsAre(Pair("parallel", "1")));
  EXPECT_EQ(second.sessions, 4u);
  EXPECT_EQ(second.restart, "responder");
  EXPECT_EQ(second.faults, "folder/lose.faults") << "seen from the file";
  EXPECT_EQ(second.seconds, 9u);
  EXPECT_FALSE(second.completes);
}

TEST(InteropPlan, OfATransparentRelayHasTheAddressesOfItsNetworks) {
  const auto plan = parse_interop("x.toml", changed("protocol =", "transparent = true\nprotocol ="));
  ASSERT_TRUE(plan) << plan.error();
  EXPECT_TRUE(plan->is_transparent);
  EXPECT_EQ(plan->responder_address, "192.0.2.2");
  EXPECT_EQ(plan->relay_address, "192.0.2.2") << "where the initiator connects";
}

TEST(InteropPlan, DoesNotInferThatAScenarioIsUnsupported) {
  EXPECT_THAT(refusal(changed("parallel = \"one request at a time\"", "")),
              HasSubstr("the initiator of mine takes no {parallel}, which scenario parallel sets"));
  EXPECT_THAT(refusal(changed("parallel = true", "idle = 3")), HasSubstr("the initiator of reference takes no {idle}"));
  EXPECT_THAT(refusal(changed("parallel = \"one request", "paralel = \"one request")),
              HasSubstr("which is no scenario"));
  EXPECT_THAT(refusal(changed("\"one request at a time\"", "\"\"")), HasSubstr("needs a reason"));
}

TEST(InteropPlan, IsRefusedInOneLineWithItsPlace) {
  struct Row {
    const char *from, *to, *says;
  };
  for (const Row& row : {
           Row{"wirelaw-interop-plan-1", "other", "does not say schema"},
           Row{"\"ramcloud\"", "\"nfs\"", "unknown protocol 'nfs'; known: ramcloud"},
           Row{"protocol =", "transport = \"tcp\"\nprotocol =", "a relay does not forward ramcloud over 'tcp'"},
           Row{"initiator = \"reference\"\nresponder = \"reference\"", "", "needs initiator"},
           Row{"protocol =", "transparent = true\nrelay_address = \"127.0.0.2\"\nprotocol =",
               "with transparent = true the responder is at 192.0.2.2; leave relay_address out"},
           Row{"protocol =", "transparent = 1\nprotocol =", "is not true or false"},
           Row{"name = \"mine\"", "name = \"reference\"", "two of [[peer]]"},
           Row{"name = \"mine\"", "name = \"../mine\"", "is no name"},
           Row{"name = \"small\"", "name = \"parallel\"", "two of [[scenario]]"},
           Row{"restart = \"responder\"", "restart = \"both\"", "restart is"},
           Row{"sessions = 4", "sessions = 0", "sessions is from 1 to 1000"},
           Row{"seed = 7", "sed = 7", "has no 'sed'"},
           Row{"requests = 3", "requests = [3]", "is not a string"},
           Row{"name = \"mine\"", "name = \"mine\"\nrevision = \"next\"", "mine: RAMCloud RPC has no revision 'next'"},
       }) {
    const std::string said = refusal(changed(row.from, row.to));
    EXPECT_THAT(said, HasSubstr(row.says));
    EXPECT_THAT(said, HasSubstr("folder/x.toml: line "));
  }
}

TEST(InteropPlan, IsCheckedForWhatOtherCommandsAreTold) {
  std::string told;
  const auto refuse = [&](const InteropPlan& plan, const std::string& value) {
    told = fmt::format("{} over {}: {}", plan.protocol->name, plan.transport, value);
    return std::string("it is wrong");
  };
  const std::string with_options = changed("name = \"reference\"", "name = \"reference\"\noptions = \"--seed 3\"");
  const auto refuse_options = [&](const InteropPlan& plan, const InteropPeer& peer) {
    return refuse(plan, peer.options);
  };
  EXPECT_EQ(parse_interop("x.toml", with_options, {.reference_options = refuse_options}).error(),
            "x.toml: line 7: the peer reference: options: it is wrong");
  EXPECT_EQ(told, "ramcloud over udp: --seed 3");
  EXPECT_EQ(parse_interop("x.toml", kWhole, {.network = refuse}).error(),
            "x.toml: line 20: the scenario small: network: it is wrong");
  EXPECT_EQ(told, "ramcloud over udp: loss=0.1");
  EXPECT_EQ(parse_interop("folder/x.toml", kWhole, {.faults = refuse}).error(),
            "folder/x.toml: line 28: the scenario parallel: faults: it is wrong");
  EXPECT_EQ(told, "ramcloud over udp: folder/lose.faults");
}

}  // namespace
}  // namespace wirelaw
