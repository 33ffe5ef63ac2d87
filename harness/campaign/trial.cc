// SPDX-License-Identifier: Apache-2.0
#include "harness/campaign/trial.h"

#include <fmt/format.h>

#include <algorithm>

#include "conformance/script/languages.h"
#include "conformance/stack.h"
#include "harness/campaign/feature.h"
#include "harness/transports/local_resource_error.h"

namespace wirelaw::campaign {
namespace {

constexpr std::array<std::string_view, 8> kOracles{"rule",  "sanitizer", "died",        "unserved",
                                                   "stuck", "memory",    "descriptors", "growth"};

Breach breach_of(Oracle oracle, std::string signature, std::string expected, std::string actual) {
  return {.oracle = oracle,
          .signature = fmt::format("{} {}", word_of(oracle), signature),
          .expected = std::move(expected),
          .actual = std::move(actual)};
}

// "killed by signal 11 (Segmentation fault) in decode < receive < serve", if its output shows a stack.
std::string with_stack(const std::string& how, const std::string& output) {
  const std::string stack = stack_in(output);
  return stack.empty() ? how : fmt::format("{} in {}", how, stack);
}

}  // namespace

std::string_view word_of(Oracle oracle) {
  return kOracles[static_cast<std::size_t>(oracle)];
}

std::optional<Oracle> oracle_of(std::string_view word) {
  const auto found = std::ranges::find(kOracles, word);
  if (found == kOracles.end()) return std::nullopt;
  return static_cast<Oracle>(found - kOracles.begin());
}

std::uint64_t seed_of(const Input& input) {
  std::uint64_t seed = hash_of(input.test_case);
  for (const Edit& one : input.edits) {
    seed = hash_of(word_of(one.op), seed);
    for (const std::uint32_t number : {one.message, one.offset, one.count, std::uint32_t{one.repair}})
      seed = hash_of(std::to_string(number), seed);
    if (one.copy != 0) seed = hash_of("copy " + std::to_string(one.copy), seed);
    seed = hash_of({reinterpret_cast<const char*>(one.octets.data()), one.octets.size()}, seed);
  }
  return seed;
}

// Finds it by its octets: a message's number counts in its flow, and a conversation may have several flows.
const Step* step_of(const Finding& finding, std::span<const Step> steps) {
  if (finding.octets.empty() || finding.unanswered || !finding.occasion.control.empty()) return nullptr;
  const auto shows = [&](const Step& step) {
    if (!step.from_iut || step.head.size() <= finding.offset) return false;
    const Octets there = Octets(step.head).subspan(finding.offset);
    const std::size_t compared = std::min(there.size(), finding.octets.size());
    return std::ranges::equal(there.first(compared), Octets(finding.octets).first(compared));
  };
  if (finding.message > 0 && finding.message <= steps.size() && shows(steps[finding.message - 1]))
    return &steps[finding.message - 1];
  const auto last = std::find_if(steps.rbegin(), steps.rend(), shows);
  return last == steps.rend() ? nullptr : &*last;
}

const Breach* Trial::find(std::string_view signature) const {
  const auto found = std::ranges::find(breaches, signature, &Breach::signature);
  return found == breaches.end() ? nullptr : &*found;
}

Tester::Tester(const Arena& arena)
    : arena_(arena),
      catalogue_(catalogue_of_stack(arena.protocol, protocols())),
      carried_(base_of(arena.protocol, protocols())),
      dialect_(edits::dialect_of(carried_)),
      controls_(controls_of(arena.protocol, arena.role, arena.application)),
      vocabulary_(vocabulary_of(carried_)),
      language_(script::language_of(arena.protocol)),
      words_(words_of(arena.protocol)) {
  for (const Case& one : arena.protocol.cases())
    if (one.iut == arena.role && one.needs <= arena.application) cases_.push_back(&one);
}

std::vector<const Rule*> Tester::rules() const {
  std::vector<const Rule*> rules;
  for (const Rule* rule : catalogue_.rules())
    if (includes(rule->subject, arena_.role)) rules.push_back(rule);
  return rules;
}

const Case* Tester::find(std::string_view id) const {
  const auto found = std::ranges::find(cases_, id, &Case::id);
  return found == cases_.end() ? nullptr : *found;
}

const CapturedConversation* Tester::find_conversation(std::string_view id) const {
  const auto found = std::ranges::find(conversations_, id, &CapturedConversation::id);
  return found == conversations_.end() ? nullptr : &*found;
}

void Tester::add(const CapturedConversation& conversation) {
  if (find(conversation.id) != nullptr) return;
  conversations_.push_back(conversation);
  captured_.push_back(case_of(conversations_.back(), arena_.role, carried_));
  cases_.push_back(&captured_.back());
}

// One conversation with all that belongs to it.
struct Tester::Run {
  Run(const Tester& of, const Iut& iut, const Pace& pace, Recording* recording)
      : tester(of),
        arena(of.arena_),
        judge(of.catalogue_),
        context{.protocol = arena.protocol,
                .judge = judge,
                .recording = recording,
                .framing = iut.framing(),
                .limits = {.features = arena.features, .revision = arena.revision},
                .speech = {.spoken = true},
                .associations = &associations},
        limits{.deadline = pace.deadline,
               .answer_time = pace.answer_time,
               .silence_time = pace.silence_time,
               .interrupted = arena.interrupted} {}

  CaseOutcome converse(const Case& one, Environment& environment) {
    judge.begin_case({.test_case = std::string(one.id), .control = {}});
    return run_case(one, arena.application, arena.parameters, limits, environment, context);
  }

  // Why an honest exchange is not served; empty: it is, or there is none that could be asked for.
  std::string control(std::string_view after, Environment& environment) {
    std::string why;
    for (const Case* which : tester.controls_) {
      judge.begin_case({.test_case = std::string(after), .control = std::string(which->id)});
      const CaseOutcome outcome =
          run_control(*which, after, arena.application, arena.parameters, limits, environment, context);
      if (outcome.result.verdict == Verdict::pass || outcome.interrupted) return {};
      if (outcome.result.verdict == Verdict::skipped && !outcome.broken) continue;
      if (why.empty()) why = fmt::format("{}: {}", which->id, outcome.result.reason);
    }
    return why;
  }

  void add_findings(bool served, const std::vector<Step>& steps, Trial& trial) const {
    for (const Finding& one : judge.findings()) {
      if (one.severity != Severity::violation || (one.shown_by_case && !served)) continue;
      Breach breach = breach_of(Oracle::rule, std::string(one.rule->id), one.expected, one.actual);
      breach.rule = one.rule;
      breach.explanation = one.explanation;
      if (const Step* const shown_by = step_of(one, steps)) breach.kind = shown_by->kind;
      add(std::move(breach), trial);
    }
  }

  void add_use(Trial& trial) const {
    const auto use = arena.process == nullptr ? std::nullopt : arena.process->use();
    if (!use) return;
    trial.resident_octets = use->resident_octets;
    trial.descriptors = use->descriptors;
    if (arena.use.resident_octets != 0 && use->resident_octets > arena.use.resident_octets)
      add(breach_of(Oracle::memory, "grows", fmt::format("at most {} octets of memory", arena.use.resident_octets),
                    fmt::format("{} octets", use->resident_octets)),
          trial);
    if (arena.use.descriptors != 0 && use->descriptors > arena.use.descriptors)
      add(breach_of(Oracle::descriptors, "grow", fmt::format("at most {} file descriptors", arena.use.descriptors),
                    fmt::format("{}", use->descriptors)),
          trial);
  }

  // A sanitizer's report contains more than the death that it announces.
  void add_end(const std::optional<Death>& death, const std::string& unserved, Trial& trial) const {
    const auto report = sanitizer_report(trial.output);
    if (report) {
      Breach breach = breach_of(Oracle::sanitizer, fmt::format("{} in {}", report->what, report->frames),
                                "no report of a sanitizer", report->what);
      breach.text = report->text;
      add(std::move(breach), trial);
    }
    if (death && death->is_failure && !report)
      add(breach_of(Oracle::died, with_stack(death->how, trial.output), "a peer that lives on", "it is " + death->how),
          trial);
    if (!unserved.empty() && !death && !report)
      add(breach_of(Oracle::unserved, "an honest exchange", "an honest exchange is served afterwards", unserved),
          trial);
  }

  static void add_wrong_echo(const EditedConversation& conversation, Trial& trial) {
    const auto wrong = conversation.wrong_echo();
    if (!wrong) return;
    Breach breach = breach_of(Oracle::rule, std::string(wrong->rule->id), wrong->expected, wrong->actual);
    breach.rule = wrong->rule;
    add(std::move(breach), trial);
  }

  static void add_stuck(const EditedConversation& conversation, Trial& trial) {
    if (!conversation.is_stuck()) return;
    add(breach_of(Oracle::stuck, "on a stream", "an answer, or the end of the connection",
                  "neither, although what follows cannot be waited for"),
        trial);
  }

  static void add(Breach breach, Trial& trial) {
    if (trial.find(breach.signature) == nullptr) trial.breaches.push_back(std::move(breach));
  }

  const Tester& tester;
  const Arena& arena;
  Judge judge;
  Associations associations;  // from the honest exchange, including what came before it
  TapContext context;
  CaseLimits limits;
};

tl::expected<Iut*, TransportError> Tester::meet(const Input& input) const {
  if (arena_.watchdog != nullptr) arena_.watchdog->rearm();
  return arena_.meet(seed_of(input));
}

Trial Tester::run(const Input& input, const Pace& pace, Recording* recording) {
  Trial trial = run_once(input, pace, recording);
  if (hooks_.after_trial) hooks_.after_trial();
  return trial;
}

Trial Tester::run_once(const Input& input, const Pace& pace, Recording* recording) {
  Trial trial;
  const Case* const original = find(input.test_case);
  if (original == nullptr) {
    trial.is_skipped = true;
    return trial;
  }
  auto iut = meet(input);
  if (!iut) {
    trial.lost = iut.error();
    return trial;
  }
  is_stream_ = (*iut)->framing().is_stream;
  if (arena_.process != nullptr) arena_.process->begin();
  auto environment = (*iut)->begin(*original);
  if (!environment) {
    trial.lost = environment.error();
    return trial;
  }
  if (arena_.coverage != nullptr) arena_.coverage->clear();

  EditedConversation conversation(input.edits, dialect_, carried_, language_);
  conversation.look_whether_stuck();
  if (arena_.application == Service::echo) conversation.check_echoes();
  const Case changed = edited(*original, conversation);
  Run run(*this, **iut, pace, recording);
  const CaseOutcome outcome = run.converse(changed, **environment);
  if (arena_.coverage != nullptr) add_edges(arena_.coverage->edges(), trial.features);
  trial.is_interrupted = outcome.interrupted || is_interrupted();
  trial.is_skipped = outcome.result.verdict == Verdict::skipped && outcome.messages == 0;
  trial.messages_sent = conversation.messages_sent();
  trial.octets_sent = conversation.octets_sent();
  trial.messages_received = conversation.messages_received();
  trial.stimuli = conversation.take_stimuli();
  trial.steps = conversation.take_steps();
  if (outcome.broken && (outcome.from_iut == 0 || is_local_resource_error(*outcome.broken)) && !outcome.died)
    trial.lost = outcome.broken;
  if (trial.is_interrupted || trial.is_skipped || (trial.lost && is_local_resource_error(*trial.lost))) return trial;

  add_transitions(trial.steps, trial.features);
  add_rules(run.judge, trial.features);
  for (const Rule* rule : catalogue_.rules())
    if (run.judge.exercised(*rule) > 0) trial.exercised.push_back(rule);
  run.add_use(trial);
  const std::string unserved =
      outcome.died || original->takes_application ? "" : run.control(original->id, **environment);
  if (is_interrupted()) {
    trial.is_interrupted = true;
    return trial;
  }
  auto death = (*environment)->death(!unserved.empty());
  if (!death) death = (*environment)->stop();
  if (unserved.empty()) trial.lost.reset();
  if (arena_.process != nullptr) trial.output = arena_.process->output();
  run.add_findings(unserved.empty(), trial.steps, trial);
  run.add_wrong_echo(conversation, trial);
  run.add_end(death, unserved, trial);
  if (!death) run.add_stuck(conversation, trial);
  std::ranges::sort(trial.features);
  trial.features.erase(std::unique(trial.features.begin(), trial.features.end()), trial.features.end());
  return trial;
}

std::string Tester::greet(const Pace& pace) {
  const auto iut = meet({});
  if (!iut) return iut.error().message;
  is_stream_ = (*iut)->framing().is_stream;
  if (controls_.empty()) return {};
  auto environment = (*iut)->begin(*controls_.front());
  if (!environment) return environment.error().message;
  return Run(*this, **iut, pace, nullptr).control({}, **environment);
}

}  // namespace wirelaw::campaign
