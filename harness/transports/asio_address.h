// SPDX-License-Identifier: Apache-2.0
// Converts between Asio's addresses and errors and ours; for the sources that hold UDP or TCP sockets.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <asio/io_context.hpp>
#include <asio/ip/basic_resolver.hpp>
#include <string>
#include <tl/expected.hpp>

#include "conformance/transport.h"
#include "harness/transports/local_resource_error.h"
#include "pcap/address.h"

namespace wirelaw {

template <class Protocol>
pcap::Endpoint endpoint_of(const asio::ip::basic_endpoint<Protocol>& from) {
  pcap::Endpoint endpoint{.address = {}, .port = from.port()};
  if (from.address().is_v6()) {
    endpoint.address = pcap::Address::ipv6(from.address().to_v6().to_bytes().data());
  } else {
    endpoint.address = pcap::Address::ipv4(from.address().to_v4().to_bytes().data());
  }
  return endpoint;
}

inline tl::unexpected<TransportError> failure(const std::string& what, const asio::error_code& code, std::string hint) {
  return tl::unexpected(TransportError{fmt::format("{}: {}", what, code.message()), std::move(hint)});
}

template <class Protocol>
asio::ip::basic_endpoint<Protocol> asio_endpoint(const pcap::Endpoint& to) {
  const auto port = static_cast<std::uint16_t>(to.port);
  if (to.address.v6) return {asio::ip::address_v6(to.address.octets), port};
  asio::ip::address_v4::bytes_type bytes{};
  std::copy_n(to.address.octets.begin(), bytes.size(), bytes.begin());
  return {asio::ip::address_v4(bytes), port};
}

inline tl::unexpected<TransportError> no_such_address(const pcap::Address& from) {
  return tl::unexpected(TransportError{.message = "this machine does not have the address " + pcap::to_string(from),
                                       .hint = "give it to an interface",
                                       .no_way = true});
}

// At least one endpoint; `host` is an address or a name.
template <class Protocol>
tl::expected<typename Protocol::resolver::results_type, TransportError> resolve(asio::io_context& context,
                                                                                const std::string& host,
                                                                                std::uint16_t port) {
  asio::error_code code;
  typename Protocol::resolver resolver(context);
  auto found = resolver.resolve(host, std::to_string(port), Protocol::resolver::numeric_service, code);
  if (code || found.empty()) return failure("cannot find " + host, code, "check the name of the host");
  return found;
}

}  // namespace wirelaw
