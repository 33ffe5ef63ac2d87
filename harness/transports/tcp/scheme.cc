// SPDX-License-Identifier: Apache-2.0
// tcp://HOST:PORT: a stream on each connection. iwarp://HOST[:PORT]: the same, for protocols above RDMAP, whose MPA is
// Wirelaw's own: no peer with an iWARP device needs one here.
#include "harness/transports/scheme.h"

#include "harness/transports/live_iut.h"
#include "harness/transports/socket_connector.h"
#include "harness/transports/tcp/tcp_conversation.h"
#include "harness/transports/tcp/tcp_service.h"

namespace wirelaw {
namespace {

constexpr std::uint16_t kAnyPort = 0;
constexpr std::uint16_t kIwarpPort = 5445;  // [MS-SMBD] 1.9: assigned to SMB Direct over iWARP

SocketPlace place_of(const Uri& uri, std::uint16_t default_port) {
  SocketPlace place = socket_place(uri);
  if (place.port == 0) place.port = default_port;
  return place;
}

template <std::uint16_t kDefaultPort, bool kHasBeside>
tl::expected<std::unique_ptr<Connector>, TransportError> connect(const Uri& peer, const LiveClock& clock) {
  const SocketPlace place = place_of(peer, kDefaultPort);
  const auto found = find_tcp(place.host, place.port);
  if (!found) return tl::unexpected(found.error());
  return std::make_unique<SocketConnector>(kStreams, connect_tcp, kHasBeside, place.host, *found, clock);
}

tl::expected<std::unique_ptr<Listener>, TransportError> listen(const Uri& at, const LiveClock& clock) {
  const SocketPlace place = socket_place(at);
  auto acceptor = TcpAcceptor::bind(place.host, place.port);
  if (!acceptor) return tl::unexpected(acceptor.error());
  return std::make_unique<TcpListener>(std::move(*acceptor), place.host, clock);
}

// The URI is the peer's if the role is initiator, and its port may be left out.
template <std::uint16_t kDefaultPort>
tl::expected<std::unique_ptr<PeerService>, Refusal> serve(const ServeRequest& request) {
  const SocketPlace place =
      request.options.role == Role::initiator ? place_of(request.uri, kDefaultPort) : socket_place(request.uri);
  const auto listen_there = [&](const std::string& host, std::uint16_t port) {
    return TcpService::listen(host, port, request.reference.datagrams_beside);
  };
  return serve_over<TcpService>(listen_there, TcpService::connect, request, place.host, place.port);
}

std::string wrong_host(const Uri& uri, UriUse use) {
  const auto at = parse_host_and_port(uri.place);
  if (!at) return std::string(at.error());
  return use != UriUse::listen && at->host.empty() ? "the host is missing" : "";
}

}  // namespace

extern const Scheme kTcpScheme, kIwarpScheme;
constinit const Scheme kTcpScheme{
    .name = "tcp",
    .framing = kStreams,
    .form = "tcp://HOST:PORT, tcp://[IPV6]:PORT",
    .wrong = wrong_host_and_port,
    .test_help = "  tcp://HOST:PORT             a peer that listens at this TCP port\n",
    .serve_help = "  tcp://[HOST][:PORT]         at this TCP port; serves many connections at once\n",
    .connect = connect<kAnyPort, true>,
    .listen = listen,
    .make_iut = make_live_iut,
    .serve = serve<kAnyPort>,
};
constinit const Scheme kIwarpScheme{
    .name = "iwarp",
    .framing = kStreams,
    .form = "iwarp://HOST[:PORT], iwarp://[IPV6][:PORT]",
    .wrong = wrong_host,
    .test_help = "  iwarp://HOST[:PORT]         a peer that listens for iWARP at this TCP port (default 5445)\n",
    .serve_help = "  iwarp://[HOST][:PORT]       at this TCP port, with RDMAP over MPA\n",
    .connect = connect<kIwarpPort, false>,
    .listen = listen,
    .make_iut = make_live_iut,
    .serve = serve<kIwarpPort>,
};

}  // namespace wirelaw
