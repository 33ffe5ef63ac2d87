// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/test_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>

#include "harness/commands/command.h"
#include "harness/commands/endpoint_options.h"
#include "harness/commands/interruption.h"

namespace wirelaw {
namespace {

std::array<char, 512> last_words{};

void give_up(int) {
  static_cast<void>(!::write(STDERR_FILENO, last_words.data(), std::strlen(last_words.data())));
  ::_exit(static_cast<int>(ExitStatus::peer_lost));
}

void guard(std::string_view name, std::chrono::nanoseconds deadline) {
  constexpr unsigned kBeyondDeadline = 180;
  const std::string words = fmt::format(
      "wirelaw: {}: neither the case nor its deadline ends; this is a fault of wirelaw, please report it\n", name);
  last_words = {};
  words.copy(last_words.data(), last_words.size() - 1);
  std::signal(SIGALRM, give_up);
  ::alarm(static_cast<unsigned>(std::chrono::duration_cast<std::chrono::seconds>(deadline).count()) + kBeyondDeadline);
}

}  // namespace

// --- what is said while it runs

Reporter::Reporter(bool quiet, const CaseLimits& limits)
    : shown_(!quiet && ::isatty(STDERR_FILENO) == 1), quiet_(quiet), limits_(limits) {}

RunProgress Reporter::progress() {
  return {.begins = [this](const Case& next, std::size_t done, std::size_t all) { begins(next, done, all); },
          .ended = [this](const CaseOutcome& outcome) { ended(outcome); }};
}

void Reporter::clear() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
  ::alarm(0);
}

void Reporter::begins(const Case& next, std::size_t done, std::size_t all) {
  guard(next.id, limits_.deadline);
  if (shown_)
    fmt::print(stderr, "\r\x1b[K{} of {}: {}{}", done + 1, all, next.id,
               failed_ ? fmt::format(" ({} failed)", failed_) : "");
}

void Reporter::ended(const CaseOutcome& outcome) {
  failed_ += outcome.result.verdict == Verdict::fail;
  if (outcome.dump.empty() || quiet_) return;
  clear();
  fmt::print(stderr, "{}: {}\n{}", outcome.result.id, outcome.result.reason, outcome.dump);
}

// --- where it is recorded

tl::expected<Record, std::string> Record::open(const TestCommand& command, const Protocol& protocol, const Iut& iut,
                                               bool captured) {
  Record record;
  if (command.record.empty()) return record;
  const std::string note = iut.capture_note();
  if (note.empty())
    return tl::make_unexpected("--record: name the peer's QPN in the URI, by which it is known from the tester");
  const RunNote run{.iut = note,
                    .protocol = protocol.name,
                    .headers = captured ? Headers::captured : Headers::synthetic,
                    .features = command.features,
                    .revision = command.revision};
  auto sink = PcapngSink::create(command.record, section_comment(run));
  if (!sink) return tl::make_unexpected("--record " + sink.error());
  record.sink_ = std::make_unique<PcapngSink>(std::move(*sink));
  record.recording_ = std::make_unique<Recording>(*record.sink_);
  record.to_standard_output_ = command.record == "-";
  return record;
}

int Record::commit(bool complete, std::vector<std::string> results) {
  if (!sink_) return 0;
  recording_->flush();
  if (complete) sink_->say_complete();
  sink_->say_results(std::move(results));
  const auto written = sink_->commit();
  return written ? 0 : cannot_write("--record " + written.error(), to_standard_output_);
}

// --- the run

RunOptions options_of(const TestCommand& command, const Target& target, std::vector<LeftOut> left_out) {
  return {.iut = target.role,
          .selection = {.cases = command.cases, .rules = command.rules},
          .left_out = std::move(left_out),
          .application = application_of(command.application),
          .parameters = target.tested.parameters,
          .limits = {.deadline = target.deadline,
                     .answer_time = seconds_of(command.answer_time),
                     .silence_time = seconds_of(command.silence_time),
                     .interrupted = &interruption()},
          .features = command.features,
          .revision = command.revision,
          .controls = !target.by_hand,
          .is_known = target.is_reference,
          .stops_early = !command.keep_going && !target.by_hand && !target.is_reference};
}

RunEnd end_of(const RunOutcome& outcome) {
  if (outcome.interrupted != 0) return RunEnd::interrupted;
  if (outcome.lost || outcome.deaths > 0) return RunEnd::peer_lost;
  return anything_concluded(outcome.results) ? RunEnd::complete : RunEnd::nothing_concluded;
}

int complain_of_loss(const std::string& why) {
  complain(why);
  return static_cast<int>(ExitStatus::peer_lost);
}

int refused(const Refusal& refusal) {
  return refusal.is_peer_lost ? complain_of_loss(refusal.message) : complain(refusal.message);
}

}  // namespace wirelaw
