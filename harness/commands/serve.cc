// SPDX-License-Identifier: Apache-2.0
// wirelaw serve: runs a reference peer over UDP, TCP or SRD, or an RDMA device as one.
#include "harness/serve.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "harness/commands/capture_options.h"
#include "harness/commands/command.h"
#include "harness/commands/endpoint_options.h"
#include "harness/commands/output_options.h"
#include "harness/sockets/tcp_service.h"
#include "harness/srd/conversation.h"
#include "harness/srd/serve.h"
#include "harness/uri.h"
#include "harness/verbs/iut.h"
#include "harness/verbs/service.h"
#include "reports/printable.h"

namespace wirelaw {
namespace {

constexpr std::string_view kHelp =
    "A server listens at the URI, at the loopback address unless the URI names another, at any port unless it names\n"
    "one, and prints its URI when it is ready. It ends on SIGINT or SIGTERM, or after --idle.\n"
    "A client connects to the URI, makes its requests, and ends. Without options it makes those that `wirelaw test\n"
    "--trigger` asks for in the environment: WIRELAW_URI, WIRELAW_REQUESTS, WIRELAW_REQUEST_OCTETS, "
    "WIRELAW_PARALLEL.\n\n"
    "The application above the server:\n"
    "  echo   answers each request with the request's own octets (the default)\n"
    "  count  as echo, but a request that begins with the octets WIRELAW-COUNT is answered with the number of such\n"
    "         requests that it has seen, as four little-endian octets\n"
    "  none   answers each request with the same few octets, or not at all\n\n"
    "What the applications do beyond that, by protocol:\n"
    "  efa    A responder answers each message by one with the same octets, tag and CQ data, and a write with CQ data\n"
    "         by an empty message with it. It offers 1 MiB of memory at address 0 with key 0x57495245, or what its "
    "URI\n"
    "         says: udp://:7000?addr=0x1000&key=7&length=65536&mtu=1400. A requester makes its requests as messages,\n"
    "         then goes through every subprotocol that both have; its URI says what its peer offers. UDP has no RDMA:\n"
    "         long reads are answered by READ_NACK. The raw address is the UDP address: listen at one that peers "
    "reach.\n\n"
    "Examples:\n"
    "  wirelaw serve ramcloud                                 on loopback, any port\n"
    "  wirelaw serve ramcloud udp://0.0.0.0:7000              for other machines too\n"
    "  wirelaw serve ramcloud udp://:7000 --deviate no-ack    with a fault, to see `wirelaw test` find it\n"
    "  wirelaw serve rdmap tcp://:7175                        over TCP: many connections at once\n"
    "  wirelaw serve rdmap verbs://192.0.2.7:7175             by the RDMA device that has this address\n"
    "  wirelaw serve efa udp://:7000?mtu=1400                 packets that fit an Ethernet frame\n"
    "  wirelaw serve efa srd://                               at a queue pair of the first EFA device\n"
    "  wirelaw serve ramcloud udp://127.0.0.1:7000 --as client --requests 10 --request-octets 5000\n"
    "  wirelaw test ramcloud --listen udp:// --trigger 'wirelaw serve ramcloud --as client'\n\n"
    "Exit status:\n"
    "  0  a server was ended; every request of a client was answered\n"
    "  1  a request of a client came to nothing\n"
    "  2  wrong use, or the address cannot be had\n"
    "  3  nobody listens where the client connects; verbs://: there is no such device\n";

struct ServeCommand {
  std::string protocol, uri, role, application = "echo";
  std::vector<std::string> deviations, features;
  std::uint64_t seed = 1;
  unsigned requests = 1;
  std::size_t request_octets = 64;
  bool parallel = false;
  std::optional<double> idle;
  bool list_deviations = false;
};

std::string one_line(const CarriageError& error) {
  return error.hint.empty() ? error.message : fmt::format("{}; {}", error.message, error.hint);
}

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

int lost(const CarriageError& error) {
  complain(one_line(error));
  return static_cast<int>(ExitStatus::peer_lost);
}

// Says where it listens; the exit status where it cannot.
std::optional<int> announce(const Protocol& protocol, std::string_view scheme, std::string_view place,
                            const IutParameters& offers) {
  std::string query;
  for (const auto& [name, value] : offers) query += fmt::format("{}{}={}", query.empty() ? '?' : '&', name, value);
  auto out = Output::to_descriptor(STDOUT_FILENO, "standard output");
  out.print("{} {} at {}://{}{}\n", protocol.name, protocol.responder, scheme, place, query);
  const int status = finish(out);
  return status == 0 ? std::nullopt : std::optional(status);
}

ServeOptions options_of(const ServeCommand& command, bool until_done) {
  ServeOptions options{.until_done = until_done};
  if (command.idle) options.idle = std::chrono::nanoseconds{static_cast<std::int64_t>(*command.idle * 1e9)};
  return options;
}

int serve_responder(const ServeCommand& command, const Protocol& protocol, const Uri& at, Peer& peer,
                    const IutParameters& offers) {
  const auto serve_at = [&](auto socket) {
    if (!socket) return complain(one_line(socket.error()));
    socket->stop_on_signals();
    if (const auto failed = announce(protocol, at.scheme, pcap::to_string(socket->local()), offers)) return *failed;
    const auto served = serve(*socket, peer, options_of(command, false));
    return served ? 0 : complain(one_line(served.error()));
  };
  return is_stream(at.scheme) ? serve_at(TcpService::listen(at.host, *at.port))
                              : serve_at(UdpSocket::bind(at.host, *at.port));
}

// Without requests it waits to be driven (WIRELAW_CONTROL).
void begin_requests(const ServeCommand& command, Peer& peer) {
  if (command.requests > 0)
    peer.trigger(0, {.octets = command.request_octets, .count = command.requests, .parallel = command.parallel},
                 Instant{0});
}

int serve_initiator(const ServeCommand& command, const Uri& to, Peer& peer) {
  const auto serve_to = [&](auto socket) {
    if (!socket) return lost(socket.error());
    socket->stop_on_signals();
    begin_requests(command, peer);
    if (const auto served = serve(*socket, peer, options_of(command, true)); !served) return lost(served.error());
    fmt::print(stderr, "{}", peer.state());
    return peer.failed() > 0 || !peer.idle() ? 1 : 0;
  };
  return is_stream(to.scheme) ? serve_to(TcpService::connect(to.host, *to.port))
                              : serve_to(UdpSocket::connect(to.host, *to.port));
}

// --- over SRD

// The region's place and key are the device's choice.
IutParameters offers_of(Peer& peer, const ReferencePeer& reference, const PeerOptions& options) {
  IutParameters said = wirelaw::offers_of(reference, options);
  const auto offered = peer.rdma() == nullptr ? std::nullopt : peer.rdma()->offered();
  if (!offered) return said;
  for (auto& [name, value] : said) {
    if (name == "addr") value = fmt::format("{:#x}", offered->addr);
    if (name == "key") value = fmt::format("{:#x}", offered->key);
  }
  return said;
}

int run_over_srd(const ServeCommand& command, const Protocol& protocol, const ReferencePeer& reference, const Uri& uri,
                 PeerOptions options) {
  const bool initiates = options.role == Role::initiator;
  auto device = SrdDevice::open(uri.srd->device, initiates ? std::nullopt : uri.srd->gid);
  if (!device) return lost(device.error());
  auto socket = initiates ? (*device)->make_socket(std::nullopt) : socket_at(**device, *uri.srd);
  if (!socket) return lost(socket.error());
  options.rdma = (*device)->abilities().rdma_read;
  if (options.rdma) options.features.emplace_back("rdma_read");
  if ((*device)->abilities().rdma_write) options.features.emplace_back("rdma_write");
  const auto maker = reference.maker(options);
  if (!maker) return complain(maker.error());
  const auto peer = (*maker)(command.seed);
  attach(*peer, **device, **socket);
  stop_srd_on_signals();
  if (!initiates)
    if (const auto failed =
            announce(protocol, uri.scheme, to_string((*socket)->local()), offers_of(*peer, reference, options)))
      return *failed;
  if (initiates) begin_requests(command, *peer);
  const auto served =
      serve_srd(**socket, *peer, initiates ? uri.srd->whole() : std::nullopt, options_of(command, initiates));
  if (!served) return lost(served.error());
  if (!initiates) return 0;
  fmt::print(stderr, "{}", peer->state());
  return peer->failed() > 0 || !peer->idle() ? 1 : 0;
}

// A device of this machine: what it speaks is its own affair.
int serve_verbs(const ServeCommand& command, const Protocol& protocol, const Uri& uri, bool initiates) {
  if (!command.deviations.empty()) return complain("--deviate: a device commits no faults that it is told to");
  if (!command.features.empty()) return complain("--feature: a device has what it has");
  if (initiates) {
    const auto service = VerbsService::connect(
        uri, {.octets = command.request_octets, .count = command.requests, .parallel = command.parallel});
    if (!service) return lost(service.error());
    if (const auto served = (*service)->run(options_of(command, true)); !served) return lost(served.error());
    fmt::print(stderr, "{}", (*service)->state());
    return (*service)->failed() > 0 ? 1 : 0;
  }
  const auto service = VerbsService::listen(uri, application_of(command.application));
  if (!service) return lost(service.error());
  if (const auto failed = announce(protocol, uri.scheme, pcap::to_string((*service)->local()), {})) return *failed;
  const auto served = (*service)->run(options_of(command, false));
  return served ? 0 : complain(one_line(served.error()));
}

tl::expected<Uri, std::string> uri_of(const ServeCommand& command, const Protocol& protocol,
                                      const ReferencePeer& reference, bool initiates) {
  if (initiates) return parse_peer_uri(command.uri, protocol.carriages, reference.parameters);
  const std::string anywhere = fmt::format("{}://", first_carriage(protocol.carriages));
  return parse_listen_uri(command.uri.empty() ? anywhere : command.uri, protocol.carriages, reference.parameters);
}

int run(const ServeCommand& command) {
  const auto named = protocol_named(command.protocol);
  if (!named) return complain(named.error());
  const Protocol& protocol = **named;
  const ReferencePeer* const reference = find_reference_peer(protocol.name);
  if (!reference) return complain(fmt::format("there is no reference peer for {}", protocol.name));
  if (command.list_deviations) return list_deviations(protocol, *reference);
  const bool initiates = command.role == protocol.initiator;
  if (!initiates && !command.role.empty() && command.role != protocol.responder)
    return complain(
        fmt::format("--as: '{}' is neither {} nor {}", command.role, protocol.responder, protocol.initiator));
  if (const auto unknown = unknown_feature(command.features, &protocol)) return complain(*unknown);
  const auto uri = uri_of(command, protocol, *reference, initiates);
  if (!uri) return complain(uri.error());
  if (uri->scheme == kVerbs) return serve_verbs(command, protocol, *uri, initiates);
  const PeerOptions options{.role = initiates ? Role::initiator : Role::responder,
                            .application = application_of(command.application),
                            .deviations = command.deviations,
                            .features = command.features,
                            .parameters = uri->query};
  if (uri->srd) return run_over_srd(command, protocol, *reference, *uri, options);
  const auto maker = reference->maker(options);
  if (!maker) return complain(maker.error());
  const auto peer = (*maker)(command.seed);
  return initiates ? serve_initiator(command, *uri, *peer)
                   : serve_responder(command, protocol, *uri, *peer, offers_of(*reference, options));
}

}  // namespace

void add_serve(CLI::App& root, int& status) {
  CLI::App* app = root.add_subcommand("serve", "Run a reference peer: a server, or a client that makes requests");
  auto command = std::make_shared<ServeCommand>();  // lives as long as the callback that CLI11 copies
  app->add_option("protocol", command->protocol, "What it speaks")->required()->type_name(protocol_words());
  app->add_option(
         "uri", command->uri,
         "SCHEME://[HOST][:PORT] to listen at, or SCHEME://HOST:PORT to connect to; SCHEME is udp, tcp or verbs; "
         "or srd://[GID[/QPN[/CONNID]]]")
      ->type_name("URI")
      ->envname("WIRELAW_URI");
  app->add_option("--as", command->role, "What it plays (default: the one that is connected to)")
      ->type_name(role_words());
  add_application_option(*app, command->application, "What the application above a server does (default echo)");
  add_deviate_option(*app, command->deviations);
  add_feature_option(*app, command->features);
  app->add_flag("--list-deviations", command->list_deviations, "List the faults that it can commit");
  app->add_option("--requests", command->requests, "How many a client makes (default 1)")
      ->type_name("N")
      ->envname("WIRELAW_REQUESTS");
  app->add_option("--request-octets", command->request_octets, "The size of each (default 64)")
      ->type_name("N")
      ->envname("WIRELAW_REQUEST_OCTETS");
  app->add_flag("--parallel", command->parallel, "All at once, not one after the other")->envname("WIRELAW_PARALLEL");
  app->add_option("--seed", command->seed, "Of its session tokens and hints (default 1)")->type_name("N");
  app->add_option("--idle", command->idle, "End after this time without hearing anything")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.001, 1e6).description(""));
  app->footer(std::string(kHelp));
  app->callback([command, &status] { status = run(*command); });
}

}  // namespace wirelaw
