// SPDX-License-Identifier: Apache-2.0
// One sample trace as a row of its protocol's tables. The row's function writes the conversation with the protocol's
// builder, a class whose take() returns it. Builder::kIsStream: whether the trace is a stream. Builder::kPort, if it
// exists: the port of side b.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpora/traces/trace.h"

namespace wirelaw::corpora {

template <class Builder>
struct Sample {
  std::string_view violates;  // id of the broken rule; empty for a conforming trace
  std::string_view purpose;
  void (*build)(Builder& builder);
  std::string_view name = {};  // distinguishes several traces for one rule; the whole name if no rule is broken
  Severity severity = Severity::violation;
  std::string_view feature = {};   // a feature that the implementations declare, from Protocol::features
  bool from_start = true;          // for a stream: the trace has its first octet
  std::string_view revision = {};  // revision of the document that the implementations follow, from Protocol::revisions
};

template <class Builder>
Trace trace_of(const Sample<Builder>& sample) {
  Builder builder;
  sample.build(builder);
  std::string name(sample.violates);
  if (!sample.name.empty()) name += (name.empty() ? "" : "-") + std::string(sample.name);
  Trace trace{.name = std::move(name),
              .violates = std::string(sample.violates),
              .severity = sample.severity,
              .purpose = std::string(sample.purpose),
              .messages = builder.take(),
              .is_stream = Builder::kIsStream,
              .from_start = sample.from_start,
              .revision = std::string(sample.revision)};
  if constexpr (requires { builder.silence_ns(); }) trace.silence_ns = builder.silence_ns();
  if constexpr (requires { Builder::kPort; }) trace.port = Builder::kPort;
  if (!sample.feature.empty()) trace.features.emplace_back(sample.feature);
  return trace;
}

template <class Builder>
TraceSet trace_set(std::string_view protocol, std::initializer_list<std::span<const Sample<Builder>>> tables) {
  TraceSet set{.protocol = protocol, .traces = {}};
  for (const auto table : tables)
    for (const Sample<Builder>& sample : table) set.traces.push_back(trace_of(sample));
  return set;
}

}  // namespace wirelaw::corpora
