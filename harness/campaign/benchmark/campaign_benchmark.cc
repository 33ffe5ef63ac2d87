// SPDX-License-Identifier: Apache-2.0
// Measures how fast a campaign finds faults. Runs one in memory against the reference with each fault of a list, until
// the first finding: from all cases, unchanged (some look for the fault); and from one honest exchange, in several
// ways, with as many inputs (or as much time) and the same seeds:
//
//   blind     changes of octets, fields and the order of messages, each from the unchanged exchange
//   none      also phrases of script lines, without guidance
//   answers   guided by states: the IUT's answers
//   protocol  guided by states and rules
//   coverage  and by edges of the peer's code
//
//   campaign_benchmark [INPUTS|SECONDSs [SEEDS [WAY… [-- LIST|DEVIATION…]]]]   (3000, 5, all ways, seeded_faults.tsv)
//
// For each seed it prints the input that found the fault, with the finding's signature and the number of its edits, or
// else the number of features and how many inputs reached the fault. Then, for each way: how many seeds found it, the
// median input, and Vargha-Delaney's A12 against blind.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "conformance/script/languages.h"
#include "harness/campaign/benchmark/covered_peer.h"
#include "harness/campaign/benchmark/event_peer.h"
#include "harness/campaign/benchmark/scores.h"
#include "harness/campaign/benchmark/twin_peer.h"
#include "harness/campaign/campaign.h"
#include "harness/peers/reference_peers.h"
#include "harness/transports/memory/memory_iut.h"

namespace wirelaw::campaign {
namespace {

namespace fs = std::filesystem;
constexpr Pace kPace{std::chrono::seconds{2}, std::chrono::milliseconds{500}, std::chrono::seconds{60}};

struct Fault {
  std::string protocol, exchange;
  std::string deviation;           // the reference's, or the name of the events; "-": the peer is honest
  std::vector<Event> events = {};  // the peer dies of them; empty: it is a deviation
};

struct Budget {
  std::optional<std::uint64_t> inputs = {};
  std::optional<std::chrono::nanoseconds> time = {};
};

std::vector<Fault> faults_of(const std::string& path) {
  std::vector<Fault> faults;
  const bool is_of_events = path.ends_with("deep_faults.tsv") || path.ends_with("designed_faults.tsv");
  std::ifstream list(path);
  if (!list) throw std::runtime_error(path + ": cannot be read");
  for (std::string line; std::getline(list, line);) {
    if (line.starts_with("#")) continue;
    std::istringstream columns(line);
    Fault fault;
    std::getline(columns, fault.protocol, '\t');
    std::getline(columns, fault.exchange, '\t');
    std::getline(columns, fault.deviation, '\t');
    if (is_of_events) {
      std::string text;
      std::getline(columns, text, '\t');
      auto events = events_of(text);
      if (!events) throw std::runtime_error(events.error());
      fault.events = std::move(*events);
    }
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
        options_{.role = Role::responder, .rdma = true},
        arena_{.protocol = protocol_,
               .parameters = offers_of(*find_reference_peer(fault.protocol), options_),
               .meet = [this](std::uint64_t seed) { return meet(seed); },
               .coverage = way == "coverage" ? &map : nullptr,
               .interrupted = &found_} {
    if (fault.events.empty() && fault.deviation != "-") options_.deviations = {fault.deviation};
    count_into(way == "coverage" ? map.counters() : std::span<std::uint8_t>());
  }

  Result run(const std::string& folder, const Budget& budget, std::uint64_t seed) {
    Tester tester(arena_);
    const Guidance guidance = way_ == "none" || way_ == "blind" ? Guidance::none
                              : way_ == "coverage"              ? Guidance::coverage
                              : way_ == "answers"               ? Guidance::answers
                                                                : Guidance::protocol;
    auto campaign = Campaign::open(
        tester, {.folder = folder,
                 .peer = "memory:",
                 .seed = seed,
                 .planning = {.guidance = guidance, .composes = way_ != "blind"},
                 .cases = way_ == "cases" ? std::vector<std::string>{} : std::vector<std::string>{fault_.exchange},
                 .trial_pace = kPace,
                 .confirming_pace = kPace,
                 .runs = budget.inputs,
                 .time = budget.time});
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
    MakePeer faulty = covered(std::move(*maker));
    if (!fault_.events.empty()) faulty = with_events(std::move(faulty), *script::language_of(protocol_), fault_.events);
    iut_ = make_memory_iut(with_twin(std::move(faulty), std::move(*honest_maker), is_reached_),
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

// The runs of one fault in one way.
struct Runs {
  std::vector<std::uint64_t> at;  // the input that found it, for each seed; kNever: none did
  std::size_t found = 0, reached = 0;
  std::string line;
};

Runs run_all(const Fault& fault, const std::string& way, const Budget& budget, std::uint64_t seeds, CoverageMap& map,
             const std::string& folder) {
  Runs runs;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Result result = Measurement(fault, way, map).run(folder, budget, seed);
    fs::remove_all(folder);
    runs.at.push_back(result.at == 0 ? kNever : result.at);
    runs.found += result.at > 0 ? 1 : 0;
    runs.reached += result.reached_times > 0 || result.at > 0 ? 1 : 0;
    if (result.at == 0 && result.reached_times > 0)
      runs.line += fmt::format("  reached {} times since {}", result.reached_times, result.reached_at);
    runs.line += result.at == 0 ? fmt::format("  - ({})", result.features)
                                : fmt::format("  {} ({}, {})", result.at, result.signature, result.edits);
  }
  return runs;
}

std::string in_words(std::optional<std::uint64_t> at) {
  return !at ? "none" : *at == kNever ? "never" : std::to_string(*at);
}

int measure(const Budget& budget, std::uint64_t seeds, const std::vector<std::string>& ways,
            const std::vector<Fault>& faults) {
  auto map = CoverageMap::share();
  if (!map) throw std::runtime_error(map.error());
  std::string folder = (fs::temp_directory_path() / "wirelaw-benchmark-XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) throw std::runtime_error(folder + ": cannot be made");
  struct Sum {
    std::size_t found = 0, reached = 0, runs = 0, faults = 0, better = 0, worse = 0;
  };
  std::map<std::string, Sum> sums;
  for (const Fault& fault : faults) {
    fmt::print("{} {}\n", fault.protocol, fault.deviation);
    std::optional<std::vector<std::uint64_t>> blind;
    for (const std::string& way : ways) {
      const Runs runs = run_all(fault, way, budget, seeds, **map, folder + "/campaign");
      if (way == "blind") blind = runs.at;
      const double score = blind ? a12(runs.at, *blind) : 0.5;
      Sum& sum = sums[way];
      sum.found += runs.found;
      sum.reached += runs.reached;
      sum.runs += seeds;
      sum.faults += runs.found > 0 ? 1 : 0;
      sum.better += score >= 0.71 ? 1 : 0;
      sum.worse += score <= 0.29 ? 1 : 0;
      fmt::print("  {:<9} {} of {}, median {}{}:{}\n", way, runs.found, seeds, in_words(median(runs.at)),
                 blind ? fmt::format(", A12 {:.2f}", score) : "", runs.line);
      std::fflush(stdout);
    }
  }
  fs::remove_all(folder);
  for (const std::string& way : ways) {
    const Sum& sum = sums[way];
    fmt::print("{}: found {}, reached {}, of {}; {} faults of {}; A12 >= 0.71 for {}, <= 0.29 for {}\n", way, sum.found,
               sum.reached, sum.runs, sum.faults, faults.size(), sum.better, sum.worse);
  }
  return 0;
}

Budget budget_of(const std::string& word) {
  if (word.ends_with("s")) return {.time = std::chrono::seconds(std::stoll(word))};
  return {.inputs = std::stoull(word)};
}

// The faults with these names, or those of a list.
std::vector<Fault> faults_named(const std::vector<std::string>& words) {
  if (!words.empty() && words.front().ends_with(".tsv")) return faults_of(words.front());
  std::vector<Fault> faults = faults_of(WIRELAW_SEEDED_FAULTS);
  if (!words.empty())
    std::erase_if(faults, [&](const Fault& fault) { return std::ranges::count(words, fault.deviation) == 0; });
  return faults;
}

}  // namespace
}  // namespace wirelaw::campaign

int main(int count, char** words) try {
  using namespace wirelaw::campaign;
  Budget budget{.inputs = 3000};
  std::uint64_t seeds = 5;
  std::vector<std::string> ways, faults, *into = &ways;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--")
      into = &faults;
    else if (i == 1)
      budget = budget_of(word);
    else if (i == 2)
      seeds = std::stoull(word);
    else
      into->push_back(word);
  }
  if (ways.empty()) ways = {"blind", "none", "answers", "protocol", "coverage", "cases"};
  return measure(budget, seeds, ways, faults_named(faults));
} catch (const std::exception& failure) {
  fmt::print(stderr, "campaign_benchmark: {}\n", failure.what());
  return 2;
}
