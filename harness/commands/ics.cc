// SPDX-License-Identifier: Apache-2.0
// wirelaw ics: declarations of what an implementation claims, to be filled in.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "harness/certify/declaration.h"
#include "harness/certify/features.h"
#include "harness/certify/recorded_capture.h"
#include "harness/commands/capture_options.h"
#include "harness/commands/command.h"
#include "harness/commands/interruption.h"
#include "harness/commands/options.h"
#include "harness/commands/output_options.h"
#include "harness/commands/test_run.h"
#include "reports/printable.h"
#include "reports/run_record.h"

namespace wirelaw {
namespace {

constexpr std::string_view kHelp =
    R"(new writes a declaration with a comment on each key, from the tables of the protocol. probe makes honest
exchanges with the peer and fills in what it can find out: the features that the peer shows, the application that
serves them, and the parameters in its URI. Fill in the peer's other roles, its vendor, product and version yourself.

Examples:
  wirelaw ics new efa -o product.toml
  wirelaw ics probe efa 'udp://HOST:7100?mtu=1400' -o product.toml

Exit status:
  0  the declaration was written
  2  wrong use, a file that already exists (without --force), or output that could not be written
  3  the peer could not be reached, or serves nothing
)";

struct IcsCommand {
  std::string what, file;
  TestCommand test;
  bool force = false;
};

// A temporary folder for one capture, removed by its destructor.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::error_code ignored;
    path_ = (std::filesystem::temp_directory_path(ignored) / "wirelaw-XXXXXX").string();
    if (::mkdtemp(path_.data()) == nullptr) path_.clear();
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The honest exchanges, and what makes a peer show its features.
std::vector<std::string> probing_cases(const Protocol& protocol) {
  std::vector<std::string> cases(protocol.controls.begin(), protocol.controls.end());
  for (const FeatureRow& row : feature_rows())
    if (row.protocol == protocol.name) cases.insert(cases.end(), row.cases.begin(), row.cases.end());
  return cases;
}

bool serves_a_control(const Protocol& protocol, const Results& results) {
  return std::ranges::any_of(results.cases, [&](const CaseResult& one) {
    return one.verdict == Verdict::pass && std::ranges::count(protocol.controls, one.id) > 0;
  });
}

// The exit status if nothing could be found out.
tl::expected<Declaration, int> probe(const TestCommand& asked, const Protocol& protocol) {
  const TemporaryFolder folder;
  if (folder.path().empty()) return tl::make_unexpected(complain("cannot create a temporary folder; set TMPDIR"));
  TestCommand test = asked;
  test.cases = probing_cases(protocol);
  test.keep_going = true;
  test.output.quiet = true;
  for (const Feature& one : protocol.features) test.features.emplace_back(one.name);
  for (const std::string_view application : {"echo", "smb2", "none"}) {
    if (std::ranges::count(applications_of(protocol), application) == 0) continue;
    test.application = application;
    const auto target = target_of(test, protocol);
    if (!target) return tl::make_unexpected(refused(target.error()));
    Iut& iut = *target->tested.iut;
    test.record = iut.framing().is_spoken && !iut.capture_note().empty() ? folder.path() + "/probe.pcapng" : "";
    auto record = Record::open(test, protocol, iut, false, false);
    if (!record) return tl::make_unexpected(complain(record.error()));
    const RunOutcome outcome = run_cases(protocol, iut, options_of(test, *target, {}), record->recording());
    const Gate gate = gate_of(outcome.results, FailOn::must, end_of(outcome), nullptr, outcome.interrupted);
    if (const int status = record->commit(true, comments_of_run(outcome.results, gate, version())); status != 0)
      return tl::make_unexpected(status);
    if (outcome.interrupted != 0) return tl::make_unexpected(kEndedBySignal + outcome.interrupted);
    if (!serves_a_control(protocol, outcome.results)) {
      if (outcome.lost) return tl::make_unexpected(complain_of_loss(one_line(*outcome.lost)));
      continue;
    }
    Declaration found{.protocol = &protocol,
                      .roles = {target->role},
                      .application = test.application,
                      .parameters = target->tested.parameters};
    const auto shown = test.record.empty() ? std::set<std::string>() : read_capture(test.record).features;
    for (const Feature& one : protocol.features)
      if (shown.contains(std::string(one.name))) found.features.emplace_back(one.name);
    return found;
  }
  return tl::make_unexpected(complain_of_loss(
      fmt::format("{}: does not serve an honest exchange of {}; check what listens there, and its protocol",
                  printable(test.uri.empty() ? test.listen : test.uri), protocol.name)));
}

int run(const IcsCommand& command) {
  const auto named = protocol_named(command.test.protocol, "");
  if (!named) return complain(named.error());
  const Protocol& protocol = **named;
  const bool probes = command.what == "probe";
  const TestCommand& test = command.test;
  if (!probes && !(test.uri.empty() && test.listen.empty()))
    return complain("ics new takes no peer; use `wirelaw ics probe`");
  const bool to_stdout = command.file.empty() || command.file == "-";
  std::error_code ignored;
  if (!to_stdout && !command.force && std::filesystem::exists(command.file, ignored))
    return complain(fmt::format("-o {}: exists already and may have been edited; name another file, or use --force",
                                printable(command.file)));
  Declaration known{
      .protocol = &protocol, .roles = {Role::responder}, .application = applications_of(protocol).front()};
  std::optional<Keeper> keeper;
  if (!test.start.empty() || !test.trigger.empty()) keeper.emplace();
  if (probes) {
    auto found = probe(test, protocol);
    if (!found) return found.error();
    known = std::move(*found);
  }
  auto out = to_stdout ? Output::to_descriptor(STDOUT_FILENO, "standard output") : Output::to_file(command.file);
  if (!out) return complain(out.error());
  out->put(declaration_text(known));
  return finish(*out);
}

}  // namespace

void add_ics(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("ics", "Write a declaration of what a peer implements");
  auto command = std::make_shared<IcsCommand>();  // lives as long as the callback that CLI11 copies
  TestCommand& test = command->test;
  add_option(*app, "what", command->what, "new: a template; probe: ask the peer")
      ->required()
      ->type_name("new|probe")
      ->check(one_of({"new", "probe"}));
  add_option(*app, "protocol", test.protocol, "The protocol of the peer")->required()->type_name(live_protocol_words());
  add_option(*app, "uri", test.uri, "With probe: the peer")->type_name("URI");
  add_option(*app, "-o,--output", command->file, "Output file (default: standard output)")->type_name("FILE");
  add_flag(*app, "--force", command->force, "Overwrite an existing file");
  add_option(*app, "--start", test.start, "Command that starts the peer, run again for each exchange")
      ->type_name("COMMAND");
  add_option(*app, "--listen", test.listen, "Listen here for a peer that connects; port 0 means any port")
      ->type_name("URI");
  add_option(*app, "--trigger", test.trigger, "Command that makes the peer connect")->type_name("COMMAND");
  add_option(*app, "--answer-time", test.answer_time, "How long the peer may take to answer (default 2)")
      ->type_name("SECONDS")
      ->check(positive_seconds());
  app->footer(std::string(kHelp));
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw
