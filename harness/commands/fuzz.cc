// SPDX-License-Identifier: Apache-2.0
// wirelaw fuzz: runs a campaign against a peer, replays or exports a finding, merges campaigns.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "conformance/dialect.h"
#include "harness/campaign/export.h"
#include "harness/campaign/finding.h"
#include "harness/campaign/folder_lock.h"
#include "harness/campaign/merge.h"
#include "harness/campaign/watchdog.h"
#include "harness/commands/capture_options.h"
#include "harness/commands/command.h"
#include "harness/commands/duration.h"
#include "harness/commands/endpoint_options.h"
#include "harness/commands/fuzz_command.h"
#include "harness/commands/interruption.h"
#include "harness/commands/options.h"
#include "harness/transports/local_resource_error.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t kMebi = 1u << 20;
// Time is virtual in memory: a quicker pace gains nothing, and no case needs this much.
constexpr double kVirtualSeconds = 60, kTrialDeadlines = 25;

int lost(const TransportError& error) {
  complain(error.hint.empty() ? error.message : fmt::format("{}; {}", error.message, error.hint));
  return static_cast<int>(ExitStatus::peer_lost);
}

// True if the line of a started peer contains a URI with another port than the expected one. (Its address may be
// written differently.)
bool says_elsewhere(std::string_view line, std::string_view uri) {
  const std::size_t end = uri.find("://");
  const std::size_t at = end == uri.npos ? line.npos : line.find(uri.substr(0, end + 3));
  if (at == line.npos) return false;
  const auto port_of = [&](std::string_view text) {
    text = text.substr(0, text.find_first_of("? \t")).substr(end + 3);
    const std::size_t colon = text.rfind(':');
    return colon == text.npos ? std::string_view() : text.substr(colon + 1);
  };
  const std::string_view wanted = port_of(uri), said = port_of(line.substr(at));
  return !wanted.empty() && !said.empty() && wanted != said;
}

// The IUT with everything that its campaign needs. It keeps its address.
class Peer {
 public:
  explicit Peer(const FuzzCommand& command, const Protocol& protocol)
      : command_(command.peer), protocol_(protocol), guidance_(command.guidance) {}

  // The exit status if it cannot be made.
  std::optional<int> prepare(const FuzzCommand& command, const std::string& folder) {
    const bool started = !command_.start.empty() || !command_.trigger.empty();
    if (!command_.listen.empty() && command_.trigger.empty())
      return complain("--listen: a campaign starts the peer for each input; give --trigger");
    if (command.start_every > 1 && command_.start.empty()) return complain("--start-every: needs --start");
    starts_.every = command.start_every;
    command_.starts = &starts_;
    if (guidance_ == "coverage" && !started) return complain("--guidance coverage: needs --start or --trigger");
    if ((command.limit_memory > 0 || command.limit_descriptors > 0) && !started)
      return complain("--limit-memory, --limit-descriptors: need --start or --trigger");
    if (started) {
      process_ = std::make_unique<campaign::StartedProcess>(folder);
      for (std::string* one : {&command_.start, &command_.trigger})
        if (!one->empty()) {
          given_ = *one;
          *one = wrapped_ = process_->wrapped(*one);
        }
    }
    if (guidance_ == "coverage") {
      auto shared = campaign::CoverageMap::share();
      if (!shared) return complain(shared.error());
      coverage_ = std::move(*shared);
    }
    auto target = target_of(command_, protocol_);
    if (!target) {
      complain(target.error().message);
      return static_cast<int>(target.error().is_peer_lost ? ExitStatus::peer_lost : ExitStatus::misused);
    }
    target_ = std::move(*target);
    use_ = {.resident_octets = command.limit_memory * kMebi, .descriptors = command.limit_descriptors};
    return std::nullopt;
  }

  bool is_reference() const { return target_.is_reference; }
  // The error names the command as the user has given it, and is preceded by what the process wrote.
  std::string explained(std::string error) const {
    if (says_elsewhere(starts_.said, command_.uri))
      error += fmt::format("; it says '{}': let it listen at \"$WIRELAW_URI\"", printable(starts_.said));
    if (const std::size_t at = wrapped_.empty() ? error.npos : error.find(wrapped_); at != error.npos)
      error.replace(at, wrapped_.size(), given_);
    if (process_)
      if (std::string output = process_->output(); !output.empty())
        fmt::print(stderr, "{}{}", output, output.ends_with('\n') ? "" : "\n");
    return error;
  }
  campaign::Arena arena() {
    return {.protocol = protocol_,
            .role = target_.role,
            .application = application_of(command_.application),
            .parameters = target_.tested.parameters,
            .features = command_.features,
            .revision = command_.revision,
            .meet = [this](std::uint64_t seed) { return meet(seed); },
            .process = process_.get(),
            .starts = command_.start.empty() ? nullptr : &starts_,
            .coverage = coverage_.get(),
            .use = use_,
            .interrupted = &interruption()};
  }

 private:
  // In memory each input gets a new peer, so that earlier inputs do not matter.
  tl::expected<Iut*, TransportError> meet(std::uint64_t seed) {
    if (target_.is_reference) {
      TestCommand command = command_;
      if (command.uri.find("seed=") == std::string::npos) command.seed = seed;
      auto target = target_of(command, protocol_);
      if (!target) return tl::unexpected(TransportError{target.error().message, ""});
      target_ = std::move(*target);
    }
    return target_.tested.iut.get();
  }

  TestCommand command_;
  const Protocol& protocol_;
  std::string guidance_;
  std::string given_, wrapped_;  // the command that starts the peer
  Starts starts_;
  std::unique_ptr<campaign::StartedProcess> process_;
  std::unique_ptr<campaign::CoverageMap> coverage_;
  Target target_;
  campaign::UseLimits use_;
};

campaign::Pace pace_of(double answer_time, double silence_time, double deadline) {
  return {seconds_of(answer_time), seconds_of(silence_time), seconds_of(deadline)};
}

campaign::Guidance guidance_of(std::string_view word) {
  return word == "none"       ? campaign::Guidance::none
         : word == "coverage" ? campaign::Guidance::coverage
                              : campaign::Guidance::protocol;
}

campaign::Config config_of(const FuzzCommand& command, bool is_reference) {
  const TestCommand& peer = command.peer;
  const double deadline = peer.deadline.value_or(kDeadline);
  campaign::Config config{.folder = command.folder,
                          .peer = peer.uri.empty() ? peer.listen : peer.uri,
                          .start = peer.start.empty() ? peer.trigger : peer.start,
                          .deviations = peer.deviations,
                          .seed = command.seed,
                          .planning = {.guidance = guidance_of(command.guidance), .repair_percent = command.repair},
                          .cases = peer.cases,
                          .trial_pace = pace_of(command.trial_answer_time, command.trial_answer_time / 4,
                                                command.trial_answer_time * kTrialDeadlines),
                          .confirming_pace = pace_of(peer.answer_time, peer.silence_time, deadline),
                          .replays = command.replays,
                          .calibrates = !is_reference && command.guidance != "none",
                          .siblings = command.siblings,
                          .runs = command.runs,
                          .time = duration_of(command.time),
                          .version = std::string(version())};
  if (is_reference)
    config.trial_pace = config.confirming_pace = pace_of(peer.answer_time, peer.silence_time, kVirtualSeconds);
  return config;
}

// The error if the options do not fit the protocol.
std::optional<std::string> wrong_with(const TestCommand& peer, const Protocol& protocol) {
  if (!peer.role.empty() && peer.role != protocol.responder && peer.role != protocol.initiator)
    return fmt::format("--role: '{}' is neither {} nor {}", peer.role, protocol.responder, protocol.initiator);
  if (auto unknown = unknown_feature(peer.features, &protocol)) return unknown;
  if (auto unknown = unknown_revision(peer.revision, &protocol)) return unknown;
  if (auto wrong = unmatched_selection(protocol, peer.cases, {})) return wrong;
  return foreign_application(peer.application, protocol);
}

int interrupted_or(int status) {
  const int signal = interruption().load();
  return signal != 0 ? kEndedBySignal + signal : status;
}

int print(const std::string& text) {
  auto out = Output::to_descriptor(STDOUT_FILENO, "standard output");
  out.put(text);
  return finish(out);
}

// --- a campaign

// The first inputs besides the cases. The error is one line.
std::optional<std::string> add_beginnings(const FuzzCommand& command, const campaign::Tester& tester,
                                          campaign::Config& config) {
  std::error_code failed;
  const bool goes_on = fs::exists(command.folder + "/campaign.json", failed);  // resumes the campaign in the folder
  const auto add_all = [&](const char* option, const std::vector<std::string>& paths,
                           auto add) -> std::optional<std::string> {
    for (const std::string& path : paths) {
      config.from.push_back(path);
      if (goes_on) continue;
      if (const auto added = add(path, tester.carried(), tester.arena().role, config.beginnings); !added)
        return fmt::format("{} {}", option, added.error());
    }
    return std::nullopt;
  };
  if (auto wrong = add_all("--from", command.captures, campaign::add_capture)) return wrong;
  return add_all("--seeds", command.seeds, campaign::add_folder);
}

// The last resort against a case that neither ends nor lets time pass. Earlier findings are already in the folder.
void give_up(int) {
  constexpr std::string_view kWords =
      "wirelaw: a case neither ends nor lets time pass; this is a bug in wirelaw, please report it\n";
  static_cast<void>(!::write(STDERR_FILENO, kWords.data(), kWords.size()));
  ::_exit(static_cast<int>(ExitStatus::peer_lost));
}

int fuzz(FuzzCommand command, const Protocol& protocol) {
  if (!edits::dialect_of(protocol).proven)
    return complain(
        fmt::format("campaigns against {} are not supported yet: they would still report findings that their own "
                    "mutations cause; supported: {}",
                    protocol.name, edits::proven_protocols()));
  const auto lock = campaign::FolderLock::take(command.folder);
  if (!lock) return complain("--campaign " + lock.error());
  Peer peer(command, protocol);
  if (const auto status = peer.prepare(command, fs::absolute(command.folder).string())) return *status;
  campaign::Watchdog watchdog(give_up);
  campaign::Arena arena = peer.arena();
  arena.watchdog = &watchdog;
  campaign::Tester tester(arena);
  campaign::Config config = config_of(command, peer.is_reference());
  if (const auto wrong = add_beginnings(command, tester, config)) return complain(*wrong);
  auto campaign = campaign::Campaign::open(tester, config);
  if (!campaign) return complain(campaign.error());
  const std::string unserved = tester.greet(config.confirming_pace);
  if (tester.is_interrupted()) return interrupted_or(0);
  if (!unserved.empty())
    return lost({peer.explained(unserved),
                 "a campaign begins with an honest exchange, which the peer must serve; try `wirelaw test`"});
  if (arena.coverage != nullptr && !arena.coverage->has_any())
    return complain("--guidance coverage: the peer reports no coverage; `wirelaw fuzz --help` says how to build it");
  FuzzProgress progress(command.quiet || command.is_worker, fmt::format("{} at {}", protocol.name, config.peer),
                        command.folder);
  const std::uint64_t before = campaign->runs();
  const auto outcome = campaign->run(progress.watch());
  progress.clear();
  if (!outcome) return complain(outcome.error());
  if (const int failed = command.is_worker ? 0 : print(summary_of(*outcome, command.folder, before)); failed != 0)
    return failed;
  const bool has_findings = !outcome->signatures.empty();
  if (outcome->lost) {
    const int status = lost(*outcome->lost);
    if (!has_findings || is_local_resource_error(*outcome->lost)) return status;
  }
  return interrupted_or(has_findings ? 1 : 0);
}

// --- a finding

// Returns the reason why this finding cannot recur, for any behaviour of the peer. Empty if it can.
std::optional<std::string> unrepeatable(const campaign::KeptFinding& finding, const FuzzCommand& command) {
  const bool started = !command.peer.start.empty() || !command.peer.trigger.empty();
  if (campaign::is_of_process(finding.oracle) && !started)
    return fmt::format(
        "it was found in the peer's process ({}), which cannot be watched here; give --start or "
        "--trigger",
        finding.oracle);
  if (finding.oracle == word_of(campaign::Oracle::memory) && command.limit_memory == 0)
    return "the finding does not contain the memory limit; give --limit-memory";
  if (finding.oracle == word_of(campaign::Oracle::descriptors) && command.limit_descriptors == 0)
    return "the finding does not contain the limit of descriptors; give --limit-descriptors";
  return std::nullopt;
}

// The line that says how it went, and the status.
int conclude(const campaign::KeptFinding& finding, const campaign::Replays& replays, const FuzzCommand& command) {
  const int printed = print(
      fmt::format("{}: recurred {} of {} times\n", printable(finding.signature), replays.came_back, replays.times));
  if (printed != 0) return printed;
  if (replays.came_back > 0) return interrupted_or(1);
  if (replays.is_skipped)
    return complain(fmt::format("--replay {}: the case {} cannot be run against this peer", command.replay,
                                printable(finding.input.test_case)));
  if (replays.lost) return lost(*replays.lost);
  return interrupted_or(0);
}

int replay(FuzzCommand command) {
  const auto finding = campaign::read_finding(command.replay);
  if (!finding) return complain("--replay " + finding.error());
  // The finding knows the protocol: one word is the peer's URI.
  TestCommand& peer = command.peer;
  if (peer.uri.empty() && peer.listen.empty()) std::swap(peer.uri, peer.protocol);
  if (!peer.protocol.empty() && peer.protocol != finding->protocol)
    return complain(fmt::format("--replay {}: the finding is for {}, not for {}", command.replay, finding->protocol,
                                peer.protocol));
  const auto named = protocol_named(finding->protocol, "");
  if (!named) return complain(fmt::format("--replay {}: {}", command.replay, named.error()));
  const Protocol& protocol = **named;
  const bool initiates = finding->role == protocol.initiator;
  if (peer.listen.empty() && peer.role.empty() && initiates) peer.role = finding->role;
  if (!finding->application.empty()) peer.application = finding->application;
  if (peer.features.empty()) peer.features = finding->features;
  if (peer.revision.empty()) peer.revision = finding->revision;
  if (const auto wrong = wrong_with(peer, protocol)) return complain(*wrong);
  const bool started = !peer.start.empty() || !peer.trigger.empty();
  if (started && command.limit_memory == 0) command.limit_memory = finding->use.resident_octets / kMebi;
  if (started && command.limit_descriptors == 0) command.limit_descriptors = finding->use.descriptors;
  if (const auto why = unrepeatable(*finding, command))
    return complain(fmt::format("--replay {}: {}", command.replay, *why));

  std::string folder = (fs::temp_directory_path() / "wirelaw-replay-XXXXXX").string();
  if (started && ::mkdtemp(folder.data()) == nullptr) return complain(folder + ": cannot be created");
  int status = 0;
  {
    Peer met(command, protocol);
    if (const auto failed = met.prepare(command, folder)) return *failed;
    const campaign::Arena arena = met.arena();
    campaign::Tester tester(arena);
    const campaign::Config config = config_of(command, met.is_reference());
    if (finding->conversation) tester.add(*finding->conversation);
    if (tester.find(finding->input.test_case) == nullptr)
      return complain(
          fmt::format("--replay {}: this peer has no case {}", command.replay, printable(finding->input.test_case)));
    if (const std::string unserved = tester.greet(config.confirming_pace); !unserved.empty())
      return lost({met.explained(unserved), ""});
    status = conclude(
        *finding, campaign::replay(tester, finding->input, finding->signature, config.confirming_pace, command.replays),
        command);
  }
  std::error_code ignored;
  if (started) fs::remove_all(folder, ignored);
  return status;
}

int merge(const FuzzCommand& command) {
  if (command.folder.empty()) return complain("--merge: name the new folder with --campaign");
  const auto merged = campaign::merge(command.merged, command.folder);
  if (!merged) return complain("--merge: " + merged.error());
  return print(fmt::format("{}: {}, {}\n", command.folder, counted(merged->entries, "input"),
                           counted(merged->findings, "finding")));
}

int export_finding(const FuzzCommand& command) {
  const auto written = campaign::export_finding(command.exported, command.output);
  if (!written) return complain("--export " + written.error());
  std::string lines;
  for (const std::string& one : *written) lines += printable(one) + "\n";
  return print(lines);
}

int run(const FuzzCommand& command) {
  if (command.targets) return list_targets(command);
  if (!command.merged.empty()) return merge(command);
  if (!command.exported.empty()) return export_finding(command);
  if (!command.time.empty() && !duration_of(command.time))
    return complain(fmt::format("--for: '{}' is not a duration; use 90s, 10m, 8h or 2d", command.time));
  std::optional<Keeper> keeper;  // in the process that starts them: each worker has its own
  const bool has_processes = !command.target.empty() || !command.peer.start.empty() || !command.peer.trigger.empty();
  const bool by_workers = command.jobs > 1 && command.target.empty() && command.replay.empty();
  if (has_processes && !by_workers) keeper.emplace();
  if (!command.replay.empty()) {
    const auto status = replay_target(command);
    return status ? *status : replay(command);
  }
  if (!command.target.empty()) return fuzz_target(command);
  if (command.peer.protocol.empty()) return complain("name the protocol and the peer; see `wirelaw fuzz --help`");
  const auto named = protocol_named(command.peer.protocol, "");
  if (!named) return complain(named.error());
  if (const auto wrong = wrong_with(command.peer, **named)) return complain(*wrong);
  FuzzCommand campaign = command;
  if (campaign.folder.empty()) campaign.folder = fmt::format("wirelaw-fuzz-{}", (*named)->name);
  return campaign.jobs > 1 ? fuzz_by_workers(campaign, run) : fuzz(campaign, **named);
}

void add_peer_options(CLI::App& app, TestCommand& peer) {
  add_option(app, "protocol", peer.protocol, "The protocol of the peer")->type_name(live_protocol_words());
  add_option(app, "uri", peer.uri, "The peer, in one of the forms below")->type_name("URI");
  add_option(app, "--start", peer.start, "Command that starts the peer, run again for each input")
      ->type_name("COMMAND");
  add_option(app, "--listen", peer.listen, "Listen here for a peer that connects; port 0 means any port")
      ->type_name("URI");
  add_option(app, "--trigger", peer.trigger, "Command that makes the peer connect")->type_name("COMMAND");
  add_application_option(app, peer.application, "What the application above the peer does (default echo)");
  add_option(app, "--role", peer.role, "Role of a peer in memory")->type_name(role_words());
  add_deviate_option(app, peer.deviations);
  add_feature_option(app, peer.features);
  add_revision_option(app, peer.revision);
  add_option(app, "--case", peer.cases, "Only cases whose id matches; repeatable")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  const auto add_seconds = [&](const char* name, auto& seconds, const char* description) {
    add_option(app, name, seconds, description)->type_name("SECONDS")->check(positive_seconds());
  };
  add_seconds("--answer-time", peer.answer_time,
              "How long the peer may take to answer when a finding is confirmed (default 2)");
  add_seconds("--silence-time", peer.silence_time,
              "How long the peer must be silent before its silence counts (default 0.5)");
  add_seconds("--deadline", peer.deadline, "Time limit of one replay (default 60)");
  add_seconds("--start-time", peer.start_time, "How long --start may take until it listens (default 10)");
}

void add_campaign_options(CLI::App& app, FuzzCommand& command) {
  add_option(app, "--campaign", command.folder, "Folder of the campaign (default wirelaw-fuzz-PROTOCOL)")
      ->type_name("FOLDER");
  add_option(app, "--seeds", command.seeds,
             "Also begin with the inputs of this folder (a campaign, or files, captures and scripts); repeatable")
      ->type_name("FOLDER")
      ->allow_extra_args(false);
  add_option(app, "--from", command.captures, "Also begin with the conversations of this capture or script; repeatable")
      ->type_name("CAPTURE")
      ->allow_extra_args(false);
  add_option(app, "--for", command.time, "End after this time: 90s, 10m, 8h")->type_name("DURATION");
  add_option(app, "--runs", command.runs, "End after this number of inputs")->type_name("N");
  add_option(app, "--seed", command.seed, "Random seed (default 1)")->type_name("N");
  add_option(app, "--guidance", command.guidance, "How inputs are selected for further mutation (default protocol)")
      ->type_name("none|protocol|coverage")
      ->check(one_of({"none", "protocol", "coverage"}));
  add_option(app, "--repair", command.repair,
             "How often lengths and checksums are repaired after a mutation (default 80)")
      ->type_name("PERCENT")
      ->check(CLI::Range(0u, 100u).description(""));
  add_option(app, "--trial-answer-time", command.trial_answer_time,
             "How long the peer may take to answer while inputs are tried (default 0.2)")
      ->type_name("SECONDS")
      ->check(positive_seconds());
  add_option(app, "--limit-memory", command.limit_memory, "Report a started peer that uses more memory")
      ->type_name("MEBIOCTETS");
  add_option(app, "--limit-descriptors", command.limit_descriptors, "Report a started peer that opens more descriptors")
      ->type_name("N");
  add_option(app, "--start-every", command.start_every,
             "Restart the peer of --start after this number of inputs (default 1)")
      ->type_name("N")
      ->check(CLI::Range(1u, 10'000'000u).description(""));
}

void add_other_options(CLI::App& app, FuzzCommand& command) {
  add_option(app, "--replay", command.replay, "Repeat this finding against the peer, instead of a campaign")
      ->type_name("FILE");
  add_option(app, "--replays", command.replays, "Number of times that a finding is repeated (default 3)")
      ->type_name("N")
      ->check(CLI::Range(1u, 100'000u).description(""));
  add_option(app, "--export", command.exported,
             "Export this finding as a case, a script, a capture and a seed, instead of running a campaign")
      ->type_name("FINDING");
  add_option(app, "--output,-o", command.output, "Output folder of --export (default: the current folder)")
      ->type_name("FOLDER");
  add_option(app, "--merge", command.merged,
             "Merge this campaign into a new folder, instead of running one; repeatable")
      ->type_name("FOLDER")
      ->allow_extra_args(false);
  add_option(app, "--target", command.target, "Run this fuzz target of the project instead of a campaign")
      ->type_name("NAME");
  add_option(app, "--programs", command.programs, "Folder of the built targets (default: beside this program)")
      ->type_name("FOLDER");
  add_option(app, "--jobs", command.jobs, "Number of workers, each with its own peer or --target (default 1)")
      ->type_name("N")
      ->check(CLI::Range(1u, 256u).description(""));
  add_flag(app, "--targets", command.targets, "List the project's fuzz targets");
  add_flag(app, "--quiet,-q", command.quiet, "Print no progress, only the summary with the findings");
}

}  // namespace

void add_fuzz(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("fuzz", "Fuzz a peer; every rule is an oracle");
  auto command = std::make_shared<FuzzCommand>();  // lives as long as the callback that CLI11 copies
  add_peer_options(*app, command->peer);
  add_campaign_options(*app, *command);
  add_other_options(*app, *command);
  app->footer(fuzz_help());
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw
