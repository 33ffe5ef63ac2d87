// SPDX-License-Identifier: Apache-2.0
// Makes and connects Asio's TCP sockets; for the sources that hold them.
#pragma once

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "conformance/transport.h"
#include "pcap/address.h"

namespace wirelaw {

// The time for a peer to accept a connection.
inline constexpr std::chrono::seconds kConnectTime{5};

struct MadeConnection {
  pcap::Endpoint remote;
  // The peer has already reset the connection. The system reports that only once, so a read shows an orderly end.
  bool is_reset = false;
};

// Tries each address of the name. Nothing else may run in the context meanwhile. `from` is our address; empty: the
// system chooses it. An address that this machine does not have is TransportError::no_way.
tl::expected<MadeConnection, TransportError> connect_by_name(asio::io_context& context, asio::ip::tcp::socket& socket,
                                                             const std::string& host, std::uint16_t port,
                                                             std::chrono::steady_clock::time_point deadline,
                                                             const std::optional<pcap::Address>& from = {});

// A port that we used a moment ago can be bound again.
tl::expected<void, TransportError> listen_by_name(asio::io_context& context, asio::ip::tcp::acceptor& acceptor,
                                                  const std::string& host, std::uint16_t port);

}  // namespace wirelaw
