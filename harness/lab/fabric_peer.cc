// SPDX-License-Identifier: Apache-2.0
// A small libfabric program that reaches every subprotocol of the efa provider, as requester and as responder. It is
// linked with libfabric alone: over soft_efa/ it is a live peer that needs no hardware, over a real device it works
// too.
#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "harness/lab/fabric_application.h"
#include "harness/lab/fabric_operations.h"
#include "harness/lab/fabric_responder.h"
#include "reference/efa/offered_region.h"

namespace wirelaw::lab {
namespace {

// The same as in the `wirelaw` command.
enum Exit { kGood = 0, kFailed = 1, kUsage = 2, kNoPeer = 3 };

volatile std::sig_atomic_t asked_to_stop = 0;

int complain(int status, const std::string& text) {
  fmt::print(stderr, "fabric_peer: {}\n", text);
  return status;
}

int list() {
  for (const Operation& operation : operations())
    fmt::print("{:19} {:>8} octets  {:12} {:42} {}\n", operation.name, operation.octets, operation.group,
               operation.packets, operation.settings);
  return kGood;
}

Service application_of(std::string_view word) {
  return word == "none" ? Service::none : word == "count" ? Service::count : Service::echo;
}

// Sets the address for a preloaded soft device.
Result<> listen_at(const std::string& uri) {
  const auto place = read_uri(uri);
  if (!place) return tl::unexpected(place.error());
  setenv("WIRELAW_SOFT_EFA_ADDRESS", place->host.c_str(), 1);
  setenv("WIRELAW_SOFT_EFA_PORT", std::to_string(place->port).c_str(), 1);
  return {};
}

// Prints the stack in the sanitizers' format, and raises the signal again, which now ends the process. It calls nothing
// that takes a stdio lock, because the process may hold one.
void say_where(int signal) {
  constexpr int kMost = 16, kOurs = 2;  // frames of this function and of the kernel's call
  void* frames[kMost];
  const int count = backtrace(frames, kMost);
  for (int i = kOurs; i < count; ++i) {
    Dl_info at{};
    const bool known = dladdr(frames[i], &at) != 0 && at.dli_fname != nullptr;
    const auto base = reinterpret_cast<std::uintptr_t>(known ? at.dli_fbase : nullptr);
    dprintf(STDERR_FILENO, "    #%d %p (%s+0x%jx)\n", i - kOurs, frames[i], known ? at.dli_fname : "?",
            static_cast<std::uintmax_t>(reinterpret_cast<std::uintptr_t>(frames[i]) - base));
  }
  std::raise(signal);
}

// Debian's libfabric is linked with libraries that catch these signals, print, and exit. Our parent has to see which
// signal we died of, and where.
void die_as_others_do() {
  struct sigaction action {};
  action.sa_handler = say_where;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_NODEFER);
  void* first[1];
  backtrace(first, 1);  // loads now what it needs later
  for (const int signal : {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV}) sigaction(signal, &action, nullptr);
}

int serve(bool rdma, const std::string& application, const std::string& uri) {
  if (!uri.empty())
    if (const auto listening = listen_at(uri); !listening) return complain(kUsage, listening.error());
  setenv("FI_EFA_USE_DEVICE_RDMA", rdma ? "1" : "0", 0);
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { asked_to_stop = 1; });
  auto endpoint = FabricEndpoint::open();
  die_as_others_do();
  if (!endpoint) return complain(kNoPeer, endpoint.error());
  const auto done = respond(**endpoint, application_of(application), asked_to_stop);
  return done ? kGood : complain(kFailed, done.error());
}

struct RunOptions {
  std::vector<std::string> peer;  // words of a ready line
  std::vector<std::string> operations;
  unsigned patience = 30;
  bool unchecked = false;
  bool bye = false;
};

int run_all(const std::vector<const Operation*>& wanted, Requester& requester) {
  int status = kGood;
  for (const Operation* operation : wanted) {
    const auto done = operation->run(*operation, requester);
    fmt::print("{}: {} octets: {}\n", operation->name, operation->octets, done ? "good" : "FAILED: " + done.error());
    std::fflush(stdout);
    if (!done) status = kFailed;
  }
  return status;
}

int run(const RunOptions& options) {
  const auto peer = read_ready_line(fmt::format("{}", fmt::join(options.peer, " ")));
  if (!peer) return complain(kUsage, peer.error());
  const auto wanted = find_operations(options.operations);
  if (!wanted) return complain(kUsage, wanted.error() + "; see `fabric_peer list`");
  const auto settings = settings_for(*wanted);
  if (!settings) return complain(kUsage, settings.error());
  for (const auto& [name, value] : *settings) setenv(name.c_str(), value.c_str(), 1);

  auto endpoint = FabricEndpoint::open();
  die_as_others_do();
  if (!endpoint) return complain(kNoPeer, endpoint.error());
  const auto to = (*endpoint)->insert(peer->raw);
  if (!to) return complain(kNoPeer, to.error());
  const auto self = (*endpoint)->address();
  if (self) fmt::print("{}\n", ready_line({.raw = *self}, (*endpoint)->version()));
  Requester requester{**endpoint, *to, *peer, options.unchecked ? Partner::anybody : Partner::fabric_peer,
                      std::chrono::seconds(options.patience)};
  // Without the peer's handshake a provider does not use RDMA with it.
  if (settings->contains("FI_EFA_USE_DEVICE_RDMA") && settings->at("FI_EFA_USE_DEVICE_RDMA") == "1" &&
      requester.checks())
    if (const auto met = get_acquainted(requester); !met) return complain(kNoPeer, met.error());
  const int status = run_all(*wanted, requester);
  if (!options.bye) return status;
  const auto said = say_bye(requester);
  return said ? status : complain(kFailed, "saying bye: " + said.error());
}

// ------------------------------------------------------------------------------------------------ as a trigger

std::string variable(const char* name, const std::string& otherwise = {}) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : value;
}

// The words that `wirelaw test --trigger` has in the environment.
std::string words_of_trigger() {
  const std::string raw = variable("WIRELAW_RAW_ADDRESS");
  return fmt::format("peer={} connid={}{}", variable("WIRELAW_URI"), variable("WIRELAW_CONNID", "0"),
                     raw.empty() ? "" : " address=" + raw);
}

struct RequestOptions {
  std::vector<std::string> peer;
  std::vector<std::string> operations = {"emulated"};
  unsigned patience = 30;
  unsigned requests = 1;
  std::size_t octets = 64;
  bool parallel = false;
};

// Stops at the first request that fails. Otherwise it stays, and serves its peer until it is ended.
int request(const RequestOptions& options) {
  auto peer =
      read_ready_line(options.peer.empty() ? words_of_trigger() : fmt::format("{}", fmt::join(options.peer, " ")));
  if (!peer) return complain(kUsage, peer.error());
  if (peer->length == 0) {
    peer->memory = efa::kOfferedRegion.addr;
    peer->key = efa::kOfferedRegion.key;
    peer->length = efa::kOfferedRegion.len;
  }
  const auto wanted = find_operations(options.operations);
  if (!wanted) return complain(kUsage, wanted.error() + "; see `fabric_peer list`");
  const auto settings = settings_for(*wanted);
  if (!settings) return complain(kUsage, settings.error());
  // A case that makes no requests drives it, with the provider unchanged.
  const bool is_driven = options.requests == 0 && std::getenv("WIRELAW_CONTROL") != nullptr;
  for (const auto& [name, value] : *settings)
    if (!is_driven) setenv(name.c_str(), value.c_str(), 1);
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, [](int) { asked_to_stop = 1; });

  auto endpoint = FabricEndpoint::open();
  die_as_others_do();
  if (!endpoint) return complain(kNoPeer, endpoint.error());
  if (is_driven) {
    const auto driven = drive(**endpoint, {}, asked_to_stop);
    return driven ? kGood : complain(kFailed, driven.error());
  }
  const auto to = (*endpoint)->insert(peer->raw);
  if (!to) return complain(kNoPeer, to.error());
  Requester requester{**endpoint, *to, *peer, Partner::echo, std::chrono::seconds(options.patience)};
  const auto requested = make_requests(requester, options.requests, options.octets, options.parallel);
  fmt::print("{} requests of {} octets: {}\n", options.requests, options.octets,
             requested ? "good" : "FAILED: " + requested.error());
  std::fflush(stdout);
  if (!requested) return kFailed;
  for (const Operation* operation : *wanted) {
    const auto done = operation->run(*operation, requester);
    const bool left_out = !done && is_unsupported(done.error());
    fmt::print("{}: {} octets: {}\n", operation->name, operation->octets,
               done       ? "good"
               : left_out ? "left out, the peer has not announced it"
                          : "FAILED: " + done.error());
    std::fflush(stdout);
    if (!done && !left_out) return kFailed;
  }
  while (!asked_to_stop)
    if (const auto event = (*endpoint)->poll(); !event) return complain(kFailed, event.error());
  return kGood;
}

int main(int argc, char** argv) {
  CLI::App app{"A libfabric peer that reaches every subprotocol of EFA RDM"};
  app.require_subcommand(1);
  app.add_subcommand("list", "Print the operations: name, size, group, packets, and the variables that they need");

  bool rdma = false;
  std::string uri, application = "echo";
  CLI::App* serving = app.add_subcommand("serve", "Be a responder; the first line printed is what a requester needs");
  serving->add_flag("--rdma", rdma, "Use the device's RDMA (sets FI_EFA_USE_DEVICE_RDMA)");
  serving->add_option("--application", application, "What answers messages, as of `wirelaw serve` (default echo)")
      ->check(CLI::IsMember({"echo", "count", "none"}));
  serving->add_option("uri", uri, "udp://ADDRESS:PORT for a soft device to take; port 0 is any");

  RunOptions options;
  CLI::App* running = app.add_subcommand("run", "Be a requester");
  running->add_option("--do", options.operations, "Operations, or groups of them, as `list` prints them")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->required();
  running->add_option("--patience", options.patience, "Seconds for each operation")->check(CLI::Range(1u, 3600u));
  running->add_flag("--unchecked", options.unchecked, "The peer is no fabric_peer: do not ask it what has come");
  running->add_flag("--bye", options.bye, "Let the responder leave in the end");
  running->add_option("peer", options.peer, "The words of a ready line, or peer=udp://ADDRESS:PORT connid=NUMBER …")
      ->required();
  RequestOptions requesting_options;
  CLI::App* requesting = app.add_subcommand(
      "walk", "Be a requester of a peer that echoes: make requests, then go through the subprotocols, then stay");
  requesting->add_option("--requests", requesting_options.requests, "Messages")->envname("WIRELAW_REQUESTS");
  requesting->add_option("--request-octets", requesting_options.octets, "Of each")->envname("WIRELAW_REQUEST_OCTETS");
  requesting->add_flag("--parallel", requesting_options.parallel, "All at once")->envname("WIRELAW_PARALLEL");
  requesting->add_option("--do", requesting_options.operations, "Then these operations (default: emulated)")
      ->delimiter(',')
      ->allow_extra_args(false);
  requesting->add_option("--patience", requesting_options.patience, "Seconds for each")->check(CLI::Range(1u, 3600u));
  requesting->add_option("peer", requesting_options.peer,
                         "As of run; without them, what `wirelaw test --trigger` has in the environment");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kGood : kUsage;
  }
  if (*serving) return serve(rdma, application, uri);
  if (*requesting) return request(requesting_options);
  return *running ? run(options) : list();
}

}  // namespace
}  // namespace wirelaw::lab

int main(int argc, char** argv) {
  return wirelaw::lab::main(argc, argv);
}
