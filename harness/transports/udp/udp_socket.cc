// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/udp/udp_socket.h"

#include <fmt/format.h>

#include <asio/io_context.hpp>
#include <asio/ip/udp.hpp>
#include <asio/signal_set.hpp>
#include <csignal>

#include "harness/transports/asio_address.h"
#include "harness/transports/local_resource_error.h"
#include "harness/transports/thread_context.h"
#include "harness/transports/udp/held_ports.h"
#include "harness/uri.h"

namespace wirelaw {
namespace {

using asio::ip::udp;
using Code = asio::error_code;

constexpr std::size_t kLargestDatagram = 65'535;
constexpr int kReceiveBuffer = 1 << 20;

}  // namespace

struct UdpSocket::Inner {
  explicit Inner(std::shared_ptr<asio::io_context> of) : context(std::move(of)) {}
  Inner(const Inner&) = delete;
  Inner& operator=(const Inner&) = delete;
  ~Inner() {
    if (remote.port != 0) hold_port(socket.native_handle());
  }

  std::shared_ptr<asio::io_context> context;
  udp::socket socket{*context};
  asio::signal_set signals{*context};
  std::shared_ptr<bool> stopped = std::make_shared<bool>(false);  // the context may outlive the socket
  std::string name;                                               // HOST:PORT as the user wrote it
  pcap::Endpoint remote;
  OctetBuffer buffer = OctetBuffer(kLargestDatagram);

  // The peer's refusal arrives as ICMP and appears at the socket's next operation.
  TransportError error_of(const Code& code) const {
    if (code == asio::error::connection_refused)
      return {fmt::format("nobody listens at {}", name), "start it, or check the address"};
    return {fmt::format("{}: {}", name, code.message()), "check the address and the network on the way"};
  }
};

UdpSocket::UdpSocket(std::unique_ptr<Inner> inner) : inner_(std::move(inner)) {}
UdpSocket::UdpSocket(UdpSocket&&) noexcept = default;
UdpSocket& UdpSocket::operator=(UdpSocket&&) noexcept = default;
UdpSocket::~UdpSocket() = default;

namespace {

Code open(udp::socket& socket, const udp::endpoint& as) {
  Code code;
  socket.open(as.protocol(), code);
  // A burst is not to be lost while the judge is at work; a system that allows less gives less.
  Code ignored;
  if (!code) socket.set_option(asio::socket_base::receive_buffer_size(kReceiveBuffer), ignored);
  return code;
}

}  // namespace

tl::expected<UdpSocket, TransportError> UdpSocket::connect(const std::string& host, std::uint16_t port,
                                                           const std::optional<pcap::Address>& from) {
  auto inner = std::make_unique<Inner>(thread_context());
  inner->name = host_and_port(host, port);
  const auto found = resolve<udp>(*inner->context, host, port);
  if (!found) return tl::unexpected(found.error());
  const udp::endpoint to = found->begin()->endpoint();
  Code code = open(inner->socket, to);
  if (code == asio::error::no_descriptors && release_held_ports()) code = open(inner->socket, to);
  if (code) return failure("cannot open a socket", code, kNoSocket);
  // If the system finds no port for a datagram socket, it reports EAGAIN, which Asio maps to a lack of buffer space.
  const auto lacks_port = [&] { return code == asio::error::address_in_use || code == asio::error::no_buffer_space; };
  const auto take_port = [&] {
    code.clear();
    if (from) inner->socket.bind(asio_endpoint<udp>({.address = *from}), code);
    const bool bound = !code;
    if (bound) inner->socket.connect(to, code);
    return bound;
  };
  bool bound = take_port();
  if (lacks_port() && release_held_ports()) bound = take_port();
  if (lacks_port()) return tl::unexpected(no_port_to(inner->name));
  if (!bound) return no_such_address(*from);
  if (code) return failure("cannot reach " + inner->name, code, "check the address");
  inner->remote = endpoint_of(to);
  return UdpSocket(std::move(inner));
}

// The system may choose a port that an earlier conversation had. Such ports stay open until a fresh one is found. If
// there is none, the latest is used.
tl::expected<UdpSocket, TransportError> UdpSocket::connect_afresh(const std::string& host, std::uint16_t port,
                                                                  const std::optional<pcap::Address>& from) {
  constexpr std::size_t kMostPassedOver = 256;
  std::vector<UdpSocket> passed_over;
  while (true) {
    auto socket = connect(host, port, from);
    if (socket && is_fresh_place(socket->local(), socket->remote())) return socket;
    if (!socket && passed_over.empty()) return socket;
    if (!socket || passed_over.size() == kMostPassedOver) return std::move(passed_over.back());
    passed_over.push_back(std::move(*socket));
  }
}

tl::expected<UdpSocket, TransportError> UdpSocket::bind(const std::string& host, std::uint16_t port) {
  // It may be served by another thread.
  auto inner = std::make_unique<Inner>(std::make_shared<asio::io_context>(1));
  inner->name = host_and_port(host, port);
  const auto found = resolve<udp>(*inner->context, host, port);
  if (!found) return tl::unexpected(found.error());
  const udp::endpoint at = found->begin()->endpoint();
  if (const Code code = open(inner->socket, at)) return failure("cannot open a socket", code, kNoSocket);
  Code code;
  inner->socket.bind(at, code);
  if (code) return failure("cannot listen at " + inner->name, code, "choose another port, or 0 for any");
  return UdpSocket(std::move(inner));
}

pcap::Endpoint UdpSocket::local() const {
  Code code;
  return endpoint_of(inner_->socket.local_endpoint(code));
}

const pcap::Endpoint& UdpSocket::remote() const {
  return inner_->remote;
}

tl::expected<void, TransportError> UdpSocket::send(Octets octets) {
  Code code;
  inner_->socket.send(asio::buffer(octets.data(), octets.size()), 0, code);
  if (code) return tl::unexpected(inner_->error_of(code));
  return {};
}

tl::expected<void, TransportError> UdpSocket::send_to(const pcap::Endpoint& to, Octets octets) {
  Code code;
  inner_->socket.send_to(asio::buffer(octets.data(), octets.size()), asio_endpoint<udp>(to), 0, code);
  if (code) return failure("cannot send to " + pcap::to_string(to), code, "check the network on the way");
  return {};
}

tl::expected<std::optional<UdpDatagram>, TransportError> UdpSocket::receive(
    std::chrono::steady_clock::time_point deadline) {
  Inner& inner = *inner_;
  std::optional<Code> outcome;
  std::size_t length = 0;
  udp::endpoint from;
  inner.socket.async_receive_from(asio::buffer(inner.buffer), from, [&](const Code& code, std::size_t octets) {
    outcome = code;
    length = octets;
  });
  inner.context->restart();
  if (deadline <= std::chrono::steady_clock::now()) {
    inner.context->poll();
  } else {
    while (!outcome && !*inner.stopped && inner.context->run_one_until(deadline) > 0) {
    }
  }
  if (!outcome) {
    // The handler refers to this stack frame, so it has to run before the function returns.
    Code ignored;
    inner.socket.cancel(ignored);
    inner.context->restart();
    while (!outcome) inner.context->run_one();
  }
  if (*outcome == asio::error::operation_aborted) return std::nullopt;
  if (*outcome) return tl::unexpected(inner.error_of(*outcome));
  return UdpDatagram{endpoint_of(from),
                     OctetBuffer(inner.buffer.begin(), inner.buffer.begin() + static_cast<std::ptrdiff_t>(length))};
}

void UdpSocket::stop_on_signals() {
  Inner& inner = *inner_;
  Code code;
  inner.signals.add(SIGINT, code);
  inner.signals.add(SIGTERM, code);
  inner.signals.async_wait([stopped = inner.stopped](const Code& error, int) { *stopped = !error; });
}

bool UdpSocket::stopped() const {
  return *inner_->stopped;
}

}  // namespace wirelaw
