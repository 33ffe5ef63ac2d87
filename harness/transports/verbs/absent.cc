// SPDX-License-Identifier: Apache-2.0
// The verbs transport of a build without the headers of librdmacm.
#include "harness/transports/verbs/iut.h"
#include "harness/transports/verbs/service.h"
#include "harness/transports/verbs/stream.h"

namespace wirelaw {
namespace {

TransportError absent() {
  return {"wirelaw was built without librdmacm", "build it where its headers are (Debian: librdmacm-dev)"};
}

}  // namespace

tl::expected<std::unique_ptr<Iut>, TransportError> make_verbs_responder(const Uri&, Service) {
  return tl::unexpected(absent());
}

tl::expected<std::unique_ptr<Iut>, TransportError> make_verbs_initiator(const Uri&) {
  return tl::unexpected(absent());
}

std::map<std::string, std::vector<pcap::Address>> verbs_addresses() {
  return {};
}

tl::expected<std::unique_ptr<PeerService>, TransportError> verbs_listener(const Uri&, Service) {
  return tl::unexpected(absent());
}

tl::expected<std::unique_ptr<Connector>, TransportError> verbs_connector(const Uri&, const LiveClock&) {
  return tl::unexpected(absent());
}

tl::expected<std::unique_ptr<Listener>, TransportError> verbs_stream_listener(const Uri&, const LiveClock&) {
  return tl::unexpected(absent());
}

tl::expected<std::unique_ptr<PeerService>, Refusal> serve_verbs_streams(const ServeRequest&) {
  return tl::unexpected(peer_lost(absent()));
}

tl::expected<std::unique_ptr<PeerService>, TransportError> verbs_initiator(const Uri&, const TriggerRequest&) {
  return tl::unexpected(absent());
}

}  // namespace wirelaw
