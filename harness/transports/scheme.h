// SPDX-License-Identifier: Apache-2.0
// A transport, as a row: the meaning of a URI's scheme. Each transport has a folder here with its row in scheme.cc;
// parsing, dispatch and help derive from the rows. Adding a transport is adding its row to schemes().
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "harness/environment.h"
#include "harness/peers/reference_peers.h"
#include "harness/transports/connector.h"
#include "harness/transports/listener.h"
#include "harness/transports/live_clock.h"
#include "harness/transports/service.h"
#include "harness/uri.h"

namespace wirelaw {

enum class UriUse : std::uint8_t {
  peer,     // address at which a peer listens
  tested,   // likewise, where a command also takes the reference peer
  started,  // likewise, for a peer that we start; it reports the rest itself
  listen,   // address at which we listen
};

// The request of `wirelaw test`.
struct IutRequest {
  const Protocol& protocol;
  std::string text;  // the URI as the user wrote it
  Uri uri;
  Role role = Role::responder;  // role that the IUT plays; an initiator connects to us
  Service application = Service::echo;
  // --- for an IUT that is a separate process
  std::string trigger = {};              // the command that makes an initiator connect; empty: it is started by hand
  control::MakeRemote remote = nullptr;  // drives its application; nullptr: not possible
  // --- the reference peer
  std::vector<std::string> deviations = {};
  std::vector<std::string> features = {};
  std::string revision = {};
  std::optional<std::uint64_t> seed = {};
  std::uint64_t repetition = 0;  // for a repeated run: each repetition has another seed
};

struct TestedIut {
  std::unique_ptr<Iut> iut;
  IutParameters parameters;  // parameters in its URI
};

struct Scheme {
  std::string_view name;  // "udp"
  Framing framing;
  // --- its URIs
  std::string_view form;                             // the peer's URI in all its forms: "udp://HOST:PORT,
                                                     // udp://[IPV6]:PORT"
  std::span<const Feature> options = {};             // after '?': the transport's own
  std::string_view needs = {};                       // requirement of the machine: "an RDMA device"
  std::string (*wrong)(const Uri& uri, UriUse use);  // why the URI does not do; empty if it does
  // --- help: lines, each with its end
  std::string_view test_help;        // for wirelaw test
  std::string_view serve_help = {};  // for wirelaw serve

  // --- how to connect to an IUT that is a separate process; the clock outlives the result
  tl::expected<std::unique_ptr<Connector>, TransportError> (*connect)(const Uri& peer,
                                                                      const LiveClock& clock) = nullptr;
  tl::expected<std::unique_ptr<Listener>, TransportError> (*listen)(const Uri& at, const LiveClock& clock) = nullptr;
  // --- an IUT: make_live_iut() of live_iut.h, or one of the transport's own making
  tl::expected<TestedIut, Refusal> (*make_iut)(const IutRequest& request);
  std::string_view (*starts_itself)(const Protocol& protocol) = nullptr;  // why it needs neither --start nor --trigger;
                                                                          // empty: it may
  bool is_reference = false;  // the reference peer: --role, --deviate and --seed are for it
  // --- serves a peer at a local address, or a peer that connects
  tl::expected<std::unique_ptr<PeerService>, Refusal> (*serve)(const ServeRequest& request) = nullptr;
};

// Why an IUT of this transport needs neither --start nor --trigger; empty: it may.
inline std::string_view starts_itself(const Scheme& scheme, const Protocol& protocol) {
  return scheme.starts_itself == nullptr ? std::string_view() : scheme.starts_itself(protocol);
}

std::span<const Scheme* const> schemes();
const Scheme* find_scheme(std::string_view name);  // nullptr if there is none
// Returns the scheme of the URI in this text, which may be invalid otherwise.
const Scheme* scheme_of(std::string_view text);

// Returns the first of a protocol's transports: "udp".
std::string_view first_transport(std::string_view transports);
// True if the protocol can travel over this transport.
bool travels_over(std::string_view transports, std::string_view scheme);

// Parses a URI for one of `transports` (Protocol::transports). After '?' it may have `parameters`
// (Protocol::parameters) and the options of its scheme. The error is one line that shows the right form.
tl::expected<Uri, std::string> parse_peer_uri(std::string_view text, std::string_view transports,
                                              std::span<const Feature> parameters = {}, UriUse use = UriUse::peer);
// Same, for an address to listen at: without a host the loopback address, without a port any port (0).
tl::expected<Uri, std::string> parse_listen_uri(std::string_view text, std::string_view transports,
                                                std::span<const Feature> parameters = {});
// The URI of the reference peer: memory:?loss=0.1
tl::expected<Uri, std::string> parse_reference_uri(std::string_view text);

// --- places of IP
std::string wrong_host_and_port(const Uri& uri, UriUse use);  // Scheme::wrong
struct SocketPlace {
  std::string host;
  std::uint16_t port = 0;
};
SocketPlace socket_place(const Uri& uri);  // for a URI that has been parsed

}  // namespace wirelaw
