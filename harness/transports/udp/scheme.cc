// SPDX-License-Identifier: Apache-2.0
// udp://HOST:PORT: each datagram is a message.
#include "harness/transports/scheme.h"

#include <fmt/format.h>

#include "harness/transports/live_iut.h"
#include "harness/transports/socket_connector.h"
#include "harness/transports/udp/udp_conversation.h"
#include "harness/transports/udp/udp_serve.h"

namespace wirelaw {
namespace {

tl::expected<std::unique_ptr<Connector>, TransportError> connect(const Uri& peer, const LiveClock& clock) {
  const SocketPlace place = socket_place(peer);
  const auto found = UdpSocket::connect(place.host, place.port);  // looks the name up
  if (!found) return tl::unexpected(found.error());
  return std::make_unique<SocketConnector>(kDatagrams, connect_udp, false, place.host, found->remote(), clock);
}

tl::expected<std::unique_ptr<Listener>, TransportError> listen(const Uri& at, const LiveClock& clock) {
  const SocketPlace place = socket_place(at);
  auto socket = UdpSocket::bind(place.host, place.port);
  if (!socket) return tl::unexpected(socket.error());
  return std::make_unique<UdpListener>(std::move(*socket), place.host, clock);
}

tl::expected<std::unique_ptr<PeerService>, Refusal> serve(const ServeRequest& request) {
  if (request.options.role == Role::initiator && request.reference.begins_over_stream)
    return tl::unexpected(Refusal{fmt::format("an initiator of {} opens its sessions over TCP: give tcp://{}",
                                              request.reference.protocol, request.uri.place)});
  const SocketPlace place = socket_place(request.uri);
  return serve_over<UdpSocket>(
      UdpSocket::bind, [](const std::string& host, std::uint16_t port) { return UdpSocket::connect(host, port); },
      request, place.host, place.port);
}

}  // namespace

extern const Scheme kUdpScheme;
constinit const Scheme kUdpScheme{
    .name = "udp",
    .framing = kDatagrams,
    .form = "udp://HOST:PORT, udp://[IPV6]:PORT",
    .wrong = wrong_host_and_port,
    .test_help =
        R"(  udp://HOST:PORT             a peer that listens at this UDP port. For efa the path must lose no
                              packets, because efa does not retransmit
)",
    .serve_help = "  udp://[HOST][:PORT]         at this UDP port\n",
    .connect = connect,
    .listen = listen,
    .make_iut = make_live_iut,
    .serve = serve,
};

}  // namespace wirelaw
