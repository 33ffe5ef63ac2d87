// SPDX-License-Identifier: Apache-2.0
#include "harness/commands/test_run.h"

#include "harness/commands/command.h"
#include "harness/commands/endpoint_options.h"
#include "harness/commands/interruption.h"
#include "harness/commands/shard_option.h"
#include "harness/transports/local_resource_error.h"

namespace wirelaw {

// --- where it is recorded

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

int complain_of_loss(const std::string& why) {
  complain(why);
  return static_cast<int>(ExitStatus::peer_lost);
}

int refused(const Refusal& refusal) {
  return refusal.is_peer_lost ? complain_of_loss(refusal.message) : complain(refusal.message);
}

}  // namespace wirelaw
