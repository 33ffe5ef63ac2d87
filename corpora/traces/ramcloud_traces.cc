// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/ramcloud_samples.h"

namespace wirelaw::corpora {
namespace {

Trace make_trace(const Sample& sample, bool violating) {
  RamcloudScript script;
  sample.script(script);
  std::string name(sample.id);
  if (!sample.variant.empty()) name += "-" + std::string(sample.variant);
  return {.name = std::move(name),
          .violates = violating ? std::string(sample.id) : std::string(),
          .severity = sample.severity,
          .purpose = std::string(sample.purpose),
          .messages = script.take()};
}

}  // namespace

TraceSet ramcloud_traces() {
  TraceSet set{.protocol = "ramcloud", .traces = {}};
  for (const Sample& sample : ramcloud_violating_samples()) set.traces.push_back(make_trace(sample, true));
  for (const Sample& sample : ramcloud_conforming_samples()) set.traces.push_back(make_trace(sample, false));
  return set;
}

}  // namespace wirelaw::corpora
