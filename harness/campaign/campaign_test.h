// SPDX-License-Identifier: Apache-2.0
// Campaigns against the reference peer in memory, in folders of the test's own.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "harness/campaign/campaign.h"
#include "harness/peers/reference_peers.h"
#include "harness/transports/memory/memory_iut.h"

namespace wirelaw::campaign {

namespace fs = std::filesystem;

inline constexpr Pace kPace{std::chrono::seconds{2}, std::chrono::milliseconds{500}, std::chrono::seconds{60}};

// A reference peer, new for each input.
class MemoryArena {
 public:
  MemoryArena(std::string_view protocol, std::vector<std::string> deviations)
      : protocol_(*find_protocol(protocol)),
        options_{.role = Role::responder, .deviations = std::move(deviations), .rdma = true},
        arena_{.protocol = protocol_, .meet = [this](std::uint64_t seed) { return meet(seed); }} {
    arena_.parameters = offers_of(*find_reference_peer(protocol), options_);
  }
  const Arena& arena() const { return arena_; }

 private:
  tl::expected<Iut*, TransportError> meet(std::uint64_t seed) {
    auto maker = find_reference_peer(protocol_.name)->maker(options_);
    if (!maker) return tl::unexpected(TransportError{maker.error(), ""});
    iut_ = make_memory_iut(std::move(*maker), {.framing = memory_framing(protocol_), .seed = seed});
    return iut_.get();
  }

  const Protocol& protocol_;
  PeerOptions options_;
  std::unique_ptr<Iut> iut_;
  Arena arena_;
};

struct CampaignTest : ::testing::Test {
  CampaignTest() { fs::remove_all(folder); }
  ~CampaignTest() override { fs::remove_all(folder); }

  tl::expected<Outcome, std::string> run(std::string_view protocol, std::vector<std::string> deviations,
                                         std::uint64_t runs, std::vector<std::string> cases = {},
                                         const std::string& name = "one", std::uint64_t seed = 1) {
    Config config = config_of(name, runs);
    config.cases = std::move(cases);
    config.seed = seed;
    return run(protocol, std::move(deviations), std::move(config));
  }
  static tl::expected<Outcome, std::string> run(std::string_view protocol, std::vector<std::string> deviations,
                                                Config config) {
    MemoryArena memory(protocol, std::move(deviations));
    Tester tester(memory.arena());
    auto campaign = Campaign::open(tester, std::move(config));
    if (!campaign) return tl::unexpected(campaign.error());
    return campaign->run();
  }
  Config config_of(const std::string& name, std::uint64_t runs) const {
    return {.folder = path(name),
            .peer = "memory:",
            .trial_pace = kPace,
            .confirming_pace = kPace,
            .runs = runs,
            .version = "test"};
  }
  std::string path(const std::string& name) const { return (folder / name).string(); }
  std::string content(const std::string& name) const {
    std::ostringstream text;
    text << std::ifstream(path(name)).rdbuf();
    return text.str();
  }
  // The same inputs, findings and knowledge. Durations and numbers of repetitions may differ.
  void expect_same(const std::string& one, const std::string& whole) const {
    std::size_t compared = 0;
    for (const auto& entry : fs::recursive_directory_iterator(path(whole))) {
      if (entry.path().extension() != ".json" || entry.path().filename() == "stats.json" ||
          entry.path().filename() == "state.json")
        continue;
      const std::string name = fs::relative(entry.path(), path(whole)).string();
      EXPECT_EQ(content(one + "/" + name), content(whole + "/" + name)) << name;
      ++compared;
    }
    EXPECT_GT(compared, 10u);
    const auto own = read_json(path(one) + "/state.json"), other = read_json(path(whole) + "/state.json");
    ASSERT_TRUE(own && other);
    for (const char* name : {"entries", "signatures", "known", "unconfirmed", "pending", "chosen", "reached"})
      EXPECT_EQ((*own)[name], (*other)[name]) << name;
  }

  fs::path folder = fs::path(::testing::TempDir()) /
                    (std::string("campaign_") + ::testing::UnitTest::GetInstance()->current_test_info()->name());
};

}  // namespace wirelaw::campaign
