// SPDX-License-Identifier: Apache-2.0
// `wirelaw relay --transparent` between two reference peers, each in a network of its own.
#include "harness/commands/relay_test.h"

namespace wirelaw {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class RelayAsWire : public Relay {
 protected:
  void SetUp() override {
    Relay::SetUp();
    static const std::string kWhyNot = why_not();
    if (!kWhyNot.empty()) GTEST_SKIP() << kWhyNot;
  }
  // Why this system has no networks for the peers; empty if it has.
  static std::string why_not() {
    const auto run =
        run_wirelaw({"relay", "ramcloud", "--transparent", "--start", "echo udp://192.0.2.2:9", "--trigger", "true"});
    for (const char* const hint : {"--transparent needs /dev/net/tun", "--transparent makes network namespaces"})
      if (run.err.find(hint) != std::string::npos) return run.err;
    return {};
  }

  Judged relay(const Pair& pair, const std::string& responder = {}, const std::string& initiator = {},
               std::vector<std::string> words = {}) const {
    const std::string start = fmt::format("exec {} serve {} \"$WIRELAW_URI\" {}", kProgram, pair.protocol, responder);
    const std::string trigger = fmt::format("exec {} serve {} --role {} {} {} \"$WIRELAW_URI\"", kProgram,
                                            pair.protocol, pair.initiator, pair.requests, initiator);
    words.insert(words.begin(), {"relay", pair.protocol, "--transparent", "--start", start, "--trigger", trigger,
                                 "--pcapng", recording_, "--format", "json"});
    Judged judged{.run = run_wirelaw(words), .live = {}, .again = {}, .listens = {}, .responder = {}};
    judged.live = json::parse(judged.run.out, nullptr, false);
    judged.again = json::parse(run_wirelaw({"check", recording_, "--format", "json"}).out, nullptr, false);
    return judged;
  }

  // Wirelaw's iWARP peer gives TCP many FPDUs at once, so segments do not begin with FPDUs: this warning is right.
  static constexpr const char* kAlignment = "MPA-5.1-3";

  // The side of each other finding, by its address.
  static std::set<std::string> blamed(const Judged& judged) {
    std::set<std::string> roles;
    for (const json& one : judged.live["findings"])
      if (one["rule"] != kAlignment)
        roles.insert(std::string(one["sender"]).starts_with("192.0.2.1:") ? "initiator" : "responder");
    return roles;
  }

  static void expect_honest(const Judged& judged, const std::string& what) {
    expect_same_verdicts(judged, what);
    EXPECT_EQ(judged.run.status, 0) << what << judged.run.err;
    for (const json& one : judged.live["findings"]) EXPECT_EQ(one["rule"], kAlignment) << what << one;
    EXPECT_GE(judged.flows_judged(), 2u) << what;
  }
};

TEST_F(RelayAsWire, BetweenHonestPeersHasNoFinding) {
  for (const Pair& pair : kPairs) {
    const Judged judged = relay(pair);
    expect_honest(judged, name_of(pair));
    std::set<std::string> notes;
    for (const json& flow : judged.live["flows"]) notes.insert(std::string(flow["note"]));
    EXPECT_THAT(notes, testing::IsSupersetOf({HasSubstr("leg of the initiator"), HasSubstr("leg of the responder")}));
  }
}

TEST_F(RelayAsWire, BlamesTheSideThatDeviates) {
  struct Row {
    const Pair& pair;
    const char *deviation, *side;
  };
  const Row rows[] = {{kRamcloud, "open-response-empty", "responder"},
                      {kRamcloud, "total-frags-changes", "initiator"},
                      {kRdmap, "key-wrong", "responder"},
                      {kRdmap, "start-reserved-set", "initiator"},
                      {kSmbd, "response-short", "responder"},
                      {kSmbd, "request-short", "initiator"},
                      {kEfa, "version-three", "responder"},
                      {kEfa, "raw-address-short", "initiator"},
                      {kUmsp, "executions-answered-by-rsp-p", "responder"},
                      {kUmsp, "same-number", "initiator"}};
  bool is_delayed = false;
  for (const Row& row : rows) {
    is_delayed = !is_delayed;
    const std::string deviates = fmt::format("--deviate {}", row.deviation);
    const std::string what = fmt::format("{} {}", name_of(row.pair), row.deviation);
    const std::vector<std::string> words{"--network", is_delayed ? "delay=0-1,reordering=0.02" : ""};
    const bool responds = row.side == std::string_view("responder");
    const Judged judged = responds ? relay(row.pair, deviates, {}, words) : relay(row.pair, {}, deviates, words);
    expect_same_verdicts(judged, what);
    EXPECT_EQ(judged.run.status, 1) << what << judged.run.err;
    EXPECT_EQ(blamed(judged), std::set<std::string>{row.side}) << what;
  }
}

TEST_F(RelayAsWire, LosesPacketsAndBlamesNobody) {
  for (const Pair& pair : kPairs) {
    const bool is_reliable = pair.protocol == std::string_view("efa");
    const char* const network = is_reliable ? "reordering=0.1,delay=0-1" : "loss=0.02,duplication=0.02,reordering=0.05";
    for (int seed = 1; seed <= 3; ++seed) {
      const std::string what = fmt::format("{} {} seed {}", name_of(pair), network, seed);
      const Judged judged = relay(pair, {}, {}, {"--network", network, "--seed", std::to_string(seed)});
      expect_honest(judged, what);
    }
  }
}

// What a relay that ends TCP cannot judge.
TEST_F(RelayAsWire, JudgesTcpSegments) {
  const Judged judged = relay(kRdmap);
  for (const json& rule : judged.live["rules"]) {
    if (rule["id"] != kAlignment) continue;
    EXPECT_EQ(rule["verdict"], "warned") << rule;
    EXPECT_GT(rule["exercised"], 0) << rule;
  }
}

TEST_F(RelayAsWire, WhoseResponderIsDeadSaysSoAndBlamesNobody) {
  const std::string start =
      "exec python3 -c \"import socket, time; s = socket.socket(type=socket.SOCK_DGRAM); s.bind(('192.0.2.2', 0)); "
      "print('udp://192.0.2.2:%d' % s.getsockname()[1], flush=True); time.sleep(600)\"";
  const std::string trigger = fmt::format("timeout 1 {} serve ramcloud --role client \"$WIRELAW_URI\"", kProgram);
  const auto run = run_wirelaw({"relay", "ramcloud", "--transparent", "--start", start, "--trigger", trigger});
  EXPECT_EQ(run.status, 3) << run.err;
  EXPECT_THAT(run.err, HasSubstr("the responder has sent nothing"));
  expect_peer_lost(run, "text");
}

TEST_F(RelayAsWire, RefusesWhatItCannotDo) {
  const auto err = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"relay", "rdmap", "--transparent"});
    const auto run = run_wirelaw(words);
    EXPECT_EQ(run.status, 2);
    return run.err;
  };
  EXPECT_THAT(err({}), HasSubstr("--transparent needs --start and --trigger, for two programs, or --listen and --to"));
  EXPECT_THAT(err({"--start", "true"}), HasSubstr("--trigger is required"));
  EXPECT_THAT(err({"--start", "true", "--trigger", "true", "--listen", "tcp://:1"}), HasSubstr("--listen: "));
  EXPECT_THAT(err({"--start", "true", "--trigger", "true", "--to", "tcp://127.0.0.1:1"}), HasSubstr("192.0.2.2"));
  EXPECT_THAT(err({"--start", "true", "--trigger", "true", "--faults", "none"}), HasSubstr("changes no octet"));
  EXPECT_THAT(err({"--start", "true", "--trigger", "true", "--network", "cut=7"}),
              HasSubstr("cut: a transparent relay forwards packets, and ends no connection; possible: loss"));
}

}  // namespace
}  // namespace wirelaw
