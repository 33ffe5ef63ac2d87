// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/statistics.h"

#include <algorithm>
#include <cmath>

namespace wirelaw::campaign {
namespace {

constexpr std::size_t kMostSamples = 512;

struct Row {
  const char* name;
  std::uint64_t Statistics::*value;
  bool adds_up = true;
};
constexpr Row kRows[] = {{"runs", &Statistics::runs},
                         {"executions", &Statistics::executions},
                         {"corpus", &Statistics::corpus, false},
                         {"features", &Statistics::features, false},
                         {"pending_inputs", &Statistics::pending},
                         {"cycles", &Statistics::cycles, false},
                         {"states", &Statistics::states, false},
                         {"rules", &Statistics::rules, false},
                         {"rules_known", &Statistics::rules_known, false},
                         {"edges", &Statistics::edges, false},
                         {"findings", &Statistics::findings},
                         {"unconfirmed", &Statistics::unconfirmed},
                         {"replays", &Statistics::replays},
                         {"came_back", &Statistics::came_back},
                         {"skipped", &Statistics::skipped},
                         {"deaths", &Statistics::deaths},
                         {"last_new", &Statistics::last_new, false},
                         {"last_finding", &Statistics::last_finding, false},
                         {"calibrated", &Statistics::calibrated},
                         {"stable", &Statistics::stable},
                         {"resident_octets", &Statistics::resident_octets, false},
                         {"descriptors", &Statistics::descriptors, false},
                         {"stride", &Statistics::stride, false}};

struct SampleRow {
  const char* name;
  std::uint64_t Statistics::Sample::*value;
  bool adds_up = false;
};
constexpr SampleRow kSampleRows[] = {
    {"runs", &Statistics::Sample::runs, true},   {"corpus", &Statistics::Sample::corpus},
    {"features", &Statistics::Sample::features}, {"findings", &Statistics::Sample::findings, true},
    {"states", &Statistics::Sample::states},     {"rules", &Statistics::Sample::rules},
    {"edges", &Statistics::Sample::edges},       {"executions", &Statistics::Sample::executions, true}};

double number_in(const Json& json, const char* name) {
  const auto found = json.is_object() ? json.find(name) : json.end();
  const double number = found != json.end() && found->is_number() ? found->get<double>() : 0;
  return std::isfinite(number) ? number : 0;
}

}  // namespace

void Statistics::sample() {
  if (runs % stride != 0) return;
  timeline.push_back({.runs = runs,
                      .seconds = seconds,
                      .corpus = corpus,
                      .features = features,
                      .findings = findings,
                      .states = states,
                      .rules = rules,
                      .edges = edges,
                      .executions = executions});
  if (timeline.size() < kMostSamples) return;
  stride *= 2;
  std::erase_if(timeline, [this](const Sample& one) { return one.runs % stride != 0; });
}

// Adds the sums at as many times as a page has room for.
void add(Statistics& sum, const Statistics& one) {
  constexpr std::size_t kTimes = 128;
  const double end = std::max(sum.seconds, one.seconds);
  std::vector<Statistics::Sample> joined;
  const auto latest = [](const Statistics& of, double time) {
    const auto behind = std::ranges::upper_bound(of.timeline, time, {}, &Statistics::Sample::seconds);
    return behind == of.timeline.begin() ? Statistics::Sample{} : *(behind - 1);
  };
  for (std::size_t i = 1; i <= kTimes && !(sum.timeline.empty() && one.timeline.empty()); ++i) {
    const double time = end * static_cast<double>(i) / kTimes;
    Statistics::Sample both = latest(sum, time);
    const Statistics::Sample other = latest(one, time);
    for (const SampleRow& row : kSampleRows)
      both.*row.value = row.adds_up ? both.*row.value + other.*row.value : std::max(both.*row.value, other.*row.value);
    both.seconds = time;
    joined.push_back(both);
  }
  sum.timeline = std::move(joined);
  for (const Row& row : kRows)
    sum.*row.value = row.adds_up ? sum.*row.value + one.*row.value : std::max(sum.*row.value, one.*row.value);
  sum.seconds = end;
  sum.last_new_seconds = std::max(sum.last_new_seconds, one.last_new_seconds);
  sum.last_finding_seconds = std::max(sum.last_finding_seconds, one.last_finding_seconds);
}

double Statistics::stability() const {
  return calibrated == 0 ? 100 : 100.0 * static_cast<double>(stable) / static_cast<double>(calibrated);
}

Json to_json(const Statistics& statistics) {
  Json json{{"schema", "wirelaw-campaign-stats/3"}};
  for (const Row& row : kRows) json[row.name] = statistics.*row.value;
  json["seconds"] = statistics.seconds;
  json["last_new_seconds"] = statistics.last_new_seconds;
  json["last_finding_seconds"] = statistics.last_finding_seconds;
  json["stability"] = statistics.stability();
  Json timeline = Json::array();
  for (const Statistics::Sample& one : statistics.timeline) {
    Json sample{{"seconds", one.seconds}};
    for (const SampleRow& row : kSampleRows) sample[row.name] = one.*row.value;
    timeline.push_back(std::move(sample));
  }
  json["timeline"] = std::move(timeline);
  return json;
}

Statistics statistics_of(const Json& json) {
  Statistics statistics;
  for (const Row& row : kRows) statistics.*row.value = count_in(json, row.name);
  if (statistics.stride == 0) statistics.stride = 1;
  statistics.seconds = number_in(json, "seconds");
  statistics.last_new_seconds = number_in(json, "last_new_seconds");
  statistics.last_finding_seconds = number_in(json, "last_finding_seconds");
  const auto timeline = json.is_object() ? json.find("timeline") : json.end();
  if (timeline == json.end() || !timeline->is_array()) return statistics;
  for (const Json& one : *timeline) {
    if (!one.is_object() || statistics.timeline.size() >= kMostSamples) continue;
    Statistics::Sample sample{.seconds = number_in(one, "seconds")};
    for (const SampleRow& row : kSampleRows) sample.*row.value = count_in(one, row.name);
    statistics.timeline.push_back(sample);
  }
  return statistics;
}

}  // namespace wirelaw::campaign
