// SPDX-License-Identifier: Apache-2.0
// wirelaw peers: the pages of peers, from the JSON results of runs against them.
#include "reports/peers.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>

#include "harness/commands/command.h"
#include "harness/commands/kept_frames.h"
#include "harness/commands/options.h"
#include "harness/commands/same_file.h"
#include "reports/peers_html.h"

namespace wirelaw {
namespace {

constexpr std::string_view kExamples =
    R"(A list names peers, their results, and an explanation of each failure; wirelaw(1) describes its format.

Examples:
  wirelaw test efa udp://HOST:PORT --format json -o efa.json --record efa.pcapng
  wirelaw peers peers.json -o PEERS.md               the page about all peers, with links to the others
  wirelaw peers peers.json --format html -o peers.html
  wirelaw peers peers.json --peer siw -o siw.md      the page about one peer

Exit status:
  0  the page was written
  1  a failure is not explained, an explanation is shown by no run, or a capture lacks what a result names; each is
     named, and no page is written
  2  wrong use, unreadable input, or output that could not be written
)";

struct PeersCommand {
  std::string list, file, peer, format = "markdown";
  bool partial = false;
};

// The folder with the pages of each peer, next to the list, relative to the front page.
std::string pages_of(const PeersCommand& command) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path list = fs::absolute(command.list, ignored).lexically_normal().parent_path();
  const bool to_file = !command.file.empty() && command.file != "-";
  const fs::path page =
      to_file ? fs::absolute(command.file, ignored).lexically_normal().parent_path() : fs::current_path(ignored);
  const std::string between = list.lexically_relative(page).generic_string();
  return between.empty() || between == "." ? "" : between + "/";
}

std::vector<std::string> faults_in(const PeersCommand& command, const PeerList& list) {
  std::vector<std::string> faults = faults_of(list, command.partial);
  const std::string folder = command.list.substr(0, command.list.find_last_of('/') + 1);
  for (const PeerPage& peer : list.peers)
    for (const PeerRun& run : peer.runs)
      for (std::string& one : frames_that_are_not_there(folder + run.capture, named_frames(run), !run.capture.empty()))
        faults.push_back(fmt::format("{}: {}", run.name(), one));
  return faults;
}

int run(const PeersCommand& command) {
  if (command.format == "html" && !command.peer.empty())
    return complain("--peer: the page about one peer is always Markdown");
  if (const auto trouble =
          overwritten({{"the list", command.list}}, {{"-o", command.file.empty() ? "-" : command.file}}))
    return complain(*trouble);
  auto peers = read_peers(command.list);
  if (!peers) return complain(peers.error());
  if (command.partial) leave_out_what_nothing_shows(*peers);
  if (const auto faults = faults_in(command, *peers); !faults.empty()) {
    for (const std::string& one : faults) complain(one);
    return static_cast<int>(ExitStatus::failed);
  }
  const auto of = std::ranges::find(peers->peers, command.peer, &PeerPage::id);
  if (!command.peer.empty() && of == peers->peers.end())
    return complain(fmt::format("{} has no peer {}", command.list, command.peer));
  auto out = command.file.empty() || command.file == "-" ? Output::to_descriptor(STDOUT_FILENO, "standard output")
                                                         : Output::to_file(command.file);
  if (!out) return complain(out.error());
  if (command.format == "html")
    write_peers_html(*peers, pages_of(command), version(), *out);
  else if (command.peer.empty())
    write_peers(*peers, pages_of(command), *out);
  else
    write_peer(*of, *out);
  return finish(*out);
}

}  // namespace

void add_peers(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("peers", "Write the pages about peers from the JSON results of runs");
  auto command = std::make_shared<PeersCommand>();  // lives as long as the callback that CLI11 copies
  add_option(*app, "LIST", command->list, "The list of peers, JSON")->required()->type_name("FILE");
  add_option(*app, "-o,--output", command->file, "Output file (default: standard output)")->type_name("FILE");
  add_option(*app, "--format", command->format, "Format of the page about all peers (default markdown)")
      ->type_name("markdown|html")
      ->check(one_of({"markdown", "html"}));
  add_option(*app, "--peer", command->peer, "Write the page about this peer only")->type_name("ID");
  app->add_flag("--partial", command->partial, "The list has only some of the runs: omit what none of them shows");
  app->footer(std::string(kExamples));
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw
