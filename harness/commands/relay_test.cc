// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/relay_test.h"

#include <algorithm>

namespace wirelaw {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

TEST_F(RelayCommand, BetweenHonestPeersHasNoFindingAndTheInitiatorGetsItsAnswers) {
  for (const Pair& pair : kPairs) {
    const Judged judged = relay(pair);
    expect_no_finding(judged, name_of(pair));
    EXPECT_THAT(judged.run.err, Not(HasSubstr("the trigger ended"))) << name_of(pair);
  }
}

TEST_F(RelayCommand, BlamesTheSideThatDeviates) {
  for (const Deviation& row : kDeviations) {
    const bool responds = row.side == std::string_view("responder");
    const std::string what = fmt::format("{} {}", name_of(row.pair), row.deviation);
    const std::string deviates = fmt::format("--deviate {}", row.deviation);
    const Judged judged = responds ? relay(row.pair, deviates) : relay(row.pair, {}, deviates);
    expect_same_verdicts(judged, what);
    EXPECT_EQ(judged.run.status, row.status) << what << judged.run.err;
    EXPECT_EQ(judged.blamed(), std::set<std::string>{row.side}) << what;
  }
}

TEST_F(RelayCommand, WithFaultsThatTheNetworkMayHaveHasNoFinding) {
  struct Row {
    const Pair& pair;
    const char* network;
  };
  for (const Row& row :
       {Row{kRamcloud, "loss=0.05,duplication=0.05,reordering=0.1,delay=0-1"}, Row{kEfa, "reordering=0.1,delay=0-1"},
        Row{kRdmap, "cut=100,delay=0-1"}, Row{kSmbd, "cut=100,delay=0-1"}, Row{kUmsp, "cut=7,delay=0-1"}})
    for (int seed = 1; seed <= 10; ++seed) {
      const std::string what = fmt::format("{} {} seed {}", name_of(row.pair), row.network, seed);
      const Judged judged = relay(row.pair, {}, {}, {"--network", row.network, "--seed", std::to_string(seed)});
      expect_no_finding(judged, what);
      EXPECT_THAT(judged.run.err, Not(HasSubstr("the trigger ended"))) << what;
    }
}

// UMSP is left out, because its reference waits ten seconds for a lost connection to be opened again.
TEST_F(RelayCommand, ThatEndsAConnectionBlamesNobody) {
  for (const Pair& pair : {kRdmap, kSmbd})
    for (const char* const network : {"close=1", "reset=1", "close=30", "reset=30", "close=300", "reset=300"}) {
      const std::string what = fmt::format("{} {}", name_of(pair), network);
      const Judged judged = relay(pair, {}, {}, {"--network", network});
      expect_same_verdicts(judged, what);
      EXPECT_EQ(judged.live["findings"], json::array()) << what;
      EXPECT_NE(judged.run.status, 1) << what << judged.run.err;
      EXPECT_THAT(read_file(recording_), HasSubstr(network[0] == 'c' ? "the relay closes both legs after"
                                                                     : "the relay resets both legs after"))
          << what;
    }
}

TEST_F(RelayCommand, ThatDoesNotReachTheResponderSaysSoAndBlamesNobody) {
  for (const Pair& pair : {kRamcloud, kRdmap}) {
    const std::string trigger = fmt::format("timeout 2 {} serve {} --role {}", kProgram, pair.protocol, pair.initiator);
    for (const char* const format : {"text", "json"}) {
      const auto run = run_wirelaw({"relay", pair.protocol, "--to", free_uri(pair.protocol), "--trigger", trigger,
                                    "--pcapng", recording_, "--format", format});
      EXPECT_EQ(run.status, 3) << pair.protocol << run.err;
      EXPECT_THAT(run.err, HasSubstr("the responder could not be reached at 127.0.0.1:")) << pair.protocol;
      EXPECT_THAT(run.out, Not(HasSubstr("FAIL  "))) << pair.protocol;
      expect_peer_lost(run, format);
      EXPECT_THAT(read_file(recording_), HasSubstr("the relay could not reach the responder at")) << pair.protocol;
    }
  }
}

// The responder accepts the connection, or takes the datagrams, and never answers.
TEST_F(RelayCommand, WhoseResponderIsDeadSaysSoAndBlamesNobody) {
  struct Row {
    const Pair& pair;
    const char* socket;  // Python code of the responder, which prints its port
  };
  for (const Row& row : {Row{kRamcloud, "s = socket.socket(type=socket.SOCK_DGRAM); s.bind(('127.0.0.1', 0))"},
                         Row{kRdmap, "s = socket.create_server(('127.0.0.1', 0))"}}) {
    const Pair& pair = row.pair;
    const std::string start = fmt::format(
        "exec python3 -c \"import socket, time; {}; print('{}://127.0.0.1:%d' % s.getsockname()[1], flush=True); "
        "time.sleep(600)\"",
        row.socket, pair.scheme);
    const std::string trigger = fmt::format("timeout 1 {} serve {} --role {}", kProgram, pair.protocol, pair.initiator);
    for (const char* const format : {"text", "json"}) {
      const auto run =
          run_wirelaw({"relay", pair.protocol, "--start", start, "--trigger", trigger, "--format", format});
      EXPECT_EQ(run.status, 3) << pair.protocol << run.err;
      EXPECT_THAT(run.err, HasSubstr("the responder has sent nothing")) << pair.protocol;
      expect_peer_lost(run, format);
    }
  }
}

TEST_F(RelayCommand, WithoutAnInitiatorSaysWhereItHadToConnect) {
  struct Row {
    const Pair& pair;
    std::vector<std::string> end;
    const char *did, *hint;
  };
  const char* const at_trigger = "; the command of --trigger has to connect to the URI in $WIRELAW_URI\n";
  const char* const at_hand = "; start the initiator while the relay runs, and let it connect there\n";
  for (const Row& row : {Row{kRamcloud, {"--trigger", "true"}, "has sent anything to", at_trigger},
                         Row{kRdmap, {"--trigger", "true"}, "has connected to", at_trigger},
                         Row{kRdmap, {"--for", "1s"}, "has connected to", at_hand}}) {
    const std::string result = folder_ + "/result.json";
    std::vector<std::string> words{
        "relay", row.pair.protocol, "--to", free_uri(row.pair.protocol), "--format", "json", "-o", result};
    words.insert(words.end(), row.end.begin(), row.end.end());
    const auto run = run_wirelaw(words);
    EXPECT_EQ(run.status, 2) << run.err;
    const std::string what = fmt::format("no initiator {} the relay at {}://{}, so there is nothing to judge", row.did,
                                         row.pair.scheme, address_after(run.err, "relaying "));
    EXPECT_THAT(run.err, HasSubstr(what + row.hint));
    EXPECT_THAT(run.err, Not(HasSubstr("capture the conversation")));
    const json problems = json::parse(read_file(result), nullptr, false)["problems"];
    ASSERT_EQ(problems.size(), 1u) << row.pair.protocol;
    EXPECT_EQ(problems[0]["message"], what);
  }
}

TEST_F(RelayCommand, ThatEndsTcpDoesNotJudgeItsSegments) {
  const Judged judged = relay(kRdmap);
  expect_same_verdicts(judged, "rdmap");
  std::size_t seen = 0;
  for (const json& rule : judged.live["rules"]) {
    const std::string id = rule["id"];
    if (id != "MPA-5.1-3" && id != "MPA-4.5-1" && id != "MPA-4.5-2") continue;
    ++seen;
    EXPECT_EQ(rule["verdict"], "not-applicable") << id;
    EXPECT_EQ(rule["reason"], "the relay ends TCP: the segments of its legs are not the peer's") << id;
  }
  EXPECT_EQ(seen, 3u);
}

TEST_F(RelayCommand, LinksTheLegsOfEachConnection) {
  const std::string trigger = fmt::format("for i in 1 2 3; do {} serve rdmap --role initiator & done; wait", kProgram);
  const auto run = run_wirelaw({"relay", "rdmap", "--start", fmt::format("exec {} serve rdmap", kProgram), "--trigger",
                                trigger, "--pcapng", recording_, "--format", "json"});
  ASSERT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(json::parse(run.out)["flows"].size(), 6u);
  for (const int number : {1, 2, 3})
    for (const char* const leg : {"initiator", "responder"})
      EXPECT_THAT(read_file(recording_), HasSubstr(fmt::format("connection {}, leg of the {}", number, leg)));
}

TEST_F(RelayCommand, EndsInOrderOnASignalAndReportsWhatItHas) {
  const std::string script = R"(
    cd "$1"; w=$2
    mkfifo serving said
    "$w" serve rdmap >serving & server=$!
    read -r line <serving; uri=tcp://${line##*tcp://}
    "$w" relay rdmap --to "${uri%%[?]*}" --pcapng both.pcapng 2>said & relay=$!
    exec 3<said
    read -r first <&3
    uri=tcp://${first#*relaying tcp://}
    "$w" serve rdmap "${uri%% *}" --role initiator 2>/dev/null || echo failed
    kill -TERM $relay
    wait $relay; status=$?
    kill $server
    exit $status)";
  const auto run = run_program("/bin/sh", {"-c", script, "sh", folder_, kProgram});
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_THAT(run.out, HasSubstr("PASS: nothing failed"));
  EXPECT_THAT(run.out, Not(HasSubstr("failed\n"))) << run.out;
  EXPECT_EQ(run_wirelaw({"check", recording_}).status, 0);
}

TEST_F(RelayCommand, RefusesWhatItCannotDoInOneLine) {
  struct Row {
    std::vector<std::string> words;
    const char* says;
  };
  for (const Row& row : {
           Row{{"nfs", "--to", "tcp://127.0.0.1:1"}, "unknown protocol 'nfs'"},
           Row{{"rdmap"}, "--to is required"},
           Row{{"rdmap", "--to", "tcp://127.0.0.1"}, "the port is missing"},
           Row{{"rdmap", "--to", "udp://127.0.0.1:1"}, "this protocol travels over tcp"},
           Row{{"rdmap", "--to", "verbs://127.0.0.1:1"}, "a relay forwards over tcp://, iwarp:// and udp:// only"},
           Row{{"rdmap", "--to", "memory:"}, "'memory:': a relay forwards over tcp://, iwarp:// and udp:// only"},
           Row{{"rdmap", "--to", "host"}, "no scheme; the form is tcp://HOST:PORT or tcp://[IPV6]:PORT\n"},
           Row{{"umsp", "--to", "tcp://127.0.0.1:1", "--listen", "udp://"}, "a relay has the same transport on both"},
           Row{{"rdmap", "--to", "tcp://127.0.0.1:1", "--for", "never"}, "--for: 'never' is not a duration"},
           Row{{"rdmap", "--to", "tcp://127.0.0.1:1", "--network", "loss=0.1"},
               "--network: loss: the protocol travels"},
           Row{{"efa", "--to", "udp://127.0.0.1:1", "--network", "loss=0.1"}, "over SRD, which is reliable"},
           Row{{"rdmap", "--to", "tcp://127.0.0.1:1", "--pcapng", "-"}, "standard output is for reports"},
           Row{{"rdmap", "--to", "tcp://127.0.0.1:1", "--listen", "tcp://192.0.2.1:1"}, "cannot listen at 192.0.2.1:1"},
           Row{{"rdmap", "--to", "tcp://127.0.0.1:1", "--connections", "0"}, "--connections"},
       }) {
    std::vector<std::string> words = row.words;
    words.insert(words.begin(), "relay");
    const auto run = run_wirelaw(words);
    EXPECT_EQ(run.status, 2) << row.says << run.err;
    EXPECT_THAT(run.err, HasSubstr(row.says));
    EXPECT_EQ(std::ranges::count(run.err, '\n'), 1) << run.err;
  }
}

}  // namespace
}  // namespace wirelaw
