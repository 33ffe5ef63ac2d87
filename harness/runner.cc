// SPDX-License-Identifier: Apache-2.0
#include "harness/runner.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/stack.h"
#include "harness/conclusions.h"
#include "harness/shard/join.h"
#include "harness/tested_role.h"
#include "harness/transports/local_resource_error.h"

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

// Describes the behaviour of an IUT that does not serve its control, as text.
std::string conduct_of(const CaseOutcome& outcome, const Speech& speech, Role iut) {
  if (outcome.broken && outcome.octets_from_iut == 0 && outcome.iut_ended == Ending::none)
    return outcome.broken->message;
  if (outcome.octets_from_iut > 0 && speech.mirrored) return "it sends back what it is sent";
  if (outcome.octets_from_iut > 0) return "what it sends is no message of this protocol";
  if (outcome.iut_ended == Ending::reset) return "it resets the connection";
  if (outcome.iut_ended == Ending::closed) return "it closes the connection";
  return iut == Role::initiator ? "nothing comes of it, whatever is triggered; --answer-time gives it longer"
                                : "it is silent; --answer-time gives it longer to answer";
}

}  // namespace

class CaseSeries {
 public:
  CaseSeries(const Protocol& protocol, Iut& iut, const RunOptions& options, Recording* recording,
             const RunProgress& progress, WireCapture* capture)
      : protocol_(protocol),
        iut_(iut),
        options_(options),
        progress_(progress),
        catalogue_(catalogue_of_stack(protocol, protocols())),
        judge_(catalogue_, is_share(options) ? limits_of_share(options.judge_limits, catalogue_.rules().size())
                                             : options.judge_limits),
        context_{.protocol = protocol,
                 .judge = judge_,
                 .recording = recording,
                 .framing = iut.framing(),
                 .limits = {.features = options.features, .revision = options.revision},
                 .capture = capture,
                 .speech = {.spoken = options.is_known || !iut.framing().is_spoken || protocol.controls.empty()}},
        controls_(options.controls && iut.framing().is_spoken ? controls_of(protocol, options.iut, options.application)
                                                              : std::vector<const Case*>()),
        selected_(select_cases(protocol, options.iut, options.selection)) {
    if (iut.framing().is_rendered) judge_.narrow_to(protocol.catalogue().rules());
    for (std::size_t i = 0; i < selected_.size(); ++i)
      if (options.shard.has(stable_hash(selected_[i]->id))) places_.push_back(i);
  }

  RunOutcome run() &&;

  // --- its parts
  void begin();
  Verdict take(std::size_t place);
  RunOutcome end();

 private:
  friend class PartOfRun;
  struct Control {
    const Case* which = nullptr;  // nullptr: there is none that this IUT could serve
    bool is_served = false;
    std::string why_not = {};
    std::string hint = {};  // if the transport failed, and nothing else was seen
  };
  std::optional<Control> control_by(const Case& which, std::string_view after, const CaseLimits& limits,
                                    std::chrono::nanoseconds pause);
  Control control_after(std::string_view after);
  CaseOutcome attempt_control(const Case& control, std::string_view after, const CaseLimits& limits);
  void meet();
  void settle(CaseOutcome& outcome);
  void look_for_life(const CaseOutcome& outcome);
  bool is_certain(const CaseOutcome& outcome, std::size_t findings_before) const;
  void report(std::size_t place, CaseResult result);
  void note_doubt(std::size_t place);
  void look_for_service();

  static bool is_share(const RunOptions& options) { return options.is_part || !options.shard.is_all(); }
  bool is_interrupted() const { return options_.limits.signal() != 0; }
  // True if the last case of the run is in doubt, no matter which process ran it.
  bool is_in_doubt() const {
    return !in_doubt_since_.empty() && doubtful_place_ == last_place() && !options_.is_known && !controls_.empty() &&
           !outcome_.lost && !is_interrupted();
  }
  std::optional<std::size_t> last_place() const;
  CaseOutcome attempt(const Case& one);
  CaseOutcome run_one(const Case& one);
  void account(CaseOutcome& outcome);
  void conclude();
  Share share() const;

  const Protocol& protocol_;
  Iut& iut_;
  const RunOptions& options_;
  const RunProgress& progress_;
  const Catalogue catalogue_;
  Judge judge_;
  TapContext context_;
  const std::vector<const Case*> controls_;
  const std::vector<const Case*> selected_;
  std::vector<std::size_t> places_;  // cases to run
  std::size_t tried_ = 0;
  bool was_broken_ = false;   // true: the transport failed in the latest case
  bool is_certain_ = true;    // PartOfRun::is_certain()
  std::string why_not_run_;   // once the peer is lost
  std::string why_unserved_;  // from the latest control, until the IUT has spoken
  unsigned unserved_ = 0;     // in a row
  unsigned silent_ = 0;       // cases in a row without an octet of the IUT
  bool answered_ = false;
  bool served_ = false;         // a control
  bool in_doubt_ = false;       // no control was served after the latest case, or the IUT sent nothing in it
  std::string in_doubt_since_;  // the first of the cases in a row for which that is so
  bool is_met_ = false;         // another part of the run has been answered
  std::vector<std::size_t> findings_until_;    // each case
  std::optional<std::size_t> doubtful_place_;  // the latest case that is in doubt
  std::uint64_t place_ = 0;                    // position of the present case among the selected ones
  std::vector<std::uint64_t> case_places_;     // positions of the cases that were run
  std::vector<RunPlace> flow_ends_;
  std::vector<SharedFinding> found_;  // one for each finding
  RunOutcome outcome_;
  Input input_;
  ConsumerAccount account_;            // over all cases
  std::uint64_t received_ = 0;         // messages
  std::uint64_t received_octets_ = 0;  // octets of any kind
};

CaseOutcome CaseSeries::attempt(const Case& one) {
  judge_.begin_case({.test_case = std::string(one.id), .control = {}});
  auto environment = iut_.begin(one);
  if (!environment) {
    CaseOutcome outcome;
    outcome.result = not_run(protocol_, one, environment.error().message);
    outcome.broken = environment.error();
    return outcome;
  }
  return run_case(one, options_.application, options_.parameters, options_.limits, **environment, context_);
}

// A case that finds the peer gone before it has sent anything is not at fault. The peer gets a moment to come back, and
// the case is run once more.
CaseOutcome CaseSeries::run_one(const Case& one) {
  CaseOutcome outcome = attempt(one);
  if (outcome.broken && is_local_resource_error(*outcome.broken)) {
    outcome_.lost = outcome.broken;
    outcome_.lost->message = "Wirelaw itself: " + outcome_.lost->message;
    why_not_run_ = outcome_.lost->message;
    return outcome;
  }
  if (!outcome.broken || outcome.from_iut > 0 || outcome.died || is_interrupted()) return outcome;
  account(outcome);
  iut_.pause(options_.limits.answer_time);
  outcome = attempt(one);
  if (!outcome.broken || outcome.from_iut > 0 || outcome.died || is_interrupted()) return outcome;
  outcome_.lost = outcome.broken;
  if (answered_) outcome_.lost->message = "the peer had answered before, and died: " + outcome_.lost->message;
  why_not_run_ = (answered_ ? "" : "the peer cannot be reached: ") + outcome_.lost->message;
  outcome.result.verdict = Verdict::skipped;
  outcome.result.reason = why_not_run_;
  return outcome;
}

CaseOutcome CaseSeries::attempt_control(const Case& control, std::string_view after, const CaseLimits& limits) {
  judge_.begin_case({.test_case = std::string(after), .control = std::string(control.id)});
  auto environment = iut_.begin(control);
  if (!environment) {
    CaseOutcome outcome;
    outcome.result = not_run(protocol_, control, environment.error().message);
    outcome.broken = environment.error();
    return outcome;
  }
  return run_control(control, after, options_.application, options_.parameters, limits, **environment, context_);
}

// Empty if it was skipped because something was not declared.
std::optional<CaseSeries::Control> CaseSeries::control_by(const Case& which, std::string_view after,
                                                          const CaseLimits& limits, std::chrono::nanoseconds pause) {
  CaseOutcome outcome = attempt_control(which, after, limits);
  account(outcome);
  if (outcome.broken && outcome.from_iut == 0 && !outcome.died && !is_interrupted()) {  // it may come back
    iut_.pause(pause);
    outcome = attempt_control(which, after, limits);
    account(outcome);
  }
  outcome_.deaths += outcome.died ? 1 : 0;
  if (outcome.result.verdict == Verdict::skipped && !outcome.broken) return std::nullopt;
  const bool spoken = context_.speech.spoken;
  const bool is_served = spoken && outcome.result.verdict == Verdict::pass;
  served_ |= is_served;
  const bool unreached = outcome.broken && outcome.from_iut == 0;
  return Control{&which, is_served, spoken ? outcome.result.reason : conduct_of(outcome, context_.speech, options_.iut),
                 unreached ? outcome.broken->hint : ""};
}

// Runs the first control that the IUT was declared to support. If it gets no response, tries the others. Once the IUT
// speaks the protocol, what it lacks counts against it.
CaseSeries::Control CaseSeries::control_after(std::string_view after) {
  Control first;
  for (const Case* const which : controls_) {
    const auto control = control_by(*which, after, options_.limits, options_.limits.answer_time);
    if (control && first.which == nullptr) first = *control;
    if (control && context_.speech.spoken) break;
  }
  return first;
}

// Runs before the cases: does the peer speak the protocol at all? A peer that speaks it badly is left to the cases.
void CaseSeries::meet() {
  constexpr std::size_t kAttempts = 3;
  CaseLimits limits = options_.limits;
  const auto pause = limits.answer_time / 4;
  limits.deadline = std::min(limits.deadline, limits.answer_time + pause);
  std::size_t attempts = 0;
  Control control;
  for (std::size_t i = 0; i < kAttempts * controls_.size() && attempts < kAttempts && !is_interrupted(); ++i) {
    const auto one = control_by(*controls_[i % controls_.size()], {}, limits, pause);
    if (context_.speech.spoken) return;
    if (!one) continue;
    control = *one;
    ++attempts;
  }
  if (attempts == 0 || is_interrupted()) return;
  outcome_.lost =
      TransportError{fmt::format("{}: {}, in {} attempts at an honest exchange, the last {}", iut_.name(),
                                 control.why_not, attempts, control.which->id),
                     "check what listens there, and what it speaks; --keep-going runs the cases all the same"};
  if (!control.hint.empty()) outcome_.lost = TransportError{control.why_not, control.hint};
  why_not_run_ = outcome_.lost->message;
}

// A result that rests on silence, a refusal or an end counts only if the IUT serves a control after it.
void CaseSeries::settle(CaseOutcome& outcome) {
  constexpr unsigned kTriedInVain = 3;
  CaseResult& result = outcome.result;
  const bool failed = result.verdict == Verdict::fail;
  const bool concludes = result.verdict == Verdict::pass || (!outcome.held.empty() && outcome.rests_on_silence);
  const bool doubtful = outcome.rests_on_silence || !context_.speech.spoken;
  if (outcome.interrupted) return;
  if (controls_.empty() || outcome.died || !(failed || (concludes && doubtful)))
    return count_held(outcome.held, judge_);
  Control control{.which = controls_.front(), .why_not = why_unserved_};
  const bool is_itself = std::ranges::count(controls_, result.id, &Case::id) > 0;
  if (is_itself && context_.speech.spoken) return count_held(outcome.held, judge_);
  if (unserved_ < kTriedInVain || context_.speech.spoken) control = control_after(result.id);
  if (control.which == nullptr || control.is_served) {
    unserved_ = 0;
    return count_held(outcome.held, judge_);
  }
  if (is_interrupted()) control.why_not = interrupted_by(options_.limits.signal());
  ++unserved_;
  why_unserved_ = control.why_not;
  in_doubt_ = true;
  if (failed) {
    result.reason += fmt::format("; and the peer does not serve {}: {}", control.which->id, control.why_not);
  } else if (result.verdict == Verdict::pass) {
    result.verdict = Verdict::inconclusive;
    result.reason = fmt::format("its control {} failed: {}", control.which->id, control.why_not);
  }
}

// An IUT that answered before, and now sends no octets, neither in cases nor in the honest exchange after them, is
// gone. Waiting for it in all remaining cases would show nothing.
void CaseSeries::look_for_life(const CaseOutcome& outcome) {
  constexpr unsigned kSilentCases = 3;
  const Verdict verdict = outcome.result.verdict;
  const bool is_missed = verdict == Verdict::inconclusive || verdict == Verdict::fail;
  const bool is_silent = is_missed && outcome.octets_from_iut + outcome.from_iut == 0 && !outcome.died;
  silent_ = is_silent ? silent_ + 1 : 0;
  in_doubt_ |= is_silent;
  if (silent_ < kSilentCases || !answered_ || controls_.empty() || outcome_.lost || is_interrupted()) return;
  silent_ = 0;
  const std::uint64_t before = received_octets_ + received_;
  const Control control = control_after(outcome.result.id);
  if (control.which == nullptr || received_octets_ + received_ > before || is_interrupted()) return;
  outcome_.lost =
      TransportError{fmt::format("{}: the peer had answered before, and no octet has come of it in {} cases, the last "
                                 "{}, nor in the honest exchange after them ({}: {})",
                                 iut_.name(), kSilentCases, outcome.result.id, control.which->id, control.why_not),
                     "look at the last case in which it answered; --keep-going runs the others all the same"};
  why_not_run_ = outcome_.lost->message;
}

// A pass has been confirmed by a control. What is skipped is certain unless it was asked for in vain.
bool CaseSeries::is_certain(const CaseOutcome& outcome, std::size_t findings_before) const {
  if (outcome.broken || outcome_.lost) return false;
  const Verdict verdict = outcome.result.verdict;
  if (verdict == Verdict::skipped) return outcome.messages == 0 || outcome.from_iut > 0;
  if (verdict != Verdict::fail) return verdict == Verdict::pass;
  return std::ranges::any_of(std::span(judge_.findings()).subspan(findings_before), [](const Finding& one) {
    return one.severity == Severity::violation && is_proved_by_octets(one);
  });
}

void CaseSeries::note_doubt(std::size_t place) {
  if (!in_doubt_) {
    in_doubt_since_.clear();
    return;
  }
  doubtful_place_ = place;
  if (in_doubt_since_.empty()) in_doubt_since_ = selected_[place]->id;
}

// The last case that is not left out; nothing if all are.
std::optional<std::size_t> CaseSeries::last_place() const {
  for (std::size_t i = places_.size(); i-- > 0;)
    if (reason_to_skip(*selected_[places_[i]], options_).empty()) return places_[i];
  return std::nullopt;
}

// The run is over, and its last cases leave open whether the IUT still serves. An IUT that did before, and does not
// after a pause, is lost, although no case was left to show it.
void CaseSeries::look_for_service() {
  constexpr unsigned kAttempts = 2;
  if (!is_in_doubt() || !served_) return;
  Control control;
  for (unsigned i = 0; i < kAttempts; ++i) {
    if (i > 0) iut_.pause(options_.limits.answer_time);
    control = control_after(selected_[*last_place()]->id);
    if (control.which == nullptr || control.is_served || is_interrupted()) return;
  }
  outcome_.lost = TransportError{
      fmt::format("{}: the peer served an honest exchange before case {}, and has served none since ({}: {})",
                  iut_.name(), in_doubt_since_, control.which->id, control.why_not),
      "run that case alone against a new peer"};
}

void CaseSeries::account(CaseOutcome& outcome) {
  auto& flows = outcome_.results.flows;
  flow_ends_.resize(flows.size() + outcome.flows.size(), {.input = 0, .step = place_});
  flows.insert(flows.end(), std::make_move_iterator(outcome.flows.begin()),
               std::make_move_iterator(outcome.flows.end()));
  outcome.flows.clear();
  input_.frames += outcome.messages;
  input_.octets += outcome.octets;
  received_ += outcome.from_iut;
  received_octets_ += outcome.octets_from_iut;
  answered_ |= outcome.from_iut > 0 && context_.speech.spoken;
  account_.insert(account_.end(), std::make_move_iterator(outcome.account.begin()),
                  std::make_move_iterator(outcome.account.end()));
  outcome.account.clear();
  end_case(account_, judge_.findings().size());
}

void CaseSeries::conclude() {
  Results& results = outcome_.results;
  input_.name = iut_.name();
  results.inputs.push_back(input_);
  results.rules = judge_.rule_results();
  for (const Protocol* one : stack_of(protocol_, protocols())) exclude_other_role(results.rules, *one, options_.iut);
  results.findings = judge_.findings();
  for (const FindingOrigin& one : judge_.origins())
    found_.push_back({.place = {.input = 0, .step = one.step}, .flow = one.flow, .kind = one.kind});
  join_account(results.findings, account_);
  results.findings_dropped = judge_.findings_dropped();
  const bool in_vain = !is_met_ && tried_ > 0 && received_ == 0;
  if (!context_.speech.spoken || (!options_.is_known && in_vain)) discount(results, found_, findings_until_);
  outcome_.interrupted = options_.limits.signal();
  if (!outcome_.lost && outcome_.interrupted == 0 && in_vain) outcome_.lost = nothing_came_back(iut_.name(), tried_);
}

// Contains the reasons that rules have now: what was discounted has another.
Share CaseSeries::share() const {
  const Results& results = outcome_.results;
  Share share{.rules = results.rules,
              .findings = results.findings,
              .found = found_,
              .findings_dropped = results.findings_dropped,
              .flows = results.flows,
              .flow_ends = flow_ends_,
              .cases = results.cases,
              .case_places = case_places_,
              .judged = received_};
  for (const RuleReason& one : judge_.reasons()) {
    const auto rule = std::ranges::find(results.rules, one.rule, &RuleResult::rule);
    const bool has_it = rule == results.rules.end() || rule->reason == one.reason || rule->held_back > 0;
    share.reasons.push_back({one.rule, has_it ? one.reason : rule->reason, {.input = 0, .step = one.step}});
  }
  share.inputs.push_back({.input = results.inputs.front(), .packets = input_.frames, .is_live = true});
  return share;
}

void CaseSeries::begin() {
  const bool any =
      std::ranges::any_of(places_, [&](std::size_t at) { return reason_to_skip(*selected_[at], options_).empty(); });
  if (options_.stops_early && any) meet();
}

Verdict CaseSeries::take(std::size_t place) {
  const Case& one = *selected_[place];
  CaseOutcome outcome;
  const std::size_t findings_before = judge_.findings().size();
  place_ = place;
  judge_.begin_step(place);
  constexpr std::uint64_t kStreamsOfCase = 4096;  // more than a case has
  context_.streams = (place + 1) * kStreamsOfCase;
  iut_.at_case(place, selected_.size());
  if (outcome_.lost) {
    outcome.result = not_run(protocol_, one, why_not_run_);
  } else if (is_interrupted()) {
    outcome.result = not_run(protocol_, one, "the run was " + interrupted_by(options_.limits.signal()));
  } else if (std::string reason = reason_to_skip(one, options_); !reason.empty()) {
    outcome.result = not_run(protocol_, one, std::move(reason));
  } else {
    if (progress_.begins) progress_.begins(one, place, selected_.size());
    in_doubt_ = false;
    outcome = run_one(one);
    ++tried_;
    account(outcome);
    settle(outcome);
    if (options_.stops_early) look_for_life(outcome);
    note_doubt(place);
  }
  outcome_.deaths += outcome.died ? 1 : 0;
  if (progress_.ended) progress_.ended(outcome);
  was_broken_ = outcome.broken.has_value();
  is_certain_ = is_certain(outcome, findings_before);
  const Verdict verdict = outcome.result.verdict;
  report(place, std::move(outcome.result));
  return verdict;
}

void CaseSeries::report(std::size_t place, CaseResult result) {
  case_places_.push_back(place);
  findings_until_.push_back(judge_.findings().size());
  outcome_.results.cases.push_back(std::move(result));
}

RunOutcome CaseSeries::end() {
  if (!options_.is_part) look_for_service();
  conclude();
  if (is_share(options_)) outcome_.share = share();
  return std::move(outcome_);
}

RunOutcome CaseSeries::run() && {
  begin();
  for (const std::size_t place : places_) take(place);
  return end();
}

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
  return CaseSeries(protocol, iut, options, recording, progress, capture).run();
}

PartOfRun::PartOfRun(const Protocol& protocol, Iut& iut, const RunOptions& options, Recording* recording,
                     const RunProgress& progress)
    : run_(std::make_unique<CaseSeries>(protocol, iut, options, recording, progress, nullptr)) {}
PartOfRun::~PartOfRun() = default;

const std::vector<std::size_t>& PartOfRun::places() const {
  return run_->places_;
}

const Case& PartOfRun::at(std::size_t place) const {
  return *run_->selected_[place];
}

std::size_t PartOfRun::selected() const {
  return run_->selected_.size();
}

bool PartOfRun::is_left_out(std::size_t place) const {
  return !reason_to_skip(at(place), run_->options_).empty();
}

void PartOfRun::meet() {
  run_->begin();
}

bool PartOfRun::has_met() const {
  return run_->options_.is_known || (run_->context_.speech.spoken && run_->received_ > 0);
}

void PartOfRun::has_been_met() {
  run_->context_.speech.spoken = run_->is_met_ = true;
  run_->answered_ = !run_->options_.is_known;
}

const std::optional<TransportError>& PartOfRun::lost() const {
  return run_->outcome_.lost;
}

const std::string& PartOfRun::why_not_run() const {
  return run_->why_not_run_;
}

void PartOfRun::lose(TransportError error, std::string why_not_run) {
  run_->outcome_.lost = std::move(error);
  run_->why_not_run_ = std::move(why_not_run);
}

Verdict PartOfRun::run(std::size_t place) {
  return run_->take(place);
}

std::string PartOfRun::in_doubt_since() const {
  return run_->is_in_doubt() ? run_->in_doubt_since_ : std::string();
}

void PartOfRun::look_for_service(const std::string& since) {
  run_->in_doubt_since_ = since;
  run_->doubtful_place_ = run_->last_place();
  run_->look_for_service();
}

bool PartOfRun::was_broken() const {
  return run_->was_broken_;
}

bool PartOfRun::is_certain() const {
  return run_->is_certain_;
}

const CaseResult& PartOfRun::latest() const {
  return run_->outcome_.results.cases.back();
}

void PartOfRun::report(std::size_t place, Verdict verdict, std::string reason) {
  CaseResult result = not_run(run_->protocol_, at(place), std::move(reason));
  result.verdict = verdict;
  run_->report(place, std::move(result));
}

RunOutcome PartOfRun::finish() {
  return run_->end();
}

TransportError nothing_came_back(const std::string& name, std::size_t cases) {
  return {fmt::format("{}: the peer sent nothing in any of {} cases", name, cases),
          "check the address, a firewall on the way, and that the peer speaks this protocol"};
}

void conclude_parts(const Protocol& protocol, const RunOptions& options, Results& results) {
  for (const Protocol* one : stack_of(protocol, protocols())) exclude_other_role(results.rules, *one, options.iut);
}

}  // namespace wirelaw
