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

// The value of --application for this service: "echo".
std::string_view word_of(Service application);

// Globs. If there are several of a kind, one of them must match. If there are both kinds, both must match.
struct Selection {
  std::vector<std::string> cases;
  std::vector<std::string> rules;
};

// The cases for an IUT in `role`, in the order of the protocol.
std::vector<const Case*> select_cases(const Protocol& protocol, Role role, const Selection& selection);

// Selected cases that are not run, and why. They are reported as skipped.
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
  std::vector<std::string> features;  // features that the IUT declares (Protocol::features)
  std::string revision = {};          // revision that it follows (Protocol::revisions); empty: the traffic shows it
  // Run a control (Protocol::controls) after a case that concludes something from silence, a refusal or an end. The
  // conclusion counts only if the IUT serves the control.
  bool controls = true;
  // The IUT is known to speak the protocol, like a reference peer: if it never sends anything, that is its fault. For
  // any other silent IUT, only conclusions that its octets prove count.
  bool is_known = false;
  // End the run early if the IUT serves no control before the first case, or falls silent for good later, however many
  // cases are left.
  bool stops_early = false;
  Shard shard;  // runs only the cases of this shard, by the stable hash of the case id
  // Other processes run the remaining cases (PartOfRun). The results of these cases are in RunOutcome::share, from
  // which conclusions are drawn later.
  bool is_part = false;
};

// Called during the run.
struct RunProgress {
  std::function<void(const Case& next, std::size_t done, std::size_t all)> begins = {};
  std::function<void(const CaseOutcome& outcome)> ended = {};
};

struct RunOutcome {
  Results results;
  // The peer could not be reached, serves nothing, has stopped serving, or died and did not come back.
  std::optional<TransportError> lost;
  std::size_t deaths = 0;      // number of cases in which it died; it was restarted after each
  bool has_run_alone = false;  // several testers were planned, but the IUT serves only one at a time (CaseJobs)
  int interrupted = 0;         // the signal that ended the run early (CaseLimits::interrupted)
  Share share = {};            // for a run in several shards or parts
};

// If `capture` is set, which only streams can have, the wire is judged and recorded from the captured frames.
RunOutcome run_cases(const Protocol& protocol, Iut& iut, const RunOptions& options, Recording* recording = nullptr,
                     const RunProgress& progress = {}, WireCapture* capture = nullptr);

class CaseSeries;

// A run whose caller chooses the next case, in any order, so that several processes can share the cases. Once the IUT
// has answered, the result of a case does not depend on the cases before it.
class PartOfRun {
 public:
  PartOfRun(const Protocol& protocol, Iut& iut, const RunOptions& options, Recording* recording = nullptr,
            const RunProgress& progress = {});
  ~PartOfRun();
  PartOfRun(const PartOfRun&) = delete;
  PartOfRun& operator=(const PartOfRun&) = delete;

  // The cases to run, by their index among all selected cases.
  const std::vector<std::size_t>& places() const;
  const Case& at(std::size_t place) const;
  std::size_t selected() const;
  bool is_left_out(std::size_t place) const;  // by RunOptions::left_out, or because they need another application

  void meet();  // the steps before the first case
  bool has_met() const;
  void has_been_met();  // another part has done them
  const std::optional<TransportError>& lost() const;
  const std::string& why_not_run() const;  // if lost() is set
  void lose(TransportError error, std::string why_not_run);
  Verdict run(std::size_t place);
  bool was_broken() const;  // the transport failed in the latest case
  // True if the latest case would have the same result without other testers, because octets of the IUT prove it.
  // Silence, a refusal or an end prove nothing: the IUT may be serving another tester.
  bool is_certain() const;
  const CaseResult& latest() const;
  // Reports a result that this part cannot find by running the case.
  void report(std::size_t place, Verdict verdict, std::string reason);
  // If the last case of the run was run here and left open whether the IUT still serves: the case since which that is
  // open. Empty otherwise.
  std::string in_doubt_since() const;
  // Called after the last case for parts in doubt. The run is lost if the IUT serves no control any more.
  void look_for_service(const std::string& since);
  RunOutcome finish();

 private:
  std::unique_ptr<CaseSeries> run_;
};

// The error for a run of this many cases in which nothing was received.
TransportError nothing_came_back(const std::string& name, std::size_t cases);

// Draws the conclusions of a run in parts, once their shares are joined to `results`.
void conclude_parts(const Protocol& protocol, const RunOptions& options, Results& results);

}  // namespace wirelaw
