// SPDX-License-Identifier: Apache-2.0
// wirelaw interop: pairs of peers in scenarios, each through a relay.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <thread>

#include "harness/commands/command.h"
#include "harness/commands/interruption.h"
#include "harness/commands/options.h"
#include "harness/commands/serve_options.h"
#include "harness/interop/interop_run.h"
#include "harness/relay/network_plan.h"
#include "harness/script/script_file.h"
#include "reports/printable.h"
#include "reports/result_file.h"

namespace wirelaw {
namespace {

constexpr std::string_view kInteropHelp =
    R"(FILE says which peers there are, how each role is started, and the scenarios. Each initiator meets each responder in
each scenario, through a `wirelaw relay` of its own, which judges both. A cell is green only if both sides kept every
rule and the data arrived: the initiator's command ended with status 0.

The folder of --out has index.html, the page with all cells; results.json; junit.xml; and a folder for each cell with
its report, its capture, and the scripts to run it again.

  schema = "wirelaw-interop-plan-1"
  protocol = "ramcloud"
  # transparent = true             # for all cells: `wirelaw relay --transparent`

  [[peer]]
  name = "reference"
  initiator = "reference"          # the peer of `wirelaw serve`; options = "--deviate NAME"
  responder = "reference"

  [[peer]]
  name = "mine"
  initiator = "exec my-client {address} {port} --count {requests}"
  responder = "exec my-server --listen {address}:{port}"
  features = []                    # ICS: what it may send besides (`wirelaw ics`); also revision = "…"
  [peer.unsupported]
  restart = "the server keeps no sessions"

  [[scenario]]
  name = "restart"
  requests = 3
  restart = "responder"

A responder says on its first line of output that it listens. In a command, {uri}, {address} and {port} are where it
listens or connects, {session} is its number from 1, and {requests}, {octets}, {parallel}, {idle} and {teardown} are
what the scenario says; the environment has the same as WIRELAW_URI, WIRELAW_SESSION, WIRELAW_REQUESTS,
WIRELAW_REQUEST_OCTETS, WIRELAW_PARALLEL, WIRELAW_IDLE and WIRELAW_TEARDOWN. WIRELAW_FOLDER is the folder of the cell,
where a responder may leave what its initiator needs.

A scenario may have: requests, octets, parallel, idle, teardown (the initiator is asked for them); sessions (so many
initiators at once); network, faults and seed (of `wirelaw relay`); restart = "responder" or "initiator"; seconds (that
a cell may take, 60); completes = false (the data need not arrive: only the rules count).

Examples:
  wirelaw interop interop.toml
  wirelaw interop interop.toml --out results --jobs 8 --scenario 'loss*'

Exit status:
  0  every cell is green, or declared as unsupported
  1  a side broke a rule, or the data did not arrive
  2  wrong use, an unreadable file, output that could not be written, or a cell without a verdict
  3  a responder could not be started or reached, or served nothing
)";

constexpr std::uint64_t kMostJobs = 256;

struct InteropCommand {
  std::string file, folder = "interop", scenario;
  std::uint64_t jobs = 0;
  bool quiet = false;
};

// The error is one line.
template <class Write>
tl::expected<void, std::string> write_file_of(const std::filesystem::path& path, Write write) {
  auto out = Output::to_file(path.string());
  if (!out) return tl::unexpected(out.error());
  write(*out);
  return out->commit();
}

tl::expected<void, std::string> write_results(const InteropResults& results, const std::filesystem::path& folder) {
  const auto page =
      write_file_of(folder / "index.html", [&](Output& out) { write_interop_html(results, version(), out); });
  if (!page) return page;
  const auto json =
      write_file_of(folder / "results.json", [&](Output& out) { write_interop_json(results, version(), out); });
  if (!json) return json;
  return write_file_of(folder / "junit.xml", [&](Output& out) { write_interop_junit(results, out); });
}

// A plan is checked before any cell runs: a word that the relay or the reference refuses fails no cell.
InteropChecks interop_checks() {
  return {.reference_options =
              [](const InteropPlan& plan, const InteropPeer& peer) {
                std::string words = peer.options;
                if (peer.initiator == kReference) words += initiator_options(*plan.protocol, "1");
                return wrong_serve_options(*plan.protocol, words).value_or("");
              },
          .network =
              [](const InteropPlan& plan, const std::string& network) {
                Carried carried = carried_over(plan.protocol->transports, plan.transport);
                if (plan.is_transparent && carried != Carried::reliable_datagrams) carried = Carried::packets;
                const auto read = parse_network_plan(network, carried);
                return read ? std::string() : read.error();
              },
          .faults =
              [](const InteropPlan& plan, const std::string& path) {
                const auto read = read_faults(path, *plan.protocol);
                return read ? std::string() : read.error();
              }};
}

int run(const InteropCommand& command) {
  const auto text = read_file(command.file);
  if (!text) return complain(text.error());
  const auto plan = parse_interop(command.file, *text, interop_checks());
  if (!plan) return complain(plan.error());
  std::error_code code;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", code);
  if (code) return complain("cannot find this program: " + code.message());
  std::filesystem::create_directories(command.folder, code);
  if (code) return complain(fmt::format("--out: cannot create {}: {}", printable(command.folder), code.message()));
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  const InteropOptions options{.folder = command.folder,
                               .program = program.string(),
                               .jobs = command.jobs == 0 ? cores : command.jobs,
                               .only = command.scenario,
                               .signal = interruption(),
                               .ended = [&](const InteropCell& cell, std::size_t done, std::size_t all) {
                                 if (!command.quiet)
                                   fmt::print(stderr, "wirelaw: {} of {}: {}, {}: {}\n", done, all, pair_of(cell),
                                              cell.scenario, to_string(cell.state));
                               }};
  const auto results = run_interop(*plan, options);
  if (!results) return complain(results.error());
  if (results->cells.empty()) return complain("no initiator meets a responder in a scenario");
  if (const auto written = write_results(*results, command.folder); !written) return complain(written.error());
  Output out = Output::to_descriptor(STDOUT_FILENO, "standard output");
  write_interop_text(*results, out);
  return finish(out, static_cast<int>(status_of(*results)));
}

}  // namespace

void add_interop(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("interop", "Let peers meet in scenarios, and judge each pair");
  auto command = std::make_shared<InteropCommand>();  // lives as long as the callback that CLI11 copies
  add_option(*app, "FILE", command->file, "Peers and scenarios, in TOML; see below")->type_name("")->required();
  add_option(*app, "--out", command->folder, "Folder for the results (default interop)")->type_name("FOLDER");
  add_option(*app, "--jobs", command->jobs, "Number of cells at once (default: one for each processor)")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, kMostJobs).description(""));
  add_option(*app, "--scenario", command->scenario, "Run only the scenarios that match this pattern")
      ->type_name("GLOB");
  app->add_flag("-q,--quiet", command->quiet, "Print the table alone");
  app->footer(std::string(kInteropHelp));
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw
