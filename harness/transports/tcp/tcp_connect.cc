// SPDX-License-Identifier: Apache-2.0
#include "harness/transports/tcp/tcp_connect.h"

#include <fmt/format.h>

#include <cerrno>
#include <optional>

#include "harness/transports/asio_address.h"
#include "harness/transports/local_resource_error.h"
#include "harness/uri.h"

namespace wirelaw {
namespace {

using asio::ip::tcp;
using Code = asio::error_code;

// Returns the result; `timed_out` if the deadline has passed.
Code connect_to(asio::io_context& context, tcp::socket& socket, const tcp::endpoint& to,
                std::chrono::steady_clock::time_point deadline, const std::optional<pcap::Address>& from) {
  Code code;
  socket.open(to.protocol(), code);
  if (!code && from) socket.bind(asio_endpoint<tcp>({.address = *from}), code);
  if (code) return code;
  std::optional<Code> outcome;
  socket.async_connect(to, [&](const Code& result) { outcome = result; });
  context.restart();
  while (!outcome && context.run_one_until(deadline) > 0) {
  }
  if (outcome) return *outcome;
  // The handler refers to this stack frame, so it has to run before the function returns.
  Code ignored;
  socket.close(ignored);
  context.restart();
  while (!outcome) context.run_one();
  return asio::error::timed_out;
}

TransportError unreachable(const std::string& name, const Code& code) {
  if (code == asio::error::connection_refused)
    return {fmt::format("nobody listens at {}", name), "start it, or check the address"};
  if (code == asio::error::timed_out)
    return {fmt::format("{} does not answer", name), "check the address, and a firewall on the way"};
  if (code == asio::error::no_descriptors) return {fmt::format("cannot open a socket: {}", code.message()), kNoSocket};
  if (code == asio::error::address_in_use || code.value() == EADDRNOTAVAIL) return no_port_to(name);
  return {fmt::format("cannot reach {}: {}", name, code.message()), "check the address and the network on the way"};
}

}  // namespace

tl::expected<MadeConnection, TransportError> connect_by_name(asio::io_context& context, tcp::socket& socket,
                                                             const std::string& host, std::uint16_t port,
                                                             std::chrono::steady_clock::time_point deadline,
                                                             const std::optional<pcap::Address>& from) {
  const auto found = resolve<tcp>(context, host, port);
  if (!found) return tl::unexpected(found.error());
  Code code;
  for (const auto& entry : *found) {
    Code ignored;
    socket.close(ignored);
    code = connect_to(context, socket, entry.endpoint(), deadline, from);
    // A peer that refuses a connection resets it, too, but the system reports that as refused.
    const bool is_reset = code == asio::error::connection_reset || code == asio::error::broken_pipe;
    if (!code || is_reset) return MadeConnection{.remote = endpoint_of(entry.endpoint()), .is_reset = is_reset};
  }
  // If the address is local, the socket has a port at it, but the connection has found no free one.
  Code ignored;
  const bool is_bound = socket.local_endpoint(ignored).port() != 0;
  if (from && !is_bound && code.value() == EADDRNOTAVAIL) return no_such_address(*from);
  return tl::unexpected(unreachable(host_and_port(host, port), code));
}

tl::expected<void, TransportError> listen_by_name(asio::io_context& context, tcp::acceptor& acceptor,
                                                  const std::string& host, std::uint16_t port) {
  const auto found = resolve<tcp>(context, host, port);
  if (!found) return tl::unexpected(found.error());
  const tcp::endpoint at = found->begin()->endpoint();
  Code code, ignored;
  acceptor.open(at.protocol(), code);
  if (code) return failure("cannot open a socket", code, kNoSocket);
  acceptor.set_option(asio::socket_base::reuse_address(true), ignored);
  acceptor.bind(at, code);
  if (!code) acceptor.listen(asio::socket_base::max_listen_connections, code);
  if (code) return failure("cannot listen at " + host_and_port(host, port), code, "choose another port, or 0 for any");
  return {};
}

}  // namespace wirelaw
