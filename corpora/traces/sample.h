// SPDX-License-Identifier: Apache-2.0
// One sample trace as a row of its protocol's tables, written in that protocol's script: a class of which an object
// takes down one conversation, and gives it with take(). Builder::kIsStream: whether it is one of streams;
// Builder::kPort, where there is one: that of side b.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "corpora/traces/trace.h"

namespace wirelaw::corpora {

template <class Builder>
struct Sample {
  std::string_view violates;  // id of the rule that is broken; empty for a conforming trace
  std::string_view purpose;
  void (*script)(Builder& script);
  std::string_view name = {};  // distinguishes several traces of one rule; the name itself where none is broken
  Severity severity = Severity::violation;
  std::string_view feature = {};   // that the implementations declare, of Protocol::features
  bool from_start = true;          // of a stream: its first octet is there
  std::string_view revision = {};  // of the document that the implementations follow, of Protocol::revisions
};

template <class Builder>
Trace trace_of(const Sample<Builder>& sample) {
  Builder script;
  sample.script(script);
  std::string name(sample.violates);
  if (!sample.name.empty()) name += (name.empty() ? "" : "-") + std::string(sample.name);
  Trace trace{.name = std::move(name),
              .violates = std::string(sample.violates),
              .severity = sample.severity,
              .purpose = std::string(sample.purpose),
              .messages = script.take(),
              .is_stream = Builder::kIsStream,
              .from_start = sample.from_start,
              .revision = std::string(sample.revision)};
  if constexpr (requires { script.silence_ns(); }) trace.silence_ns = script.silence_ns();
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
