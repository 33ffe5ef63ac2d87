// SPDX-License-Identifier: Apache-2.0
// tcp://HOST:PORT: a stream on each connection.
#include "harness/carriages/scheme.h"

#include "harness/carriages/live_iut.h"
#include "harness/carriages/socket_connector.h"
#include "harness/carriages/tcp/tcp_conversation.h"
#include "harness/carriages/tcp/tcp_service.h"

namespace wirelaw {
namespace {

tl::expected<std::unique_ptr<Connector>, CarriageError> connect(const Uri& peer, const LiveClock& clock) {
  const SocketPlace place = socket_place(peer);
  const auto found = find_tcp(place.host, place.port);
  if (!found) return tl::unexpected(found.error());
  return std::make_unique<SocketConnector>(connect_tcp, place.host, *found, clock);
}

tl::expected<std::unique_ptr<Listener>, CarriageError> listen(const Uri& at, const LiveClock& clock) {
  const SocketPlace place = socket_place(at);
  auto acceptor = TcpAcceptor::bind(place.host, place.port);
  if (!acceptor) return tl::unexpected(acceptor.error());
  return std::make_unique<TcpListener>(std::move(*acceptor), place.host, clock);
}

tl::expected<std::unique_ptr<PeerService>, Refusal> serve(const ServeRequest& request) {
  const SocketPlace place = socket_place(request.uri);
  return serve_over(TcpService::listen, TcpService::connect, request, place.host, place.port);
}

}  // namespace

extern const Scheme kTcpScheme;
constinit const Scheme kTcpScheme{
    .name = "tcp",
    .framing = kStreams,
    .form = "tcp://HOST:PORT, tcp://[IPV6]:PORT",
    .wrong = wrong_host_and_port,
    .test_help = "  tcp://HOST:PORT             a peer that listens at this TCP port\n",
    .serve_help = "  tcp://[HOST][:PORT]         at this TCP port: many connections at once\n",
    .connect = connect,
    .listen = listen,
    .make_iut = make_live_iut,
    .serve = serve,
};

}  // namespace wirelaw
