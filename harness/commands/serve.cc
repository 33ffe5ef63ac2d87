// SPDX-License-Identifier: Apache-2.0
// wirelaw serve: runs a reference peer over one of the transports.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "harness/commands/capture_options.h"
#include "harness/commands/command.h"
#include "harness/commands/endpoint_options.h"
#include "harness/commands/options.h"
#include "harness/commands/output_options.h"
#include "harness/commands/serve_options.h"
#include "harness/transports/nodes.h"
#include "harness/transports/scheme.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

constexpr std::string_view kRoles =
    R"(A server listens at the URI and prints its URI when it is ready. Without a host it listens at the loopback address,
without a port at any port. It ends on SIGINT or SIGTERM, or after --idle.
A client connects to the URI, makes its requests, and ends. Without options it makes the requests that `wirelaw test
--trigger` asks for in the environment: WIRELAW_URI, WIRELAW_REQUESTS, WIRELAW_REQUEST_OCTETS, WIRELAW_PARALLEL.
A server's URI has one of these forms; a client's URI has host and port:
)";

constexpr std::string_view kApplications =
    R"(The application above the server:
  echo   answers each request with the request's own octets (the default)
  count  like echo, but answers a request that begins with the octets WIRELAW-COUNT with the number of such requests
         that it has seen, as four little-endian octets
  smb2   for smbd: an SMB2 file server. Each connection has its own volume in memory, which all shares show. Everybody
         gets a session, as guest or anonymous, and data may go by RDMA. As a client: mounts a share, lists a folder,
         then writes and reads a file of --request-octets, --requests times
  none   answers each request with the same few octets, or not at all

What applications also do, by protocol:
  efa    A responder answers each message with the same octets, tag and CQ data, and a write with CQ data with an empty
         message that has this CQ data. It offers 1 MiB of memory at address 0 with key 0x57495245, or what its URI
         declares: udp://:7000?addr=0x1000&key=7&length=65536&mtu=1400. A requester sends its requests as messages, then
         goes through every subprotocol that both peers have; its URI declares what its peer offers. UDP has no RDMA, so
         long reads are answered by READ_NACK. The raw address is the UDP address: listen at an address that peers reach.

Examples:
  wirelaw serve ramcloud                                 on loopback, any port
  wirelaw serve ramcloud udp://0.0.0.0:7000              for other machines too
  wirelaw serve ramcloud udp://:7000 --deviate no-ack    with a fault that `wirelaw test` finds
  wirelaw serve rdmap tcp://:7175                        over TCP, many connections at once
  wirelaw serve rdmap verbs://192.0.2.7:7175             through the RDMA device that has this address
  wirelaw serve efa udp://:7000?mtu=1400                 packets that fit an Ethernet frame
  wirelaw serve efa srd://                               at a queue pair of the first EFA device
  wirelaw serve ramcloud udp://127.0.0.1:7000 --role client --requests 10 --request-octets 5000
  wirelaw test ramcloud --listen udp:// --trigger 'wirelaw serve ramcloud --role client'

Exit status:
  0  a server was ended; every request of a client was answered
  1  a client's request failed
  2  wrong use, or the address is not available
  3  nothing listens where the client connects; verbs://: there is no such device
)";

std::string help() {
  std::string text(kRoles);
  for (const Scheme* scheme : schemes()) text += scheme->serve_help;
  return text.append("\n").append(kApplications);
}

struct ServeCommand {
  std::string protocol, uri, role, revision, application = "echo";
  std::vector<std::string> deviations, features;
  std::uint64_t seed = 1;
  unsigned requests = 1;
  std::size_t request_octets = 64;
  bool parallel = false;
  std::optional<double> idle;
  bool list_deviations = false;
};

int list_deviations(const Protocol& protocol, const ReferencePeer& reference) {
  const std::size_t width = columns_of(STDOUT_FILENO);
  auto out = Output::to_descriptor(STDOUT_FILENO, "standard output");
  for (const DeviationName& one : reference.deviations()) {
    const std::string who = one.role == Role::responder ? std::string(protocol.responder)
                            : one.role == Role::initiator
                                ? std::string(protocol.initiator)
                                : fmt::format("{} or {}", protocol.responder, protocol.initiator);
    out.print("{}  {}\n    {}\n", one.name, who, wrapped(one.text, width, 4));
  }
  return finish(out);
}

int refused(const Refusal& refusal) {
  complain(refusal.message);
  return static_cast<int>(refusal.is_peer_lost ? ExitStatus::peer_lost : ExitStatus::misused);
}

// Prints the address at which it listens. Returns the exit status if it cannot listen.
std::optional<int> announce(const Protocol& protocol, std::string_view scheme, const PeerService& service) {
  std::string query;
  for (const auto& [name, value] : service.offers())
    query += fmt::format("{}{}={}", query.empty() ? '?' : '&', name, value);
  auto out = Output::to_descriptor(STDOUT_FILENO, "standard output");
  const std::string place = service.place(), beside = service.beside();
  out.print("{} {} at {}://{}{}{}\n", protocol.name, protocol.responder, scheme, place, query,
            beside.empty() ? "" : fmt::format(" and {}://{}", beside, place));
  if (const auto at = pcap::parse_endpoint(place); at && !is_loopback(at->address))
    complain(fmt::format("{} is reachable from other machines and answers any sender", place));
  const int status = finish(out);
  return status == 0 ? std::nullopt : std::optional(status);
}

ServeOptions options_of(const ServeCommand& command, bool until_done) {
  ServeOptions options{.until_done = until_done};
  options.log = [](const std::string& line) { complain(line); };
  if (command.idle) options.idle = std::chrono::nanoseconds{static_cast<std::int64_t>(*command.idle * 1e9)};
  return options;
}

// Reads the URI of a peer as a server prints it, and drops the parameters that do not concern the peer that connects.
tl::expected<Uri, std::string> uri_of_server(const std::string& text, const Protocol& protocol,
                                             const ReferencePeer& reference) {
  std::vector<Feature> known(reference.parameters.begin(), reference.parameters.end());
  known.insert(known.end(), protocol.parameters.begin(), protocol.parameters.end());
  auto uri = parse_peer_uri(text, protocol.transports, known);
  if (uri)
    std::erase_if(uri->query, [&](const auto& one) {
      return std::ranges::find(reference.parameters, one.first, &Feature::name) == reference.parameters.end();
    });
  return uri;
}

tl::expected<Uri, std::string> uri_of(const ServeCommand& command, const Protocol& protocol,
                                      const ReferencePeer& reference, bool initiates) {
  if (initiates) return uri_of_server(command.uri, protocol, reference);
  const std::string anywhere = fmt::format("{}://", first_transport(protocol.transports));
  return parse_listen_uri(command.uri.empty() ? anywhere : command.uri, protocol.transports, reference.parameters);
}

int run_peer(const ServeCommand& command, const Protocol& protocol, const ServeRequest& request) {
  const bool initiates = request.options.role == Role::initiator;
  const Scheme& scheme = *find_scheme(request.uri.scheme);
  const auto service = scheme.serve(request);
  if (!service) return refused(service.error());
  if (!initiates)
    if (const auto failed = announce(protocol, scheme.name, **service)) return *failed;
  if (const auto served = (*service)->run(options_of(command, initiates)); !served) return refused(served.error());
  if (!initiates) return 0;
  fmt::print(stderr, "{}", (*service)->state());
  return (*service)->is_done() ? 0 : 1;
}

// The first word that the protocol does not know.
std::optional<std::string> unknown_word(const ServeCommand& command, const Protocol& protocol) {
  if (!command.role.empty() && command.role != protocol.initiator && command.role != protocol.responder)
    return fmt::format("--role: '{}' is neither {} nor {}", command.role, protocol.responder, protocol.initiator);
  if (auto unknown = unknown_feature(command.features, &protocol)) return unknown;
  if (auto unknown = unknown_revision(command.revision, &protocol)) return unknown;
  if (auto foreign = foreign_application(command.application, protocol)) return foreign;
  return unknown_deviation(command.deviations, protocol);
}

int run(const ServeCommand& command) {
  const auto named = protocol_named(command.protocol, "");
  if (!named) return complain(named.error());
  const Protocol& protocol = **named;
  const ReferencePeer* const reference = find_reference_peer(protocol.name);
  if (!reference) return complain(fmt::format("{} has no reference peer", protocol.name));
  if (command.list_deviations) return list_deviations(protocol, *reference);
  const bool initiates = command.role == protocol.initiator;
  if (const auto unknown = unknown_word(command, protocol)) return complain(*unknown);
  const auto uri = uri_of(command, protocol, *reference, initiates);
  if (!uri) return complain(uri.error());
  return run_peer(
      command, protocol,
      {.reference = *reference,
       .uri = *uri,
       .options = {.role = initiates ? Role::initiator : Role::responder,
                   .application = application_of(command.application),
                   .deviations = command.deviations,
                   .features = command.features,
                   .parameters = uri->query,
                   .revision = command.revision},
       .seed = command.seed,
       .requests = {.octets = command.request_octets, .count = command.requests, .parallel = command.parallel}});
}

void add_serve_options(CLI::App& app, ServeCommand& command) {
  add_option(app, "protocol", command.protocol, "The protocol of the peer")
      ->required()
      ->type_name(live_protocol_words());
  add_option(app, "uri", command.uri, "Where to listen or connect, in one of the forms below")
      ->type_name("URI")
      ->envname("WIRELAW_URI");
  add_option(app, "--role", command.role, "Role of the reference peer (default: the one that listens)")
      ->type_name(role_words());
  add_application_option(app, command.application, "What the application above a server does (default echo)");
  add_deviate_option(app, command.deviations);
  add_feature_option(app, command.features);
  add_revision_option(app, command.revision, "Revision of the specification to follow (default: the first)");
  add_flag(app, "--list-deviations", command.list_deviations, "List the deviations that it can commit");
  add_option(app, "--requests", command.requests, "Number of requests that a client makes (default 1)")
      ->type_name("N")
      ->envname("WIRELAW_REQUESTS");
  add_option(app, "--request-octets", command.request_octets, "Size of each request (default 64)")
      ->type_name("N")
      ->envname("WIRELAW_REQUEST_OCTETS");
  add_flag(app, "--parallel", command.parallel, "Make all requests at once, not one after the other")
      ->envname("WIRELAW_PARALLEL");
  add_option(app, "--seed", command.seed, "Random seed of its session tokens and hints (default 1)")->type_name("N");
  add_option(app, "--idle", command.idle, "End after this time without receiving anything")
      ->type_name("SECONDS")
      ->check(positive_seconds());
}

}  // namespace

std::optional<std::string> wrong_serve_options(const Protocol& protocol, const std::string& options) {
  if (options.find_first_of("$`\\|&;<>()*?[]#~{}") != options.npos) return std::nullopt;  // the shell's, or a value's
  CLI::App app;
  ServeCommand command;
  add_serve_options(app, command);
  try {
    app.parse(fmt::format("{} {}", protocol.name, options));
  } catch (const CLI::ParseError& error) {
    return wrong_use(app, error);
  }
  return unknown_word(command, protocol);
}

void add_serve(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("serve", "Run a reference peer: a server, or a client that makes requests");
  auto command = std::make_shared<ServeCommand>();  // lives as long as the callback that CLI11 copies
  add_serve_options(*app, *command);
  app->footer(help());
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw
