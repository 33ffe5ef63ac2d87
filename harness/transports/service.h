// SPDX-License-Identifier: Apache-2.0
// A peer that `wirelaw serve` runs for others: it listens at a local address, or connects.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "harness/peers/peer.h"
#include "harness/peers/reference_peers.h"
#include "harness/transports/refusal.h"
#include "harness/uri.h"

namespace wirelaw {

struct ServeOptions {
  std::optional<std::chrono::nanoseconds> idle = {};  // ends after so long without receiving anything
  bool until_done = false;                            // ends once the peer has no operation in progress
  std::size_t connections = 1024;                     // most open at the same time, for streams
  // A connection on which fewer than kLeastMoved octets go either way in this time is ended.
  std::chrono::nanoseconds connection_idle = std::chrono::seconds{60};
  // If the maximum is reached and another connection waits, the one that has been idle longest makes room, after this
  // time.
  std::chrono::nanoseconds room_after = std::chrono::seconds{1};
  std::function<void(const std::string&)> log = {};  // a line on connections that were ended or have to wait
};

struct ServeRequest {
  const ReferencePeer& reference;
  Uri uri;              // the address to listen at; for an initiator, to connect to
  PeerOptions options;  // without what the transport adds
  std::uint64_t seed = 1;
  TriggerRequest requests = {};  // requests for an initiator to make; without any it waits to be driven
                                 // (WIRELAW_CONTROL)
};

class PeerService {
 public:
  virtual ~PeerService() = default;

  virtual std::string place() const = 0;             // its listening address, as written after "//"
  virtual std::string beside() const { return {}; }  // the transport of the same place that it has as well: "udp"
  virtual IutParameters offers() const { return {}; }
  // Ends without an error on SIGINT or SIGTERM, when idle, or when done.
  virtual tl::expected<void, Refusal> run(const ServeOptions& options) = 0;
  // For an initiator: true if every request was answered.
  virtual bool is_done() const = 0;
  virtual std::string state() const = 0;  // as text
};

// The error is one line for the user.
inline tl::expected<std::unique_ptr<Peer>, Refusal> make_peer(const ServeRequest& request, const PeerOptions& options) {
  const auto maker = request.reference.maker(options);
  if (!maker) return tl::unexpected(Refusal{maker.error()});
  return (*maker)(request.seed);
}
inline void begin_requests(const ServeRequest& request, Peer& peer) {
  if (request.options.role == Role::initiator && request.requests.count > 0)
    peer.trigger(0, request.requests, Instant{0});
}

// Serves a reference peer over `wire`, which listens or has connected.
template <class Wire>
class ReferenceService final : public PeerService {
 public:
  ReferenceService(Wire wire, std::unique_ptr<Peer> peer, const ServeRequest& request)
      : wire_(std::move(wire)), peer_(std::move(peer)), request_(request) {}

  std::string place() const override { return pcap::to_string(wire_.local()); }
  std::string beside() const override {
    if constexpr (requires { wire_.has_datagrams(); }) return wire_.has_datagrams() ? "udp" : "";
    return {};
  }
  IutParameters offers() const override { return offers_of(request_.reference, request_.options); }
  tl::expected<void, Refusal> run(const ServeOptions& options) override {
    const auto served = serve(wire_, *peer_, options);
    if (served) return {};
    return tl::unexpected(request_.options.role == Role::initiator ? peer_lost(served.error())
                                                                   : misuse(served.error()));
  }
  bool is_done() const override { return peer_->failed() == 0 && peer_->idle(); }
  std::string state() const override { return peer_->state(); }

 private:
  Wire wire_;
  std::unique_ptr<Peer> peer_;
  ServeRequest request_;
};

// Serves over sockets. `Wire` is their service: its listen() and connect() take a host and a port.
template <class Wire, class Listen, class Connect>
tl::expected<std::unique_ptr<PeerService>, Refusal> serve_over(const Listen& listen, const Connect& connect,
                                                               const ServeRequest& request, const std::string& host,
                                                               std::uint16_t port) {
  const bool initiates = request.options.role == Role::initiator;
  auto peer = make_peer(request, request.options);
  if (!peer) return tl::unexpected(peer.error());
  tl::expected<Wire, TransportError> wire = initiates ? connect(host, port) : listen(host, port);
  if (!wire) return tl::unexpected(initiates ? peer_lost(wire.error()) : misuse(wire.error()));
  wire->stop_on_signals();
  (*peer)->located({.endpoint = wire->local()});  // its first message may contain it
  begin_requests(request, **peer);
  return std::make_unique<ReferenceService<Wire>>(std::move(*wire), std::move(*peer), request);
}

}  // namespace wirelaw
