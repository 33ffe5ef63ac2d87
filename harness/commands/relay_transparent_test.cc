// SPDX-License-Identifier: Apache-2.0
// `wirelaw relay --transparent` between two reference peers, each in a network of its own.
#include "harness/commands/relay_test.h"

namespace wirelaw {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// Each packet of these peers is one frame.
constexpr Pair kShortEfa{"efa", "udp", "requester", "--requests 2 --request-octets 1000 --seed 2"};

// Changes of the first messages that disturb no receiver. One of them is played, whatever a peer does wrong.
const char* harmless_faults(const Pair& pair) {
  const std::string_view protocol = pair.protocol;
  if (protocol == "umsp") return "on a SESSION_OPEN: window+=1\n";
  if (pair.scheme == std::string_view("udp")) return "on a any nth 1: delay 5ms\non b any nth 1: delay 5ms\n";
  return "on a any nth 1: res^=1\non b any nth 1: res^=1\n";
}

class RelayAsWire : public RelayCommand {
 protected:
  void SetUp() override {
    RelayCommand::SetUp();
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

  // The side of each finding, by its address.
  static std::set<std::string> blamed(const Judged& judged) {
    std::set<std::string> roles;
    for (const json& one : judged.live["findings"])
      roles.insert(std::string(one["sender"]).starts_with("192.0.2.1:") ? "initiator" : "responder");
    return roles;
  }

  static void expect_honest(const Judged& judged, const std::string& what) {
    expect_same_verdicts(judged, what);
    EXPECT_EQ(judged.run.status, 0) << what << judged.run.err;
    EXPECT_EQ(judged.live["findings"], json::array()) << what;
    EXPECT_GE(judged.flows_judged(), 2u) << what;
  }

  const std::string file_ = folder_ + "/x.faults";
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

TEST_F(RelayAsWire, BlamesTheSideThatDeviatesWhenItEditsMessages) {
  for (const Deviation& row : kDeviations) {
    const Pair& pair = row.pair.protocol == std::string_view("efa") ? kShortEfa : row.pair;
    write_file(file_, harmless_faults(pair));
    const std::vector<std::string> words{"--faults", file_, "--for", "8s"};
    const std::string deviates = fmt::format("--deviate {}", row.deviation);
    const std::string what = fmt::format("{} {}", name_of(pair), row.deviation);
    const bool responds = row.side == std::string_view("responder");
    const Judged judged = responds ? relay(pair, deviates, {}, words) : relay(pair, {}, deviates, words);
    expect_same_verdicts(judged, what);
    EXPECT_LE(judged.run.status, 1) << what << judged.run.err;
    EXPECT_EQ(blamed(judged), std::set<std::string>{row.side}) << what;
    EXPECT_THAT(judged.run.err, HasSubstr("the relay itself played line 1 of the faults")) << what;
  }
}

// Edited messages are only on the receiver's leg, and are no finding.
TEST_F(RelayAsWire, EditsMessagesAndBlamesNobody) {
  struct Row {
    const Pair& pair;
    const char* faults;
  };
  for (const Row& row :
       {Row{kRamcloud, "on b DATA nth 3: rpc_id^=64"},
        Row{kRamcloud, "on a DATA nth 2: twice\non b DATA nth 1: delay 30ms"}, Row{kEfa, "on a any nth 3: lose"},
        Row{kRdmap, "on a FPDU nth 2: crc^=1"}, Row{kRdmap, "on b Send nth 1: msn+=1"},
        Row{kRdmap, "on a MpaRequest: rev=7"}, Row{kSmbd, "on b NegotiateResponse: max_receive_size=1"},
        Row{kSmbd, "on a DataTransfer nth 2: credits_granted=0"}, Row{kSmbd, "on b FPDU nth 3: crc^=1"},
        Row{kUmsp, "on a SESSION_OPEN: required_profile^=255"}, Row{kUmsp, "on b any nth 2: req_id^=1"}}) {
    const std::string what = fmt::format("{}: {}", name_of(row.pair), row.faults);
    write_file(file_, row.faults);
    const Judged judged = relay(row.pair, {}, {}, {"--faults", file_, "--for", "4s"});
    expect_same_verdicts(judged, what);
    EXPECT_EQ(judged.live["findings"], json::array()) << what;
    EXPECT_THAT(read_file(recording_), HasSubstr("the relay plays line 1 of the faults: ")) << what << judged.run.err;
  }
}

// The receiver of an FPDU with a wrong CRC sends a Terminate. Its leg has what it got.
TEST_F(RelayAsWire, ThatBreaksACrcGetsATerminateFromTheReceiver) {
  const auto terminates = [&](const std::string& faults) {
    write_file(file_, faults);
    const Judged judged = relay(kRdmap, {}, {}, {"--faults", file_, "--for", "4s"});
    expect_same_verdicts(judged, faults);
    EXPECT_EQ(judged.live["findings"], json::array()) << faults;
    const auto decoded = run_wirelaw({"decode", recording_});
    return decoded.out.find("Terminate") != std::string::npos;
  };
  EXPECT_FALSE(terminates("on a Send nth 2: msn+=0\n"));
  EXPECT_TRUE(terminates("on a Send nth 2: / fpdu crc^=1\n"));
}

// The receiver ignores what is edited. It gets one value of each octet, though segments are lost and repeated.
TEST_F(RelayAsWire, LosesPacketsAndEditsEachTransmission) {
  for (int seed = 1; seed <= 3; ++seed) {
    const std::string what = fmt::format("seed {}", seed);
    write_file(file_, "on a Send: inval_stag=7\n");
    const Judged judged = relay(
        kRdmap, {}, {},
        {"--faults", file_, "--network", "loss=0.05,duplication=0.05,reordering=0.05", "--seed", std::to_string(seed)});
    expect_honest(judged, what);
    EXPECT_THAT(judged.run.err, HasSubstr("played line 1 of the faults")) << what;
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

// What a relay that ends TCP cannot judge. Our peer begins each segment with an FPDU, and no FPDU needs two segments.
TEST_F(RelayAsWire, JudgesTcpSegments) {
  const Judged judged = relay(kRdmap);
  std::set<std::string> passed;
  for (const json& rule : judged.live["rules"])
    if (rule["verdict"] == "pass") passed.insert(rule["id"]);
  EXPECT_THAT(passed, testing::IsSupersetOf({"MPA-4.5-2", "MPA-5.1-3"}));
}

// The responder does not serve, though its system may accept the connection, reset it, or answer with ICMP.
TEST_F(RelayAsWire, WhoseResponderIsDeadSaysSoAndBlamesNobody) {
  constexpr const char* kOpenSession = "bytes.fromhex('cccccccccccccccc000000006daff2b3cccccccc000000000020')";
  constexpr const char* kStartFrame = "b'MPA ID Req Frame' + bytes([64, 1, 0, 0])";
  struct Row {
    const Pair& pair;
    const char *type, *request, *responder, *said;  // but for `said`: Python
  };
  for (const Row& row :
       {Row{kRamcloud, "SOCK_DGRAM", kOpenSession, "", "the responder has sent nothing"},
        Row{kRamcloud, "SOCK_DGRAM", kOpenSession, "s.close(); ", "the responder has sent nothing"},
        Row{kRdmap, "SOCK_STREAM", kStartFrame, "s.listen(); ", "the responder has sent nothing"},
        Row{kRdmap, "SOCK_STREAM", kStartFrame, "", "the responder could not be reached at 192.0.2.2:"}}) {
    const std::string start = fmt::format(
        "exec python3 -c \"import socket, time; s = socket.socket(type=socket.{}); s.bind(('192.0.2.2', 0)); "
        "port = s.getsockname()[1]; {}print('{}://192.0.2.2:%d' % port, flush=True); time.sleep(600)\"",
        row.type, row.responder, row.pair.scheme);
    const std::string trigger = fmt::format(
        "python3 -c \"import os, socket; host, port = os.environ['WIRELAW_URI'].split('//')[1].split(':'); "
        "s = socket.socket(type=socket.{}); s.connect((host, int(port))); s.send({})\" 2>/dev/null",
        row.type, row.request);
    const std::string what = fmt::format("{} {}", row.pair.protocol, row.responder);
    const auto run = run_wirelaw({"relay", row.pair.protocol, "--transparent", "--start", start, "--trigger", trigger});
    EXPECT_EQ(run.status, 3) << what << run.out << run.err;
    EXPECT_THAT(run.err, HasSubstr(row.said)) << what;
    EXPECT_THAT(run.out, testing::Not(HasSubstr("FAIL  "))) << what;
    expect_peer_lost(run, "text");
  }
}

// What goes to another port than the responder's is not taken for the protocol.
TEST_F(RelayAsWire, DoesNotJudgeOtherTrafficOfThePeers) {
  const std::string start = fmt::format(
      "exec python3 -c \"import os, socket\ns = socket.create_server(('192.0.2.2', 7))\n"
      "if os.fork(): os.execl('{0}', '{0}', 'serve', 'rdmap', os.environ['WIRELAW_URI'])\n"
      "c, _ = s.accept(); c.sendall(b'SSH-2.0-x' * 100); c.recv(10)\"",
      kProgram);
  const std::string trigger = fmt::format(
      "python3 -c \"import socket; s = socket.create_connection(('192.0.2.2', 7)); s.sendall(b'SSH-2.0-y' * 100); "
      "s.recv(10)\" && exec {} serve rdmap --role initiator \"$WIRELAW_URI\"",
      kProgram);
  const auto run =
      run_wirelaw({"relay", "rdmap", "--transparent", "--start", start, "--trigger", trigger, "--format", "json"});
  EXPECT_EQ(run.status, 0) << run.err;
  const json result = json::parse(run.out, nullptr, false);
  ASSERT_FALSE(result.is_discarded()) << run.out;
  EXPECT_EQ(result["findings"], json::array());
  std::multiset<std::string> states;
  for (const json& flow : result["flows"]) states.insert(std::string(flow["state"]));
  EXPECT_EQ(states, (std::multiset<std::string>{"judged", "judged", "unrecognised", "unrecognised"}));
}

// Other programs may renumber or merge the interfaces. Then nothing says which peer is judged where.
TEST_F(RelayAsWire, RecordingWithoutItsInterfacesIsRefused) {
  const Judged judged = relay(kRamcloud);
  expect_honest(judged, "ramcloud");
  std::string octets = read_file(recording_);
  const auto length_at = [&](std::size_t at) {
    return static_cast<unsigned char>(octets[at + 4]) + 256u * static_cast<unsigned char>(octets[at + 5]);
  };
  // The interfaces follow the section header; after them come the frames. All interfaces are added once more, and the
  // frames are moved to these.
  const std::size_t interfaces = length_at(0);
  std::size_t frames = interfaces;
  while (octets[frames] == 1) frames += length_at(frames);
  for (std::size_t at = frames; octets[at] == 6; at += length_at(at))
    octets[at + 8] = static_cast<char>(octets[at + 8] + 4);
  octets.insert(frames, octets.substr(interfaces, frames - interfaces));
  write_file(recording_, octets);
  const auto run = run_wirelaw({"check", recording_});
  EXPECT_EQ(run.status, 2) << run.out;
  EXPECT_THAT(run.out + run.err, HasSubstr("on none of the four interfaces of a relay's recording"));
}

TEST_F(RelayAsWire, RefusesWhatItCannotDo) {
  const auto err = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"relay", "rdmap", "--transparent"});
    const auto run = run_wirelaw(words);
    EXPECT_EQ(run.status, 2);
    return run.err;
  };
  EXPECT_THAT(err({}), HasSubstr("--transparent needs --start and --trigger, for two programs, or --listen and --to"));
  EXPECT_THAT(err({"--listen", "udp://127.0.0.1:0", "--to", "udp://[::1]:7"}), HasSubstr("not of one address family"));
  EXPECT_THAT(err({"--start", "true", "--trigger", "true", "--port", "7"}), HasSubstr("--port is for"));
  EXPECT_THAT(err({"--start", "true"}), HasSubstr("--trigger is required"));
  EXPECT_THAT(err({"--start", "true", "--trigger", "true", "--listen", "tcp://:1"}), HasSubstr("--listen: "));
  EXPECT_THAT(err({"--start", "true", "--trigger", "true", "--to", "tcp://127.0.0.1:1"}), HasSubstr("192.0.2.2"));
  EXPECT_THAT(err({"--listen", "udp://:0", "--to", "udp://:7", "--faults", "none"}), HasSubstr("--port is required"));
  struct Row {
    const char* faults;
    int column;
    const char* word;
  };
  for (const Row& row : {Row{"on a Send: lose", 12, "lose"}, Row{"on a Send: msn+=1 twice", 19, "twice"},
                         Row{"on a Send: / fpdu cut 3", 19, "cut"}, Row{"on a Send: append hex:00", 12, "append"},
                         Row{"on a Send: insert 1, hex:00", 12, "insert"}, Row{"on a Send: delay 5ms", 18, "delay"},
                         Row{"on a Send: close", 3, "close"}, Row{"on a Send: reset", 3, "reset"}}) {
    write_file(file_, row.faults);
    EXPECT_THAT(err({"--start", "true", "--trigger", "true", "--faults", file_}),
                HasSubstr(fmt::format("--faults: {}:1:{}: a transparent relay cannot do '{}' over TCP", file_,
                                      row.column, row.word)));
  }
  EXPECT_THAT(err({"--start", "true", "--trigger", "true", "--network", "cut=7"}),
              HasSubstr("cut: a transparent relay forwards packets, and ends no connection; possible: loss"));
}

}  // namespace
}  // namespace wirelaw
