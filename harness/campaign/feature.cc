// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/feature.h"

namespace wirelaw::campaign {

void add_transitions(std::span<const Step> steps, std::vector<std::uint64_t>& features) {
  const auto add = [&](const char* what, std::uint64_t hash) {
    features.push_back(feature_of(FeatureKind::state, hash_of(what, hash)));
  };
  std::uint64_t state = hash_of("begins");
  std::uint64_t asked = hash_of("nothing");
  for (const Step& step : steps) {
    if (!step.from_iut) {
      asked = hash_of(step.kind);
      add("asked", state ^ std::rotl(asked, 17));
      continue;
    }
    const std::uint64_t answer = hash_of(step.kind);
    add("answered", state ^ std::rotl(asked, 17) ^ std::rotl(answer, 34));
    state = answer;
    asked = hash_of("nothing");
  }
}

void add_rules(const Judge& judge, std::vector<std::uint64_t>& features) {
  for (const Rule* rule : judge.catalogue().rules())
    if (const std::uint64_t times = judge.exercised(*rule); times > 0)
      features.push_back(
          feature_of(FeatureKind::rule, hash_of(rule->id, static_cast<std::uint64_t>(std::bit_width(times)))));
}

void add_edges(std::span<const std::uint64_t> edges, std::vector<std::uint64_t>& features) {
  for (const std::uint64_t edge : edges) features.push_back(feature_of(FeatureKind::edge, hash_of("edge", edge)));
}

}  // namespace wirelaw::campaign
