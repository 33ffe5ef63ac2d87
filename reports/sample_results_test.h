// SPDX-License-Identifier: Apache-2.0
// Small results for the tests of the reports: one of everything.
#pragma once

#include "reports/report.h"

namespace wirelaw {

inline constinit const Rule kBroken{"TEST-1-1",        Level::must,      Role::any,    "Test 1",
                                    Observable::trace, Evidence::octets, "One is one."};
inline constinit const Rule kAdvised{"TEST-1-2",        Level::should,    Role::any,       "Test 1",
                                     Observable::trace, Evidence::octets, "Two is better."};
inline constinit const Rule kIdle{"TEST-2-1",           Level::must,      Role::any,       "Test 2",
                                  Observable::stimulus, Evidence::octets, "Three answers."};

inline Finding sample_finding(Severity severity) {
  return {.rule = &kBroken,
          .severity = severity,
          .flow = "udp 192.0.2.1:1 - 192.0.2.2:2",
          .sender = "192.0.2.1:1",
          .message = 3,
          .frame = 7,
          .time_ns = 0,
          .offset = 4,
          .length = 2,
          .octets = {0xab, 0x01},
          .expected = "1",
          .actual = "\x1b[31m2",  // a terminal escape from the wire
          .explanation = "one < two"};
}

inline Results sample_results() {
  Results results;
  results.inputs = {{.name = "a.pcap", .frames = 9, .octets = 900}};
  results.rules = {
      {.rule = &kBroken, .verdict = Verdict::fail, .exercised = 5, .failed = 1, .warned = 0, .reason = {}},
      {.rule = &kAdvised, .verdict = Verdict::pass, .exercised = 5, .failed = 0, .warned = 0, .reason = {}},
      {.rule = &kIdle, .verdict = Verdict::not_exercised, .reason = {}}};
  results.findings = {sample_finding(Severity::violation)};
  results.cases = {{.id = "open/twice",
                    .protocol = "test",
                    .purpose = "Opens twice.",
                    .rules = {&kBroken},
                    .verdict = Verdict::fail,
                    .reason = "the second open was not answered",
                    .duration_ns = 1'500'000,
                    .first_frame = 1,
                    .last_frame = 4},
                   {.id = "open/never",
                    .protocol = "test",
                    .purpose = "Opens not at all.",
                    .rules = {&kIdle},
                    .verdict = Verdict::skipped,
                    .reason = "needs an echo",
                    .duration_ns = 0}};
  results.flows = {{.id = "udp 192.0.2.1:1 - 192.0.2.2:2",
                    .protocol = "test",
                    .messages = 9,
                    .octets = 500,
                    .state = FlowState::judged,
                    .note = {}}};
  results.problems = {
      {.file = "a.pcap", .frame = 8, .offset = 12, .message = "the frame is cut", .hint = "capture with -s 0"}};
  return results;
}

template <class Write>
std::string written(Write write, const Results& results, const Gate& gate, TextStyle style = {}) {
  Output out = Output::to_memory();
  write(Report{results, gate, "1.2.3", style}, out);
  return out.text();
}

}  // namespace wirelaw
