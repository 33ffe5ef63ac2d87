// SPDX-License-Identifier: Apache-2.0
// Runs the cases of a protocol against an IUT, one after the other, each in a separate conversation.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "conformance/protocol.h"
#include "conformance/verdict.h"
#include "harness/case_runner.h"
#include "harness/environment.h"
#include "harness/shard/shard.h"
#include "harness/shard/share.h"

namespace wirelaw {

// The word of --application: "echo".
std::string_view word_of(Service application);

// Globs. If there are several of a kind, one of them has to match; if there are both kinds, both have to.
struct Selection {
  std::vector<std::string> cases;
  std::vector<std::string> rules;
};

// The cases for an IUT in `role`, in the order of the protocol.
std::vector<const Case*> select_cases(const Protocol& protocol, Role role, const Selection& selection);

// What is left out of the cases that are selected, and why: it is reported as skipped.
struct LeftOut {
  std::string glob;
  std::string reason;
};

struct RunOptions {
  Role iut = Role::responder;
  Selection selection;
  std::vector<LeftOut> left_out = {};
  Service application = Service::echo;
  IutParameters parameters = {};
  CaseLimits limits;
  JudgeLimits judge_limits;
  std::vector<std::string> features;  // that the IUT declares (Protocol::features)
  std::string revision = {};          // the document that it follows (Protocol::revisions); empty: as its traffic
                                      // shows
  // Whether a control (Protocol::controls) follows what a case concludes from silence, a refusal or an end. The
  // conclusion counts only if the IUT serves the control.
  bool controls = true;
  // The IUT is known to speak the protocol, as a reference peer is: if it never sends anything, that is its own fault.
  // For any other silent IUT, only what its octets prove is concluded.
  bool is_known = false;
  // Whether an IUT that serves no control before the first case, or falls silent for good later, ends the run, however
  // many cases there are.
  bool stops_early = false;
  Shard shard;  // by the stable hash of a case's id: only its own cases are run
  // Other processes run the remaining cases (PartOfRun). The results of these cases are in RunOutcome::share, which
  // later draws the conclusions.
  bool is_part = false;
};

// Called during the run.
struct RunProgress {
  std::function<void(const Case& next, std::size_t done, std::size_t all)> begins = {};
  std::function<void(const CaseOutcome& outcome)> ended = {};
};

struct RunOutcome {
  Results results;
  // The peer could not be reached, serves nothing, no longer serves what it did, or died and did not come back.
  std::optional<TransportError> lost;
  std::size_t deaths = 0;      // cases in which it died; it was restarted after each
  bool has_run_alone = false;  // several testers were there, and the IUT serves one at a time (CaseJobs)
  int interrupted = 0;         // the signal that ended the run before its end (CaseLimits::interrupted)
  Share share = {};            // for a run in several shards or parts
};

// With a capture, which only a stream can have, the wire is judged and recorded from there.
RunOutcome run_cases(const Protocol& protocol, Iut& iut, const RunOptions& options, Recording* recording = nullptr,
                     const RunProgress& progress = {}, WireCapture* capture = nullptr);

class CaseSeries;

// A run whose caller gives it the cases, one by one and in any order, as when several processes share them. Once the
// IUT has answered, the result of a case does not depend on the cases before it.
class PartOfRun {
 public:
  PartOfRun(const Protocol& protocol, Iut& iut, const RunOptions& options, Recording* recording = nullptr,
            const RunProgress& progress = {});
  ~PartOfRun();
  PartOfRun(const PartOfRun&) = delete;
  PartOfRun& operator=(const PartOfRun&) = delete;

  // The cases to be run, by their places among all that are selected.
  const std::vector<std::size_t>& places() const;
  const Case& at(std::size_t place) const;
  std::size_t selected() const;
  bool is_left_out(std::size_t place) const;  // RunOptions::left_out, and those of another application

  void meet();  // what comes before the first case
  bool has_met() const;
  void has_been_met();  // by another
  const std::optional<TransportError>& lost() const;
  const std::string& why_not_run() const;  // if it is lost
  void lose(TransportError error, std::string why_not_run);
  Verdict run(std::size_t place);
  bool was_broken() const;  // the latest case found the way to the IUT broken
  // Whether the latest case would have the same result if the IUT had no other tester: its octets prove it. What rests
  // on silence, a refusal or an end does not: an IUT may do so because it serves another tester.
  bool is_certain() const;
  const CaseResult& latest() const;
  // A result that is found here in no other way.
  void report(std::size_t place, Verdict verdict, std::string reason);
  // The case since which it is open whether the IUT still serves, if the last case of the run was run here and is such
  // a case; empty otherwise.
  std::string in_doubt_since() const;
  // After the last case, for parts that are in doubt: the run is lost if no control is served any more.
  void look_for_service(const std::string& since);
  RunOutcome finish();

 private:
  std::unique_ptr<CaseSeries> run_;
};

// For a run with so many cases in which nothing was received.
TransportError nothing_came_back(const std::string& name, std::size_t cases);

// What is left open by a run in parts, once their shares are joined to `results`.
void conclude_parts(const Protocol& protocol, const RunOptions& options, Results& results);

}  // namespace wirelaw
