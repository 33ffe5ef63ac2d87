// SPDX-License-Identifier: Apache-2.0
// What judging gives: findings, verdicts of rules and cases, and the account of what was read. Reports read only this.
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

// Octets of a finding in the capture.
struct FindingPlace {
  std::uint64_t frame = 0;
  std::uint32_t frame_offset = 0;  // octet of the frame; 0 where that is not known
  std::size_t length = 0;
};

// Whether all that was sent is in a source: `complete` (Wirelaw carried it itself, the capture file says that nothing
// was dropped, or the user does), `unknown` (a plain capture file), `incomplete` (frames were dropped, cut, or are seen
// to be missing).
enum class Completeness : std::uint8_t { complete, unknown, incomplete };

// When in a live run. A control follows a case, or comes before the first.
struct Occasion {
  std::string test_case;  // empty: before the first, or it was no live run
  std::string control;    // the case that was run as its control; empty: the case itself
};

struct Finding {
  const Rule* rule = nullptr;
  Severity severity = Severity::violation;
  Evidence evidence = Evidence::octets;
  bool held_back = false;     // a warning that would be a violation, were the source complete
  std::string flow;           // FlowResult::id
  std::string sender;         // address of the one to blame: "192.0.2.1:21201"
  std::uint64_t message = 0;  // in the flow, from 1; 0: it is about none
  bool unanswered = false;  // the message is the other's, and what is wrong is what `sender` did, or did not, behind it
  std::uint64_t frame = 0;  // in the capture, from 1
  std::int64_t time_ns = 0;
  std::size_t offset = 0;  // first octet in the message
  std::size_t length = 0;  // octets; 0 where the fault is something absent
  OctetBuffer octets;      // those octets, at most kFindingOctets of them
  // Where they are in the capture, if the message was put together from several frames.
  std::vector<FindingPlace> places;
  std::string expected;
  std::string actual;
  std::string explanation;
  Occasion occasion = {};      // of a live run
  bool shown_by_case = false;  // a case concludes it; what passed does not show it by itself
};
inline constexpr std::size_t kFindingOctets = 64;

struct RuleResult {
  const Rule* rule = nullptr;
  Verdict verdict = Verdict::not_exercised;
  std::uint64_t exercised = 0;  // how often the rule could have failed
  std::uint64_t failed = 0;
  std::uint64_t warned = 0;
  std::uint64_t held_back = 0;  // of them, those that would have failed the rule, were the source complete
  std::uint64_t inconclusive = 0;
  std::string reason;  // for inconclusive and not_applicable
};

struct CaseResult {
  std::string id;
  std::string protocol;
  std::string purpose;
  std::vector<const Rule*> rules;
  Verdict verdict = Verdict::skipped;
  std::string reason;             // why it failed, was skipped or is inconclusive: one line
  std::int64_t duration_ns = 0;   // virtual where time is virtual
  std::uint64_t first_frame = 0;  // in the recorded capture; 0 where nothing was recorded
  std::uint64_t last_frame = 0;
};

enum class FlowState : std::uint8_t { judged, partial, unrecognised };

struct FlowResult {
  std::string id;        // "udp 192.0.2.1:31201 - 192.0.2.2:21201"
  std::string protocol;  // empty where unrecognised
  std::string above;     // the protocol that stands on it, where one was judged as well
  std::uint64_t messages = 0;
  std::uint64_t octets = 0;
  FlowState state = FlowState::unrecognised;
  std::string note;  // why partial or unrecognised, and what to do
  Completeness completeness = Completeness::complete;
  std::string missing;  // why it is not complete, or not known to be
};

// Something wrong with an input, not with a protocol.
struct InputProblem {
  std::string file;
  std::uint64_t frame = 0;  // 0: the file itself
  std::size_t offset = 0;
  std::string message;
  std::string hint;
};

struct Input {
  std::string name;  // file, or URI of the live peer
  std::uint64_t frames = 0;
  std::uint64_t octets = 0;
  Completeness completeness = Completeness::complete;
  std::string why;  // how that is known, or what speaks against it
};

// What `wirelaw test` has written into its recording beside the frames.
struct RecordedRun {
  std::string file;
  std::string peer;     // the URI of the IUT
  std::string version;  // of the wirelaw that ran
  std::string end;      // "complete", "peer-lost", …: how the run ended
  int exit_status = 0;
  std::vector<RuleResult> rules;  // those that were exercised
  std::vector<CaseResult> cases;
  std::vector<Finding> findings;       // those that only a case can show
  std::uint64_t findings_dropped = 0;  // of them, not kept
};

struct Results {
  std::vector<Input> inputs;
  std::vector<RuleResult> rules;       // in the order of the catalogue
  std::vector<Finding> findings;       // in the order of judging; bounded, see JudgeLimits
  std::uint64_t findings_dropped = 0;  // counted, not kept
  std::vector<CaseResult> cases;
  std::vector<FlowResult> flows;
  std::uint64_t flows_dropped = 0;                  // judged and counted, not listed
  std::array<std::uint64_t, 3> flows_dropped_as{};  // the same by FlowState
  std::vector<RecordedRun> runs;                    // of recordings
  std::vector<InputProblem> problems;
  std::uint64_t problems_dropped = 0;
};

std::string_view to_string(Verdict verdict);    // "pass", "not-exercised", …
std::string_view to_string(Severity severity);  // "violation", "warning"
std::string_view to_string(FlowState state);
std::string_view to_string(Completeness completeness);  // "complete", …

}  // namespace wirelaw
