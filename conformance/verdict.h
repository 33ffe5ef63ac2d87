// SPDX-License-Identifier: Apache-2.0
// The results of judging: findings, verdicts of rules and cases, and what was read. Reports read only this.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/rule.h"
#include "reference/octets/octets.h"

namespace wirelaw {

// `not_exercised`: the rule never had the chance to fail. `not_applicable`: it binds a role that was not judged, is
// obsolete or unobservable, or looks at TCP segments and a relay has ended TCP. `skipped` is for cases alone and
// carries its reason; `warned` is for rules alone: nothing failed it, and what was done is right by one reading of the
// specification only.
enum class Verdict : std::uint8_t { pass, fail, inconclusive, not_exercised, not_applicable, skipped, warned };

// The place of a finding's octets in the capture.
struct FindingPlace {
  std::uint64_t frame = 0;
  std::uint32_t frame_offset = 0;  // octet in the frame; 0: unknown
  std::size_t length = 0;
};

// States if a source holds everything that was sent. `complete`: Wirelaw carried it itself, or the capture file or the
// user says that nothing was dropped. `unknown`: a plain capture file. `incomplete`: frames were dropped, cut, or are
// seen to be missing.
enum class Completeness : std::uint8_t { complete, unknown, incomplete };

// When a finding was made in a live run. A control follows a case, or comes before the first.
struct Occasion {
  std::string test_case;  // empty: before the first case, or not a live run
  std::string control;    // the case that ran as its control; empty: the case itself
};

struct Finding {
  const Rule* rule = nullptr;
  Severity severity = Severity::violation;
  Evidence evidence = Evidence::octets;
  bool held_back = false;     // a warning that would be a violation if the source were complete
  std::string flow;           // FlowResult::id
  std::string sender;         // address of the side at fault: "192.0.2.1:21201"
  std::uint64_t message = 0;  // in the flow, from 1; 0: no message
  bool unanswered = false;    // the other side sent the message, and `sender` reacted wrongly or not at all
  std::uint64_t frame = 0;    // in the capture, from 1
  std::int64_t time_ns = 0;
  std::size_t offset = 0;  // first octet in the message
  std::size_t length = 0;  // octets; 0 if the fault is an absence
  OctetBuffer octets;      // those octets, at most kFindingOctets
  // The places in the capture, if the message was put together from several frames.
  std::vector<FindingPlace> places;
  std::string expected;
  std::string actual;
  std::string explanation;
  Occasion occasion = {};      // for a live run
  bool shown_by_case = false;  // concluded by a case; the traffic alone does not show it
};
inline constexpr std::size_t kFindingOctets = 64;

struct RuleResult {
  const Rule* rule = nullptr;
  Verdict verdict = Verdict::not_exercised;
  std::uint64_t exercised = 0;  // number of checks
  std::uint64_t failed = 0;
  std::uint64_t warned = 0;
  std::uint64_t held_back = 0;  // part of `warned` that would have failed the rule if the source were complete
  std::uint64_t inconclusive = 0;
  std::string reason;  // for inconclusive and not_applicable
};

struct CaseResult {
  std::string id;
  std::string protocol;
  std::string purpose;
  std::vector<const Rule*> rules;
  Verdict verdict = Verdict::skipped;
  std::string reason;             // one line: why it failed, was skipped or is inconclusive; or Case::pass_note
  std::int64_t duration_ns = 0;   // virtual if time is virtual
  std::uint64_t first_frame = 0;  // in the recorded capture; 0: nothing was recorded
  std::uint64_t last_frame = 0;
};

enum class FlowState : std::uint8_t { judged, partial, unrecognised };

struct FlowResult {
  std::string id;        // "udp 192.0.2.1:31201 - 192.0.2.2:21201"
  std::string protocol;  // empty if unrecognised
  std::string above;     // the protocol above it, if one was judged as well
  std::uint64_t messages = 0;
  std::uint64_t octets = 0;
  FlowState state = FlowState::unrecognised;
  std::string note;  // why it is partial or unrecognised, and what to do
  Completeness completeness = Completeness::complete;
  std::string missing;  // the reason why it is incomplete, or not known to be complete
};

// A problem with an input, not with a protocol.
struct InputProblem {
  std::string file;
  std::uint64_t frame = 0;  // 0: the whole file
  std::size_t offset = 0;
  std::string message;
  std::string hint;
};

struct Input {
  std::string name;  // file, or URI of the live peer
  std::uint64_t frames = 0;
  std::uint64_t octets = 0;
  Completeness completeness = Completeness::complete;
  std::string why;  // how that is known, or what contradicts it
};

// The data that `wirelaw test` writes into its recording besides frames.
struct RecordedRun {
  std::string file;
  std::string peer;     // the URI of the IUT
  std::string version;  // version of wirelaw that ran
  std::string end;      // how the run ended: "complete", "peer-lost", …
  int exit_status = 0;
  std::vector<RuleResult> rules;  // the rules that were exercised
  std::vector<CaseResult> cases;
  std::vector<Finding> findings;       // findings that only a case can show
  std::uint64_t findings_dropped = 0;  // counted, not kept
};

struct Results {
  std::vector<Input> inputs;
  std::vector<RuleResult> rules;       // in the order of the catalogue
  std::vector<Finding> findings;       // in the order of judging; limited by JudgeLimits
  std::uint64_t findings_dropped = 0;  // counted, not kept
  std::vector<CaseResult> cases;
  std::vector<FlowResult> flows;
  std::uint64_t flows_dropped = 0;                  // judged and counted, not listed
  std::array<std::uint64_t, 3> flows_dropped_as{};  // flows_dropped by FlowState
  std::vector<RecordedRun> runs;                    // from recordings
  std::vector<InputProblem> problems;
  std::uint64_t problems_dropped = 0;
};

std::string_view to_string(Verdict verdict);    // "pass", "not-exercised", …
std::string_view to_string(Severity severity);  // "violation", "warning"
std::string_view to_string(FlowState state);
std::string_view to_string(Completeness completeness);  // "complete", …

}  // namespace wirelaw
