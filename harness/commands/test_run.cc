// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/test_run.h"

#include <algorithm>
#include <charconv>

#include "harness/commands/command.h"
#include "harness/commands/endpoint_options.h"
#include "harness/commands/interruption.h"
#include "harness/commands/shard_option.h"
#include "harness/commands/test_job.h"
#include "harness/transports/local_resource_error.h"

namespace wirelaw {

// --- the recording

tl::expected<Record, std::string> Record::open(const TestCommand& command, const Protocol& protocol, const Iut& iut,
                                               bool captured, bool show_evidence) {
  Record record;
  const bool is_asked = !command.record.empty();
  if (!is_asked && !(show_evidence && (captured || iut.framing().is_spoken))) return record;
  const std::string note = iut.capture_note();
  if (note.empty() && !is_asked) return record;
  if (note.empty())
    return tl::make_unexpected("--record: name the peer's QPN in the URI, to distinguish it from the tester");
  const RunNote run{.iut = note,
                    .protocol = protocol.name,
                    .headers = captured ? Headers::captured : Headers::synthetic,
                    .is_rendered = iut.framing().is_rendered,
                    .features = command.features,
                    .revision = command.revision,
                    .mark = command.record_mark};
  if (!is_asked && !record.temporary_.make()) return record;
  record.file_ = is_asked ? command.record : record.temporary_.path();
  auto sink = PcapngSink::create(record.file_, section_comment(run));
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
          .stops_early = !command.keep_going && !target.by_hand && !target.is_reference,
          .shard = understand_shard(command.shard).value_or(Shard{})};
}

RunEnd end_of(const RunOutcome& outcome) {
  if (outcome.interrupted != 0) return RunEnd::interrupted;
  if (outcome.lost && is_local_resource_error(*outcome.lost)) return RunEnd::local_resource_error;
  if (outcome.lost) return RunEnd::peer_lost;
  if (outcome.deaths > 0) return RunEnd::peer_died;
  return anything_concluded(outcome.results) ? RunEnd::complete : RunEnd::nothing_concluded;
}

// --- what a declaration adds

namespace {

// "0x10" and "16" are one number.
std::optional<std::uint64_t> number_in(std::string_view text) {
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  if (is_hex) text.remove_prefix(2);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, is_hex ? 16 : 10);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool is_same_value(const std::string& one, const std::string& other) {
  const auto number = number_in(one);
  return one == other || (number && number == number_in(other));
}

}  // namespace

std::string add_declared(const IutParameters& declared, IutParameters& parameters) {
  std::string differs;
  for (const auto& [name, value] : declared) {
    const auto said = std::ranges::find(parameters, name, &IutParameters::value_type::first);
    if (said == parameters.end())
      parameters.emplace_back(name, value);
    else if (!is_same_value(said->second, value) && differs.empty())
      differs = name;
  }
  return differs;
}

int complain_of_loss(const std::string& why) {
  complain(why);
  return static_cast<int>(ExitStatus::peer_lost);
}

int refused(const Refusal& refusal) {
  return refusal.is_peer_lost ? complain_of_loss(refusal.message) : complain(refusal.message);
}

}  // namespace wirelaw
