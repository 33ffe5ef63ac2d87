// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "corpora/traces/scripts.h"

namespace wirelaw::corpora {
namespace {

constexpr std::string_view kOptions = "RAMCLOUD-transport-1";

// A script cannot say IP options. The third message is the request.
void add_ip_options(Trace& trace) {
  trace.violates = kOptions;
  trace.messages.at(2).ip_option_octets = 4;
}

}  // namespace

TraceSet ramcloud_traces() {
  TraceSet set{.protocol = "ramcloud", .traces = scripted_traces("ramcloud")};
  const auto one = std::ranges::find(set.traces, kOptions, &Trace::name);
  if (one != set.traces.end()) add_ip_options(*one);
  return set;
}

}  // namespace wirelaw::corpora
