// SPDX-License-Identifier: Apache-2.0
// Honest peers with a relay that plays random faults between them: no peer is blamed. WIRELAW_RELAY_PLANS says how many
// plans of each kind each protocol has (default 2); WIRELAW_RELAY_FIRST_PLAN is the first seed.
#include <cstdlib>
#include <random>

#include "harness/commands/relay_test.h"

namespace wirelaw {
namespace {

using nlohmann::json;

int number_in(const char* variable, int otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atoi(text);
}

class Plan {
 public:
  explicit Plan(int seed) : random_(static_cast<std::uint64_t>(seed)) {}

  std::string network(const Pair& pair) {
    std::string plan = fmt::format("delay=0-{}", below(4));
    if (pair.scheme != std::string_view("udp")) {
      plan += fmt::format(",cut={}", 1 + below(2000));
      return below(4) != 0 ? plan : plan + fmt::format(",{}={}", below(2) == 0 ? "close" : "reset", 1 + below(20'000));
    }
    plan += fmt::format(",reordering=0.{:02}", below(20));
    if (pair.protocol == std::string_view("efa")) return plan;  // SRD is reliable
    return plan + fmt::format(",loss=0.{:02},duplication=0.{:02}", below(10), below(10));
  }
  std::string hostile(const Pair& pair) {
    std::string lines;
    for (std::uint64_t left = 1 + below(3); left > 0; --left)
      lines += fmt::format("on {} any nth {}: {}\n", below(2) == 0 ? "a" : "b", 1 + below(6), effect(pair));
    return lines;
  }

 private:
  std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  std::string effect(const Pair& pair) {
    switch (below(pair.scheme == std::string_view("udp") ? 6 : 8)) {
      case 0:
        return "lose";
      case 1:
        return "twice";
      case 2:
        return fmt::format("cut {}", 1 + below(40));
      case 3:
        return fmt::format("append hex:{:02x}{:02x}", below(256), below(256));
      case 4:
        return fmt::format("insert {}, hex:{:02x}", below(12), below(256));
      case 5:
        return fmt::format("delay {}ms", 1 + below(20));
      case 6:
        return "close";
      default:
        return "reset";
    }
  }

  std::mt19937_64 random_;
};

class RelayPlans : public RelayCommand, public testing::WithParamInterface<Pair> {
 protected:
  void expect_nobody_is_blamed(const Judged& judged, const std::string& what) {
    expect_same_verdicts(judged, what);
    EXPECT_EQ(judged.live["findings"], json::array()) << what;
    EXPECT_NE(judged.run.status, 1) << what << judged.run.err;
  }
  const int first_ = number_in("WIRELAW_RELAY_FIRST_PLAN", 1);
  const int end_ = first_ + number_in("WIRELAW_RELAY_PLANS", 2);
};

TEST_P(RelayPlans, OfANetworkBlameNobody) {
  for (int seed = first_; seed < end_; ++seed) {
    const std::string plan = Plan(seed).network(GetParam());
    const Judged judged = relay(GetParam(), {}, {}, {"--network", plan, "--seed", std::to_string(seed), "--for", "3s"});
    expect_nobody_is_blamed(judged, fmt::format("seed {}: {}", seed, plan));
  }
}

TEST_P(RelayPlans, ThatAreHostileBlameNobody) {
  const std::string file = folder_ + "/plan.faults";
  for (int seed = first_; seed < end_; ++seed) {
    const std::string plan = Plan(seed).hostile(GetParam());
    write_file(file, plan);
    const Judged judged = relay(GetParam(), {}, {}, {"--faults", file, "--for", "3s"});
    expect_nobody_is_blamed(judged, fmt::format("seed {}:\n{}", seed, plan));
  }
}

INSTANTIATE_TEST_SUITE_P(Of, RelayPlans, testing::ValuesIn(kPairs),
                         [](const auto& row) { return std::string(row.param.protocol); });

}  // namespace
}  // namespace wirelaw
