// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/statistics.h"

#include <cmath>

namespace wirelaw::campaign {
namespace {

constexpr std::size_t kMostSamples = 512;

struct Row {
  const char* name;
  std::uint64_t Statistics::*value;
};
constexpr Row kRows[] = {{"runs", &Statistics::runs},
                         {"executions", &Statistics::executions},
                         {"corpus", &Statistics::corpus},
                         {"features", &Statistics::features},
                         {"findings", &Statistics::findings},
                         {"unconfirmed", &Statistics::unconfirmed},
                         {"skipped", &Statistics::skipped},
                         {"deaths", &Statistics::deaths},
                         {"last_new", &Statistics::last_new},
                         {"last_finding", &Statistics::last_finding},
                         {"resident_octets", &Statistics::resident_octets},
                         {"stride", &Statistics::stride}};

double seconds_in(const Json& json) {
  const auto found = json.find("seconds");
  const double seconds = found != json.end() && found->is_number() ? found->get<double>() : 0;
  return std::isfinite(seconds) ? seconds : 0;
}

}  // namespace

void Statistics::sample() {
  if (runs % stride != 0) return;
  timeline.push_back({runs, seconds, corpus, features, findings});
  if (timeline.size() < kMostSamples) return;
  stride *= 2;
  std::erase_if(timeline, [this](const Sample& one) { return one.runs % stride != 0; });
}

Json to_json(const Statistics& statistics) {
  Json json{{"schema", "wirelaw-campaign-stats/1"}};
  for (const Row& row : kRows) json[row.name] = statistics.*row.value;
  json["seconds"] = statistics.seconds;
  Json timeline = Json::array();
  for (const Statistics::Sample& one : statistics.timeline)
    timeline.push_back({{"runs", one.runs},
                        {"seconds", one.seconds},
                        {"corpus", one.corpus},
                        {"features", one.features},
                        {"findings", one.findings}});
  json["timeline"] = std::move(timeline);
  return json;
}

Statistics statistics_of(const Json& json) {
  Statistics statistics;
  for (const Row& row : kRows) statistics.*row.value = count_in(json, row.name);
  if (statistics.stride == 0) statistics.stride = 1;
  if (json.is_object()) statistics.seconds = seconds_in(json);
  if (const auto timeline = json.find("timeline"); timeline != json.end() && timeline->is_array())
    for (const Json& one : *timeline) {
      if (!one.is_object() || statistics.timeline.size() >= kMostSamples) continue;
      statistics.timeline.push_back({count_in(one, "runs"), seconds_in(one), count_in(one, "corpus"),
                                     count_in(one, "features"), count_in(one, "findings")});
    }
  return statistics;
}

}  // namespace wirelaw::campaign
