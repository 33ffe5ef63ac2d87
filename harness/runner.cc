// SPDX-License-Identifier: Apache-2.0
#include "harness/runner.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/stack.h"
#include "harness/tested_role.h"

namespace wirelaw {
namespace {

bool any_matches(const std::vector<std::string>& globs, std::string_view text) {
  return std::ranges::any_of(globs, [&](const std::string& glob) { return matches_glob(glob, text); });
}

CaseResult not_run(const Protocol& protocol, const Case& one, std::string reason) {
  return {.id = std::string(one.id),
          .protocol = std::string(protocol.name),
          .purpose = std::string(one.purpose),
          .rules = one.rules,
          .verdict = Verdict::skipped,
          .reason = std::move(reason)};
}

// Why a case is left out before it begins; empty: it is not.
std::string reason_to_skip(const Case& one, const RunOptions& options) {
  const auto left_out =
      std::ranges::find_if(options.left_out, [&](const LeftOut& some) { return matches_glob(some.glob, one.id); });
  if (left_out != options.left_out.end()) return left_out->reason;
  if (one.needs > options.application)
    return fmt::format("needs --application {}{}, and the peer's is declared as {}", word_of(one.needs),
                       one.needs == Service::smb2 ? " or echo" : "", word_of(options.application));
  return {};
}

class Run {
 public:
  Run(const Protocol& protocol, Iut& iut, const RunOptions& options, Recording* recording, const RunProgress& progress,
      WireCapture* capture)
      : protocol_(protocol),
        iut_(iut),
        options_(options),
        progress_(progress),
        catalogue_(catalogue_of_stack(protocol, protocols())),
        judge_(catalogue_, options.judge_limits),
        context_{.protocol = protocol,
                 .judge = judge_,
                 .recording = recording,
                 .framing = iut.framing(),
                 .limits = {.features = options.features,
                            .revision = options.revision,
                            .may_double = !iut.framing().is_stream && iut.framing().dissector.empty()},
                 .capture = capture} {}

  RunOutcome run() &&;

 private:
  CaseOutcome attempt(const Case& one);
  CaseOutcome run_one(const Case& one);
  void account(CaseOutcome& outcome);
  void conclude(std::size_t tried);
  void join_accounts();

  const Protocol& protocol_;
  Iut& iut_;
  const RunOptions& options_;
  const RunProgress& progress_;
  const Catalogue catalogue_;
  Judge judge_;
  TapContext context_;
  RunOutcome outcome_;
  Input input_;
  static constexpr const char* kCaseEnds = "";
  ConsumerAccount account_;  // of all cases, kCaseEnds behind each
  std::uint64_t received_ = 0;
};

CaseOutcome Run::attempt(const Case& one) {
  auto environment = iut_.begin(one);
  if (!environment) {
    CaseOutcome outcome;
    outcome.result = not_run(protocol_, one, environment.error().message);
    outcome.broken = environment.error();
    return outcome;
  }
  return run_case(one, options_.application, options_.parameters, options_.limits, **environment, context_);
}

// A case that finds the peer gone before it has said a word is not to blame: the peer gets a moment to come back, and
// the case a second chance.
CaseOutcome Run::run_one(const Case& one) {
  CaseOutcome outcome = attempt(one);
  if (!outcome.broken || outcome.from_iut > 0 || outcome.died) return outcome;
  account(outcome);
  iut_.pause(options_.limits.answer_time);
  outcome = attempt(one);
  if (!outcome.broken || outcome.from_iut > 0 || outcome.died) return outcome;
  outcome_.lost = outcome.broken;
  outcome.result.verdict = Verdict::skipped;
  outcome.result.reason = "the peer cannot be reached: " + outcome.broken->message;
  return outcome;
}

void Run::account(CaseOutcome& outcome) {
  auto& flows = outcome_.results.flows;
  flows.insert(flows.end(), std::make_move_iterator(outcome.flows.begin()),
               std::make_move_iterator(outcome.flows.end()));
  outcome.flows.clear();
  input_.frames += outcome.messages;
  input_.octets += outcome.octets;
  received_ += outcome.from_iut;
  account_.insert(account_.end(), std::make_move_iterator(outcome.account.begin()),
                  std::make_move_iterator(outcome.account.end()));
  outcome.account.clear();
  account_.push_back({judge_.findings().size(), kCaseEnds});
}

// What was found on the wire of a device says what its consumer was at.
void Run::join_accounts() {
  constexpr unsigned kSaid = 2;  // of the latest
  auto& findings = outcome_.results.findings;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (findings[i].rule->observable != Observable::trace) continue;
    auto note = std::ranges::upper_bound(account_, i, {}, &ConsumerNote::findings);
    std::string said;
    for (unsigned n = 0; n < kSaid && note != account_.begin() && (--note)->what != kCaseEnds; ++n)
      said = note->what + (said.empty() ? "" : "; ") + said;
    if (said.empty()) continue;
    std::string& explanation = findings[i].explanation;
    explanation += fmt::format("{}at the consumer, latest: {}", explanation.empty() ? "" : "; ", said);
  }
}

void Run::conclude(std::size_t tried) {
  Results& results = outcome_.results;
  input_.name = iut_.name();
  results.inputs.push_back(input_);
  results.rules = judge_.rule_results();
  for (const Protocol* one : stack_of(protocol_, protocols())) exclude_other_role(results.rules, *one, options_.iut);
  results.findings = judge_.findings();
  join_accounts();
  results.findings_dropped = judge_.findings_dropped();
  if (!outcome_.lost && tried > 0 && received_ == 0)
    outcome_.lost = CarriageError{fmt::format("{}: nothing came back in any of {} cases", iut_.name(), tried),
                                  "check the address, a firewall on the way, and that the peer speaks this protocol"};
}

RunOutcome Run::run() && {
  const auto selected = select_cases(protocol_, options_.iut, options_.selection);
  std::size_t tried = 0;
  for (std::size_t i = 0; i < selected.size(); ++i) {
    const Case& one = *selected[i];
    CaseOutcome outcome;
    if (outcome_.lost) {
      outcome.result = not_run(protocol_, one, "the peer cannot be reached: " + outcome_.lost->message);
    } else if (std::string reason = reason_to_skip(one, options_); !reason.empty()) {
      outcome.result = not_run(protocol_, one, std::move(reason));
    } else {
      if (progress_.begins) progress_.begins(one, i, selected.size());
      outcome = run_one(one);
      ++tried;
    }
    account(outcome);
    outcome_.deaths += outcome.died ? 1 : 0;
    if (progress_.ended) progress_.ended(outcome);
    outcome_.results.cases.push_back(std::move(outcome.result));
  }
  conclude(tried);
  return std::move(outcome_);
}

}  // namespace

std::string_view word_of(Service application) {
  switch (application) {
    case Service::none:
      return "none";
    case Service::smb2:
      return "smb2";
    case Service::echo:
      return "echo";
    case Service::count:
      return "count";
  }
  return "";
}

std::vector<const Case*> select_cases(const Protocol& protocol, Role role, const Selection& selection) {
  std::vector<const Case*> selected;
  for (const Case& one : protocol.cases()) {
    if (one.iut != role) continue;
    if (!selection.cases.empty() && !any_matches(selection.cases, one.id)) continue;
    if (!selection.rules.empty() &&
        std::ranges::none_of(one.rules, [&](const Rule* rule) { return any_matches(selection.rules, rule->id); }))
      continue;
    selected.push_back(&one);
  }
  return selected;
}

RunOutcome run_cases(const Protocol& protocol, Iut& iut, const RunOptions& options, Recording* recording,
                     const RunProgress& progress, WireCapture* capture) {
  return Run(protocol, iut, options, recording, progress, capture).run();
}

}  // namespace wirelaw
