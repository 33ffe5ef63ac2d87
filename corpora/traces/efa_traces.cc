// SPDX-License-Identifier: Apache-2.0
#include "corpora/traces/efa_samples.h"

namespace wirelaw::corpora {
namespace {

Trace make_trace(const EfaSample& sample) {
  EfaScript script;
  sample.script(script);
  std::string name(sample.violates);
  if (!sample.name.empty()) name += (name.empty() ? "" : "-") + std::string(sample.name);
  return {.name = std::move(name),
          .violates = std::string(sample.violates),
          .severity = sample.severity,
          .purpose = std::string(sample.purpose),
          .messages = script.take()};
}

}  // namespace

TraceSet efa_traces() {
  TraceSet set{.protocol = "efa", .traces = {}};
  for (const auto samples :
       {efa_basic_samples(), efa_handshake_samples(), efa_request_samples(), efa_connid_samples(),
        efa_message_samples(), efa_long_cts_samples(), efa_one_sided_samples(), efa_read_samples()})
    for (const EfaSample& sample : samples) set.traces.push_back(make_trace(sample));
  return set;
}

}  // namespace wirelaw::corpora
