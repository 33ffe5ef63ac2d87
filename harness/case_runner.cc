// SPDX-License-Identifier: Apache-2.0
#include "harness/case_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "harness/capture/wire_capture.h"
#include "harness/transports/local_resource_error.h"

namespace wirelaw {
namespace {

using RealClock = std::chrono::steady_clock;

// A case whose time is up gets an error from every call. One that keeps calling is unwound.
struct CaseEnded {};
constexpr unsigned kCallsAfterTheEnd = 64;
// Calls without time passing: a case that makes this many will never end.
constexpr unsigned kCallsAtOneInstant = 200'000;
// Real time that a case may take beyond its deadline, if time is virtual.
constexpr std::chrono::seconds kRealTime{60};

// Octets that may arrive in one case, including what it costs to keep each message. In the largest case (131,072
// messages, each of which may be answered) a peer that follows the protocol takes three quarters.
constexpr std::uint64_t kFlood = 96u << 20;
constexpr std::uint64_t kMessageCost = 512;

// Parameters of memory that every connection to the peer reads and writes.
constexpr std::array<std::string_view, 2> kMemoryOfAll{"stag", "addr"};

constexpr std::string_view kNoWire = "needs the wire, which nobody speaks between two consumers";

class Runner;

// A case's view of a conversation while the case needs it. The runner keeps the conversation until the case has ended,
// so that late messages are still judged.
class CaseTransport final : public Transport {
 public:
  CaseTransport(Runner& runner, FlowTap& tap, const Offers& offered);
  ~CaseTransport() override;

  tl::expected<void, TransportError> send(Octets message) override;
  tl::expected<std::optional<OctetBuffer>, TransportError> receive(Instant deadline) override;
  Instant now() const override { return tap_.now(); }
  void end(Ending ending) override { tap_.end(ending); }
  Ending ending() const override { return tap_.ending(); }
  const Offers& offers() const override { return offers_; }
  bool is_stream() const override { return tap_.is_stream(); }
  std::optional<Ends> ends() const override { return tap_.ends(); }

 private:
  std::optional<TransportError> gate();

  tl::expected<std::optional<OctetBuffer>, TransportError> wait_for(Instant deadline);
  void hear_the_iut_out();

  Runner& runner_;
  FlowTap& tap_;
  Offers offers_;
};

class Runner final : public CaseRun {
 public:
  Runner(const Case& tested, Service application, const IutParameters& parameters, const CaseLimits& limits,
         Environment& environment, TapContext& context, std::optional<std::string_view> controls = {})
      : case_(tested),
        controls_(controls),
        application_(application),
        parameters_(parameters),
        limits_(limits),
        environment_(environment),
        its_own_(environment.parameters()),
        context_(context),
        judge_(context.judge),
        recording_(context.recording),
        start_(environment.now()),
        last_seen_(start_) {
    context.epoch_ns = environment.epoch_ns();
    associations_.set_of_case(true);
    if (context.associations == nullptr && context.capture == nullptr) context.associations = &associations_;
    for (const Rule* rule : tested.rules) {
      failed_before_.push_back(judge_.failed(*rule));
      exercised_before_.push_back(judge_.exercised(*rule));
    }
    findings_before_ = judge_.findings().size();
  }

  ~Runner() override {
    if (context_.associations == &associations_) context_.associations = nullptr;
  }

  CaseOutcome run();

  tl::expected<std::unique_ptr<Transport>, TransportError> connect(const Route& route) override;
  tl::expected<std::unique_ptr<Transport>, TransportError> accept(const Route& route) override;
  tl::expected<void, TransportError> trigger(const TriggerRequest& request) override;
  std::chrono::nanoseconds answer_time() const override { return limits_.answer_time; }
  std::chrono::nanoseconds silence_time() const override { return limits_.silence_time; }
  std::chrono::nanoseconds deadline() const override { return limits_.deadline; }
  Service application() const override { return application_; }
  std::uint64_t nonce() const override { return environment_.nonce(); }
  std::string_view parameter(std::string_view name) const override {
    for (const IutParameters* const said : {&parameters_, &its_own_}) {
      const auto found = std::ranges::find(*said, name, &IutParameters::value_type::first);
      if (found == said->end()) continue;
      if (std::ranges::count(kMemoryOfAll, name) > 0) wait_for_turn();
      return found->second;
    }
    return {};
  }
  bool declares(std::string_view feature) const override {
    return std::ranges::find(context_.limits.features, feature) != context_.limits.features.end();
  }
  bool require(const Rule& rule, bool holds, std::string_view wanted, std::string_view got,
               std::string_view explanation) override;
  bool advise(const Rule& rule, bool holds, std::string_view wanted, std::string_view got,
              std::string_view explanation) override;
  // A peer that is dead by then did not die of this stimulus.
  void stimulates(const Rule& rule) override {
    if (!has_died(false)) stimulus_ = &rule;
  }
  void stimulates_own_rule() override;
  void stimulates_nothing() override {
    stimulus_ = nullptr;
    excused_ = true;
  }
  void skip(std::string_view reason) override { settle(Verdict::skipped, reason); }
  void inconclusive(std::string_view reason) override { settle(Verdict::inconclusive, reason); }
  void broken(const TransportError& error) override;

  // --- for CaseTransport
  Instant case_deadline() const { return start_ + limits_.deadline; }
  bool may_be_interrupted() const { return limits_.interrupted != nullptr; }
  bool is_interrupted() const { return limits_.signal() != 0; }
  // True once, when the case has failed although the IUT lives.
  bool takes_leave() { return required_in_vain_ && !controls_ && !death_ && !std::exchange(has_taken_leave_, true); }
  // An error if the case's time is up.
  std::optional<TransportError> gate();
  // For a case that needs to speak the wire protocol: returns an error if this transport does not allow it.
  std::optional<TransportError> lack_of_wire() {
    if (context_.framing.is_spoken) return std::nullopt;
    if (!settled_) skip(kNoWire);
    lacks_wire_ = true;
    return TransportError{std::string(kNoWire), ""};
  }
  void note(FlowTap& tap, std::string_view who, const std::string& what) {
    tap.note_call(who, what);
    account_.push_back({judge_.findings().size(), what});
  }
  void received(FlowTap& tap, std::size_t octets, bool silence) {
    speaker_ = &tap;
    silence_ = silence;
    octets_from_iut_ += octets;
    if (!silence) kept_octets_ += octets + kMessageCost;
    if (kept_octets_ > kFlood && ended_.empty())
      end_by_time(fmt::format("the peer floods: {} octets have come in this case, far more than it has asked for",
                              octets_from_iut_));
  }

 private:
  struct Settled {
    Verdict verdict;
    std::string reason;
  };

  template <class Open>
  tl::expected<std::unique_ptr<Transport>, TransportError> converse(const Open& open);
  void settle(Verdict verdict, std::string_view reason) {
    if (!settled_) settled_ = Settled{verdict, std::string(reason)};
  }
  // This time does not count for the case.
  void wait_for_turn() const {
    if (!limits_.wait_for_turn || has_turn_) return;
    has_turn_ = true;
    const Instant before = environment_.now();
    const auto really = RealClock::now();
    limits_.wait_for_turn();
    start_ += environment_.now() - before;
    real_start_ += RealClock::now() - really;
  }
  OctetRange point_judge();
  void end_by_time(std::string reason);
  bool is_out_of_time();  // if so, the case has ended
  void collect(CaseOutcome& outcome);
  bool has_died(bool expected);
  void blame_death();
  Settled decide() const;
  bool judges_traces() const {
    return std::ranges::any_of(case_.rules, [](const Rule* rule) { return rule->observable == Observable::trace; });
  }
  void leave_unjudged(const FlowTap& tap);
  std::string first_violation() const;
  std::string others_failed(const Rule& named) const;
  // Keeps a requirement that holds until it is known whether the case counts.
  void hold(const Rule& rule);
  std::uint64_t times_held(const Rule& rule) const;
  std::string announcement() const;

  const Case& case_;
  std::optional<std::string_view> controls_;  // for a control: the case that it comes after
  Service application_;
  const IutParameters& parameters_;
  const CaseLimits& limits_;
  Environment& environment_;
  IutParameters its_own_;
  TapContext& context_;
  Judge& judge_;
  Recording* recording_;
  Associations associations_;  // for the case's conversations
  std::vector<std::unique_ptr<FlowTap>> taps_;
  std::vector<Offers> offers_;  // for each conversation: what was offered before it

  mutable bool has_turn_ = false;
  mutable Instant start_;
  mutable RealClock::time_point real_start_ = RealClock::now();
  Instant last_seen_;
  unsigned calls_here_ = 0;
  unsigned calls_after_end_ = 0;

  FlowTap* speaker_ = nullptr;  // the conversation of the last receive
  bool silence_ = true;
  bool required_in_vain_ = false;
  bool has_taken_leave_ = false;
  bool lacks_wire_ = false;
  bool rests_on_silence_ = false;
  std::vector<HeldRequirement> held_;
  std::uint64_t octets_from_iut_ = 0;
  bool interrupted_ = false;
  std::uint64_t kept_octets_ = 0;  // number of octets that a case may have kept
  std::string unserved_;           // for a control: the requirement that did not hold
  std::optional<Settled> settled_;
  std::optional<TransportError> broken_;
  std::optional<Death> death_;
  const Rule* stimulus_ = nullptr;  // the rule whose stimulus is being sent
  bool excused_ = false;            // the IUT need not expect what is being sent
  std::string unjudged_;            // why not all of the wire was judged
  std::string ended_;               // why the case was ended from outside
  std::string dump_;
  ConsumerAccount account_;
  std::vector<std::uint64_t> failed_before_;
  std::vector<std::uint64_t> exercised_before_;
  std::size_t findings_before_ = 0;
};

CaseTransport::CaseTransport(Runner& runner, FlowTap& tap, const Offers& offered)
    : runner_(runner),
      tap_(tap),
      offers_(offered.for_case(
          {.gate = [&runner] { return runner.gate(); },
           .broken = [&runner](const TransportError& error) { runner.broken(error); },
           .note = [&runner, &tap](std::string_view who, const std::string& what) { runner.note(tap, who, what); },
           .deadline = runner.case_deadline()})) {}

CaseTransport::~CaseTransport() {
  if (runner_.takes_leave()) hear_the_iut_out();
  tap_.let_go();
}

// A requirement fails while the IUT may be in the middle of sending. Waits until it is silent: otherwise chance would
// decide which of its octets are judged before the conversation is closed.
void CaseTransport::hear_the_iut_out() {
  const Instant latest = std::min(tap_.now() + runner_.answer_time(), runner_.case_deadline());
  for (bool speaks = true; speaks && !runner_.is_interrupted();) {
    const auto received = wait_for(std::min(latest, tap_.now() + runner_.silence_time()));
    speaks = received && *received && tap_.now() < latest;
  }
}

std::optional<TransportError> CaseTransport::gate() {
  if (auto over = runner_.gate()) return over;
  return runner_.lack_of_wire();
}

tl::expected<void, TransportError> CaseTransport::send(Octets message) {
  if (auto over = gate()) return tl::unexpected(*over);
  auto sent = tap_.send(message);
  if (!sent) runner_.broken(sent.error());
  return sent;
}

tl::expected<std::optional<OctetBuffer>, TransportError> CaseTransport::receive(Instant deadline) {
  if (auto over = gate()) return tl::unexpected(*over);
  auto received = wait_for(std::min(deadline, runner_.case_deadline()));
  if (!received) {
    runner_.broken(received.error());
  } else {
    runner_.received(tap_, *received ? (*received)->size() : 0, !*received);
  }
  return received;
}

// Waits in short steps if a signal may end the run meanwhile.
tl::expected<std::optional<OctetBuffer>, TransportError> CaseTransport::wait_for(Instant deadline) {
  constexpr std::chrono::milliseconds kTurn{100}, kTimersMayBeOff{5};
  while (true) {
    const Instant turn = runner_.may_be_interrupted() ? std::min(deadline, tap_.now() + kTurn) : deadline;
    auto received = tap_.receive(turn);
    const bool silence = received && !*received;
    // Before its time is over, only the end of the conversation is expected.
    const bool early = tap_.now() + kTimersMayBeOff < turn;
    if (!silence || turn == deadline || early || runner_.is_interrupted()) return received;
  }
}

std::optional<TransportError> Runner::gate() {
  const Instant now = environment_.now();
  calls_here_ = now == last_seen_ ? calls_here_ + 1 : 0;
  last_seen_ = now;
  if (ended_.empty()) {
    if (is_interrupted()) {
      interrupted_ = true;
      ended_ = interrupted_by(limits_.signal());
    } else if (is_out_of_time()) {
      calls_here_ = 0;
    } else if (calls_here_ > kCallsAtOneInstant) {
      end_by_time("the case goes round in circles: no time passes");
    } else if (RealClock::now() - real_start_ > limits_.deadline + kRealTime) {
      end_by_time("the case takes far more real time than its deadline");
    }
  }
  if (ended_.empty()) return std::nullopt;
  if (++calls_after_end_ > kCallsAfterTheEnd) throw CaseEnded{};
  return TransportError{ended_, "see the state of the peer, or allow more time with --deadline"};
}

// A wait that the deadline has cut short proves neither that the peer keeps a rule nor that it breaks one.
bool Runner::is_out_of_time() {
  if (environment_.now() < case_deadline()) return false;
  if (ended_.empty())
    end_by_time(fmt::format("the case did not end within its deadline of {:g} s",
                            std::chrono::duration<double>(limits_.deadline).count()));
  return true;
}

void Runner::end_by_time(std::string reason) {
  ended_ = std::move(reason);
  dump_ = environment_.peer_state();
  for (const auto& tap : taps_) dump_ += "last messages:\n" + tap->tail();
}

template <class Open>
tl::expected<std::unique_ptr<Transport>, TransportError> Runner::converse(const Open& open) {
  if (auto over = gate()) return tl::unexpected(*over);
  tl::expected<Connected, TransportError> connected = open();
  if (!connected) {
    if (!connected.error().no_way) broken(connected.error());  // the case may know another
    return tl::unexpected(connected.error());
  }
  taps_.push_back(make_tap(std::move(connected->wire), context_, connected->datagrams));
  offers_.push_back(std::move(connected->offers));
  return std::make_unique<CaseTransport>(*this, *taps_.back(), offers_.back());
}

tl::expected<std::unique_ptr<Transport>, TransportError> Runner::connect(const Route& route) {
  return converse([&] { return environment_.connect(route); });
}

tl::expected<std::unique_ptr<Transport>, TransportError> Runner::accept(const Route& route) {
  return converse([&] { return environment_.accept(route); });
}

tl::expected<void, TransportError> Runner::trigger(const TriggerRequest& request) {
  if (case_.iut != Role::initiator) return {};
  if (auto over = gate()) return tl::unexpected(*over);
  auto triggered = environment_.trigger(request);
  if (!triggered) broken(triggered.error());
  return triggered;
}

void Runner::broken(const TransportError& error) {
  if (error.no_way) return skip(error.message);
  // Errors after the case's time is up are no evidence about the peer.
  if (ended_.empty() && !broken_ && !lacks_wire_) broken_ = error;
}

// A dead peer does not break its protocol by not answering. Only its death is reported, with the rule whose stimulus it
// died of.
bool Runner::has_died(bool expected) {
  if (!death_) death_ = environment_.death(expected);
  return death_.has_value();
}

void Runner::stimulates_own_rule() {
  if (stimulus_ != nullptr || excused_) return;
  const auto own = std::ranges::find(case_.rules, Observable::stimulus, &Rule::observable);
  if (own != case_.rules.end()) stimulates(**own);
}

// A peer that lived until the stimulus of a rule was sent, and then died, did not tolerate it.
void Runner::blame_death() {
  if (!death_ || !death_->is_failure || stimulus_ == nullptr || required_in_vain_) return;
  point_judge();
  judge_.speak_for_case(true);
  judge_.require(*stimulus_, false, OctetRange{}, expected("a peer that lives on"),
                 actual("the peer died: " + death_->how), "it died of the stimulus of this rule, or soon after");
  judge_.speak_for_case(false);
  required_in_vain_ = true;
}

OctetRange Runner::point_judge() {
  FlowTap* const tap = speaker_ ? speaker_ : taps_.empty() ? nullptr : taps_.back().get();
  if (!tap) {
    judge_.enter_flow({}, {}, {});
    judge_.at({});
    return {};
  }
  const bool silence = silence_ || tap != speaker_;
  tap->point_judge_at_last(silence);
  return {0, silence ? 0 : judge_.message().octets.size()};
}

bool Runner::require(const Rule& rule, bool holds, std::string_view wanted, std::string_view got,
                     std::string_view explanation) {
  if (!controls_ && is_out_of_time()) return holds;
  if (holds) {
    hold(rule);
    return true;
  }
  if (interrupted_ || has_died(false)) return false;
  required_in_vain_ = true;
  if (controls_) {
    unserved_ = fmt::format("expected {}, got {}", wanted, got);
    return false;
  }
  const OctetRange where = point_judge();
  judge_.speak_for_case(true);
  judge_.require(rule, false, where, expected(wanted), actual(got), explanation);
  judge_.speak_for_case(false);
  if (recording_)
    recording_->annotate(judge_.message().frame, fmt::format("{}: expected {}, got {}", rule.id, wanted, got));
  return false;
}

bool Runner::advise(const Rule& rule, bool holds, std::string_view wanted, std::string_view got,
                    std::string_view explanation) {
  if (!controls_ && is_out_of_time()) return holds;
  if (holds) {
    hold(rule);
    return true;
  }
  if (controls_ || interrupted_ || has_died(false)) return false;
  const OctetRange where = point_judge();
  judge_.speak_for_case(true);
  judge_.advise(rule, false, where, expected(wanted), actual(got), explanation);
  judge_.speak_for_case(false);
  return false;
}

// An answer after a silence shows that the silence was intended: the last one decides.
void Runner::hold(const Rule& rule) {
  rests_on_silence_ = silence_ || speaker_ == nullptr || speaker_->iut_ended() != Ending::none;
  const auto found = std::ranges::find(held_, &rule, &HeldRequirement::rule);
  if (found == held_.end())
    held_.push_back({&rule, 1});
  else
    ++found->times;
}

std::uint64_t Runner::times_held(const Rule& rule) const {
  const auto found = std::ranges::find(held_, &rule, &HeldRequirement::rule);
  return found == held_.end() ? 0 : found->times;
}

std::string Runner::announcement() const {
  if (!controls_) return fmt::format("case {}: {}", case_.id, case_.purpose);
  return fmt::format("control {}{}: {}", controls_->empty() ? "before the cases" : "after case ", *controls_, case_.id);
}

// The case's own rules come first, then the case's own requirements. A fault that appears in every case does not
// explain the result of this one.
std::string Runner::first_violation() const {
  const auto& findings = judge_.findings();
  const auto rank_of = [&](const Finding& one) {
    return std::ranges::find(case_.rules, one.rule) != case_.rules.end() ? 0 : one.shown_by_case ? 1 : 2;
  };
  const Finding* best = nullptr;
  for (std::size_t i = findings_before_; i < findings.size(); ++i)
    if (findings[i].severity == Severity::violation && (best == nullptr || rank_of(findings[i]) < rank_of(*best)))
      best = &findings[i];
  if (best == nullptr || rank_of(*best) > 0)
    for (std::size_t i = 0; i < case_.rules.size(); ++i)
      if (judge_.failed(*case_.rules[i]) > failed_before_[i])
        return fmt::format("{}: failed in this case; there are more findings than Wirelaw keeps", case_.rules[i]->id);
  if (best == nullptr) return "a rule of this case failed; there are more findings than Wirelaw keeps";
  return fmt::format("{}: expected {}, got {}{}", best->rule->id, best->expected, best->actual,
                     others_failed(*best->rule));
}

// The other rules that decide the case and failed in it: " (also failed: MPA-4.3-1, MPA-4.3-2, MPA-4.3-3 and 2 more)".
std::string Runner::others_failed(const Rule& named) const {
  constexpr std::size_t kMostNames = 3;
  std::vector<const Rule*> others;
  const auto add = [&](const Rule* rule) {
    if (rule != &named && std::ranges::find(others, rule) == others.end()) others.push_back(rule);
  };
  for (std::size_t i = 0; i < case_.rules.size(); ++i)
    if (judge_.failed(*case_.rules[i]) > failed_before_[i]) add(case_.rules[i]);
  if (case_.rules.empty())
    for (std::size_t i = findings_before_; i < judge_.findings().size(); ++i)
      if (judge_.findings()[i].severity == Severity::violation) add(judge_.findings()[i].rule);
  std::string text;
  for (std::size_t i = 0; i < std::min(others.size(), kMostNames); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", others[i]->id);
  if (text.empty()) return text;
  const std::size_t more = others.size() - std::min(others.size(), kMostNames);
  return fmt::format(" (also failed: {}{})", text, more == 0 ? "" : fmt::format(" and {} more", more));
}

Runner::Settled Runner::decide() const {
  if (broken_ && is_local_resource_error(*broken_))
    return {Verdict::inconclusive, "Wirelaw itself: " + broken_->message};
  bool exercised = false;
  bool failed = required_in_vain_;
  for (std::size_t i = 0; i < case_.rules.size(); ++i) {
    failed |= !controls_ && judge_.failed(*case_.rules[i]) > failed_before_[i];
    exercised |= judge_.exercised(*case_.rules[i]) + times_held(*case_.rules[i]) > exercised_before_[i];
  }
  if (case_.rules.empty()) {  // a script without rules: all findings decide
    exercised = std::ranges::any_of(taps_, [](const auto& tap) { return tap->from_iut() > 0; });
    failed |= std::ranges::any_of(judge_.findings().begin() + static_cast<std::ptrdiff_t>(findings_before_),
                                  judge_.findings().end(),
                                  [](const Finding& one) { return one.severity == Severity::violation; });
  }
  if (failed && controls_) return {Verdict::fail, unserved_};
  if (failed) {
    const bool said = death_ && stimulus_ != nullptr && judge_.failed(*stimulus_) > 0;
    return {Verdict::fail, first_violation() + (death_ && !said ? "; the peer died: " + death_->how : "")};
  }
  if (interrupted_) return {Verdict::inconclusive, ended_};
  if (death_) return {Verdict::inconclusive, "the peer died: " + death_->how};
  if (broken_) return {Verdict::fail, broken_->message};
  if (settled_) return *settled_;
  if (!ended_.empty()) return {Verdict::inconclusive, ended_};
  if (!unjudged_.empty() && (!exercised || judges_traces()))
    return {Verdict::inconclusive, "not all of the wire was judged: " + unjudged_};
  if (!exercised) return {Verdict::inconclusive, "exercised none of its rules"};
  return {Verdict::pass, std::string(case_.pass_note)};
}

// The wire of this conversation was not seen completely. Its rules are reported as such unless they were judged
// elsewhere.
void Runner::leave_unjudged(const FlowTap& tap) {
  unjudged_ = tap.unjudged();
  if (unjudged_.empty()) return;
  point_judge();
  for (const Rule* rule : case_.rules)
    if (rule->observable == Observable::trace) judge_.inconclusive(*rule, unjudged_);
}

void Runner::collect(CaseOutcome& outcome) {
  for (const auto& tap : taps_) {
    tap->finish();
    if (unjudged_.empty()) leave_unjudged(*tap);
    outcome.messages += tap->messages();
    outcome.from_iut += tap->from_iut();
    if (!tap->any()) continue;
    outcome.flows.push_back(tap->result());
    outcome.octets += outcome.flows.back().octets;
  }
}

CaseOutcome Runner::run() {
  CaseOutcome outcome;
  const std::uint64_t frames_before = recording_ ? recording_->frames() : 0;
  if (context_.capture) context_.capture->begin();
  if (recording_) recording_->announce(announcement());
  try {
    case_.run(*this);
  } catch (const CaseEnded&) {
    // Its reason is in ended_.
  }
  outcome.result.duration_ns = (environment_.now() - start_).count();
  if (!taps_.empty()) outcome.iut_ended = taps_.back()->iut_ended();
  collect(outcome);
  outcome.died = has_died(broken_.has_value());
  if (outcome.died && !controls_) blame_death();
  Settled settled = decide();
  outcome.result.id = case_.id;
  outcome.result.protocol = context_.protocol.name;
  outcome.result.purpose = case_.purpose;
  outcome.result.rules = case_.rules;
  outcome.result.verdict = settled.verdict;
  outcome.result.reason = std::move(settled.reason);
  if (recording_ && recording_->frames() > frames_before) {
    outcome.result.first_frame = frames_before + 1;
    outcome.result.last_frame = recording_->frames();
    recording_->flush();
  }
  outcome.rests_on_silence = rests_on_silence_ || outcome.from_iut == 0 || outcome.iut_ended != Ending::none;
  outcome.interrupted = interrupted_;
  outcome.held = interrupted_ ? std::vector<HeldRequirement>() : std::move(held_);
  outcome.octets_from_iut = octets_from_iut_;
  outcome.account = std::move(account_);
  outcome.broken = broken_;
  outcome.dump = std::move(dump_);
  return outcome;
}

}  // namespace

std::string interrupted_by(int signal) {
  const char* const name = ::sigabbrev_np(signal);
  return fmt::format("interrupted by {}",
                     name == nullptr ? fmt::format("signal {}", signal) : fmt::format("SIG{}", name));
}

CaseOutcome run_case(const Case& tested, Service application, const IutParameters& parameters, const CaseLimits& limits,
                     Environment& environment, TapContext& context) {
  return Runner(tested, application, parameters, limits, environment, context).run();
}

CaseOutcome run_control(const Case& control, std::string_view after, Service application,
                        const IutParameters& parameters, const CaseLimits& limits, Environment& environment,
                        TapContext& context) {
  return Runner(control, application, parameters, limits, environment, context, after).run();
}

void count_held(std::span<const HeldRequirement> held, Judge& judge) {
  judge.enter_flow({}, {}, {});
  judge.at({});
  for (const HeldRequirement& one : held)
    for (std::uint64_t i = 0; i < one.times; ++i) judge.require(*one.rule, true, {}, expected(""), actual(""));
}

}  // namespace wirelaw
