// SPDX-License-Identifier: Apache-2.0
// A small program on librdmacm and libibverbs that is the application above an RDMA device: the peer of
// harness/peers/rdmap_peer.h, in both roles.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdlib>

#include "harness/lab/verbs_initiator.h"
#include "harness/lab/verbs_responder.h"

namespace wirelaw::lab {
namespace {

// As of the `wirelaw` command.
enum Exit { kGood = 0, kFailed = 1, kUsage = 2, kNoPeer = 3 };

volatile std::sig_atomic_t stopped = 0;

int complain(int status, const std::string& text) {
  fmt::print(stderr, "verbs_peer: {}\n", text);
  return status;
}

struct Place {
  std::string host, port;
};

std::optional<Place> place_of(std::string uri) {
  for (const char* const scheme : {"tcp://", "verbs://"})
    if (uri.starts_with(scheme)) uri.erase(0, std::string(scheme).size());
  const auto colon = uri.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == uri.size()) return std::nullopt;
  return Place{uri.substr(0, colon), uri.substr(colon + 1)};
}

int main(int argc, char** argv) {
  CLI::App app{"An RDMA peer upon verbs"};
  app.require_subcommand(1);
  std::string uri, application = "echo";
  CLI::App* serving = app.add_subcommand("serve", "Be a responder; the first line printed says where it listens");
  serving->add_option("uri", uri, "tcp://ADDRESS:PORT; port 0 is any")->required();
  serving->add_option("--application", application, "What it does with Sends: echo, count or none")
      ->check(CLI::IsMember({"echo", "count", "none"}));
  TriggerRequest request;
  CLI::App* connecting = app.add_subcommand("connect", "Be an initiator, for some rounds");
  connecting->add_option("uri", uri, "tcp://ADDRESS:PORT")->required()->envname("WIRELAW_URI");
  connecting->add_option("--rounds", request.count)->envname("WIRELAW_REQUESTS");
  connecting->add_option("--octets", request.octets)->envname("WIRELAW_REQUEST_OCTETS");
  connecting->add_flag("--parallel", request.parallel)->envname("WIRELAW_PARALLEL");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kGood : kUsage;
  }
  const auto place = place_of(uri);
  if (!place) return complain(kUsage, fmt::format("'{}' is no tcp://ADDRESS:PORT", uri));
  if (*serving) {
    struct sigaction action {};  // without SA_RESTART: poll ends
    action.sa_handler = [](int) { stopped = 1; };
    for (const int signal : {SIGINT, SIGTERM}) ::sigaction(signal, &action, nullptr);
    const Application which = application == "echo"    ? Application::echo
                              : application == "count" ? Application::count
                                                       : Application::none;
    const auto served = respond(place->host, place->port, which, stopped);
    return served ? kGood : complain(kNoPeer, served.error());
  }
  const auto done = initiate(place->host, place->port, request);
  return done ? kGood : complain(kFailed, done.error());
}

}  // namespace
}  // namespace wirelaw::lab

int main(int argc, char** argv) {
  return wirelaw::lab::main(argc, argv);
}
