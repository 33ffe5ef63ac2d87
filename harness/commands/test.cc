// SPDX-License-Identifier: Apache-2.0
// wirelaw test: runs the cases of a protocol against a peer, live or in memory.
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "harness/capture/wire_capture.h"
#include "harness/commands/capture_options.h"
#include "harness/commands/command.h"
#include "harness/commands/endpoint_options.h"
#include "harness/commands/evidence.h"
#include "harness/commands/interruption.h"
#include "harness/commands/options.h"
#include "harness/commands/section_option.h"
#include "harness/commands/shard_option.h"
#include "harness/commands/test_job.h"
#include "harness/commands/test_run.h"
#include "harness/parallel/case_jobs.h"
#include "harness/parallel/long_cases.h"
#include "harness/script/script_cases.h"
#include "reports/json.h"
#include "reports/printable.h"
#include "reports/repeated.h"
#include "reports/run_record.h"

namespace wirelaw {
namespace {

std::vector<ListedCase> listed_cases(const TestCommand& command, const Protocol& protocol, const Selection& selection,
                                     const Shard& shard) {
  std::vector<ListedCase> listed;
  for (const Role role : {Role::responder, Role::initiator}) {
    const std::string_view word = role == Role::responder ? protocol.responder : protocol.initiator;
    if (!command.role.empty() && command.role != word) continue;
    for (const Case* one : select_cases(protocol, role, selection)) {
      if (!shard.has(stable_hash(one->id))) continue;
      listed.push_back({.id = one->id,
                        .protocol = protocol.name,
                        .role = word,
                        .purpose = one->purpose,
                        .application = one->needs == Service::none ? std::string_view() : word_of(one->needs)});
      for (const Rule* rule : one->rules) listed.back().rules.push_back(rule->id);
    }
  }
  return listed;
}

void write_cases_text(const std::vector<ListedCase>& cases, std::size_t width, Output& out) {
  for (const ListedCase& one : cases)
    out.print("{}  {}{}{}\n    {}\n    {}\n", one.id, one.role, one.application.empty() ? "" : "  needs ",
              one.application, wrapped(one.purpose, width, 4),
              wrapped(fmt::format("{}", fmt::join(one.rules, " ")), width, 4));
  out.print("{}\n", counted(cases.size(), "case"));
}

int list(const TestCommand& command, const Protocol& protocol, const Selection& selection, const Shard& shard) {
  const std::vector<std::string>&formats = command.output.formats, &files = command.output.files;
  const bool is_json = formats == std::vector<std::string>{"json"};
  if (!formats.empty() && !is_json && formats != std::vector<std::string>{"text"})
    return complain("--list: --format must be text or json; other formats are for results");
  if (files.size() > 1) return complain("--list: --list has one output; give one -o");
  const std::string file = files.empty() ? "-" : files.front();
  const std::vector<ListedCase> cases = listed_cases(command, protocol, selection, shard);
  if (cases.empty())
    return complain("no case matches; `wirelaw test PROTOCOL --list` without --case, --rule and --section lists all");
  auto out = file == "-" ? Output::to_descriptor(STDOUT_FILENO, "standard output") : Output::to_file(file);
  if (!out) return complain(out.error());
  if (is_json)
    write_cases_json(cases, version(), *out);
  else
    write_cases_text(cases, file == "-" ? columns_of(STDOUT_FILENO) : TextStyle{}.width, *out);
  return finish(*out);
}

tl::expected<std::vector<LeftOut>, std::string> left_out_of(const TestCommand& command) {
  std::vector<LeftOut> left_out;
  for (const std::string& one : command.skipped) {
    const auto at = one.find('=');
    if (at == 0 || at == std::string::npos || at + 1 == one.size())
      return tl::make_unexpected(fmt::format("--skip: '{}' is not GLOB=REASON", one));
    left_out.push_back({one.substr(0, at), one.substr(at + 1)});
  }
  return left_out;
}

// A gate does not wait for the slow cases, unless --slow is given. Cases that are selected always run, and in memory
// nothing waits.
void leave_out_slow_cases(const TestCommand& command, const Protocol& protocol, std::vector<LeftOut>& left_out) {
  const Scheme* const scheme = scheme_of(command.uri);
  const bool in_memory = scheme != nullptr && scheme->is_reference;
  const bool selects = !command.cases.empty() || !command.rules.empty() || !command.scripts.empty();
  if (command.slow || in_memory || selects) return;
  for (const LongCase& one : long_cases())
    if (one.protocol == protocol.name && one.seconds > kSlowCaseSeconds)
      left_out.push_back(
          {std::string(one.id),
           fmt::format("takes {:.0f} s, because the specification makes it wait; --slow runs it", one.seconds)});
}

// --- the run

// The traffic, read from the recording as `wirelaw check` would.
ShownTraffic evidence_of(const Record& record, const Results& results) {
  const std::vector<std::string> files{record.file()};
  ShownTraffic none;
  if (record.file().empty() || !can_be_read_twice(files)) {
    none.missing = "the run has no recording; name a file with --record";
    return none;
  }
  return wirelaw::evidence_of(files, {}, results, std::vector<std::size_t>(results.findings.size(), 0));
}

// Repeats the run as often as requested. A run that is interrupted is the last. In memory, the same seed would repeat
// the same run, so each run increments it.
tl::expected<RunOutcome, std::string> run_all(const TestCommand& command, const Protocol& protocol,
                                              const Target& target, CaseJobs& jobs, const RunOptions& options,
                                              Recording* recording, WireCapture* capture) {
  std::vector<Results> runs;
  RunOutcome last;
  std::size_t deaths = 0;
  TestCommand again = command;
  while (runs.size() < command.repeat && !last.lost && last.interrupted == 0) {
    again.repetition = runs.size();
    const auto seeded = target.is_reference && !runs.empty() ? target_of(again, protocol) : tl::unexpected(Refusal{});
    Iut& iut = seeded ? *seeded->tested.iut : *target.tested.iut;
    const bool is_one = command.jobs == 1;
    Reporter reporter(command.output.quiet, options.limits,
                      is_one ? Reporter::Does::tell_and_watch : Reporter::Does::tell);
    const bool all_meet = command.start.empty() && !options.is_known;
    auto outcome = is_one ? run_cases(protocol, iut, options, recording, reporter.progress(), capture)
                          : jobs.run(iut, all_meet, options, recording, reporter.progress());
    reporter.clear();
    if (!outcome) return outcome;
    last = std::move(*outcome);
    if (last.has_run_alone && !command.output.quiet)
      complain(
          "the peer does not serve several testers at once, so the cases were run one after the other; --jobs 1 does "
          "so from the beginning");
    deaths += last.deaths;
    runs.push_back(std::move(last.results));
  }
  last.results = repeated(std::move(runs));
  last.deaths = deaths;
  return last;
}

int run_against(const TestCommand& command, const Protocol& protocol, const Target& target, CaseJobs& jobs,
                const std::vector<LeftOut>& left_out, const Deliverables& deliverables) {
  Iut& iut = *target.tested.iut;
  if (command.repeat > 1 && !command.record.empty())
    return complain("--record: cannot be combined with --repeat; `wirelaw certify` keeps a recording of each run");
  if (!command.record.empty() && command.capture_on.empty() && !iut.framing().is_spoken)
    return complain("--record: the tester is not on the wire between two devices; --capture-on may capture it");
  auto capture = capture_of(command, iut);
  if (!capture) return complain("--capture-on " + capture.error());
  auto record = Record::open(command, protocol, iut, *capture != nullptr, deliverables.show_conversations());
  if (!record) return complain(record.error());
  const RunOptions options = options_of(command, target, left_out);
  const auto ran = run_all(command, protocol, target, jobs, options, record->recording(), capture->get());
  if (!ran) return complain(ran.error());
  const RunOutcome& outcome = *ran;

  const bool is_shard = !options.shard.is_all();
  RunEnd end = end_of(outcome);
  if (is_shard && end == RunEnd::nothing_concluded) end = RunEnd::complete;  // the others may conclude something
  const Gate gate = is_shard ? deliverables.gate_of_shard(outcome.results, end, outcome.interrupted)
                             : deliverables.gate(outcome.results, end, outcome.interrupted);
  const int recorded =
      record->commit(!*capture || !(*capture)->has_lost_any(), comments_of_run(outcome.results, gate, version()));
  if (outcome.lost) complain_of_loss(one_line(*outcome.lost));
  if (outcome.deaths > 0)
    complain(fmt::format("the peer died in {}; see the reasons of those cases", counted(outcome.deaths, "case")));
  ShownTraffic evidence;
  if (deliverables.show_conversations()) evidence = evidence_of(*record, outcome.results);
  std::optional<ShardNote> note;
  if (is_shard)
    note = {to_string(options.shard), shard_object(options.shard, run_of(command, target.role), outcome.share)};
  return deliverables.deliver(outcome.results, gate, recorded, &evidence, note ? &*note : nullptr);
}

// The scripts that are the cases of this run; nothing if the protocol's own are.
tl::expected<std::unique_ptr<ScriptedProtocol>, std::string> scripts_of(TestCommand& command,
                                                                        const Protocol& protocol) {
  if (command.scripts.empty()) return std::unique_ptr<ScriptedProtocol>();
  auto files = read_scripts(command.scripts);
  if (!files) return tl::unexpected("--script: " + files.error());
  auto scripts = ScriptedProtocol::of(std::move(*files), protocol);
  if (!scripts) return tl::unexpected("--script: " + scripts.error());
  for (const std::string& feature : (*scripts)->features()) command.features.push_back(feature);
  return scripts;
}

int run(TestCommand command) {
  const auto named = protocol_named(command.protocol, "");
  if (!named) return complain(named.error());
  const auto scripts = scripts_of(command, **named);
  if (!scripts) return complain(scripts.error());
  const Protocol& protocol = *scripts ? (*scripts)->protocol() : **named;
  if (!command.role.empty() && command.role != protocol.responder && command.role != protocol.initiator)
    return complain(
        fmt::format("--role: '{}' is neither {} nor {}", command.role, protocol.responder, protocol.initiator));
  if (const auto unknown = unknown_feature(command.features, &protocol)) return complain(*unknown);
  if (const auto unknown = unknown_revision(command.revision, &protocol)) return complain(*unknown);
  if (const auto foreign = foreign_application(command.application, protocol)) return complain(*foreign);
  if (const auto wrong = unmatched_selection(protocol, command.cases, command.rules)) return complain(*wrong);
  auto left_out = left_out_of(command);
  if (!left_out) return complain(left_out.error());
  if (const auto added = add_rules_of(command.sections, catalogue_for(&protocol), command.rules); !added)
    return complain(added.error());
  leave_out_slow_cases(command, protocol, *left_out);
  const auto shard = understand_shard(command.shard);
  if (!shard) return complain(shard.error());
  if (!shard->is_all() && command.repeat > 1)
    return complain("--repeat: cannot be combined with --shard; repeat the sharded run instead, and merge each");
  if (!shard->is_all() && command.output.update)
    return complain(
        "--update: a shard is no baseline; `wirelaw merge --baseline FILE --update` writes it from all shards");
  const Selection selection{.cases = command.cases, .rules = command.rules};
  if (command.list) return list(command, protocol, selection, *shard);

  std::vector<NamedFile> others;
  if (!command.record.empty()) others.push_back({"--record", command.record});
  auto deliverables = Deliverables::prepare(command.output, {}, others);
  if (!deliverables) return complain(deliverables.error());
  if (const auto trouble = deliverables->trouble_with_baseline({std::string(protocol.name)}); !trouble.empty())
    return complain(trouble);
  if (command.jobs == 0)
    command.jobs = jobs_of(command, protocol, select_cases(protocol, Role::responder, selection).size());
  if (const std::string trouble = trouble_with_jobs(command, protocol); !trouble.empty()) return complain(trouble);
  CaseJobs jobs(command.jobs, protocol,
                [&](unsigned number) { return TestJob::make(command_of_job(command, number), protocol, *left_out); });
  std::optional<Keeper> keeper;
  if (!command.start.empty() || !command.trigger.empty()) keeper.emplace();
  const auto target = target_of(command, protocol);
  if (!target) return refused(target.error());
  if (select_cases(protocol, target->role, selection).empty())
    return complain(fmt::format("no case for a {} matches; see --list",
                                target->role == Role::responder ? protocol.responder : protocol.initiator));
  return run_against(command, protocol, *target, jobs, *left_out, *deliverables);
}

void add_peer_options(CLI::App& app, TestCommand& command) {
  add_option(app, "protocol", command.protocol, "The protocol of the peer")
      ->required()
      ->type_name(live_protocol_words());
  add_option(app, "uri", command.uri, "The peer, in one of the forms below")->type_name("URI");
  add_option(app, "--start", command.start, "Command that starts the peer, run again for each case; see below")
      ->type_name("COMMAND");
  add_option(app, "--listen", command.listen, "Listen here for a peer that connects; port 0 means any port")
      ->type_name("URI");
  add_option(app, "--trigger", command.trigger, "Command that makes the peer connect; see below")->type_name("COMMAND");
  add_application_option(app, command.application, "What the application above the peer does (default echo)");
  add_option(app, "--role", command.role, "Role of a peer in memory; with --list, the role whose cases are listed")
      ->type_name(role_words());
}

void add_selection_options(CLI::App& app, TestCommand& command) {
  const auto add_globs = [&](const char* name, std::vector<std::string>& globs, const char* description) {
    add_option(app, name, globs, description)->type_name("GLOB")->allow_extra_args(false);
  };
  add_option(app, "--script", command.scripts,
             "Run these scripts instead of the protocol's cases; repeatable; see `wirelaw script --help`")
      ->type_name("FILE|FOLDER")
      ->allow_extra_args(false);
  add_globs("--case", command.cases, "Only cases whose id matches; repeatable");
  add_globs("--rule", command.rules, "Only cases with a rule whose id matches; repeatable");
  add_section_option(app, command.sections, "Only cases with a rule of this section, e.g. RFC5040:4.8; repeatable");
  add_option(app, "--skip", command.skipped, "Skip cases whose id matches, for this reason; repeatable")
      ->type_name("GLOB=REASON")
      ->allow_extra_args(false);
  add_flag(app, "--slow", command.slow,
           "Also run the cases that take longer than 20 s, because the specification makes them wait; see below");
}

void add_run_options(CLI::App& app, TestCommand& command) {
  add_option(app, "--repeat", command.repeat,
             "Run all cases this many times; each case gets its worst verdict, with how often it occurred (default 1)")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{100'000}).description(""));
  add_option(app, "--jobs", command.jobs,
             "Number of processes, whose waits overlap; the results are the same (default 14 for a peer at a URI, else "
             "1). 1: one connection at a time")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, kMostCaseJobs).description(""));
  add_shard_option(app, command.shard,
                   "Run only this shard of the cases, e.g. 2/8; `wirelaw merge` joins all N results");
  add_flag(app, "--list", command.list, "List the cases, as text or with --format json, instead of running them");
  add_flag(app, "--keep-going", command.keep_going,
           "Run all cases even if the peer does not serve, or no longer serves, an honest exchange");
  const auto add_seconds = [&](const char* name, auto& seconds, const char* description) {
    add_option(app, name, seconds, description)->type_name("SECONDS")->check(positive_seconds());
  };
  add_seconds("--deadline", command.deadline,
              "Time limit of a case (default 60; in memory, where time is virtual, 600)");
  add_seconds("--answer-time", command.answer_time, "How long the peer may take to answer (default 2)");
  add_seconds("--silence-time", command.silence_time,
              "How long the peer must be silent before its silence counts (default 0.5)");
  add_seconds("--start-time", command.start_time, "How long --start may take until it listens (default 10)");
}

}  // namespace

void add_test(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("test", "Run the cases against a peer, live or in memory");
  auto command = std::make_shared<TestCommand>();  // lives as long as the callback that CLI11 copies
  add_peer_options(*app, *command);
  add_selection_options(*app, *command);
  add_run_options(*app, *command);
  add_option(*app, "--seed", command->seed, "Random seed of a peer in memory; the same seed gives the same run")
      ->type_name("N");
  add_deviate_option(*app, command->deviations);
  add_feature_option(*app, command->features);
  add_revision_option(*app, command->revision);
  add_option(*app, "--record", command->record,
             "Record the run as a pcapng capture, which `wirelaw check` can judge again")
      ->type_name("FILE");
  add_option(*app, "--capture-on", command->capture_on,
             "Judge and record the frames on this network interface; see below")
      ->type_name("INTERFACE");
  add_output_options(*app, command->output);
  add_inconclusive_option(*app, command->output);
  app->footer(test_help());
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw
