// SPDX-License-Identifier: Apache-2.0
// URIs on the command line: udp://127.0.0.1:7000, tcp://[::1]:7000, memory:?loss=0.1&seed=7,
// srd://::ffff:127.0.0.1/40000/0x1234abcd?device=rdmap0. The scheme parses the part after "//"
// (harness/transports/scheme.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace wirelaw {

struct Uri {
  using Query = std::vector<std::pair<std::string, std::string>>;

  std::string scheme;
  std::string place = {};  // between "//" and '?'
  Query query = {};        // options for the peer
  Query options = {};      // options in the query for the transport (Scheme::options)
  bool has_place = true;   // the URI has a "//"

  // The value of a transport option. Empty if it is not set.
  std::string option(std::string_view name) const;
};

// The error describes what is wrong with the text.
tl::expected<Uri, std::string_view> parse_uri(std::string_view text);

// Returns the first URI with this scheme in a line, such as a peer prints when it listens.
std::optional<Uri> uri_in(std::string_view line, std::string_view scheme);

// An IP address in a URI: HOST, HOST:PORT, [IPV6], [IPV6]:PORT or :PORT.
struct HostPort {
  std::string host;  // without the brackets of an IPv6 address; empty if there is none
  std::optional<std::uint16_t> port;
};
tl::expected<HostPort, std::string_view> parse_host_and_port(std::string_view place);

// "127.0.0.1:7000", "[::1]:7000"
std::string host_and_port(std::string_view host, std::uint32_t port);
// Same, for the address at which a peer on this machine listens.
std::string place_here(std::string_view host, std::uint32_t port);

}  // namespace wirelaw
