// SPDX-License-Identifier: Apache-2.0
// Measures how fast a campaign finds faults. Runs one in memory against the reference with each of the twenty faults in
// seeded_faults.tsv: from all cases, unchanged (some look for the fault); and from one honest exchange, guided by
// coverage, by the protocol, and unguided, with as many inputs and the same seeds, until the first finding.
//
//   campaign_benchmark [INPUTS [SEEDS [WAY… [-- DEVIATION…]]]]   (3000, 5, all ways, all faults)
//
// For each seed it prints the input that found the fault, with the finding's signature and the number of its edits, or
// else the number of features. Before that: how many inputs reached the fault, and which was the first.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "harness/campaign/benchmark/covered_peer.h"
#include "harness/campaign/benchmark/twin_peer.h"
#include "harness/campaign/campaign.h"
#include "harness/peers/reference_peers.h"
#include "harness/transports/memory/memory_iut.h"

namespace wirelaw::campaign {
namespace {

namespace fs = std::filesystem;
constexpr Pace kPace{std::chrono::seconds{2}, std::chrono::milliseconds{500}, std::chrono::seconds{60}};

struct Fault {
  std::string protocol, exchange, deviation;
};

std::vector<Fault> faults_of(const std::string& path) {
  std::vector<Fault> faults;
  std::ifstream list(path);
  for (std::string line; std::getline(list, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream columns(line);
    Fault fault;
    std::getline(columns, fault.protocol, '\t');
    std::getline(columns, fault.exchange, '\t');
    std::getline(columns, fault.deviation, '\t');
    faults.push_back(std::move(fault));
  }
  return faults;
}

struct Result {
  std::uint64_t at = 0;             // the input that found it; 0: none did
  std::uint64_t reached_at = 0;     // the first input that reached the fault; 0: none did
  std::uint64_t reached_times = 0;  // inputs that reached it, seen by an oracle or not
  std::string signature;
  std::size_t edits = 0;  // number of edits in the smallest input
  std::uint64_t features = 0;
};

// Runs one campaign until its first finding.
class Measurement {
 public:
  Measurement(const Fault& fault, std::string_view way, CoverageMap& map)
      : protocol_(*find_protocol(fault.protocol)),
        fault_(fault),
        way_(way),
        options_{.role = Role::responder, .deviations = {fault.deviation}, .rdma = true},
        arena_{.protocol = protocol_,
               .parameters = offers_of(*find_reference_peer(fault.protocol), options_),
               .meet = [this](std::uint64_t seed) { return meet(seed); },
               .coverage = way == "coverage" ? &map : nullptr,
               .interrupted = &found_} {
    count_into(way == "coverage" ? map.counters() : std::span<std::uint8_t>());
  }

  Result run(const std::string& folder, std::uint64_t inputs, std::uint64_t seed) {
    Tester tester(arena_);
    const Guidance guidance = way_ == "none"       ? Guidance::none
                              : way_ == "coverage" ? Guidance::coverage
                                                   : Guidance::protocol;
    auto campaign = Campaign::open(
        tester, {.folder = folder,
                 .peer = "memory:",
                 .seed = seed,
                 .planning = {.guidance = guidance},
                 .cases = way_ == "cases" ? std::vector<std::string>{} : std::vector<std::string>{fault_.exchange},
                 .trial_pace = kPace,
                 .confirming_pace = kPace,
                 .runs = inputs});
    if (!campaign) throw std::runtime_error(campaign.error());
    Result result;
    const auto outcome = campaign->run({.progress =
                                            [&](const Progress& progress) {
                                              if (!progress.activity.empty()) return;
                                              if (std::exchange(is_reached_, false) && result.reached_times++ == 0)
                                                result.reached_at = progress.statistics.runs;
                                            },
                                        .found =
                                            [&](const CampaignFinding& finding) {
                                              result.at = finding.run;
                                              result.signature = finding.breach.signature;
                                              result.edits = finding.input.edits.size();
                                              found_ = 1;
                                            }});
    if (!outcome) throw std::runtime_error(outcome.error());
    result.features = outcome->statistics.features;
    return result;
  }

 private:
  tl::expected<Iut*, TransportError> meet(std::uint64_t seed) {
    PeerOptions honest = options_;
    honest.deviations.clear();
    auto maker = find_reference_peer(protocol_.name)->maker(options_);
    auto honest_maker = find_reference_peer(protocol_.name)->maker(honest);
    if (!maker || !honest_maker) return tl::unexpected(TransportError{"the reference cannot be made", ""});
    iut_ = make_memory_iut(with_twin(covered(std::move(*maker)), std::move(*honest_maker), is_reached_),
                           {.framing = memory_framing(protocol_), .seed = seed});
    return iut_.get();
  }

  const Protocol& protocol_;
  const Fault& fault_;
  std::string_view way_;
  PeerOptions options_;
  std::unique_ptr<Iut> iut_;
  std::atomic<int> found_{0};
  bool is_reached_ = false;  // true: the present input reached the fault
  Arena arena_;
};

struct Sum {
  std::size_t found = 0, reached = 0, of = 0;
  std::map<std::string, std::uint64_t> at = {};  // number of the input that found it, by fault and seed
};

void compare(const Sum& guided, const Sum& other, std::string_view name, std::uint64_t never) {
  std::size_t sooner = 0, later = 0;
  for (const auto& [which, at] : guided.at) {
    const auto theirs = other.at.find(which);
    if (theirs == other.at.end()) continue;
    const std::uint64_t mine = at == 0 ? never : at, its = theirs->second == 0 ? never : theirs->second;
    sooner += mine < its ? 1 : 0;
    later += mine > its ? 1 : 0;
  }
  fmt::print("{} against none: sooner {} times, later {} times\n", name, sooner, later);
}

int measure(std::uint64_t inputs, std::uint64_t seeds, const std::vector<std::string>& ways,
            const std::vector<std::string>& only) {
  auto map = CoverageMap::share();
  if (!map) throw std::runtime_error(map.error());
  std::string folder = (fs::temp_directory_path() / "wirelaw-benchmark-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) throw std::runtime_error(folder + ": cannot be made");
  std::map<std::string, Sum> sums;
  for (const Fault& fault : faults_of(WIRELAW_SEEDED_FAULTS)) {
    if (!only.empty() && std::ranges::count(only, fault.deviation) == 0) continue;
    fmt::print("{} {}\n", fault.protocol, fault.deviation);
    for (const std::string& way : ways) {
      std::string line;
      std::size_t found = 0, reached = 0;
      for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        const std::string one = folder + "/campaign";
        const Result result = Measurement(fault, way, **map).run(one, inputs, seed);
        fs::remove_all(one);
        found += result.at > 0 ? 1 : 0;
        reached += result.reached_times > 0 || result.at > 0 ? 1 : 0;
        if (result.at == 0 && result.reached_times > 0)
          line += fmt::format("  reached {} times since {}", result.reached_times, result.reached_at);
        sums[way].at[fmt::format("{} {}", fault.deviation, seed)] = result.at;
        line += result.at == 0 ? fmt::format("  - ({})", result.features)
                               : fmt::format("  {} ({}, {})", result.at, result.signature, result.edits);
      }
      sums[way].found += found;
      sums[way].reached += reached;
      sums[way].of += seeds;
      fmt::print("  {:<9} {} of {}:{}\n", way, found, seeds, line);
      std::fflush(stdout);
    }
  }
  fs::remove_all(folder);
  for (const std::string& way : ways)
    fmt::print("{}: found {}, reached {}, of {}\n", way, sums[way].found, sums[way].reached, sums[way].of);
  for (const char* way : {"coverage", "protocol"}) compare(sums[way], sums["none"], way, inputs + 1);
  return 0;
}

}  // namespace
}  // namespace wirelaw::campaign

int main(int count, char** words) try {
  std::uint64_t inputs = 3000, seeds = 5;
  std::vector<std::string> ways, faults, *into = &ways;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--")
      into = &faults;
    else if (i == 1)
      inputs = std::stoull(word);
    else if (i == 2)
      seeds = std::stoull(word);
    else
      into->push_back(word);
  }
  if (ways.empty()) ways = {"cases", "coverage", "protocol", "none"};
  return wirelaw::campaign::measure(inputs, seeds, ways, faults);
} catch (const std::exception& failure) {
  fmt::print(stderr, "campaign_benchmark: {}\n", failure.what());
  return 2;
}
