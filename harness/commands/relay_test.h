// SPDX-License-Identifier: Apache-2.0
// Two reference peers with `wirelaw relay` between them, as a user runs it. The recording is judged again each time.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <test_paths.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "harness/commands/program_test.h"

namespace wirelaw {

inline constexpr const char* kProgram = WIRELAW_BINARY_DIR "/harness/commands/wirelaw";

// Two reference peers of a protocol over one of its transports. In UMSP an address is a node, so its peers and the
// relay have different addresses.
struct Pair {
  const char* protocol;
  const char* scheme;
  const char* initiator;  // its role
  const char* requests;   // options of the initiator
  const char* to = "127.0.0.1";
  const char* listen = "127.0.0.1";
};
inline constexpr Pair kRamcloud{"ramcloud", "udp", "client", "--requests 3 --request-octets 5000"};
// Connids are random: peers with the same seed would have the same one.
inline constexpr Pair kEfa{"efa", "udp", "requester", "--requests 2 --request-octets 5000 --seed 2"};
inline constexpr Pair kRdmap{"rdmap", "tcp", "initiator", "--requests 3 --request-octets 5000"};
inline constexpr Pair kSmbd{"smbd", "iwarp", "initiator", "--requests 3 --request-octets 5000"};
inline constexpr Pair kUmsp{"umsp", "tcp", "initiator", "--requests 3 --request-octets 500", "127.0.0.2", "127.0.0.3"};
inline constexpr Pair kPairs[] = {kRamcloud, kEfa, kRdmap, kSmbd, kUmsp};

inline std::string name_of(const Pair& pair) {
  return fmt::format("{} over {}", pair.protocol, pair.scheme);
}

// A deviation of one of the two peers.
struct Deviation {
  const Pair& pair;
  const char *deviation, *side;
  int status = 1;  // 0: its breach is a warning
};
inline constexpr Deviation kDeviations[] = {
    {kRamcloud, "open-response-empty", "responder"},
    {kRamcloud, "open-response-direction-clear", "responder"},
    {kRamcloud, "total-frags-changes", "initiator"},
    {kRamcloud, "reserved1-sent", "initiator"},
    {kRdmap, "key-wrong", "responder"},
    {kRdmap, "start-reserved-set", "responder"},
    {kRdmap, "key-of-other-role", "initiator"},
    {kRdmap, "start-reserved-set", "initiator"},
    {kSmbd, "response-short", "responder"},
    {kSmbd, "response-min-version-zero", "responder"},
    {kSmbd, "request-short", "initiator"},
    {kSmbd, "request-min-version-zero", "initiator"},
    {kEfa, "version-three", "responder"},
    {kEfa, "handshake-count-low", "responder"},
    {kEfa, "sends-reserved-type", "initiator"},
    {kEfa, "raw-address-short", "initiator"},
    {kUmsp, "executions-answered-by-rsp-p", "responder"},
    {kUmsp, "each-answered", "responder", 0},
    {kUmsp, "same-number", "initiator"},
    {kUmsp, "answers-responses", "initiator", 0},
};

class RelayCommand : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  struct Judged {
    ProgramRun run;
    nlohmann::json live, again;      // results: of the run, and of its recording
    std::string listens, responder;  // addresses

    // Whom the findings blame.
    std::set<std::string> blamed() const {
      std::set<std::string> roles;
      for (const nlohmann::json& one : live["findings"]) {
        const std::string sender = one["sender"], flow = one["flow"];
        const bool on_near_leg = flow.find(listens) != std::string::npos;
        roles.insert(sender == responder && !on_near_leg ? "responder"
                     : sender != listens && on_near_leg  ? "initiator"
                                                         : "the relay");
      }
      return roles;
    }
    std::size_t flows_judged() const {
      std::size_t judged = 0;
      for (const nlohmann::json& one : live["flows"]) judged += one["state"] == "judged" ? 1 : 0;
      return judged;
    }
  };

  // `responder` and `initiator`: options of the peers.
  Judged relay(const Pair& pair, const std::string& responder = {}, const std::string& initiator = {},
               std::vector<std::string> words = {}) const {
    const std::string start = fmt::format("exec {} serve {} {}", kProgram, pair.protocol, responder);
    const std::string trigger = fmt::format("exec {} serve {} --role {} {} {}", kProgram, pair.protocol, pair.initiator,
                                            pair.requests, initiator);
    words.insert(words.begin(), {"relay", pair.protocol, "--to", fmt::format("{}://{}", pair.scheme, pair.to),
                                 "--listen", fmt::format("{}://{}", pair.scheme, pair.listen), "--start", start,
                                 "--trigger", trigger, "--pcapng", recording_, "--format", "json"});
    Judged judged{.run = run_wirelaw(words), .live = {}, .again = {}, .listens = {}, .responder = {}};
    judged.live = nlohmann::json::parse(judged.run.out, nullptr, false);
    judged.again = nlohmann::json::parse(run_wirelaw({"check", recording_, "--format", "json"}).out, nullptr, false);
    const std::string& said = judged.run.err;
    judged.listens = address_after(said, "relaying ");
    judged.responder = address_after(said, " to ");
    return judged;
  }

  static std::string address_after(const std::string& said, const std::string& word) {
    const std::size_t at = said.find(word), uri = said.find("://", at);
    if (at == std::string::npos || uri == std::string::npos) return "none";
    return said.substr(uri + 3, said.find(' ', uri) - uri - 3);
  }

  static void expect_same_verdicts(const Judged& judged, const std::string& what) {
    ASSERT_FALSE(judged.live.is_discarded()) << what << judged.run.out << judged.run.err;
    ASSERT_FALSE(judged.again.is_discarded()) << what;
    EXPECT_EQ(judged.live["rules"], judged.again["rules"]) << what;
    EXPECT_EQ(judged.live["findings"], judged.again["findings"]) << what;
    EXPECT_EQ(judged.live["flows"], judged.again["flows"]) << what;
  }

  // The report has the exit status of the command.
  static void expect_peer_lost(const ProgramRun& run, const std::string& format) {
    EXPECT_EQ(run.status, 3) << run.err;
    if (format == "text") {
      EXPECT_THAT(run.out, testing::HasSubstr("PEER LOST: it could not be reached, serves nothing, or died"));
      EXPECT_THAT(run.out, testing::HasSubstr("(exit status 3)"));
      return;
    }
    const nlohmann::json result = nlohmann::json::parse(run.out, nullptr, false);
    ASSERT_FALSE(result.is_discarded()) << run.out;
    EXPECT_EQ(result["gate"]["exit_status"], 3);
    EXPECT_EQ(result["gate"]["end"], "peer-lost");
  }

  static void expect_no_finding(const Judged& judged, const std::string& what) {
    expect_same_verdicts(judged, what);
    EXPECT_EQ(judged.run.status, 0) << what << judged.run.err;
    EXPECT_EQ(judged.live["findings"], nlohmann::json::array()) << what;
    EXPECT_GE(judged.flows_judged(), 2u) << what;
  }

  const std::string folder_ = testing::TempDir() + "wirelaw_relay_" + std::to_string(::getpid());
  const std::string recording_ = folder_ + "/both.pcapng";
};

}  // namespace wirelaw
