// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/rdmap_samples.h"

namespace wirelaw::corpora {
namespace {

Trace trace_of(const RdmapSample& sample) {
  RdmapScript script;
  sample.script(script);
  std::string name(sample.violates);
  if (!sample.name.empty()) name += (name.empty() ? "" : "-") + std::string(sample.name);
  Trace trace{.name = std::move(name),
              .violates = std::string(sample.violates),
              .severity = sample.severity,
              .purpose = std::string(sample.purpose),
              .messages = script.take(),
              .is_stream = true,
              .from_start = sample.from_start};
  if (sample.extensions) trace.features.emplace_back("rfc7306");
  return trace;
}

}  // namespace

TraceSet rdmap_traces() {
  TraceSet set{.protocol = "rdmap", .traces = {}};
  for (const auto samples : {mpa_conforming_samples(), fpdu_samples(), start_frame_samples(), ddp_samples(),
                             rdmap_samples(), terminate_samples(), terminate_cause_samples(), extension_samples()})
    for (const RdmapSample& sample : samples) set.traces.push_back(trace_of(sample));
  return set;
}

}  // namespace wirelaw::corpora
