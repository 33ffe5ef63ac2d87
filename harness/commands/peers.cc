// SPDX-License-Identifier: Apache-2.0
// wirelaw peers: the page of peers, from the JSON results of runs against them.
#include "reports/peers.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "harness/commands/command.h"
#include "harness/commands/options.h"

namespace wirelaw {
namespace {

constexpr std::string_view kExamples =
    "A list names peers with their results, and has a sentence for each failure; its form is in wirelaw(1).\n\n"
    "Examples:\n"
    "  wirelaw test efa udp://HOST:PORT --format json -o efa.json --record efa.pcapng\n"
    "  wirelaw peers peers.json -o PEERS.md\n\n"
    "Exit status: 0 the page was written; 1 failures are not explained, or explanations have no failure: each is\n"
    "named, and no page is written; 2 wrong use, unreadable input, or output that could not be written.\n";

struct PeersCommand {
  std::string list, file;
};

int run(const PeersCommand& command) {
  const auto peers = read_peers(command.list);
  if (!peers) return complain(peers.error());
  if (const auto complaints = unexplained(*peers); !complaints.empty()) {
    for (const std::string& one : complaints) complain(one);
    return static_cast<int>(ExitStatus::failed);
  }
  auto out = command.file.empty() || command.file == "-" ? Output::to_descriptor(STDOUT_FILENO, "standard output")
                                                         : Output::to_file(command.file);
  if (!out) return complain(out.error());
  write_peers(*peers, *out);
  return finish(*out);
}

}  // namespace

void add_peers(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("peers", "Write the page of peers from the JSON results of runs");
  auto command = std::make_shared<PeersCommand>();  // lives as long as the callback that CLI11 copies
  add_option(*app, "LIST", command->list, "The list of peers, JSON")->required()->type_name("FILE");
  add_option(*app, "-o,--output", command->file, "Where the page is written; standard output without")
      ->type_name("FILE");
  app->footer(std::string(kExamples));
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw
