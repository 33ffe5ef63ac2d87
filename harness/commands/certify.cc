// SPDX-License-Identifier: Apache-2.0
// wirelaw certify: the full run, several times, with evidence and a statement.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "harness/capture/wire_capture.h"
#include "harness/certify/consistency.h"
#include "harness/certify/recorded_capture.h"
#include "harness/certify/statement.h"
#include "harness/certify/statement_page.h"
#include "harness/certify/unrecorded.h"
#include "harness/commands/command.h"
#include "harness/commands/endpoint_options.h"
#include "harness/commands/evidence_folder.h"
#include "harness/commands/interruption.h"
#include "harness/commands/options.h"
#include "harness/commands/test_job.h"
#include "harness/commands/test_run.h"
#include "harness/commands/waiver_file.h"
#include "harness/script/script_cases.h"
#include "harness/transports/local_resource_error.h"
#include "reports/bottom_line.h"
#include "reports/json.h"
#include "reports/printable.h"
#include "reports/result_file.h"
#include "reports/run_record.h"

namespace wirelaw {
namespace {

constexpr std::string_view kHelp =
    R"(ICS is a declaration in TOML; `wirelaw ics new PROTOCOL` writes one to fill in. The runs use its features,
revision, application, limits and parameters. `wirelaw test --help` describes the URI.

Every case is run --runs times. If the runs agree on a rule or case, that is its verdict; otherwise it is unstable, and
the statement gives the number of runs for each verdict. The folder of --evidence receives the declaration, the waivers,
the result and the capture of each run, and statement.json, which has the SHA-256 of each. `wirelaw verify` checks the
statement; statement.html shows it to people.

With --script, a vendor adds cases of its own. The folder receives the scripts. Such a case exercises a rule only by
what the judge sees in its traffic, and it refuses the certificate unless it passes in each run.

Examples:
  wirelaw ics new ramcloud -o product.toml
  wirelaw certify product.toml udp://HOST:7000 --evidence product-1.2
  wirelaw certify product.toml udp://HOST:7000 --jobs 8 --laboratory 'Lab, Berlin' --issuer 'J. Smith'
  wirelaw certify product.toml --listen udp://:7000 --trigger 'my-client "$WIRELAW_URI"'
  wirelaw verify product-1.2/statement.json
  ssh-keygen -Y sign -n wirelaw -f KEY product-1.2/statement.json

Exit status:
  0  the certificate is granted, perhaps with waivers
  1  the certificate is refused, also if the peer died or went away during a run; the statement gives the reason
  2  wrong use, unreadable input, or output that could not be written
  3  the peer could not be reached, or serves nothing; there is no statement, and no folder is left
  128 + N  signal N interrupted the runs; there is no statement
)";

struct CertifyCommand {
  TestCommand test;
  std::string ics, folder = "evidence", waivers, profile = "full";
  std::string laboratory, issuer;
  unsigned runs = 0;  // 0: as the profile asks for
};

// The fields that the declaration has.
TestCommand test_of(const CertifyCommand& command, const Declaration& declared) {
  TestCommand test = command.test;
  test.protocol = declared.protocol->name;
  test.application = declared.application;
  test.features = declared.features;
  test.revision = declared.revision;
  test.answer_time = declared.answer_time;
  test.silence_time = declared.silence_time;
  const Scheme* const scheme = scheme_of(test.uri);
  if (test.role.empty() && scheme != nullptr && scheme->is_reference && declared.roles.size() == 1)
    test.role = word_of(*declared.protocol, declared.roles.front());
  test.output.quiet |= ::isatty(STDERR_FILENO) != 1;
  return test;
}

// Combines the declaration with the URI. The error names a contradiction.
std::string declare(const Declaration& declared, IutParameters& parameters) {
  const std::string name = add_declared(declared.parameters, parameters);
  if (name.empty()) return {};
  const auto value_in = [&](const IutParameters& all) {
    return printable(std::ranges::find(all, name, &IutParameters::value_type::first)->second);
  };
  return fmt::format("the declaration has {0}={1}, but the peer's URI has {0}={2}", name, value_in(declared.parameters),
                     value_in(parameters));
}

struct NamedText {
  std::string name, text;
};

// The cases of the vendor's scripts, and the scripts as they are kept in the folder.
struct OwnCases {
  std::unique_ptr<ScriptedProtocol> protocol;  // nullptr without scripts
  std::vector<NamedText> scripts;
};

tl::expected<OwnCases, std::string> own_cases_of(const TestCommand& test, const Declaration& declared) {
  OwnCases own;
  if (test.scripts.empty()) return own;
  auto files = read_scripts(test.scripts);
  if (!files) return tl::unexpected(files.error());
  for (const ScriptFile& file : *files) {
    const std::string name = std::filesystem::path(file.path).filename().string();
    auto text = read_file(file.path);
    if (!text) return tl::unexpected(text.error());
    if (std::ranges::find(own.scripts, name, &NamedText::name) != own.scripts.end())
      return tl::unexpected(fmt::format("{}: another script is called {} too; the evidence is one folder",
                                        printable(file.path), printable(name)));
    own.scripts.push_back({name, std::move(*text)});
  }
  auto protocol = ScriptedProtocol::of(std::move(*files), *declared.protocol, ScriptedProtocol::Use::beside_others);
  if (!protocol) return tl::unexpected(protocol.error());
  for (const std::string& feature : (*protocol)->features())
    if (!declared.declares(feature))
      return tl::unexpected(fmt::format("a script needs the feature {}, which {} does not declare", printable(feature),
                                        printable(declared.product)));
  own.protocol = std::move(*protocol);
  return own;
}

class Certification {
 public:
  // The protocol's cases include those of the scripts.
  Certification(const CertifyCommand& command, Declaration declared, std::string declaration_text,
                const Protocol& protocol, std::vector<NamedText> scripts, CaseJobs& jobs)
      : command_(command),
        protocol_(protocol),
        scripts_(std::move(scripts)),
        jobs_(jobs),
        declaration_text_(std::move(declaration_text)) {
    evidence_.declaration = std::move(declared);
    evidence_.cases = command.test.cases;
    evidence_.provenance.machine = machine_in_words();
    evidence_.provenance.laboratory = command.laboratory;
    evidence_.provenance.issuer = command.issuer;
  }

  int run() {
    evidence_.profile = find_profile(command_.profile);
    if (!command_.waivers.empty()) {
      const auto text = read_file(command_.waivers);
      auto waivers = text ? waivers_in(command_.waivers, *text) : tl::make_unexpected(text.error());
      if (!waivers) return complain("--waivers " + waivers.error());
      evidence_.waivers = std::move(*waivers);
      waivers_text_ = *text;
    }
    const unsigned runs = command_.runs > 0 ? command_.runs : evidence_.profile->runs;
    for (unsigned number = 1; number <= runs && !has_lost_peer_; ++number)
      if (const auto failed = run_once(number, runs)) return *failed;
    return conclude();
  }

 private:
  // The exit status if the command cannot continue.
  std::optional<int> run_once(unsigned number, unsigned runs) {
    TestCommand test = test_of(command_, evidence_.declaration);
    const Scheme* const scheme = scheme_of(test.uri);
    const bool is_reference = scheme != nullptr && scheme->is_reference;
    if (is_reference) test.seed = test.seed.value_or(1) + number - 1;
    auto target = target_of(test, protocol_);
    if (!target) return refused(target.error());
    if (!evidence_.declaration.plays(target->role))
      return complain(fmt::format("{}: does not declare the role {}, which this run tests", printable(command_.ics),
                                  word_of(protocol_, target->role)));
    evidence_.role = target->role;
    if (std::string wrong = declare(evidence_.declaration, target->tested.parameters); !wrong.empty())
      return complain(fmt::format("{}: {}", printable(command_.ics), wrong));
    if (const std::string none = no_case_for(target->role); !none.empty()) return complain(none);
    if (!folder_)
      if (const auto failed = begin_folder()) return failed;
    evidence_.provenance.peer = target->tested.iut->name();
    RunIdentity identity = identity_of(number, runs, is_reference ? test.seed : std::nullopt);
    test.record_mark = mark_of(identity);
    CertifiedRun run{.number = number,
                     .seed = is_reference ? test.seed : std::nullopt,
                     .result_file = fmt::format("run-{}.json", number),
                     .capture_file = fmt::format("run-{}.pcapng", number),
                     .result = {.identity = std::move(identity)}};
    return run_against(test, *target, run, runs);
  }

  std::string no_case_for(Role role) const {
    const auto cases = select_cases(protocol_, role, {.cases = command_.test.cases, .rules = {}});
    if (cases.empty()) return "no case matches; see `wirelaw test PROTOCOL --list`";
    const auto is_own = [](const Case* one) { return one->id.starts_with(script::kCasePrefix); };
    if (!scripts_.empty() && std::ranges::none_of(cases, is_own))
      return fmt::format("--script: no case of the scripts is for a peer that is the {}", word_of(protocol_, role));
    return {};
  }

  // Returns a random id. With a peer in memory it is derived from the seed, so that a run can be repeated to the octet.
  std::string new_id(std::optional<std::uint64_t> seed) const {
    if (!seed) return random_id();
    return sha256_of(fmt::format("{}\n{}\n{}", declaration_text_, evidence_.provenance.peer, *seed)).substr(0, 32);
  }

  RunIdentity identity_of(unsigned number, unsigned runs, std::optional<std::uint64_t> seed) {
    if (evidence_.provenance.id.empty()) evidence_.provenance.id = new_id(seed);
    const Declaration& declared = evidence_.declaration;
    return {.certification = evidence_.provenance.id,
            .run = new_id(seed),
            .number = number,
            .runs = runs,
            .product = declared.product,
            .version = declared.version,
            .profile = std::string(evidence_.profile->name),
            .machine = evidence_.provenance.machine,
            .declaration_sha256 = sha256_of(declaration_text_),
            .waivers_sha256 = evidence_.waivers ? sha256_of(waivers_text_) : std::string(),
            .scripts_sha256 = scripts_sha256(folder_->files())};
  }

  std::optional<int> begin_folder() {
    auto folder = EvidenceFolder::create(command_.folder);
    if (!folder) return complain(folder.error());
    folder_ = std::move(*folder);
    if (const auto written = folder_->write(kDeclarationFile, declaration_text_); !written)
      return complain(written.error());
    for (const NamedText& script : scripts_)
      if (const auto written = folder_->write(script.name, script.text); !written) return complain(written.error());
    if (!evidence_.waivers) return std::nullopt;
    if (const auto written = folder_->write(kWaiversFile, waivers_text_); !written) return complain(written.error());
    return std::nullopt;
  }

  std::optional<int> run_against(TestCommand& test, const Target& target, CertifiedRun& run, unsigned runs) {
    Iut& iut = *target.tested.iut;
    auto capture = capture_of(test, iut);
    if (!capture) return complain("--capture-on " + capture.error());
    run.why_no_capture = why_not_recorded(iut, *capture != nullptr);
    if (!run.why_no_capture.empty()) run.capture_file.clear();
    test.record = run.capture_file.empty() ? "" : folder_->path_of(run.capture_file);
    auto record = Record::open(test, protocol_, iut, *capture != nullptr, false);
    if (!record) return complain(record.error());
    const RunOptions options = options_of(test, target, {});
    const auto ran = run_with(test, iut, options, record->recording(), capture->get());
    if (!ran) return complain(ran.error());
    const RunOutcome& outcome = *ran;
    const Gate gate = gate_of(outcome.results, FailOn::must, end_of(outcome), nullptr, outcome.interrupted);
    const int recorded =
        record->commit(!*capture || !(*capture)->has_lost_any(), comments_of_run(outcome.results, gate, version()));
    if (outcome.lost) {
      const int status = complain_of_loss(one_line(*outcome.lost));
      const bool lacks = is_local_resource_error(*outcome.lost);
      has_lost_peer_ = !lacks && (!evidence_.runs.empty() || anything_concluded(outcome.results));
      if (!has_lost_peer_) folder_->discard();
      if (!has_lost_peer_) return lacks ? static_cast<int>(ExitStatus::misused) : status;
    }
    if (outcome.interrupted != 0) return kEndedBySignal + outcome.interrupted;
    if (recorded != 0) return recorded;
    return keep(outcome.results, gate, run, runs);
  }

  tl::expected<RunOutcome, std::string> run_with(const TestCommand& test, Iut& iut, const RunOptions& options,
                                                 Recording* recording, WireCapture* capture) const {
    const bool is_one = test.jobs <= 1;
    Reporter reporter(test.output.quiet, options.limits,
                      is_one ? Reporter::Does::tell_and_watch : Reporter::Does::tell);
    const bool all_meet = test.start.empty() && !options.is_known;
    auto outcome = is_one ? run_cases(protocol_, iut, options, recording, reporter.progress(), capture)
                          : jobs_.run(iut, all_meet, options, recording, reporter.progress());
    reporter.clear();
    return outcome;
  }

  static std::string why_not_recorded(const Iut& iut, bool is_captured) {
    if (!is_captured && !iut.framing().is_spoken) return std::string(kUnspoken);
    if (iut.capture_note().empty()) return std::string(kUnnamed);
    return {};
  }

  // The statement is made from the content of the file.
  std::optional<int> keep(const Results& results, const Gate& gate, CertifiedRun& run, unsigned runs) {
    const RunIdentity identity = *run.result.identity;
    const Report report{
        .results = results, .gate = gate, .version = version(), .commit = commit(), .identity = &identity};
    Output out = Output::to_memory();
    write_json(report, out);
    auto result = parse_result(run.result_file, out.text(), "this is a bug in wirelaw, please report it");
    if (!result) return complain(result.error());
    run.result = std::move(*result);
    if (const auto written = folder_->write(run.result_file, out.text()); !written) return complain(written.error());
    if (!run.capture_file.empty()) {
      if (const auto taken = folder_->take(run.capture_file); !taken) return complain(taken.error());
      run.features = read_capture(folder_->path_of(run.capture_file)).features;
    }
    auto people = Output::to_descriptor(STDOUT_FILENO, "standard output");
    people.print("run {} of {}{}: {}\n", run.number, runs, run.seed ? fmt::format(", seed {}", *run.seed) : "",
                 bottom_line(report));
    evidence_.runs.push_back(std::move(run));
    const int status = finish(people);
    return status == 0 ? std::nullopt : std::optional(status);
  }

  int conclude() {
    evidence_.files = folder_->files();
    evidence_.provenance.issued = now_in_words();
    const StatementJson statement = statement_of(evidence_, {.version = std::string(version()),
                                                             .commit = std::string(commit()),
                                                             .judged_by = judged_by(*evidence_.declaration.protocol)});
    const std::string text = text_of(statement);
    if (const auto written = folder_->write_statement(text, page_of(statement, kStatementFile, text)); !written)
      return complain(written.error());
    auto out = Output::to_descriptor(STDOUT_FILENO, "standard output");
    const bool granted = statement.at("certificate").at("verdict") != "refused";
    const int status = static_cast<int>(granted ? ExitStatus::passed : ExitStatus::failed);
    out.print("\n{}statement     {} (exit status {})\npage          {}\n", summary_of(statement),
              printable(folder_->path_of(kStatementFile)), status, printable(folder_->path_of(kPageFile)));
    return finish(out, status);
  }

  const CertifyCommand& command_;
  const Protocol& protocol_;
  const std::vector<NamedText> scripts_;
  CaseJobs& jobs_;
  const std::string declaration_text_;
  std::string waivers_text_;
  EvidenceSet evidence_;
  std::optional<EvidenceFolder> folder_;
  bool has_lost_peer_ = false;  // lost after it was tested: a verdict, which ends the runs
};

int run(const CertifyCommand& command) {
  const auto text = read_file(command.ics);
  if (!text) return complain(text.error());
  auto declared = parse_declaration(command.ics, *text);
  if (!declared) return complain(declared.error());
  const TestCommand test = test_of(command, *declared);
  const auto own = own_cases_of(test, *declared);
  if (!own) return complain("--script: " + own.error());
  const Protocol& protocol = own->protocol ? own->protocol->protocol() : *declared->protocol;
  if (test.jobs > 1)
    if (const std::string trouble = trouble_with_jobs(test, protocol); !trouble.empty()) return complain(trouble);
  CaseJobs jobs(std::max<std::uint64_t>(1, test.jobs), protocol, [&](unsigned number) {
    return TestJob::make(command_of_job(test, number), protocol, {}, declared->parameters);
  });
  std::optional<Keeper> keeper;
  if (!test.start.empty() || !test.trigger.empty()) keeper.emplace();
  return Certification(command, *declared, *text, protocol, own->scripts, jobs).run();
}

std::vector<std::string> profile_names() {
  std::vector<std::string> names;
  for (const Profile& one : kProfiles) names.emplace_back(one.name);
  return names;
}

std::string profile_lines() {
  std::string lines = "Profiles:\n";
  for (const Profile& one : kProfiles) lines += fmt::format("  {:<10}{}\n", one.name, one.text);
  return lines + "\n";
}

}  // namespace

void add_certify(CLI::App& root, int& status) {
  CLI::App* app =
      root.add_subcommand("certify", "Run all cases several times, and write a statement with its evidence");
  auto command = std::make_shared<CertifyCommand>();  // lives as long as the callback that CLI11 copies
  TestCommand& test = command->test;
  add_option(*app, "ICS", command->ics, "The declaration of the peer (TOML); see below")->required()->type_name("FILE");
  add_option(*app, "uri", test.uri, "The peer")->type_name("URI");
  add_option(*app, "--runs", command->runs, "Number of runs (default: as many as the profile requires)")
      ->type_name("N")
      ->check(CLI::Range(1u, 100'000u).description(""));
  add_option(*app, "--jobs", test.jobs, "Number of processes that run the cases of a run (default 1)")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, kMostCaseJobs));
  add_option(*app, "--evidence", command->folder, "Output folder, new or empty (default evidence)")
      ->type_name("FOLDER");
  add_option(*app, "--profile", command->profile, "Requirements of the certificate (default full)")
      ->type_name(fmt::format("{}", fmt::join(profile_names(), "|")))
      ->check(one_of(profile_names()));
  add_option(*app, "--laboratory", command->laboratory, "Who tests, for the statement")->type_name("TEXT");
  add_option(*app, "--issuer", command->issuer, "Who answers for the statement")->type_name("TEXT");
  add_option(*app, "--waivers", command->waivers, "Known failures, accepted until a date (TOML)")->type_name("FILE");
  add_option(*app, "--start", test.start, "Command that starts the peer, run again for each case")
      ->type_name("COMMAND");
  add_option(*app, "--listen", test.listen, "Listen here for a peer that connects; port 0 means any port")
      ->type_name("URI");
  add_option(*app, "--trigger", test.trigger, "Command that makes the peer connect")->type_name("COMMAND");
  add_option(*app, "--role", test.role, "Role of a peer in memory")->type_name(role_words());
  add_option(*app, "--case", test.cases, "Only cases whose id matches; gives no certificate; repeatable")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  add_option(*app, "--script", test.scripts,
             "Run the cases of these scripts too; each must pass, and none replaces another case; repeatable")
      ->type_name("FILE|FOLDER")
      ->allow_extra_args(false);
  add_option(*app, "--deadline", test.deadline, "Time limit of a case (default 60; in memory 600)")
      ->type_name("SECONDS")
      ->check(positive_seconds());
  add_option(*app, "--start-time", test.start_time, "How long --start may take until it listens (default 10)")
      ->type_name("SECONDS")
      ->check(positive_seconds());
  add_option(*app, "--seed", test.seed,
             "Random seed of the first run of a peer in memory; each later run adds 1 (default 1)")
      ->type_name("N");
  add_deviate_option(*app, test.deviations);
  add_option(*app, "--capture-on", test.capture_on, "Judge and record the frames on this network interface")
      ->type_name("INTERFACE");
  app->footer(profile_lines() + std::string(kHelp));
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw
