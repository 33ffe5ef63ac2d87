// SPDX-License-Identifier: Apache-2.0
// Turns a run's results into the exit status.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/verdict.h"
#include "reports/baseline.h"
#include "reports/waivers.h"

namespace wirelaw {

// The exit status of every subcommand, and 128 + N if signal N has interrupted a test. Documented in wirelaw(1).
enum class ExitStatus : std::uint8_t {
  passed = 0,     // nothing failed
  failed = 1,     // a MUST failed (a SHOULD too, with --fail-on should)
  misused = 2,    // wrong use, unreadable input, too little concluded, unwritten output, or too few file descriptors
  peer_lost = 3,  // the peer could not be reached, serves nothing, or died
};

enum class FailOn : std::uint8_t { must, should };

// The end of a run, apart from its verdicts.
// `nothing_concluded`: the run was completed, but no case passed and nothing failed.
// `mostly_inconclusive`: the run was completed, but more cases were inconclusive than --max-inconclusive allows.
// `peer_died`: the peer died in at least one case; it was started again, and every case was run.
// `interrupted`: a signal ended the run; the results so far are reported.
// `local_resource_error`: Wirelaw itself had too few file descriptors to continue, which is no fault of the peer.
enum class RunEnd : std::uint8_t {
  complete,
  input_unreadable,
  peer_lost,
  nothing_concluded,
  interrupted,
  local_resource_error,
  mostly_inconclusive,
  peer_died
};

// Returns true if any rule or case of the run has passed or failed.
bool anything_concluded(const Results& results);

// The number of inconclusive cases among all cases that were run.
struct InconclusiveCases {
  std::size_t cases = 0, of = 0;
  std::string reason = {};      // the most frequent reason; numbers in it may differ
  std::size_t with_reason = 0;  // number of cases with that reason

  bool exceeds(unsigned percent) const { return cases * 100 > of * percent; }
};
InconclusiveCases inconclusive_cases(const Results& results);
inline constexpr unsigned kMaxInconclusive = 50;  // percent, without --max-inconclusive

struct Failure {
  enum class Kind : std::uint8_t { rule, test_case } kind;
  std::string id;
  Level level;  // for a case: the strongest of its rules that failed
};

// An entry of the baseline that no longer fails.
struct Fixed {
  Failure::Kind kind;
  std::string id;
  std::string verdict;  // the verdict in this run, or "absent"
};

// A known failure that a waiver accepts.
struct Waived {
  Failure failure;
  Waiver by;
};

// A waiver that matched no failure.
struct UnusedWaiver {
  Waiver waiver;
  bool is_expired = false;  // false: it is in force, but not needed
  std::string verdict;      // the verdict in this run on the rule or case that it names, or "absent"
};

struct Gate {
  FailOn fail_on = FailOn::must;
  RunEnd end = RunEnd::complete;
  bool has_baseline = false;
  int signal = 0;              // the signal that interrupted the run
  bool output_failed = false;  // an output could not be written: status 2
  ExitStatus status = ExitStatus::passed;
  std::vector<Failure> regressions;  // failures that fail the run
  std::vector<Failure> tolerated;    // failures at a level that does not fail the run
  std::vector<Failure> known;        // failures that the baseline has too
  std::vector<Fixed> fixed;
  bool has_waivers = false;
  std::vector<Waived> waived;                // failures that are waived
  std::vector<UnusedWaiver> unused_waivers;  // expired ones first, otherwise in the order of the file
};

// The waivers of a run, and the date of the run.
struct WaiversToday {
  const Waivers& waivers;
  std::chrono::sys_days today;
};

// `baseline` and `waivers` may be null. Failures in recorded runs count like those of this run. `signal` is used only
// for RunEnd::interrupted.
Gate gate_of(const Results& results, FailOn fail_on, RunEnd end, const Baseline* baseline, int signal = 0,
             const WaiversToday* waivers = nullptr);
// Records that an output could not be written.
void note_output_failed(Gate& gate);
// Returns the end of a run, given that at most `percent` of its cases may be inconclusive.
RunEnd end_with_bound(RunEnd end, const Results& results, unsigned percent);
// Returns the status that the run has if all outputs are written.
ExitStatus status_apart_from_output(const Gate& gate);

// True if the baseline has this failure of a rule or case.
bool is_known(const Gate& gate, Failure::Kind kind, std::string_view id);
// The failure of this rule or case, even if it does not fail the run. nullptr if it has not failed.
const Failure* failure_of(const Gate& gate, Failure::Kind kind, std::string_view id);
// The waiver for this failure. nullptr if there is none.
const Waiver* waiver_of(const Gate& gate, Failure::Kind kind, std::string_view id);
// "waived until 2027-01-31 by NAME: REASON"
std::string say(const Waiver& waiver);

std::string_view to_string(FailOn fail_on);      // "must", "should"
std::string_view to_string(RunEnd end);          // "complete", "input-unreadable", "peer-lost", …
std::string_view to_string(Failure::Kind kind);  // "rule", "case"

}  // namespace wirelaw
