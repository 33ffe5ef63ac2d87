// SPDX-License-Identifier: Apache-2.0
// For tests: a share in which no member has its usual value.
#pragma once

#include "harness/shard/share.h"

namespace wirelaw {

inline constexpr Rule kSampleRule{"TEST-1-1",        Level::must,      Role::any,  "TEST 1",
                                  Observable::trace, Evidence::octets, "It is so."};

inline SharedInput sample_input() {
  return {.place = 1,
          .input = {.name = "b.pcap",
                    .frames = 10,
                    .octets = 1000,
                    .completeness = Completeness::unknown,
                    .why = "it does not say"},
          .packets = 9,
          .cut = 4,
          .problems = {{{.file = "b.pcap", .frame = 1, .message = "odd"}, false},
                       {{.file = "b.pcap", .message = "broken"}, true}},
          .problems_dropped = 2,
          .runs = {{.file = "b.pcap", .peer = "udp://x", .version = "1.2", .end = "complete"}},
          .fingerprint = 0xfedcba9876543210u,
          .shares = 1,
          .octets = 4096,
          .associations = 3};
}

inline Share sample_share() {
  Share share;
  share.rules.push_back(
      {.rule = &kSampleRule, .exercised = 5, .failed = 1, .warned = 3, .held_back = 2, .inconclusive = 4});
  share.reasons.push_back({&kSampleRule, "nobody knows", {.input = 1, .step = 77}});
  share.findings.push_back({.rule = &kSampleRule,
                            .severity = Severity::warning,
                            .evidence = Evidence::order,
                            .held_back = true,
                            .flow = "udp a - b",
                            .sender = "a",
                            .message = 3,
                            .unanswered = true,
                            .frame = 9,
                            .time_ns = -5,
                            .offset = 2,
                            .length = 2,
                            .octets = {0xab, 0x01},
                            .places = {{.frame = 9, .frame_offset = 44, .length = 2}, {.frame = 10, .length = 1}},
                            .expected = "0",
                            .actual = "1",
                            .explanation = "because",
                            .occasion = {.test_case = "x/y", .control = "x/z"},
                            .shown_by_case = true});
  share.found.push_back({.place = {.input = 1, .step = 70}, .flow = 4, .kind = FindingKind::pending});
  share.findings_dropped = 11;
  share.flows.push_back({.id = "udp a - b",
                         .protocol = "efa",
                         .above = "smbd",
                         .messages = 5,
                         .octets = 500,
                         .state = FlowState::partial,
                         .note = "late",
                         .completeness = Completeness::incomplete,
                         .missing = "half"});
  share.flow_ends.push_back({.input = 1, .step = 99});
  share.flows_dropped = 6;
  share.flows_dropped_as = {1, 2, 3};
  share.cases.push_back({.id = "x/y",
                         .protocol = "efa",
                         .purpose = "It is tried.",
                         .rules = {&kSampleRule},
                         .verdict = Verdict::fail,
                         .reason = "why not",
                         .duration_ns = 1'234'567'000,
                         .first_frame = 3,
                         .last_frame = 8});
  share.case_places.push_back(12);
  share.inputs.push_back(sample_input());
  share.judged = 5;
  share.iut_seen = share.kinds.one_sided = share.kinds.relayed_tcp = true;
  return share;
}

}  // namespace wirelaw
