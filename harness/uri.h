// SPDX-License-Identifier: Apache-2.0
// Peer URIs of the command line: udp://127.0.0.1:7000, tcp://[::1]:7000, udp://host.example:7000,
// memory:?loss=0.1&seed=7, srd://::ffff:127.0.0.1/40000/0x1234abcd?device=rdmap0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "conformance/protocol.h"
#include "harness/memory/virtual_network.h"
#include "harness/srd/address.h"

namespace wirelaw {

struct Uri {
  std::string scheme;
  std::string host;  // without the brackets of an IPv6 address; empty where there is none
  std::optional<std::uint16_t> port;
  std::vector<std::pair<std::string, std::string>> query;
  std::optional<SrdPlace> srd = {};  // of srd://, which has no port
};

// The error is one line that says what the right form is.
tl::expected<Uri, std::string> parse_uri(std::string_view text);

// A URI with all that one end of a conversation needs: a scheme out of `carriages` (Protocol::carriages), a host and a
// port. Its query may have `parameters` (Protocol::parameters).
tl::expected<Uri, std::string> parse_peer_uri(std::string_view text, std::string_view carriages,
                                              std::span<const Feature> parameters = {});
// A URI to listen at: without a host it is the loopback address, without a port any port (0).
tl::expected<Uri, std::string> parse_listen_uri(std::string_view text, std::string_view carriages,
                                                std::span<const Feature> parameters = {});

// The first URI with this scheme among the words of a line, such as a peer writes when it listens.
std::optional<Uri> uri_in(std::string_view line, std::string_view scheme);

// The first of a protocol's carriages: "udp".
std::string_view first_carriage(std::string_view carriages);

struct MemoryUri {
  Impairments impairments;
  std::optional<std::uint64_t> seed;
  bool verbs = false;  // the peer is an RDMA device, which cases may drive
  bool pair = false;   // the same, and a consumer has the other end of each connection
};
tl::expected<MemoryUri, std::string> parse_memory_uri(std::string_view text);

// "127.0.0.1:7000", "[::1]:7000"
std::string host_and_port(std::string_view host, std::uint32_t port);

}  // namespace wirelaw
