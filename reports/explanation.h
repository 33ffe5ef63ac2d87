// SPDX-License-Identifier: Apache-2.0
// Explains a rule, a ruling or a case: what the specification demands, how it is judged, and what shows a breach.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/rule.h"
#include "reports/output.h"

namespace wirelaw {

inline constexpr std::string_view kExplanationSchema = "wirelaw-explain/2";

// A row of a page of interpretations.
struct Ruling {
  std::string protocol;
  std::string id;        // "RDMAP/A-63"
  std::string theme;     // the page's heading above it
  std::string where;     // section of the specification, if the page gives it
  std::string point;     // what the text leaves open
  std::string ruling;    // how it is read
  std::string deployed;  // what deployed peers do, if that is known

  std::string page() const { return "conformance/" + protocol + "/INTERPRETATIONS.md"; }
};

// A trace in the corpora that breaks the rule.
struct ShowingTrace {
  std::string file;      // relative to the root of the tree
  std::string severity;  // "violation", "warning"
  std::string revision;  // the revision that its peers follow; empty: any
};

struct ShowingCase {
  std::string_view id;
  std::string_view role;  // role of the IUT, in the protocol's words
  std::string_view purpose;
  std::string_view application;  // value of --application; empty: it needs none
};

// A fault of the reference peer that breaks the rule.
struct BreakingFault {
  std::string_view name;  // value of --deviate
  std::string_view role;  // the role that breaks the rule, in the protocol's words; "any"
  std::string_view text;
  std::string_view severity;
  std::string_view condition;  // the circumstances that it needs; empty: none
};

struct Explanation {
  enum class Kind : std::uint8_t { rule, ruling, test_case } kind = Kind::rule;
  std::string_view protocol;
  // --- for a rule
  const Rule* rule = nullptr;
  std::string_view subject;          // the role that it binds, in the words of the protocol; "any"
  std::vector<Ruling> rulings = {};  // rulings that it rests on; for a ruling: the ruling itself
  std::vector<ShowingTrace> traces = {};
  std::vector<ShowingCase> cases = {};  // for a case: the case itself
  std::vector<BreakingFault> faults = {};
  // --- for a case: the rules that it judges; for a ruling: the rules that rest on it
  std::vector<const Rule*> rules = {};
};

// Describe how a breach of the rule is detected, and the evidence for it, in one sentence each.
std::string how_judged(const Explanation& one);
std::string what_breach_rests_on(const Rule& rule);

void write_explanations_text(std::span<const Explanation> all, std::size_t width, Output& out);
void write_explanations_json(std::span<const Explanation> all, std::string_view version, Output& out);

}  // namespace wirelaw
