// SPDX-License-Identifier: Apache-2.0
// Real traffic of other protocols (corpora/captures/foreign), with the keys of our protocols inside it: nothing is
// recognised and nothing is found, on the original ports and on ports that are assigned to our protocols, with any
// frame as the first.
#include <gmock/gmock.h>
#include <test_paths.h>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/check/packets_test.h"

namespace wirelaw {
namespace {

namespace fs = std::filesystem;

struct Move {
  std::uint16_t server, to;
};

// Replaces a port, at either end, by another one.
void move_port(pcap::Endpoint& end, const Move& move) {
  if (end.port == move.server) end.port = move.to;
}

Results judge(const std::vector<Packet>& packets, std::size_t first, const std::optional<Move>& move,
              Completeness completeness) {
  Checker checker(CheckOptions{});
  checker.begin_file({}, completeness);
  std::uint64_t frame = 0;
  for (std::size_t i = first; i < packets.size(); ++i) {
    std::visit(
        [&](auto header) {
          header.frame = ++frame;
          header.payload = packets[i].octets;
          if (move) {
            move_port(header.source, *move);
            move_port(header.destination, *move);
          }
          checker.take(header);
        },
        packets[i].header);
  }
  checker.end_file(completeness);
  return checker.take_results();
}

void expect_nothing(const Results& results, const std::string& what) {
  EXPECT_THAT(results.findings, testing::IsEmpty()) << what;
  for (const FlowResult& flow : results.flows) {
    EXPECT_EQ(flow.protocol, "") << what << " " << flow.id;
    EXPECT_EQ(flow.state, FlowState::unrecognised) << what << " " << flow.id;
  }
}

struct Capture {
  const char* name;
  std::uint16_t server;
};

class ForeignTraffic : public testing::TestWithParam<Capture> {
 protected:
  const std::vector<Packet> packets_ = read_packets(fs::path(WIRELAW_SOURCE_DIR) / "corpora/captures/foreign" /
                                                    (std::string(GetParam().name) + ".pcap"));
};

TEST_P(ForeignTraffic, HoldsTheKeysOrIsEncrypted) {
  ASSERT_GT(packets_.size(), 10u);
  bool has_key = false, uses_port = false;
  for (const Packet& one : packets_) {
    has_key |= std::string(one.octets.begin(), one.octets.end()).find("MPA ID Req Frame") != std::string::npos;
    uses_port |= one.source().port == GetParam().server;
  }
  EXPECT_TRUE(uses_port);
  const std::string name = GetParam().name;
  EXPECT_EQ(has_key, name == "http" || name == "dns" || name == "nbd");
}

TEST_P(ForeignTraffic, IsNotRecognisedOnAnyPortNorFromAnyFrame) {
  // 2110: UMSP, 5445: SMB Direct, 4791: RoCE; 7471 and 7174 are common for RDMA applications.
  for (const std::uint16_t to : {std::uint16_t{0}, std::uint16_t{2110}, std::uint16_t{5445}, std::uint16_t{4791},
                                 std::uint16_t{7471}, std::uint16_t{7174}}) {
    const auto move = to == 0 ? std::nullopt : std::optional(Move{GetParam().server, to});
    for (std::size_t first = 0; first < packets_.size(); ++first)
      for (const Completeness completeness : {Completeness::unknown, Completeness::complete})
        expect_nothing(
            judge(packets_, first, move, completeness),
            std::string(GetParam().name) + " on port " + std::to_string(to) + " from " + std::to_string(first));
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, ForeignTraffic,
                         testing::Values(Capture{"http", 8080}, Capture{"tls", 8443}, Capture{"ssh", 2222},
                                         Capture{"dns", 5353}, Capture{"iscsi", 3260}, Capture{"nbd", 10809}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace wirelaw
